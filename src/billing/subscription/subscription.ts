/**
 * The life of a subscription.
 *
 *  1. A month's price is invoiced at its start, whole; the overage of a month after its end. Months are never split.
 *  2. A dearer plan takes effect at once, and the difference in price is invoiced at once. A cheaper one takes effect
 *     with the next month. Between plans of one price the change is at once and costs nothing.
 *  3. Ended at the end of the month, a subscription runs until then; ended now, it stops at once, what was paid stays
 *     paid, and the overage so far is invoiced.
 *  4. An invoice unpaid when due stops the subscription: the account is inactive, and no price is invoiced for months
 *     that begin while it is. Paid, it runs again.
 *  5. What time brings about is done by whoever comes first: the job, or a reader. Doing it late gives the same
 *     invoices as doing it in time.
 *  6. An invoice is settled once. What is paid for a cancelled one becomes credit: money that came is never lost.
 */
import type { Sql, SqlQueries, SqlTransaction } from '../../db/sql.ts'
import { invalidField, Problem } from '../../errors.ts'
import { type AuditActor, recordAudit, SYSTEM_ACTOR } from '../../identity/audit.ts'
import { findOrganisation, setOrganisationState } from '../../identity/organisation/organisations.ts'
import { type Clock, periodOf } from '../../lib/clock.ts'
import {
  closeInvoice,
  findInvoice,
  findOverdue,
  type Invoice,
  type InvoiceLine,
  issueInvoice,
} from '../invoices/invoices.ts'
import { type Books, openBooks, overageOfPeriod } from '../ledger/books.ts'
import { nextPeriod, periodEndMs, previousPeriod } from '../period.ts'
import type { Plan, Plans } from '../plans.ts'

export interface Subscription {
  readonly organisationId: string
  readonly status: 'active' | 'past_due' | 'ended'
  readonly provider: string
  readonly nextPlanId: string | null
  readonly endsAtPeriodEnd: boolean
  readonly startedAtMs: number
  readonly stoppedAtMs: number | null
  readonly billedPeriod: string
  readonly closedPeriod: string
  readonly payer: string | null
  readonly paymentMethod: string | null
}

interface Row {
  organisation_id: string
  status: Subscription['status']
  provider: string
  next_plan_id: string | null
  ends_at_period_end: number
  started_at: number
  stopped_at: number | null
  billed_period: string
  closed_period: string
  payer: string | null
  payment_method: string | null
}

const COLUMNS = `organisation_id, status, provider, next_plan_id, ends_at_period_end, started_at, stopped_at, billed_period,
  closed_period, payer, payment_method`

export async function findSubscription(sql: SqlQueries, organisationId: string): Promise<Subscription | undefined> {
  const rows = await sql.query<Row>(`select ${COLUMNS} from subscription where organisation_id = $1`, [organisationId])
  const row = rows[0]
  return (
    row && {
      organisationId: row.organisation_id,
      status: row.status,
      provider: row.provider,
      nextPlanId: row.next_plan_id,
      endsAtPeriodEnd: row.ends_at_period_end === 1,
      startedAtMs: row.started_at,
      stoppedAtMs: row.stopped_at,
      billedPeriod: row.billed_period,
      closedPeriod: row.closed_period,
      payer: row.payer,
      paymentMethod: row.payment_method,
    }
  )
}

async function writeSubscription(tx: SqlTransaction, one: Subscription, nowMs: number): Promise<void> {
  await tx.query(
    `insert into subscription (${COLUMNS}, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (organisation_id) do update set status = excluded.status, provider = excluded.provider,
       next_plan_id = excluded.next_plan_id, ends_at_period_end = excluded.ends_at_period_end,
       started_at = excluded.started_at, stopped_at = excluded.stopped_at, billed_period = excluded.billed_period,
       closed_period = excluded.closed_period, payer = excluded.payer, payment_method = excluded.payment_method,
       updated_at = excluded.updated_at`,
    [
      one.organisationId,
      one.status,
      one.provider,
      one.nextPlanId,
      one.endsAtPeriodEnd ? 1 : 0,
      one.startedAtMs,
      one.stoppedAtMs,
      one.billedPeriod,
      one.closedPeriod,
      one.payer,
      one.paymentMethod,
      nowMs,
    ],
  )
}

