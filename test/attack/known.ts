import type { Attack } from './attack.ts'
import type { Answer } from './wire.ts'

/** Faults that are being mended elsewhere. Each entry goes as soon as its fault is gone: the list is to be empty. */
export interface KnownFault {
  readonly about: string
  readonly matches: (fault: string, attack: Attack, answer: Answer | undefined) => boolean
  /** Error lines of the log that come with it and name no request. */
  readonly log?: RegExp
}

export const KNOWN: readonly KnownFault[] = []
