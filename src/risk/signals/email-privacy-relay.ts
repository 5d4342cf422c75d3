import { hasTag, tagged } from '../look-up/evidence.ts'
import type { EmailSubject } from '../look-up/subject.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const emailPrivacyRelay = {
  code: 'email.privacy_relay',
  description: 'A forwarding address that hides the real mailbox: not throw-away, but its owner is unknown',
  group: 'mailbox',
  detect: ({ host, local, models }): readonly Finding<'relay' | 'hidden'>[] => {
    // Being on many lists makes a relay no worse.
    const known = tagged(hasTag(host.own, 'relay') ? host.own : host.above, 'relay')[0]
    if (known !== undefined) {
      const sentence = `A forwarding address of ${host.domain}: not throw-away, but it hides the mailbox of its owner`
      return [{ ...known, variant: 'relay', sentence }]
    }
    return isHiddenByApple(local, host.domain, models) ? HIDDEN_BY_APPLE : NOTHING
  },
} satisfies Signal<'email'>

const HIDDEN_BY_APPLE: readonly Finding<'hidden'>[] = [
  {
    source: 'rules',
    confidence: 1,
    variant: 'hidden',
    sentence: 'Built like the forwarding addresses of Hide My Email at iCloud: two words, then a digit and a letter',
  },
]

// Apple generates these: two words and two more characters, such as `tweed_anchor.0v`.
const HIDE_MY_EMAIL = /^([a-z]{3,})[-_.]([a-z]{3,})[-_.]?\d[a-z]$/

function isHiddenByApple(local: string, domain: string, { lexicon }: EmailSubject['models']): boolean {
  if (domain !== 'icloud.com') return false
  const [, first, second] = HIDE_MY_EMAIL.exec(local) ?? []
  return first !== undefined && second !== undefined && lexicon.isWord(first) && lexicon.isWord(second)
}
