const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Clears up when the process receives a signal to end, and ends it. Returns a function that undoes this. */
export function clearOnSignal(clear: () => void): () => void {
  const onSignal = () => {
    clear()
    process.exit(130)
  }
  for (const signal of SIGNALS) process.once(signal, onSignal)
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
