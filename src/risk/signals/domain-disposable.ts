import { NO_EVIDENCE } from '../look-up/evidence.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'
import { type Sureness, throwAway } from './throw-away.ts'

export const domainDisposable = {
  code: 'domain.disposable',
  description: 'Gives out throw-away mailboxes',
  group: 'mailbox',
  detect: (subject): readonly Finding<Sureness>[] => {
    const finding = throwAway(subject, NO_EVIDENCE, 'Gives out throw-away mailboxes', 'it')
    return finding === undefined ? NOTHING : [finding]
  },
} satisfies Signal<'domain'>
