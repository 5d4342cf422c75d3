const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Clears up when the process receives a signal to end, and ends it. Disposing of the result undoes this. */
export function clearOnSignal(clear: () => void): Disposable {
  const onSignal = () => {
    clear()
    process.exit(130)
  }
  for (const signal of SIGNALS) process.once(signal, onSignal)
  return {
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
