import { type Finding, isRelay, NOTHING, type Signal, tagged } from '../signal.ts'

export const emailDisposable = {
  code: 'email.disposable',
  description: 'A throw-away mailbox',
  group: 'mailbox',
  detect: ({ own, host }): readonly Finding[] => {
    if (isRelay(host)) return NOTHING
    const found = [
      ...tagged(own, 'disposable'),
      ...tagged(host.own, 'disposable'),
      ...tagged(host.above, 'disposable'),
      ...tagged(host.onPlatform, 'disposable'),
    ]
    if (found.length === 0) return NOTHING
    return found
  },
} satisfies Signal<'email'>
