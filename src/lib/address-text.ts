import { HOST_PROBLEMS, normaliseHost } from './domain.ts'

/** More than any address of 254 characters has, even decomposed into letters and marks: at most four units each. */
const UNITS_MAX = 1024

/**
 * An email address in its form for comparison: trimmed, NFC, lower case. A text that is too long for an address is not
 * composed, because the time to compose a long run of marks grows with the square of its length.
 */
export function normaliseAddressText(text: string): string {
  const trimmed = text.trim()
  return (trimmed.length > UNITS_MAX ? trimmed : trimmed.normalize('NFC')).toLowerCase()
}

/** An email address in normal form: `address` is `local@domain`, the domain in A-labels. */
export interface Mailbox {
  readonly address: string
  readonly local: string
  readonly domain: string
}

const PLAIN_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
// RFC 6531: an atom may contain any character beyond ASCII that is neither a blank nor a control.
const WIDE_LOCAL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\u{a1}-\u{10ffff}]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~\-\u{a1}-\u{10ffff}]+)*$/u
const UNSEEN = /[\p{Cc}\p{Cs}\p{Z}\p{Cn}]/u
const QUOTED_LOCAL = /^"(?:[^"\\\p{Cc}\p{Cs}]|\\[\x20-\x7e])*"$/u

/** The only rule for email addresses: of checks and of people. Returns a sentence if the text is not one address. */
export function parseMailbox(text: string): Mailbox | { readonly problem: string } {
  const address = normaliseAddressText(text)
  const at = address.lastIndexOf('@')
  if (at < 0) return { problem: 'The email address has no @.' }
  if (isLonger(address, 254)) return { problem: 'The email address is longer than 254 characters.' }
  const local = address.slice(0, at)
  if (local === '') return { problem: 'The email address has nothing before the @.' }
  if (isLonger(local, 64)) return { problem: 'The part before the @ is longer than 64 characters.' }
  const validLocal =
    PLAIN_LOCAL.test(local) || (WIDE_LOCAL.test(local) && !UNSEEN.test(local)) || QUOTED_LOCAL.test(local)
  if (!validLocal) return { problem: 'The part before the @ has a character or a dot that is not allowed there.' }
  const host = address.slice(at + 1)
  if (host.endsWith('.') || host !== host.trim()) {
    return { problem: 'The domain after the @ has a blank or a dot at its edge.' }
  }
  const domain = normaliseHost(host)
  if ('problem' in domain) return { problem: `The domain after the @ ${HOST_PROBLEMS[domain.problem]}.` }
  return { address: `${local}@${domain.name}`, local, domain: domain.name }
}

/**
 * An address that mail is sent to. A local part in quotes has many spellings of one mailbox ("jane", "j\ane"), and limits
 * count spellings: only checks accept it.
 */
export function parseRecipient(text: string): Mailbox | { readonly problem: string } {
  const mailbox = parseMailbox(text)
  if ('problem' in mailbox || !mailbox.local.startsWith('"')) return mailbox
  return { problem: 'The part before the @ is in quotes: write the address without them.' }
}

/** True if a text has more than `max` characters; a character beyond the basic plane counts once. */
function isLonger(text: string, max: number): boolean {
  return text.length > 2 * max || (text.length > max && [...text].length > max)
}
