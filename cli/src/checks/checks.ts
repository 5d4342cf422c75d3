import { writeFileSync } from 'node:fs'
import { createCsvReader } from '@assay/reader/csv'
import type { Operations } from '@assay/sdk'
import { type AnswerOptions, given, minuteOf, printAnswer, printRows, readPages } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless, plural } from '../terminal/paint.ts'

/** Checks on record. */

type Check = Operations['GET /v1/checks']['response']['data'][number]

export interface CheckFilters {
  readonly indicator?: string
  readonly risk?: Check['risk']
  readonly from?: string
  readonly to?: string
  readonly askedBy?: string
  readonly request?: string
}

const filtersOf = ({ indicator, risk, from, to, askedBy, request }: CheckFilters) =>
  given({ indicator, risk, from, to, asked_by: askedBy, request_id: request })

/** More would be a table that nobody reads; `export` has all. */
const LISTED_MAX = 200

export async function listChecks(context: Context, options: CheckFilters & AnswerOptions): Promise<void> {
  const { call } = connect(context)
  const { rows } = await readPages(
    (page) => call('GET /v1/checks', { query: { ...page, ...filtersOf(options) } }),
    LISTED_MAX,
  )
  printRows(context, rows, options, 'No check is found.', {
    CHECK: ({ id }) => id,
    ASKED: ({ asked_at }) => minuteOf(asked_at),
    INDICATOR: ({ indicator }) => indicator,
    RISK: ({ risk }) => risk,
    SCORE: ({ risk_score }) => risk_score,
    BY: ({ asked_by }) => asked_by.name ?? asked_by.id,
    DECISION: ({ decision, rule_decision }) => decision?.decision ?? rule_decision,
  })
}

export async function showCheck(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const check = await connect(context).call('GET /v1/checks/{check_id}', { path: { check_id: id } })
  printAnswer(context, check, options, () => {
    const { indicator, risk, risk_score, asked_at, asked_by, channel, price, answer } = check
    const reasons = answer?.signals?.map(
      ({ description, effect }) => `  ${effect > 0 ? '+' : ''}${effect}  ${description}`,
    )
    const lines = [
      `${indicator ?? 'unreadable'}: ${risk} (${risk_score})`,
      `asked ${asked_at} by ${asked_by.name ?? asked_by.id} (${channel}), ${price?.total_price_pence ?? 0} pence`,
      ...(reasons ?? ['Its reasons were not asked for.']),
    ]
    return `${lines.map(harmless).join('\n')}\n`
  })
}

/** As the service writes them; a workbook has the same rows. */
export async function exportChecks(
  context: Context,
  file: string | undefined,
  options: CheckFilters & AnswerOptions,
): Promise<void> {
  const isWorkbook = /\.xlsx$/i.test(file ?? '')
  if (file !== undefined && !isWorkbook && !/\.csv$/i.test(file)) {
    throw new CliError(`${file}: name a file that ends in .csv or .xlsx.`)
  }
  const { assay } = connect(context, { patient: true })
  const csv = await assay.exportCsv('GET /v1/checks', { query: filtersOf(options), signal: context.interrupted })
  if (file === undefined) {
    context.stdout.write(csv)
    return
  }
  const reader = createCsvReader()
  const rows = [...reader.write(csv), ...reader.end()].map(({ cells }) => cells)
  const { writeXlsx } = await import('@assay/reader/xlsx')
  writeFileSync(file, isWorkbook ? writeXlsx(rows) : csv, { mode: 0o600 })
  const checks = rows.length - 1
  printAnswer(context, { file, checks }, options, () => `${plural(checks, 'check')} in ${file}\n`)
}
