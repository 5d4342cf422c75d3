/** Billing mails to owners and admins, written in the transaction of their cause. */
import type { Tx } from '../db/sql.ts'
import type { Organisation } from '../identity/organisation/organisations.ts'
import { billingContacts } from '../identity/people/mail-reach.ts'
import { iso } from '../lib/time-text.ts'
import { type MailFacts, putMail } from '../mail/mail.ts'
import { wasToldSince } from '../outbox/outbox.ts'
import type { Invoice } from './invoices/invoices.ts'

export interface NoticeRules {
  /** False where no mail server is configured: then no mail is queued. */
  readonly sendsMail?: boolean | undefined
}

type Notice = 'invoice_issued' | 'invoice_overdue' | 'alert_reached' | 'credit_low'

/** Tells every billing contact. With `onceSinceMs`, skips recipients who got this notice since then. */
export async function tellContacts<Kind extends Notice>(
  tx: Tx,
  { sendsMail }: NoticeRules,
  { id: organisationId, name: organisation }: Pick<Organisation, 'id' | 'name'>,
  kind: Kind,
  about: Omit<MailFacts[Kind], 'organisation'>,
  onceSinceMs?: number,
): Promise<void> {
  if (!sendsMail) return
  const facts = { organisation, ...about } as MailFacts[Kind]
  for (const { personId, email } of await billingContacts(tx, organisationId)) {
    const told = { recipient: email, organisation_id: organisationId, kind }
    if (onceSinceMs !== undefined && (await wasToldSince(tx, told, onceSinceMs))) continue
    await putMail(tx, { kind, to: email, personId, organisationId, facts })
  }
}

/** The facts of an invoice for a notice. One that is paid in advance is never due. */
export function invoiceFacts({ number, total_pence, in_advance, due_at }: Invoice) {
  return { number: String(number), total_pence, due_at: in_advance ? null : iso(due_at) }
}
