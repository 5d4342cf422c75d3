/** Notices about money: an event, and mails to owners and admins, written in the transaction of their cause. */
import type { Tx } from '../db/sql.ts'
import { emit } from '../events/emit.ts'
import { wasEmittedSince } from '../events/events.ts'
import type { DataOf } from '../events/types.ts'
import type { Organisation } from '../identity/organisation/organisations.ts'
import { billingContacts } from '../identity/people/mail-reach.ts'
import { iso } from '../lib/clock.ts'
import { type MailFacts, putMail } from '../mail/mail.ts'
import { wasToldSince } from '../outbox/outbox.ts'
import type { Invoice } from './invoices/invoices.ts'

export interface NoticeRules {
  /** False where no mail server is configured: then no mail is queued. */
  readonly sendsMail?: boolean | undefined
}

const EVENT_OF = {
  invoice_issued: 'invoice.issued',
  invoice_overdue: 'invoice.overdue',
  alert_reached: 'alert.reached',
  credit_low: 'credit.low',
} as const
type EventOf = typeof EVENT_OF
type Notice = keyof EventOf

/** Writes the event, and notifies every billing contact. With `onceSinceMs`, skips notices that were sent since then. */
export async function tellContacts<Kind extends Notice>(
  tx: Tx,
  { sendsMail }: NoticeRules,
  { id: organisationId, name: organisation }: Pick<Organisation, 'id' | 'name'>,
  kind: Kind,
  { data, about }: { readonly data: DataOf<EventOf[Kind]>; readonly about: Omit<MailFacts[Kind], 'organisation'> },
  onceSinceMs?: number,
): Promise<void> {
  const type: EventOf[Kind] = EVENT_OF[kind]
  if (onceSinceMs === undefined || !(await wasEmittedSince(tx, organisationId, type, onceSinceMs))) {
    emit<EventOf[Kind]>(tx, { organisationId, type, data })
  }
  if (!sendsMail) return
  const facts = { organisation, ...about } as MailFacts[Kind]
  for (const { personId, email } of await billingContacts(tx, organisationId)) {
    const told = { recipient: email, organisation_id: organisationId, kind }
    if (onceSinceMs !== undefined && (await wasToldSince(tx, told, onceSinceMs))) continue
    await putMail(tx, { kind, to: email, personId, organisationId, facts })
  }
}

/** The facts of an invoice for a notice. One that is paid in advance is never due. */
export function invoiceFacts({ id, number, total_pence, in_advance, due_at }: Invoice) {
  const about = { number: String(number), total_pence, due_at: in_advance ? null : iso(due_at) }
  return { about, data: { invoice_id: id, ...about } }
}
