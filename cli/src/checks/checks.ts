import { writeFileSync } from 'node:fs'
import { createCsvReader } from '@assay/reader/csv'
import type { Operations } from '@assay/sdk'
import { type Answer, minute, rowsAnswer } from '../answer.ts'
import { call, connect, given, listRows } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless, plural } from '../terminal/paint.ts'

export interface CheckFilters {
  readonly indicator?: string
  readonly risk?: 'low' | 'medium' | 'high'
  readonly from?: string
  readonly to?: string
  readonly askedBy?: string
  readonly request?: string
}

/** More would be a table that nobody reads; `export` has all. */
const LISTED_MAX = 200

export async function listChecks(context: Context, options: CheckFilters): Promise<Answer> {
  const { rows } = await listRows(context, 'GET /v1/checks', { query: queryOf(options) }, LISTED_MAX)
  return rowsAnswer(context, rows, 'No check is found.', {
    CHECK: (check) => check.id,
    ASKED: (check) => minute(check.asked_at),
    INDICATOR: (check) => check.indicator,
    RISK: (check) => check.risk,
    SCORE: (check) => String(check.risk_score),
    BY: (check) => check.asked_by.name ?? check.asked_by.id,
    DECISION: (check) => check.decision?.decision ?? check.rule_decision,
  })
}

type Decision = NonNullable<Operations['GET /v1/checks/{check_id}']['response']['decision']>

const words = (code: string) => code.replaceAll('_', ' ')
const nameOf = ({ id, name }: { readonly id: string; readonly name: string | null }) => name ?? id

const decisionLines = ({ decision, state, at, by, second_by, note, steps }: Decision): string[] => [
  `${words(decision)} ${at} by ${nameOf(by)}${second_by ? ` and ${nameOf(second_by)}` : ''}`,
  ...(state === 'waiting_for_second' ? ['  waits for a second person'] : []),
  ...(note === null ? [] : [`  ${note}`]),
  ...steps.map((step) => `  done: ${step}`),
]

export async function showCheck(context: Context, id: string): Promise<Answer> {
  const check = await call(context, 'GET /v1/checks/{check_id}', { path: { check_id: id } })
  const { indicator, risk, risk_score, asked_at, asked_by, channel, price, answer, decision, review, feedback } = check
  const reasons = answer?.signals?.map(
    ({ description, effect }) => `  ${effect > 0 ? '+' : ''}${effect}  ${description}`,
  )
  const lines = [
    `${indicator ?? 'unreadable'}: ${risk} (${risk_score})`,
    `asked ${asked_at} by ${nameOf(asked_by)} (${channel}), ${price?.total_price_pence ?? 0} pence`,
    ...(reasons ?? []),
    ...(check.rule_decision ? [`rules: ${check.rule_decision}`] : []),
    ...(decision ? decisionLines(decision) : []),
    ...(review?.state === 'open' ? [`to review${review.assigned_to ? ` by ${nameOf(review.assigned_to)}` : ''}`] : []),
    ...(feedback ? [`reported as ${words(feedback.wrong)}: ${feedback.reason}`] : []),
  ]
  return { value: check, text: () => lines.map(harmless).join('\n') }
}

/** As the service writes them; a workbook has the same rows. */
export async function exportChecks(context: Context, file: string | undefined, options: CheckFilters) {
  const form = file === undefined ? 'csv' : /\.(csv|xlsx)$/i.exec(file)?.[1]?.toLowerCase()
  if (form === undefined) throw new CliError(`${file}: name a file that ends in .csv or .xlsx.`)
  const { assay } = connect(context, { patient: true })
  const csv = await assay.exportCsv('GET /v1/checks', { query: given(queryOf(options)), signal: context.interrupted })
  if (file === undefined) return void context.stdout.write(csv)
  const reader = createCsvReader()
  const rows = [...reader.write(csv), ...reader.end()].map(({ cells }) => cells)
  const { writeXlsx } = await import('@assay/reader/xlsx')
  writeFileSync(file, form === 'xlsx' ? writeXlsx(rows) : csv, { mode: 0o600 })
  const checks = rows.length - 1
  return { value: { file, checks }, text: () => `${plural(checks, 'check')} in ${file}` }
}

const queryOf = ({ indicator, risk, from, to, askedBy, request }: CheckFilters) => ({
  indicator,
  risk,
  from,
  to,
  asked_by: askedBy,
  request_id: request,
})
