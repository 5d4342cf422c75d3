import type { Operations } from '@assay/sdk'
import { type AnswerOptions, printAnswer } from '../answer.ts'
import { connect } from '../client.ts'
import type { Context } from '../context.ts'
import { count, harmless, paintFor, plural, pounds, tabulate } from '../terminal/paint.ts'

type Account = Operations['GET /v1/billing']['response']
type Used = Operations['GET /v1/billing/usage']['response']['data']

export async function usage(context: Context, options: AnswerOptions): Promise<void> {
  const { assay } = connect(context)
  const signal = context.interrupted
  const [account, used] = await Promise.all([
    assay.call('GET /v1/billing', { signal }),
    assay.call('GET /v1/billing/usage', { query: { granularity: 'month', group_by: 'family' }, signal }),
  ])
  printAnswer(context, { account, usage: used }, options, () => usageText(context, account, used.data))
}

function usageText({ stdout, env }: Context, account: Account, used: Used): string {
  const paint = paintFor(stdout, env)
  const lines = [
    `${paint.bold(harmless(account.plan.name))} plan, ${account.state}, ${account.period.month}`,
    `Credit     ${pounds(account.credit_pence)}`,
    `Overage    ${pounds(account.overage_pence)}`,
  ]
  if (account.free_units > 0) {
    lines.push(`Free       ${count(account.free_units_left)} of ${plural(account.free_units, 'record')} left`)
  }
  const rows = used.map((row) => [
    row.family ?? '',
    count(row.units),
    count(row.requests),
    pounds(row.total_price_pence),
  ])
  const table =
    rows.length > 0
      ? tabulate(['FAMILY', 'RECORDS', 'REQUESTS', 'PRICE'], rows, stdout.columns)
      : 'Nothing used yet this month.'
  return `${[...lines, '', table].join('\n')}\n`
}
