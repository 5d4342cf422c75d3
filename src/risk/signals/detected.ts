import type { SignalCode } from './all.ts'
import type { Finding, Group } from './signal.ts'

/** A signal that found something. */
export interface Detected {
  readonly code: SignalCode
  readonly group: Group
  readonly findings: readonly Finding<string>[]
  /** True if the signal uses live facts. */
  readonly isFact?: boolean
}

export const NONE_DETECTED: readonly Detected[] = []

interface Detector<Subject> {
  readonly code: SignalCode
  readonly group: Group
  detect(subject: Subject): readonly Finding<string>[]
}

export function detectEach<Subject>(
  signals: readonly Detector<Subject>[],
  subject: Subject,
  isFact = false,
): readonly Detected[] {
  let detected: Detected[] | undefined
  for (let i = 0; i < signals.length; i++) {
    const { code, group, detect } = signals[i] as Detector<Subject>
    const findings = detect(subject)
    if (findings.length === 0) continue
    detected ??= []
    detected.push({ code, group, findings, isFact })
  }
  return detected ?? NONE_DETECTED
}
