import { writeFileSync } from 'node:fs'
import { csvRow } from '@assay/reader/csv'
import type { Operations } from '@assay/sdk'
import { type AnswerOptions, minute, printAnswer, printRows } from '../answer.ts'
import { call, connect, listRows, rowsOf } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

/** Checks on record. */

type Check = Operations['GET /v1/checks']['response']['data'][number]

export interface CheckFilters {
  readonly indicator?: string
  readonly risk?: string
  readonly from?: string
  readonly to?: string
  readonly askedBy?: string
  readonly request?: string
}

/** More would be a table that nobody reads; `export` has all. */
const LISTED_MAX = 200

export async function listChecks(context: Context, options: CheckFilters & AnswerOptions): Promise<void> {
  const { rows } = await listRows(context, 'GET /v1/checks', { query: queryOf(options) }, LISTED_MAX)
  printRows(context, rows, options, 'No check is found.', {
    CHECK: (check) => check.id,
    ASKED: (check) => minute(check.asked_at),
    INDICATOR: (check) => check.indicator,
    RISK: (check) => check.risk,
    SCORE: (check) => String(check.risk_score),
    BY: (check) => check.asked_by.name ?? check.asked_by.id,
    DECISION: (check) => check.decision?.decision ?? check.rule_decision,
  })
}

export async function showCheck(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const check = await call(context, 'GET /v1/checks/{check_id}', { path: { check_id: id } })
  printAnswer(context, check, options, () => {
    const { indicator, risk, risk_score, asked_at, asked_by, channel, price, answer } = check
    const reasons = answer?.signals?.map(
      ({ description, effect }) => `  ${effect > 0 ? '+' : ''}${effect}  ${description}`,
    )
    const lines = [
      `${indicator ?? 'unreadable'}: ${risk} (${risk_score})`,
      `asked ${asked_at} by ${asked_by.name ?? asked_by.id} (${channel}), ${price?.total_price_pence ?? 0} pence`,
      ...(reasons ?? []),
    ]
    return `${lines.map(harmless).join('\n')}\n`
  })
}

export async function exportChecks(context: Context, file: string | undefined, options: CheckFilters & AnswerOptions) {
  const form = file === undefined ? 'csv' : /\.(csv|xlsx)$/i.exec(file)?.[1]?.toLowerCase()
  if (form === undefined) throw new CliError(`${file}: name a file that ends in .csv or .xlsx.`)
  const rows: (readonly (string | number)[])[] = [Object.keys(CELLS)]
  const { assay } = connect(context, { patient: true })
  const checks = rowsOf(context, assay, 'GET /v1/checks', { query: queryOf(options) })
  for await (const check of checks) rows.push(Object.values(CELLS).map((cell) => cell(check) ?? ''))
  if (file === undefined) {
    context.stdout.write(rows.map((row) => csvRow(row)).join(''))
    return
  }
  const { writeXlsx } = await import('@assay/reader/xlsx')
  const content = form === 'xlsx' ? writeXlsx(rows) : rows.map((row) => csvRow(row)).join('')
  writeFileSync(file, content, { mode: 0o600 })
  const count = rows.length - 1
  printAnswer(
    context,
    { file, checks: count },
    options,
    () => `${count} ${count === 1 ? 'check' : 'checks'} in ${file}\n`,
  )
}

/** The columns of an export, each with its cell. */
const CELLS: Readonly<Record<string, (check: Check) => string | number | null | undefined>> = {
  id: (check) => check.id,
  asked_at: (check) => check.asked_at,
  kind: (check) => check.kind,
  indicator: (check) => check.indicator,
  risk: (check) => check.risk,
  risk_score: (check) => check.risk_score,
  channel: (check) => check.channel,
  asked_by: (check) => check.asked_by.name ?? check.asked_by.id,
  request_id: (check) => check.request_id,
  total_price_pence: (check) => check.price?.total_price_pence,
  rule_decision: (check) => check.rule_decision,
  decision: (check) => check.decision?.decision,
  review: (check) => check.review?.state,
}

const queryOf = ({ indicator, risk, from, to, askedBy, request }: CheckFilters) => ({
  indicator,
  risk,
  from,
  to,
  asked_by: askedBy,
  request_id: request,
})
