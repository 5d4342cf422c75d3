import type { Attack } from './attack.ts'
import type { Answer } from './wire.ts'

/** Faults that are being mended elsewhere. Each entry goes as soon as its fault is gone: the list is to be empty. */
export interface KnownFault {
  readonly about: string
  readonly matches: (fault: string, attack: Attack, answer: Answer | undefined) => boolean
  /** Error lines of the log that come with it and name no request. */
  readonly log?: RegExp
}

export const KNOWN: readonly KnownFault[] = [
  {
    about: 'answers without their security headers',
    matches: (fault) =>
      fault.startsWith('header: x-content-type-options') || fault.startsWith('header: a page without its'),
  },
  {
    about: '/docs fails at a Host that is none',
    matches: (fault, attack) =>
      fault.startsWith('failed: 500') && /^(GET|HEAD|POST) \S*\/docs/.test(String(attack.bytes[0])),
  },
  {
    about: 'a zero character in a query reaches the store',
    matches: (fault, attack) => fault.startsWith('failed: 500') && /^\w+ \S*%00/.test(String(attack.bytes[0])),
  },
  {
    about: 'the library fails where a sign-in goes on that nobody began',
    matches: (_fault, attack, answer) => answer?.status === 500 && attack.about.endsWith('where a sign-in goes on'),
    log: /reading 'redirect_uri'/,
  },
]
