import { randomBytes } from 'node:crypto'
import { comparisonFindings, comparisonsOf, type Finding } from '@assay/reader/comparison'
import { factRows } from '@assay/reader/facts'
import { checkable, isIndicator, isNothingToCheck } from '@assay/reader/indicator'
import { compareNames, differencesInWords, seenName } from '@assay/reader/look-alike'
import type { MailReading } from '@assay/reader/mail'
import { recognise, recogniseAs } from '@assay/reader/recognise'
import {
  type Assay,
  AssayError,
  type CheckAnswer,
  type Decision,
  type Kind,
  liveNote,
  type Recovery,
  type Signal,
  ValidationError,
} from '@assay/sdk'
import type { Command } from 'commander'
import { type AnswerOptions, answerText, requireField } from '../answer.ts'
import { connect, explainFailure, isChargeUnknown, notRead } from '../client.ts'
import { commandAgain } from '../command-again.ts'
import { CliError, type Context, interruptionBehind } from '../context.ts'
import { emptyTally, exitCodeOf, type FailOn, note } from '../outcome.ts'
import { hanging, harmless, type Paint, paintFor, plural, pounds, priceText } from '../terminal/paint.ts'
import { readInput } from './read-input.ts'

const INDICATORS_MAX = 100
const UNDER_WAY_MAX = 4

type Answer = Awaited<ReturnType<ReturnType<Assay['checks']>['explain']>>

interface Checked {
  readonly indicator: string
  readonly kind: Kind | undefined
  readonly answer?: Answer
  readonly error?: AssayError
}

export interface CheckOptions extends AnswerOptions {
  readonly kind?: Kind
  readonly failOn: FailOn
  /** Each indicator is sent under this key and its position, so that repeating the command is charged once. */
  readonly idempotencyKey?: string
}

export async function check(
  context: Context,
  named: readonly string[],
  options: CheckOptions,
  command: Command,
): Promise<number> {
  if (options.field !== undefined) requireField(options.field)
  const { indicators, mails } = await readInput(context, named)
  if (indicators.length > INDICATORS_MAX) {
    throw new CliError(`${indicators.length} indicators are too many to name. Put them into a file: assay bulk FILE`)
  }
  const recoveries: Recovery[] = []
  const { assay } = connect(context, { onRecovered: (one) => recoveries.push(one) })
  const runKey = options.idempotencyKey ?? randomBytes(16).toString('hex')
  const tally = emptyTally()
  for (const mail of mails) if (await compareMail(context, assay, mail)) note(tally, 'high')
  const page = { paint: paintFor(context.stdout, context.env), columns: context.stdout.columns, nowMs: context.now() }
  const price = { total_price_pence: 0, overage_pence: 0 }
  let creditPence: number | undefined
  const failures: unknown[] = []
  const ask = (indicator: string, place: number) =>
    checkOne(assay, indicator, options.kind, { idempotencyKey: `${runKey}-${place}`, signal: context.interrupted })
  for await (const { value: one, reason } of inOrder(indicators, ask)) {
    if (one && hasNothingToCheck(one)) tally.nothingToCheck++
    else note(tally, one?.answer?.risk)
    if (one) show(one, context, options, page)
    else failures.push(reason)
    // Print one line for every indicator, so that a script can count lines.
    if (!one && options.field !== undefined) context.stdout.write('\n')
    price.total_price_pence += one?.answer?.total_price_pence ?? 0
    price.overage_pence += one?.answer?.overage_pence ?? 0
    creditPence = one?.answer?.remaining_credit_pence ?? creditPence
  }
  for (const one of recoveries) context.stderr.write(`${recoveryText(one)}\n`)
  if (!options.json && options.field === undefined && creditPence !== undefined) {
    const cost = priceText(price).replace(/^f/, 'F')
    context.stdout.write(page.paint.dim(`${cost}; credit left ${pounds(creditPence)}\n`))
  }
  if (failures.length === 0) return exitCodeOf(tally, options.failOn)
  tally.unchecked ||= failures.length
  throw brokenOff(failures, context, {
    exitCode: exitCodeOf(tally, options.failOn),
    answered: creditPence !== undefined,
    again: `${commandAgain(command, ['idempotencyKey'])} --idempotency-key ${runKey}`,
  })
}

/**
 * Holds the names and bank accounts of a mail against the counterparties of the organisation. Returns true if one of
 * them deceives.
 */