/** An organisation's books and subscription, both at the present moment, for one change. */
interface Present {
  readonly tx: SqlTransaction
  readonly plans: Plans
  readonly books: Books
  readonly nowMs: number
  subscription: Subscription | undefined
}

export interface SubscriptionDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly plans: Plans
}

const priceLine = (plan: Plan, month: string): InvoiceLine => ({
  kind: 'plan',
  month,
  description: `${plan.name}, ${month}`,
  amount_pence: plan.monthly_price_pence,
})

const overageLine = (month: string, pence: number): InvoiceLine => ({
  kind: 'overage',
  month,
  description: `Checks beyond the credit, ${month}`,
  amount_pence: pence,
})

/** Does what time has brought about, then `change`, all in one transaction. */
async function atPresent<T>(
  tx: SqlTransaction,
  plans: Plans,
  organisationId: string,
  nowMs: number,
  change: (present: Present) => Promise<T>,
): Promise<T> {
  const books = await openBooks(tx, plans, organisationId, nowMs)
  const subscription = await findSubscription(tx, organisationId)
  const present: Present = { tx, plans, books, nowMs, subscription }
  if (subscription) {
    const thisPeriod = periodOf(nowMs)
    for (let month = nextPeriod(subscription.closedPeriod); month < thisPeriod; month = nextPeriod(month)) {
      await closeMonth(present, month)
    }
    await stopIfOverdue(present, nowMs)
  }
  const value = await change(present)
  if (present.subscription && present.subscription !== subscription) {
    await writeSubscription(tx, present.subscription, nowMs)
  }
  await books.write()
  return value
}

/** The end of a month, and the start of the next. */
async function closeMonth(present: Present, month: string): Promise<void> {
  const endMs = periodEndMs(month)
  await stopIfOverdue(present, endMs)
  const subscription = present.subscription!
  const { books, plans, tx } = present
  const { organisationId } = subscription
  const following = nextPeriod(month)
  let next: Subscription = { ...subscription, closedPeriod: month }
  if (next.status === 'active' && next.endsAtPeriodEnd) {
    next = { ...next, status: 'ended', stoppedAtMs: endMs, endsAtPeriodEnd: false, nextPlanId: null }
    await deactivate(present, 'The subscription ended with the month.')
  } else if (next.nextPlanId !== null) {
    const plan = plans.get(next.nextPlanId)
    if (plan && plan.id !== books.account.planId) books.movePlan(plan)
    next = { ...next, nextPlanId: null }
  }
  const lines: InvoiceLine[] = []
  const overagePence = await overageOfPeriod(tx, organisationId, books.writtenSeq, {
    before: previousPeriod(month),
    period: month,
  })
  // What was invoiced when the subscription ended in mid-month is not invoiced again.
  const invoicedPence = await invoicedOverage(tx, organisationId, month)
  if (overagePence > invoicedPence) lines.push(overageLine(month, overagePence - invoicedPence))
  if (next.status === 'active' && next.billedPeriod < following) {
    lines.push(priceLine(books.plan, following))
    next = { ...next, billedPeriod: following }
  }
  present.subscription = next
  await issue(present, { organisationId, kind: 'subscription', lines, issuedAtMs: endMs })
}

async function invoicedOverage(tx: SqlTransaction, organisationId: string, month: string): Promise<number> {
  const rows = await tx.query<{ lines: string }>(
    'select lines from invoice where organisation_id = $1 and overage_pence > 0 and lines like $2',
    [organisationId, `%"month":"${month}"%`],
  )
  return rows
    .flatMap((row) => JSON.parse(row.lines) as InvoiceLine[])
    .filter((line) => line.kind === 'overage' && line.month === month)
    .reduce((sum, line) => sum + line.amount_pence, 0)
}

