import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { callerOf, type Gate, type ResourceGateOptions } from '../access/gate.ts'
import { Problem } from '../errors.ts'
import { type ChangeDependencies, sendJson } from '../http/change.ts'
import { preferredType, sendCsv, toCsv } from '../http/csv.ts'
import { linkNext, makeCursor, type PageKey, readCursor } from '../http/page.ts'
import { resourceValidator } from '../http/validate.ts'
import { findOrganisation } from '../identity/organisation/organisations.ts'
import { periodOf } from '../lib/clock.ts'
import type { Family } from '../lib/kinds.ts'
import { type BillingStore, planOf } from './ledger/accounts.ts'
import { readEntryPage } from './ledger/entries.ts'
import type { EntryKind } from './ledger/ledger.ts'
import { registerPaymentRoutes } from './payment-routes.ts'
import type { PaymentProvider } from './payments/provider.ts'
import { periodStartMs } from './period.ts'
import type { Plans } from './plans.ts'
import { accountOf, accountView, entryView } from './resources.ts'
import {
  billingSchema,
  ENTRY_FIELDS,
  LEDGER_CSV_ROWS_MAX,
  LEDGER_ROWS_MAX,
  type LedgerQuery,
  ledgerSchema,
  plansSchema,
  type QuoteBody,
  quoteSchema,
  USAGE_FIELDS,
  type UsageQuerySchema,
  usageSchema,
} from './schema.ts'
import { bringToPresent, findSubscription } from './subscription/subscription.ts'
import { quote } from './usage/quote.ts'
import { type Granularity, granularityFor, overageOfMonth, readUsage } from './usage/usage.ts'

export interface BillingDependencies extends ChangeDependencies {
  readonly plans: Plans
  readonly accounts: BillingStore
  readonly baseUrl: string
  readonly gate: (options: ResourceGateOptions) => Gate
  readonly payments: PaymentProvider
}

export function registerBillingRoutes(app: FastifyInstance, deps: BillingDependencies): void {
  const validatorCompiler = resourceValidator
  const reading = { validatorCompiler, onRequest: deps.gate({ scopes: ['billing:read'] }) }

  app.get('/v1/plans', { schema: plansSchema }, (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    return sendJson(reply, { data: [...deps.plans.values()] })
  })

  app.get('/v1/billing', { ...reading, schema: billingSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    await bringToPresent(deps, organisationId)
    const account = await accountOf(deps, organisationId)
    const [overagePence, subscription, organisation] = await Promise.all([
      overageOfMonth(deps.sql, organisationId, account.period),
      findSubscription(deps.sql, organisationId),
      findOrganisation(deps.sql, organisationId),
    ])
    const plan = planOf(deps.plans, account)
    const state = organisation?.state ?? 'disabled'
    return sendJson(reply, accountView({ account, plan, state, overagePence, subscription }))
  })

  app.get('/v1/billing/ledger', { ...reading, schema: ledgerSchema }, (request, reply) =>
    answerLedger(request, reply, deps),
  )

  app.get('/v1/billing/usage', { ...reading, schema: usageSchema }, (request, reply) =>
    answerUsage(request, reply, deps),
  )

  registerPaymentRoutes(app, deps)

  app.post('/v1/billing/quote', { ...reading, schema: quoteSchema }, async (request, reply) => {
    const { family, records } = request.body as Static<typeof QuoteBody>
    const account = await accountOf(deps, callerOf(request).organisationId)
    return sendJson(reply, quote(planOf(deps.plans, account), account, family as Family, records))
  })
}

/** A day or a time of the query, in milliseconds. */
function momentOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const timeMs = Date.parse(text)
  if (Number.isFinite(timeMs)) return timeMs
  throw new Problem('invalid_query', { detail: `${name} is not a time of the calendar.` })
}

