/** Mail that this service sends: its kinds, the content of each, and how one is put into the outbox. */
import type { SqlQueries, Tx } from '../db/sql.ts'
import { listRuns } from '../jobs/runs.ts'
import { DAY_MS, HOUR_MS } from '../lib/clock.ts'
import { countSince, putMessage } from '../outbox/outbox.ts'

/** The content of each kind of mail. Times are ISO 8601. Kinds with a link also carry it, sealed. */
export interface MailFacts {
  invitation: {
    readonly organisation: string
    readonly inviter: string
    readonly role: string
    /** Absent in mails that an earlier release put into the outbox. */
    readonly expires_at?: string
  }
  verify_address: { readonly name: string }
  /** A sign-up with an address that has no account yet. */
  sign_up: SignUpFacts
  /** A sign-up with the address of an existing account: the link adds the organisation to it. */
  sign_up_again: SignUpFacts
  reset_password: { readonly name: string }
  /** To the address that a person wants to have: the link gives it to them. */
  change_address: { readonly name: string }
  /** To the former address; the link undoes the change. Without a link: the operator changed it, or it was undone. */
  address_changed: { readonly name: string; readonly at: string; readonly by: 'person' | 'operator' | 'undo' }
  /** Of an account, or (`organisation`) of an organisation. */
  erasure_asked: ErasureFacts & { readonly erased_from: string }
  erasure_cancelled: ErasureFacts & { readonly erased_from: string }
  /** `receipt` is the signed one; absent where no secret is configured, and in mails of an earlier release. */
  account_deleted: Partial<ErasureFacts> & { readonly name: string; readonly at: string; readonly receipt?: string }
  password_changed: {
    readonly name: string
    readonly at: string
    readonly ip: string | null
    readonly by_operator?: boolean
  }
  /** The link ends every session; absent in mails that an earlier release put into the outbox. */
  new_sign_in: {
    readonly name: string
    readonly at: string
    readonly ip: string
    readonly place: string | null
    readonly device: string
  }
  /** `change` is a clause: “the passkey ‘Phone’ was added”. */
  factor_changed: { readonly name: string; readonly at: string; readonly change: string }
  second_factor_needed: {
    readonly name: string
    readonly organisation: string
    /** The name of the owner who decided; null for the operator. */
    readonly owner: string | null
    /** Null: from now on. */
    readonly from: string | null
  }
  /** The addressee of an ended invitation asks for a new one. */
  invitation_asked: {
    readonly name: string
    readonly organisation: string
    readonly email: string
    readonly role: string
  }
  recovery_code_used: { readonly name: string; readonly at: string; readonly left: number }
  alert_reached: {
    readonly organisation: string
    readonly alert: 'credit_below' | 'overage_above'
    readonly threshold_pence: number
    readonly present_pence: number
  }
  credit_low: { readonly organisation: string; readonly credit_pence: number }
  invoice_issued: InvoiceFacts & { readonly due_at: string | null }
  invoice_overdue: InvoiceFacts & { readonly due_at: string }
  webhook_disabled: { readonly organisation: string; readonly host: string; readonly reason: string }
  event_digest: {
    readonly name: string
    readonly frequency: 'daily' | 'weekly'
    /** One line for each event, oldest first. */
    readonly organisations: readonly { readonly name: string; readonly lines: readonly string[] }[]
  }
}

interface ErasureFacts {
  readonly name: string
  /** Its name; null for the account of the person. */
  readonly organisation: string | null
}

interface SignUpFacts {
  readonly name: string
  readonly organisation: string
  /** The role of an accepted invitation; undefined for a new organisation. */
  readonly role?: string | undefined
}

interface InvoiceFacts {
  readonly organisation: string
  readonly number: string
  readonly total_pence: number
}

export type MailKind = keyof MailFacts

/** The time after which a mail is no longer sent; a mail with a link never outlives the link. */
const LIFETIMES_MS: Readonly<Record<MailKind, number>> = {
  invitation: 3 * DAY_MS,
  verify_address: DAY_MS,
  sign_up: DAY_MS,
  sign_up_again: DAY_MS,
  reset_password: HOUR_MS,
  change_address: DAY_MS,
  address_changed: 3 * DAY_MS,
  erasure_asked: 3 * DAY_MS,
  erasure_cancelled: 3 * DAY_MS,
  account_deleted: 3 * DAY_MS,
  password_changed: 3 * DAY_MS,
  new_sign_in: DAY_MS,
  factor_changed: 3 * DAY_MS,
  second_factor_needed: 3 * DAY_MS,
  invitation_asked: 3 * DAY_MS,
  recovery_code_used: 3 * DAY_MS,
  alert_reached: DAY_MS,
  credit_low: DAY_MS,
  invoice_issued: 3 * DAY_MS,
  invoice_overdue: 3 * DAY_MS,
  webhook_disabled: 3 * DAY_MS,
  event_digest: DAY_MS,
}

/**
 * Limits per recipient and hour, grouped by cause: nobody can fill another person's mailbox, nor use up the limit of
 * notices that the owner has to get. Notices about money are not limited: an accountant of many organisations gets them
 * all.
 */
const PER_HOUR_MAX: readonly { readonly kinds: readonly MailKind[]; readonly max: number }[] = [
  { kinds: ['invitation', 'sign_up', 'sign_up_again', 'change_address'], max: 5 },
  { kinds: ['reset_password'], max: 20 },
  { kinds: ['verify_address'], max: 20 },
  { kinds: ['second_factor_needed'], max: 5 },
  { kinds: ['invitation_asked'], max: 20 },
  { kinds: ['password_changed', 'new_sign_in', 'factor_changed', 'recovery_code_used'], max: 20 },
  // Alone: a thief who causes many of the notices above must not suppress these.
  { kinds: ['address_changed', 'erasure_asked', 'erasure_cancelled', 'account_deleted'], max: 20 },
]

export interface NewMail<Kind extends MailKind> {
  readonly kind: Kind
  readonly to: string
  readonly personId?: string | undefined
  readonly organisationId?: string | undefined
  readonly facts: MailFacts[Kind]
  /** The result of `sealSecret`, where the mail carries a link. */
  readonly sealedLink?: string | undefined
}

/** Puts a mail into the outbox, unless its recipient is over the hourly limit; returns true if it did. */
export async function putMail<Kind extends MailKind>(tx: Tx, mail: NewMail<Kind>): Promise<boolean> {
  const limit = PER_HOUR_MAX.find(({ kinds }) => kinds.includes(mail.kind))
  const had = limit ? await countSince(tx, mail.to, limit.kinds, tx.nowMs - HOUR_MS) : 0
  if (limit && had >= limit.max) return false
  await putMessage(tx, {
    channel: 'mail',
    kind: mail.kind,
    recipient: mail.to,
    personId: mail.personId,
    organisationId: mail.organisationId,
    facts: { ...mail.facts },
    sealed: mail.sealedLink,
    lifetimeMs: LIFETIMES_MS[mail.kind],
  })
  return true
}

export const MAIL_JOB = 'mail'

/** True while the mail server accepts no mail, as the last run of the job found: a new mail waits for longer. */
export async function isMailStopped(sql: SqlQueries): Promise<boolean> {
  return (await listRuns(sql)).some(({ name, error }) => name === MAIL_JOB && error !== null)
}
