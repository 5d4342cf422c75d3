import type { MailFacts, MailKind } from '../../src/mail/mail.ts'

const AT = '2026-03-01T09:05:00.000Z'

/** The mail kinds with a link. */
export const LINKED_MAILS: readonly MailKind[] = [
  'invitation',
  'verify_address',
  'sign_up',
  'sign_up_again',
  'reset_password',
  'change_address',
  'address_changed',
  'new_sign_in',
]

/** Facts of every kind, with this name wherever a person chose the words. */
export function mailFacts(name: string): { readonly [Kind in MailKind]: MailFacts[Kind] } {
  const organisation = name
  const money = { organisation, number: '42', total_pence: 123_456 }
  return {
    invitation: { organisation, inviter: name, role: 'developer' },
    verify_address: { name },
    sign_up: { name, organisation },
    sign_up_again: { name, organisation },
    reset_password: { name },
    change_address: { name },
    address_changed: { name, at: AT, by: 'person' },
    erasure_asked: { name, organisation, erased_from: AT },
    erasure_cancelled: { name, organisation: null, erased_from: AT },
    account_deleted: { name, at: AT, organisation, receipt: 'eyJ.eyJ.sig' },
    password_changed: { name, at: AT, ip: '203.0.113.7' },
    new_sign_in: { name, at: AT, ip: '2001:db8::7', place: name, device: name },
    factor_changed: { name, at: AT, change: `the passkey ‘${name}’ was added` },
    second_factor_needed: { name, organisation, owner: name, from: AT },
    invitation_asked: { name, organisation, email: 'sam@company.example', role: 'developer' },
    recovery_code_used: { name, at: AT, left: 2 },
    alert_reached: { organisation, alert: 'credit_below', threshold_pence: 1000, present_pence: 999 },
    credit_low: { organisation, credit_pence: 250 },
    invoice_issued: { ...money, due_at: AT },
    invoice_overdue: { ...money, due_at: AT },
    webhook_disabled: { organisation, host: name, reason: name },
    event_digest: { name, frequency: 'daily', organisations: [{ name: organisation, lines: [name] }] },
  }
}

export const MAIL_KINDS = Object.keys(mailFacts('')) as MailKind[]