async function answerLedger(request: FastifyRequest, reply: FastifyReply, deps: BillingDependencies) {
  const { organisationId } = callerOf(request)
  const query = request.query as Static<typeof LedgerQuery>
  const form = preferredType(request, ['application/json', 'text/csv'])
  const rowsMax = form === 'text/csv' ? LEDGER_CSV_ROWS_MAX : LEDGER_ROWS_MAX
  const limit = query.limit ?? (form === 'text/csv' ? rowsMax : 100)
  if (limit > rowsMax) throw new Problem('invalid_query', { detail: `limit: at most ${rowsMax} entries on a page.` })
  const { from, to, kind, family } = query
  const key: PageKey = { organisationId, list: JSON.stringify(['ledger', from, to, kind, family]) }
  const { entries, nextBeforeSeq } = await readEntryPage(deps.sql, {
    organisationId,
    fromMs: momentOf('from', from),
    toMs: momentOf('to', to),
    kind: kind as EntryKind | undefined,
    family: family as Family | undefined,
    beforeSeq: query.cursor === undefined ? undefined : Number(readCursor(key, query.cursor)),
    limit,
  })
  const next = nextBeforeSeq === undefined ? null : makeCursor(key, String(nextBeforeSeq))
  linkNext(request, reply, deps.baseUrl, next)
  reply.header('vary', 'accept')
  const views = entries.map(entryView)
  if (form === 'text/csv') {
    return sendCsv(
      reply,
      `ledger-${organisationId}.csv`,
      toCsv(
        ENTRY_FIELDS,
        views.map((view) => ENTRY_FIELDS.map((field) => view[field])),
      ),
    )
  }
  return sendJson(reply, { data: views, next_cursor: next })
}

async function answerUsage(request: FastifyRequest, reply: FastifyReply, deps: BillingDependencies) {
  const { organisationId } = callerOf(request)
  const query = request.query as Static<typeof UsageQuerySchema>
  const nowMs = deps.clock.now()
  const groups = query.group_by?.split(',') ?? []
  const { from, to, group_by, family, credential_id } = query
  const fromMs = momentOf('from', from) ?? periodStartMs(periodOf(nowMs))
  const toMs = momentOf('to', to) ?? nowMs + 1
  const granularity = (query.granularity ?? granularityFor(fromMs, toMs)) as Granularity
  // Without the limit: a next page may be of another size.
  const key: PageKey = {
    organisationId,
    list: JSON.stringify(['usage', from, to, granularity, group_by, family, credential_id]),
  }
  const [startsAtMs, ...rest] = query.cursor === undefined ? [] : readCursor(key, query.cursor).split(' ')
  const answer = await readUsage(deps.sql, {
    organisationId,
    fromMs,
    toMs,
    granularity,
    byFamily: groups.includes('family'),
    byCredential: groups.includes('credential'),
    family: family as Family | undefined,
    credentialId: credential_id,
    limit: query.limit ?? 100,
    after:
      startsAtMs === undefined
        ? undefined
        : { startsAtMs: Number(startsAtMs), family: rest[0] ?? '', credentialId: rest[1] ?? '' },
  })
  const { next } = answer
  const cursor = next ? makeCursor(key, `${next.startsAtMs} ${next.family} ${next.credentialId}`) : null
  linkNext(request, reply, deps.baseUrl, cursor)
  reply.header('vary', 'accept')
  if (preferredType(request, ['application/json', 'text/csv']) === 'text/csv') {
    const rows = answer.rows.map((row) => Object.entries(row) as [string, string | number][])
    const cells = rows.map((row) => {
      const byName = new Map(row)
      return USAGE_FIELDS.map((field) => byName.get(field) ?? null)
    })
    return sendCsv(reply, `usage-${organisationId}.csv`, toCsv(USAGE_FIELDS, cells))
  }
  return sendJson(reply, {
    from: new Date(answer.fromMs).toISOString(),
    to: new Date(answer.toMs).toISOString(),
    granularity,
    data: answer.rows,
    totals: answer.totals,
    next_cursor: cursor,
  })
}
