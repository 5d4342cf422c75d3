import { type Finding, isRelay, NOTHING, type Signal, tagged } from '../signal.ts'

export const domainDisposable = {
  code: 'domain.disposable',
  description: 'Gives out throw-away mailboxes',
  group: 'mailbox',
  detect: ({ own, above, onPlatform }): readonly Finding[] =>
    isRelay({ own, above })
      ? NOTHING
      : [...tagged(own, 'disposable'), ...tagged(above, 'disposable'), ...tagged(onPlatform, 'disposable')],
} satisfies Signal<'domain'>
