import { type Finding, NO_EVIDENCE, NOTHING, type Signal } from '../signal.ts'
import { throwAway } from './throw-away.ts'

export const domainDisposable = {
  code: 'domain.disposable',
  description: 'Gives out throw-away mailboxes',
  group: 'mailbox',
  detect: (subject): readonly Finding[] => {
    const finding = throwAway(subject, NO_EVIDENCE, 'Gives out throw-away mailboxes', 'it')
    return finding === undefined ? NOTHING : [finding]
  },
} satisfies Signal<'domain'>
