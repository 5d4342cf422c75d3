import type { AssayError } from '@assay/sdk'
import { useEffect, useRef, useState } from 'react'
import { asAssayError } from '../api/client.ts'

export interface Submission<Input = void> {
  /** Does nothing while an earlier one is under way, or while the server asked to wait. */
  readonly submit: (input: Input) => void
  readonly busy: boolean
  readonly error: AssayError | undefined
  /** Seconds until the server takes another try; 0 when it takes one now. */
  readonly waitSeconds: number
}

/** One action at a time: a double click or a second Enter never sends twice. */
export function useSubmit<Input = void>(action: (input: Input) => Promise<unknown>): Submission<Input> {
  const underWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<AssayError>()
  const [waitSeconds, setWaitSeconds] = useState(0)

  useEffect(() => {
    if (waitSeconds === 0) return
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [waitSeconds])

  function submit(input: Input): void {
    if (underWay.current || waitSeconds > 0) return
    underWay.current = true
    setBusy(true)
    setError(undefined)
    action(input)
      .catch((thrown: unknown) => {
        const problem = asAssayError(thrown)
        setError(problem)
        if (problem.status === 429) setWaitSeconds(Math.ceil((problem.retryAfterMs ?? 0) / 1000))
      })
      .finally(() => {
        underWay.current = false
        setBusy(false)
      })
  }
  return { submit, busy, error, waitSeconds }
}