async function stopIfOverdue(present: Present, byMs: number): Promise<void> {
  const { subscription, tx } = present
  if (subscription?.status !== 'active') return
  const [first] = await findOverdue(tx, subscription.organisationId, byMs)
  if (!first) return
  present.subscription = { ...subscription, status: 'past_due', stoppedAtMs: first.due_at }
  await deactivate(present, `Invoice ${first.number} was not paid when due.`)
}

/** Never touches an account the operator has disabled. */
async function setState(present: Present, state: 'active' | 'inactive', reason: string): Promise<void> {
  const { tx, nowMs } = present
  const { organisationId } = present.books.account
  const organisation = await findOrganisation(tx, organisationId)
  if (!organisation || organisation.state === 'disabled' || organisation.state === state) return
  await setOrganisationState(tx, { id: organisationId, state, nowMs })
  await recordAudit(tx, {
    organisationId,
    actor: SYSTEM_ACTOR,
    action: state === 'active' ? 'account.active' : 'account.inactive',
    targetId: organisationId,
    detail: { reason },
    nowMs,
  })
}

const deactivate = (present: Present, reason: string) => setState(present, 'inactive', reason)

async function issue(present: Present, input: Parameters<typeof issueInvoice>[1]): Promise<Invoice | undefined> {
  const invoice = await issueInvoice(present.tx, input)
  if (invoice) {
    await recordAudit(present.tx, {
      organisationId: input.organisationId,
      actor: SYSTEM_ACTOR,
      action: 'invoice.issue',
      targetId: invoice.id,
      detail: { number: invoice.number, total_pence: invoice.total_pence },
      nowMs: present.nowMs,
    })
  }
  return invoice
}

/** Runs again: the price of the present month is due unless it was invoiced before. */
async function restart(present: Present, reason: string): Promise<Invoice | undefined> {
  const { books, nowMs } = present
  const subscription = present.subscription!
  const period = periodOf(nowMs)
  const due = subscription.billedPeriod < period
  present.subscription = {
    ...subscription,
    status: 'active',
    stoppedAtMs: null,
    billedPeriod: due ? period : subscription.billedPeriod,
  }
  await setState(present, 'active', reason)
  if (!due) return undefined
  return issue(present, {
    organisationId: subscription.organisationId,
    kind: 'subscription',
    lines: [priceLine(books.plan, period)],
    issuedAtMs: nowMs,
  })
}

/** The first subscription of a new organisation. With `payFirst` it is inactive until the first invoice is paid. */
export async function startSubscription(
  tx: SqlTransaction,
  input: {
    readonly organisationId: string
    readonly plan: Plan
    readonly provider: string
    readonly payFirst: boolean
    readonly nowMs: number
  },
): Promise<Invoice | undefined> {
  const { organisationId, plan, nowMs } = input
  const period = periodOf(nowMs)
  const waits = input.payFirst && plan.monthly_price_pence > 0
  const invoice = await issueInvoice(tx, {
    organisationId,
    kind: 'subscription',
    lines: [priceLine(plan, period)],
    issuedAtMs: nowMs,
    ...(waits ? { dueAtMs: nowMs } : {}),
  })
  await writeSubscription(
    tx,
    {
      organisationId,
      status: waits ? 'past_due' : 'active',
      provider: input.provider,
      nextPlanId: null,
      endsAtPeriodEnd: false,
      startedAtMs: nowMs,
      stoppedAtMs: waits ? nowMs : null,
      billedPeriod: period,
      closedPeriod: previousPeriod(period),
      payer: null,
      paymentMethod: null,
    },
    nowMs,
  )
  if (waits) await setOrganisationState(tx, { id: organisationId, state: 'inactive', nowMs })
  return invoice
}

export type SubscriptionChange = { readonly planId: string } | { readonly end: 'now' | 'period_end' }

/** Changes or ends a subscription; the invoice is what that costs at once. */
export async function changeSubscription(
  tx: SqlTransaction,
  plans: Plans,
  input: {
    readonly organisationId: string
    readonly change: SubscriptionChange
    readonly provider: string
    readonly actor: AuditActor
    readonly nowMs: number
  },
): Promise<{ subscription: Subscription; planId: string; invoice: Invoice | undefined }> {
  const { change } = input
  return atPresent(tx, plans, input.organisationId, input.nowMs, async (present) => {
    const invoice =
      'end' in change ? await end(present, change.end, input.actor) : await choose(present, change.planId, input)
    return { subscription: present.subscription!, planId: present.books.account.planId, invoice }
  })
}

