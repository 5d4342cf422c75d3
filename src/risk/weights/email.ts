import type { EMAIL_SIGNALS } from '../signals/all.ts'
import { byTag, byVariant, flat, model, type Prices } from './price.ts'

/** Prices of the mailbox itself; the prices of its domain are added to them. */
export const EMAIL_PRICES: Prices<(typeof EMAIL_SIGNALS)[number]> = {
  'email.listed': byTag({}, 5.6),
  // A throw-away mailbox is high alone. One broad list alone needs a second look.
  'email.disposable': byVariant({ listed: 3.8, one_list: 2, by_name: 3.6, doubted: 0.2 }),
  // A relay needs a second look and never more: its owner is unknown, but permanent.
  'email.privacy_relay': byVariant({ relay: 1.7, hidden: 1.4 }),
  'email.dynamic_dns': flat(2.4),
  'email.free_mail': flat(0),
  // A known name beside money or security is high alone, because nobody at that company writes from free mail. An
  // officer's title needs a second look: small firms and their founders do use free mail.
  'email.impersonation': byVariant({
    name: 3.8,
    name_in_part: 1.8,
    name_alone: 1.5,
    officer_and_money: 3.7,
    officer: 2.2,
    officer_by_name: 1.7,
    department: 1.6,
    // Nobody mixes alphabets in one word by chance; with a claim, the only reason is deception.
    mixed: 1.8,
    disguised: 4,
  }),
  // A random mailbox needs a second look; alone it never makes high.
  'email.random_local': model(0.06, 2, 1.4),
  'email.role_account': flat(0),
}