async function compareMail({ stderr, interrupted }: Context, assay: Assay, mail: MailReading): Promise<boolean> {
  const said = new Map<string, Finding>()
  try {
    for (const body of comparisonsOf(mail)) {
      const answer = await assay.call('POST /v1/payments/compare', { body, signal: interrupted })
      for (const finding of comparisonFindings(body.email, answer)) said.set(finding.words, finding)
    }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    stderr.write(`  Names and accounts were not compared with your counterparties: ${harmless(error.message)}\n`)
  }
  for (const { says, words } of said.values()) stderr.write(`${says === 'bad' ? '!' : ' '} ${harmless(words)}\n`)
  const deceives = [...said.values()].some(({ says }) => says === 'bad')
  // An answer about a single address knows neither the name nor the account that the mail shows.
  if (deceives) stderr.write('! The mail is HIGH, whatever its addresses are: stop, and ask the counterparty itself.\n')
  return deceives
}

/** Why not all indicators were checked, in one line. The answers above are not paid again under the same key. */
function brokenOff(
  failures: readonly unknown[],
  context: Context,
  { exitCode, answered, again }: { readonly exitCode: number; readonly answered: boolean; readonly again: string },
): Error {
  const unknown = failures.find((one) => isChargeUnknown(one, context))
  const cause = unknown ?? failures[0]
  const interruption = interruptionBehind(cause, context)
  const why = interruption?.message ?? explainFailure(cause, context).message
  const next =
    unknown !== undefined
      ? ' It is unknown whether it was charged. The same command with the same key finds out and is charged once; or see: assay usage. Repeat it within a day:'
      : answered
        ? ' The others were answered and paid. The same command with the same key does not charge them again:'
        : undefined
  return new CliError(next === undefined ? why : `${why}${next} ${again}`, {
    exitCode: interruption?.exitCode ?? exitCode,
    cause,
  })
}

function recoveryText({ replayed, error }: Recovery): string {
  const lost = replayed ? 'The answer was lost and sent again' : 'The request was lost and sent again'
  return `${lost} with the same key: charged once. (${harmless(error.message)})`
}

function show(one: Checked, { stdout, stderr }: Context, options: CheckOptions, page: Page): void {
  if (one.error && options.field !== undefined) {
    // Print an empty line; the reason goes to standard error.
    stderr.write(`assay: ${harmless(`${one.indicator}: ${detailOf(one.error)}`)}\n`)
    stdout.write('\n')
  } else {
    stdout.write(answerText(viewOf(one), { ...options, checked: true }) ?? `${render(one, page)}\n\n`)
  }
}

async function checkOne(
  assay: Assay,
  text: string,
  given: Kind | undefined,
  request: { readonly idempotencyKey: string; readonly signal: AbortSignal },
): Promise<Checked> {
  const found = checkable(given ? recogniseAs(given, text) : recognise(text))
  if (!isIndicator(found)) return { indicator: text, kind: found.kind, error: notRead(found) }
  const { kind, value: indicator } = found
  try {
    return { indicator, kind, answer: await assay.checks(kind).explain(indicator, request) }
  } catch (error) {
    // Only a validation error concerns this indicator alone: any other error concerns all of them.
    if (error instanceof ValidationError && error.code === 'validation_failed') return { indicator, kind, error }
    throw error
  }
}

/** In the order of the list. After a failure none is started; those in progress may be paid, so they are returned. */
async function* inOrder<T, R>(items: readonly T[], work: (item: T, place: number) => Promise<R>) {
  type Settled = { readonly value?: R; readonly reason?: unknown }
  const underWay: Promise<Settled>[] = []
  let next = 0
  let failed = false
  for (;;) {
    while (!failed && next < items.length && underWay.length < UNDER_WAY_MAX) {
      const started = work(items[next]!, next++)
      underWay.push(
        started.then(
          (value): Settled => ({ value }),
          (reason: unknown): Settled => {
            failed = true
            return { reason }
          },
        ),
      )
    }
    const first = underWay.shift()
    if (!first) return
    yield await first
  }
}

function viewOf({ indicator, kind, answer, error }: Checked): object {
  if (!error) return { indicator, kind, ...answer }
  return { indicator, kind, error: { code: error.errors[0]?.code ?? error.code, detail: detailOf(error) } }
}

const detailOf = (error: AssayError) => error.errors[0]?.detail ?? error.message

type Page = { readonly paint: Paint; readonly columns: number; readonly nowMs: number }

/** Most are known without a request; the service knows some more. */
const hasNothingToCheck = ({ answer, error }: Checked) =>
  error ? isNothingToCheck(error.message) : answer?.coverage.known === 'not_public'