async function choose(
  present: Present,
  planId: string,
  input: { readonly provider: string; readonly actor: AuditActor },
): Promise<Invoice | undefined> {
  const { books, plans, tx, nowMs } = present
  const { organisationId } = books.account
  const plan = plans.get(planId)
  if (!plan) throw invalidField('/plan', `There is no such plan; there are: ${[...plans.keys()].join(', ')}.`)
  const audit = (action: 'subscription.change' | 'subscription.resume', takesEffect: 'now' | 'next month') =>
    recordAudit(tx, {
      organisationId,
      actor: input.actor,
      action,
      targetId: organisationId,
      detail: { from: books.account.planId, to: planId, takes_effect: takesEffect },
      nowMs,
    })
  const period = periodOf(nowMs)
  const { subscription } = present
  if (subscription?.status === 'past_due') {
    throw new Problem('conflict', { detail: 'There is an unpaid invoice. Pay it first; then change the plan.' })
  }
  if (!subscription || subscription.status === 'ended') {
    await audit('subscription.resume', 'now')
    const before = books.plan
    // Ended and taken up again within a month that is paid for: only what the new plan costs more is due.
    const paid = subscription !== undefined && subscription.billedPeriod >= period
    if (plan.id !== before.id) books.movePlan(plan)
    present.subscription = {
      ...(subscription ?? {
        organisationId,
        payer: null,
        paymentMethod: null,
        startedAtMs: nowMs,
        billedPeriod: previousPeriod(period),
        closedPeriod: previousPeriod(period),
      }),
      provider: input.provider,
      status: 'active',
      nextPlanId: null,
      endsAtPeriodEnd: false,
      stoppedAtMs: null,
    }
    const invoice = await restart(present, 'The organisation subscribed.')
    return paid ? issueUpgrade(present, before, plan) : invoice
  }
  const before = books.plan
  if (plan.id === before.id) {
    // Choosing what one has takes back a change or an end that was still to come.
    await audit('subscription.resume', 'now')
    present.subscription = { ...subscription, nextPlanId: null, endsAtPeriodEnd: false }
    return undefined
  }
  if (plan.monthly_price_pence < before.monthly_price_pence) {
    await audit('subscription.change', 'next month')
    present.subscription = { ...subscription, nextPlanId: plan.id, endsAtPeriodEnd: false }
    return undefined
  }
  await audit('subscription.change', 'now')
  books.movePlan(plan)
  present.subscription = { ...subscription, nextPlanId: null, endsAtPeriodEnd: false }
  return issueUpgrade(present, before, plan)
}

function issueUpgrade(present: Present, before: Plan, plan: Plan): Promise<Invoice | undefined> {
  const month = periodOf(present.nowMs)
  return issue(present, {
    organisationId: present.books.account.organisationId,
    kind: 'subscription',
    lines: [
      {
        kind: 'upgrade',
        month,
        description: `${before.name} to ${plan.name}, ${month}`,
        amount_pence: plan.monthly_price_pence - before.monthly_price_pence,
      },
    ],
    issuedAtMs: present.nowMs,
  })
}

