import type { Operations } from '@assay/sdk'
import { type Answer, tableOf } from '../answer.ts'
import { call } from '../client.ts'
import type { Context } from '../context.ts'
import { count, harmless, paintFor, plural, pounds } from '../terminal/paint.ts'

type Account = Operations['GET /v1/billing']['response']
type Used = Operations['GET /v1/billing/usage']['response']['data']

export async function usage(context: Context): Promise<Answer> {
  const [account, used] = await Promise.all([
    call(context, 'GET /v1/billing'),
    call(context, 'GET /v1/billing/usage', { query: { granularity: 'month', group_by: 'family' } }),
  ])
  return { value: { account, usage: used }, text: () => usageText(context, account, used.data) }
}

function usageText(context: Context, account: Account, used: Used): string {
  const paint = paintFor(context.stdout, context.env)
  const lines = [
    `${paint.bold(harmless(account.plan.name))} plan, ${account.state}, ${account.period.month}`,
    `Credit     ${pounds(account.credit_pence)}`,
    `Overage    ${pounds(account.overage_pence)}`,
  ]
  if (account.free_units > 0) {
    lines.push(`Free       ${count(account.free_units_left)} of ${plural(account.free_units, 'record')} left`)
  }
  const table =
    used.length === 0
      ? 'Nothing used yet this month.'
      : tableOf(context, used, {
          FAMILY: (row) => row.family ?? '',
          RECORDS: (row) => count(row.units),
          REQUESTS: (row) => count(row.requests),
          PRICE: (row) => pounds(row.total_price_pence),
        })
  return [...lines, '', table].join('\n')
}
