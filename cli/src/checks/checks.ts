import { writeFileSync } from 'node:fs'
import { csvRow } from '@assay/reader/csv'
import type { Assay, Operations } from '@assay/sdk'
import { type AnswerOptions, printAnswer } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless, tabulate } from '../terminal/paint.ts'

/** Checks on record. */

type Page = Operations['GET /v1/checks']['response']
type Check = Page['data'][number]

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
  const checks: Check[] = []
  for await (const check of pagesOf(context, connect(context).assay, options)) {
    if (checks.push(check) === LISTED_MAX) break
  }
  printAnswer(context, checks, options, () => {
    if (checks.length === 0) return 'No check is found.\n'
    const rows = checks.map((check) => [
      check.id,
      check.asked_at.slice(0, 16).replace('T', ' '),
      harmless(check.indicator ?? '-'),
      check.risk,
      String(check.risk_score),
      harmless(check.asked_by.name ?? check.asked_by.id),
      check.decision?.decision ?? check.rule_decision ?? '-',
    ])
    const titles = ['CHECK', 'ASKED', 'INDICATOR', 'RISK', 'SCORE', 'BY', 'DECISION']
    return `${tabulate(titles, rows, context.stdout.columns)}\n`
  })
}

export async function showCheck(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const check = await connect(context).assay.call('GET /v1/checks/{check_id}', {
    path: { check_id: id },
    signal: context.interrupted,
  })
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

export async function exportChecks(
  context: Context,
  file: string | undefined,
  options: CheckFilters & AnswerOptions,
): Promise<void> {
  const form = file === undefined ? 'csv' : /\.(csv|xlsx)$/i.exec(file)?.[1]?.toLowerCase()
  if (form === undefined) throw new CliError(`${file}: name a file that ends in .csv or .xlsx.`)
  const rows: (readonly (string | number)[])[] = [TITLES]
  const { assay } = connect(context, { patient: true })
  for await (const check of pagesOf(context, assay, options)) rows.push(cellsOf(check))
  if (file === undefined) {
    context.stdout.write(rows.map((row) => csvRow(row)).join(''))
    return
  }
  const { writeXlsx } = await import('@assay/reader/xlsx')
  const content = form === 'xlsx' ? writeXlsx(rows) : rows.map((row) => csvRow(row)).join('')
  writeFileSync(file, content, { mode: 0o600 })
  const checks = rows.length - 1
  printAnswer(context, { file, checks }, options, () => `${checks} ${checks === 1 ? 'check' : 'checks'} in ${file}\n`)
}

const TITLES = [
  'id',
  'asked_at',
  'kind',
  'indicator',
  'risk',
  'risk_score',
  'channel',
  'asked_by',
  'request_id',
  'total_price_pence',
  'rule_decision',
  'decision',
  'review',
]

const cellsOf = (check: Check): (string | number)[] => [
  check.id,
  check.asked_at,
  check.kind,
  check.indicator ?? '',
  check.risk,
  check.risk_score,
  check.channel,
  check.asked_by.name ?? check.asked_by.id,
  check.request_id,
  check.price?.total_price_pence ?? '',
  check.rule_decision ?? '',
  check.decision?.decision ?? '',
  check.review?.state ?? '',
]

async function* pagesOf({ interrupted }: Context, assay: Assay, options: CheckFilters): AsyncGenerator<Check> {
  const { indicator, risk, from, to, askedBy, request } = options
  const given = { indicator, risk: risk as Check['risk'] | undefined, from, to, asked_by: askedBy, request_id: request }
  const filters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  let cursor: string | null = null
  do {
    const query: object = { limit: 200, ...filters, ...(cursor === null ? {} : { cursor }) }
    const page: Page = await assay.call('GET /v1/checks', { query, signal: interrupted })
    yield* page.data
    cursor = page.next_cursor
  } while (cursor !== null)
}