async function end(present: Present, when: 'now' | 'period_end', actor: AuditActor): Promise<Invoice | undefined> {
  const { subscription, books, tx, nowMs } = present
  const { organisationId } = books.account
  if (!subscription || subscription.status === 'ended') {
    throw new Problem('conflict', { detail: 'There is no running subscription to end.' })
  }
  await recordAudit(tx, {
    organisationId,
    actor,
    action: 'subscription.end',
    targetId: organisationId,
    detail: { when },
    nowMs,
  })
  if (when === 'period_end' && subscription.status === 'active') {
    present.subscription = { ...subscription, endsAtPeriodEnd: true, nextPlanId: null }
    return undefined
  }
  present.subscription = {
    ...subscription,
    status: 'ended',
    stoppedAtMs: subscription.stoppedAtMs ?? nowMs,
    endsAtPeriodEnd: false,
    nextPlanId: null,
  }
  await deactivate(present, 'The subscription was ended.')
  const period = periodOf(nowMs)
  const overagePence = await overageOfPeriod(tx, organisationId, books.writtenSeq, {
    before: previousPeriod(period),
    period,
  })
  const open = overagePence - (await invoicedOverage(tx, organisationId, period))
  return issue(present, {
    organisationId,
    kind: 'subscription',
    lines: open > 0 ? [overageLine(period, open)] : [],
    issuedAtMs: nowMs,
  })
}

/** An invoice for credit; the credit is posted when it is paid. */
export async function requestTopUp(
  tx: SqlTransaction,
  plans: Plans,
  input: {
    readonly organisationId: string
    readonly amountPence: number
    readonly actor: AuditActor
    readonly nowMs: number
  },
): Promise<Invoice> {
  const { organisationId, amountPence, nowMs } = input
  return atPresent(tx, plans, organisationId, nowMs, async () => {
    const invoice = await issueInvoice(tx, {
      organisationId,
      kind: 'top_up',
      lines: [{ kind: 'top_up', month: periodOf(nowMs), description: 'Prepaid credit', amount_pence: amountPence }],
      issuedAtMs: nowMs,
    })
    await recordAudit(tx, {
      organisationId,
      actor: input.actor,
      action: 'top_up.create',
      targetId: invoice!.id,
      detail: { amount_pence: amountPence },
      nowMs,
    })
    return invoice!
  })
}

export interface Settlement {
  readonly invoiceId: string
  /** Names the payment. */
  readonly reference: string | null
  readonly actor: AuditActor
  readonly nowMs: number
  /** The provider's names for the payer and the saved card, for the next time. */
  readonly payer?: string | null
  readonly paymentMethod?: string | null
}

/** An invoice was paid. A second time changes nothing. */
export async function settleInvoice(
  tx: SqlTransaction,
  plans: Plans,
  input: Settlement,
): Promise<{ invoice: Invoice; repeated: boolean }> {
  const found = await findInvoice(tx, input.invoiceId)
  if (!found) throw new Problem('not_found', { detail: 'There is no such invoice.' })
  const { organisation_id: organisationId } = found
  return atPresent(tx, plans, organisationId, input.nowMs, async (present) => {
    const { books } = present
    // Read again: whoever held the lock before may have settled it.
    const invoice = (await findInvoice(tx, input.invoiceId))!
    if (present.subscription && (input.payer || input.paymentMethod)) {
      const { payer, paymentMethod } = present.subscription
      present.subscription = {
        ...present.subscription,
        payer: input.payer ?? payer,
        paymentMethod: input.paymentMethod ?? paymentMethod,
      }
    }
    if (invoice.state === 'paid') return { invoice, repeated: true }
    if (invoice.state === 'void') {
      const reference = `payment ${input.reference ?? invoice.id}`
      const posted = await tx.query('select id from ledger_entry where organisation_id = $1 and reference = $2', [
        organisationId,
        reference,
      ])
      if (posted.length > 0) return { invoice, repeated: true }
      books.post({
        kind: 'credit',
        prepaidDeltaPence: invoice.total_pence,
        reference,
        detail: `payment for the cancelled invoice ${invoice.number}`,
      })
      return { invoice, repeated: false }
    }
    if (invoice.kind === 'top_up') {
      books.post({
        kind: 'credit',
        prepaidDeltaPence: invoice.total_pence,
        reference: invoice.id,
        detail: `top-up, invoice ${invoice.number}`,
      })
    }
    return { invoice: await close(present, invoice, 'paid', input), repeated: false }
  })
}

