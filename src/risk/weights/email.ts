import type { EmailCode } from '../signals/all.ts'
import { byTag, byVariant, flat, model, type Price } from './price.ts'

/** What evidence on a mailbox is worth, beside what its domain is worth. */
export const EMAIL_PRICES: Record<EmailCode, Price> = {
  'email.listed': byTag({}, 5.6),
  'email.disposable': flat(3),
  // Enough for medium even where the relay is run by a famous company.
  'email.privacy_relay': flat(2.4),
  'email.dynamic_dns': flat(2.4),
  'email.free_mail': flat(0.3),
  'email.impersonation': byVariant({ brand: 2.7, officer: 2.4 }),
  'email.random_local': model(0.45, 1.6),
  'email.role_account': flat(0),
}
