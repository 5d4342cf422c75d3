import type { Tag } from '../../snapshot/types.ts'
import { hasTag, type Signal, taggedAny } from '../signal.ts'

const MAILBOX_PROVIDERS: ReadonlySet<Tag> = new Set<Tag>(['freemail', 'mail_provider'])

export const domainMailProvider = {
  code: 'domain.mail_provider',
  description: 'A mailbox provider open to everyone',
  group: 'standing',
  detect: ({ own }) => (hasTag(own, 'disposable') ? [] : taggedAny(own, MAILBOX_PROVIDERS)),
} satisfies Signal<'domain'>