/** The operator takes an invoice back: nothing is to be paid, its overage is forgiven. */
export async function voidInvoice(
  tx: SqlTransaction,
  plans: Plans,
  input: Omit<Settlement, 'payer' | 'paymentMethod'>,
): Promise<Invoice> {
  const found = await findInvoice(tx, input.invoiceId)
  if (!found) throw new Problem('not_found', { detail: 'There is no such invoice.' })
  return atPresent(tx, plans, found.organisation_id, input.nowMs, async (present) => {
    const invoice = (await findInvoice(tx, input.invoiceId))!
    if (invoice.state === 'void') return invoice
    if (invoice.state === 'paid') {
      throw new Problem('conflict', { detail: `Invoice ${invoice.number} is paid and cannot be cancelled.` })
    }
    return close(present, invoice, 'void', input)
  })
}

async function close(
  present: Present,
  invoice: Invoice,
  state: 'paid' | 'void',
  input: Pick<Settlement, 'reference' | 'actor'>,
): Promise<Invoice> {
  const { books, tx, nowMs } = present
  const settledPence = Math.min(invoice.overage_pence, books.account.overagePence)
  if (settledPence > 0) {
    books.post({
      kind: 'settle',
      overageDeltaPence: -settledPence,
      reference: `settle ${invoice.id}`,
      detail: `invoice ${invoice.number} ${state === 'paid' ? 'paid' : 'cancelled'}`,
    })
  }
  const closed = await closeInvoice(tx, { id: invoice.id, state, reference: input.reference, nowMs })
  await recordAudit(tx, {
    organisationId: invoice.organisation_id,
    actor: input.actor,
    action: state === 'paid' ? 'invoice.settle' : 'invoice.void',
    targetId: invoice.id,
    detail: { number: invoice.number, total_pence: invoice.total_pence, reference: input.reference },
    nowMs,
  })
  if (present.subscription?.status === 'past_due') {
    const overdue = await findOverdue(tx, invoice.organisation_id, nowMs)
    if (overdue.length === 0)
      await restart(present, `Invoice ${invoice.number} was ${state === 'paid' ? 'paid' : 'cancelled'}.`)
  }
  return closed
}

/** Whether time has brought anything about: asked by readers first, so that reading seldom writes. */
export async function isDue(sql: SqlQueries, organisationId: string, nowMs: number): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as due from subscription s where s.organisation_id = $1 and (s.closed_period < $2
       or (s.status = 'active' and exists (select 1 from invoice i where i.organisation_id = s.organisation_id
         and i.state = 'open' and i.kind = 'subscription' and i.due_at <= $3)))`,
    [organisationId, previousPeriod(periodOf(nowMs)), nowMs],
  )
  return rows.length > 0
}

export async function bringToPresent(deps: SubscriptionDependencies, organisationId: string): Promise<void> {
  const nowMs = deps.clock.now()
  if (!(await isDue(deps.sql, organisationId, nowMs))) return
  await deps.sql.transaction((tx) => atPresent(tx, deps.plans, organisationId, nowMs, async () => undefined))
}

const DUE_PER_PAGE = 200

/** Every organisation something is due for, one transaction each; one that fails does not keep the others. */
export async function bringAllToPresent(
  deps: SubscriptionDependencies,
  options: { readonly signal?: AbortSignal; readonly onError: (organisationId: string, error: unknown) => void },
): Promise<number> {
  let done = 0
  let afterId = ''
  for (;;) {
    const nowMs = deps.clock.now()
    const rows = await deps.sql.query<{ organisation_id: string }>(
      `select s.organisation_id from subscription s where s.organisation_id > $1 and (s.closed_period < $2
         or (s.status = 'active' and exists (select 1 from invoice i where i.organisation_id = s.organisation_id
           and i.state = 'open' and i.kind = 'subscription' and i.due_at <= $3)))
       order by s.organisation_id limit ${DUE_PER_PAGE}`,
      [afterId, previousPeriod(periodOf(nowMs)), nowMs],
    )
    for (const { organisation_id: organisationId } of rows) {
      if (options.signal?.aborted) return done
      try {
        await bringToPresent(deps, organisationId)
        done++
      } catch (error) {
        options.onError(organisationId, error)
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < DUE_PER_PAGE) return done
    afterId = last.organisation_id
  }
}
