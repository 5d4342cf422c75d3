import { type EvidenceSignal, type Finding, NOTHING } from './signal.ts'
import { type Sureness, throwAway } from './throw-away.ts'

export const emailDisposable = {
  code: 'email.disposable',
  description: 'A throw-away mailbox',
  group: 'mailbox',
  detect: ({ own, host }): readonly Finding<Sureness>[] => {
    const finding = throwAway(host, own, 'A throw-away mailbox', 'its provider')
    return finding === undefined ? NOTHING : [finding]
  },
} satisfies EvidenceSignal
