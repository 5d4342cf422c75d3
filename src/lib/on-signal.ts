const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Clears up when the process is told to end, and ends it. Gives what takes that back. */
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
