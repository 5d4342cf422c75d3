import { type AnswerOptions, answerText } from '../answer.ts'
import { connect } from '../client.ts'
import type { Context } from '../context.ts'
import { count, harmless, paintFor, plural, pounds, tabulate } from '../terminal/paint.ts'

/** `assay usage`: plan, credit, and this month by family. */
export async function usage(context: Context, options: AnswerOptions): Promise<void> {
  const { assay } = connect(context)
  const signal = context.interrupted
  const [account, used] = await Promise.all([
    assay.call('GET /v1/billing', { signal }),
    assay.call('GET /v1/billing/usage', { query: { granularity: 'month', group_by: 'family' }, signal }),
  ])
  const { stdout } = context
  const answer = answerText({ account, usage: used }, options)
  if (answer !== undefined) {
    stdout.write(answer)
    return
  }
  const paint = paintFor(stdout, context.env)
  const lines = [
    `${paint.bold(harmless(account.plan.name))} plan, ${account.state}, ${account.period.month}`,
    `Credit     ${pounds(account.credit_pence)}`,
    `Overage    ${pounds(account.overage_pence)}`,
  ]
  if (account.free_units > 0) {
    lines.push(`Free       ${count(account.free_units_left)} of ${plural(account.free_units, 'record')} left`)
  }
  const rows = used.data.map((row) => [
    row.family ?? '',
    count(row.units),
    count(row.requests),
    pounds(row.total_price_pence),
  ])
  const table =
    rows.length > 0
      ? tabulate(['FAMILY', 'RECORDS', 'REQUESTS', 'PRICE'], rows, stdout.columns)
      : 'Nothing used yet this month.'
  stdout.write(`${[...lines, '', table].join('\n')}\n`)
}