function render(one: Checked, page: Page): string {
  const { indicator, answer, error } = one
  const { paint, columns } = page
  const name = harmless(indicator)
  if (hasNothingToCheck(one)) {
    const head = title(paint.bold, 'NOTHING TO CHECK', '', name, columns)
    // The title already contains the first words.
    const why = answer?.coverage.summary ?? error?.message ?? ''
    const rest = why.replace(/^Nothing to check: (.)/, (_all, first: string) => first.toUpperCase())
    return [head, hanging('  ', harmless(rest), columns)].join('\n')
  }
  if (!answer) {
    const detail = harmless(error ? detailOf(error) : '')
    return [title(paint.yellow, 'NOT VALID', '', name, columns), hanging('  ', detail, columns)].join('\n')
  }
  const { signals } = answer
  const colour = { low: paint.green, medium: paint.yellow, high: paint.red }[answer.risk]
  return [
    title((text) => paint.bold(colour(text)), answer.risk.toUpperCase(), String(answer.risk_score), name, columns),
    ...nameLines(indicator, answer).map((line) => hanging('  ', harmless(line), columns)),
    `  Starts at ${answer.base_score}`,
    ...signals.map((signal) => reason(signal, paint, columns)),
    hanging('  ', harmless(knowledgeOf(answer)), columns),
    ...factLines(answer, one.kind, page),
    ...(answer.decision ? [decisionLine(answer.decision, page)] : []),
    hanging('  → ', harmless(answer.recommended_action), columns),
  ].join('\n')
}

function decisionLine({ outcome, rule, text }: Decision, { paint, columns }: Page): string {
  const colour = { approve: paint.green, review: paint.yellow, stop: paint.red }[outcome]
  const head = `  ${outcome.toUpperCase()} `
  return hanging(`  ${colour(outcome.toUpperCase())} `, harmless(`${text} (${rule})`.trim()), columns, head.length)
}

/** The summary of the known facts, without the reasons already listed above it. */
function knowledgeOf({ coverage, signals }: Answer): string {
  const { known, summary, lists } = coverage
  const newest = lists.newest === null ? '' : `, newest ${lists.newest.slice(0, 10)}`
  const asked = `${plural(lists.sources, 'list')} asked${newest}.`
  if (known === 'nothing') return summary
  const unaccused = lists.threat_sources === 0 ? 'No threat list is loaded' : 'No threat list names it'
  const byWhom = signals.some(({ source }) => source === 'own') ? ' to your organisation' : ''
  return `${known === 'neutral' ? unaccused : `${KNOWN_WORDS[known]}${byWhom}`}. ${asked}`
}

const KNOWN_WORDS: Record<Exclude<Answer['coverage']['known'], 'nothing' | 'neutral'>, string> = {
  good: 'Known good',
  bad: 'Known bad',
  mixed: 'Known for and against',
  not_public: 'Nothing to check',
}

function title(colour: (text: string) => string, level: string, score: string, name: string, columns: number): string {
  const head = `${level}${score === '' ? '' : ` ${score}`}  `
  return hanging(colour(head), name, columns, head.length)
}

function reason({ effect, description, source }: Signal, paint: Paint, columns: number): string {
  const points = `  ${effect >= 0 ? '+' : '−'}${Math.abs(effect)}`.padEnd(7)
  const colour = effect > 0 ? paint.red : effect < 0 ? paint.green : paint.dim
  // The description already names the list.
  const words = source === 'model' || source === 'rules' ? `${description} (${source})` : description
  return hanging(colour(points), harmless(words), columns, points.length)
}

/** Both forms of a name with non-ASCII letters; then each name that it may be confused with, and where they differ. */
function nameLines(indicator: string, { international, resembles = [] }: CheckAnswer): string[] {
  const name = seenName(indicator, international?.unicode)
  const written = international ? [`${international.unicode} is written ${international.ascii} in the DNS`] : []
  return [
    ...written.map((words) => (international?.mixed ? `${words}: ${international.mixed}` : words)),
    ...resembles.map((other) => {
      const words = differencesInWords(compareNames(name, other))
      return `${name} is not ${other}${words === '' ? '' : `: ${words}`}`
    }),
  ]
}

function factLines({ facts, coverage }: Answer, kind: Kind | undefined, { paint, columns, nowMs }: Page): string[] {
  const rows = factRows(facts, { kind, nowMs, day: (iso) => iso.slice(0, 10) })
  const lines = rows.map(({ term, mark, words }): [string, string] => {
    const said = words.map((part) => (typeof part === 'string' ? part : part.name)).join('')
    return [term, mark === undefined ? said : `${mark}: ${said}`]
  })
  const times = rows.map(({ seenAt }) => seenAt.slice(0, 16).replace('T', ' ')).sort()
  const [oldest, newest] = [times[0], times.at(-1)]
  if (oldest !== undefined) lines.push(['Seen', oldest === newest ? `${oldest} UTC` : `${oldest} to ${newest} UTC`])
  const note = liveNote(coverage.live)
  return [
    ...lines.map(([name, words]) => {
      const head = `  ${name.padEnd(NAME_WIDTH)}`
      return hanging(paint.dim(head), harmless(words), columns, head.length)
    }),
    ...(note === undefined ? [] : [hanging('  ', note, columns)]),
  ]
}

const NAME_WIDTH = 14
