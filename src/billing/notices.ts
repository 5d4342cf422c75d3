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
type NamedOrganisation = Pick<Organisation, 'id' | 'name'>

async function tellContacts<Kind extends Notice>(
  tx: Tx,
  { id: organisationId }: NamedOrganisation,
  kind: Kind,
  facts: MailFacts[Kind],
  /** Skip recipients who got this notice since then. */
  onceSinceMs?: number,
): Promise<void> {
  for (const { personId, email } of await billingContacts(tx, organisationId)) {
    const told = { recipient: email, organisation_id: organisationId, kind }
    if (onceSinceMs !== undefined && (await wasToldSince(tx, told, onceSinceMs))) continue
    await putMail(tx, { kind, to: email, personId, organisationId, facts })
  }
}

export async function tellIssued(
  tx: Tx,
  { sendsMail }: NoticeRules,
  organisation: NamedOrganisation,
  { number, total_pence, in_advance, due_at }: Invoice,
): Promise<void> {
  if (!sendsMail) return
  await tellContacts(tx, organisation, 'invoice_issued', {
    organisation: organisation.name,
    number: String(number),
    total_pence,
    due_at: in_advance ? null : iso(due_at),
  })
}

export async function tellOverdue(
  tx: Tx,
  { sendsMail }: NoticeRules,
  organisation: NamedOrganisation,
  { number, total_pence, due_at }: Invoice,
): Promise<void> {
  if (!sendsMail) return
  await tellContacts(tx, organisation, 'invoice_overdue', {
    organisation: organisation.name,
    number: String(number),
    total_pence,
    due_at: iso(due_at),
  })
}

export async function tellReached(
  tx: Tx,
  { sendsMail }: NoticeRules,
  organisation: NamedOrganisation,
  reached: Omit<MailFacts['alert_reached'], 'organisation'>,
): Promise<void> {
  if (!sendsMail) return
  await tellContacts(tx, organisation, 'alert_reached', { organisation: organisation.name, ...reached })
}

/** Sent at most once a month to each contact. */
export async function tellCreditLow(
  tx: Tx,
  { sendsMail }: NoticeRules,
  organisation: NamedOrganisation,
  { creditPence, monthStartMs }: { readonly creditPence: number; readonly monthStartMs: number },
): Promise<void> {
  if (!sendsMail) return
  const facts = { organisation: organisation.name, credit_pence: creditPence }
  await tellContacts(tx, organisation, 'credit_low', facts, monthStartMs)
}
