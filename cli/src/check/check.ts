import { isIndicator } from '@assay/reader/indicator'
import { recognise, recogniseAs } from '@assay/reader/recognise'
import { type Assay, type AssayError, type Kind, type Signal, ValidationError } from '@assay/sdk'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { notRead } from '../not-read.ts'
import { emptyTally, exitCodeOf, type FailOn, note } from '../outcome.ts'
import { hanging, harmless, type Paint, paintFor, plural, pounds } from '../terminal/paint.ts'
import { factLines } from './facts.ts'

/** `assay check`: each indicator with its level, score, reasons and what to do. */

const INDICATORS_MAX = 100
const UNDER_WAY_MAX = 4

type Answer =
  | Awaited<ReturnType<Assay['payment']['explain']>>
  | Awaited<ReturnType<Assay['supplyChain']['explain']>>
  | Awaited<ReturnType<Assay['infrastructure']['explain']>>

interface Checked {
  readonly indicator: string
  /** Undefined for a text that is no indicator at all. */
  readonly kind: Kind | undefined
  readonly answer?: Answer
  readonly error?: AssayError
}

export async function check(
  context: Context,
  indicators: readonly string[],
  options: { kind?: Kind; failOn: FailOn; json?: boolean },
): Promise<number> {
  if (indicators.length > INDICATORS_MAX) {
    throw new CliError(`${indicators.length} indicators are too many to name. Put them into a file: assay bulk FILE`)
  }
  const { assay } = connect(context)
  const tally = emptyTally()
  const paint = paintFor(context.stdout, context.env)
  const page = { paint, columns: context.stdout.columns, nowMs: context.now() }
  let pricePence = 0
  let creditPence: number | undefined
  for await (const one of inOrder(indicators, (indicator) => checkOne(assay, indicator, options.kind, context))) {
    note(tally, one.answer?.risk)
    pricePence += one.answer?.total_price_pence ?? 0
    creditPence = one.answer?.remaining_credit_pence ?? creditPence
    context.stdout.write(options.json ? `${jsonOf(one)}\n` : `${render(one, page)}\n\n`)
  }
  if (!options.json && creditPence !== undefined) {
    const cost = pricePence === 0 ? 'Free' : pounds(pricePence)
    context.stdout.write(paint.dim(`${cost}; credit left ${pounds(creditPence)}\n`))
  }
  return exitCodeOf(tally, options.failOn)
}

async function checkOne(assay: Assay, text: string, given: Kind | undefined, context: Context): Promise<Checked> {
  const found = given ? recogniseAs(given, text) : recognise(text)
  if (!isIndicator(found)) return { indicator: text, kind: found.kind, error: notRead(found) }
  const { kind, value: indicator } = found
  const checks = { email: assay.payment, domain: assay.supplyChain, ip: assay.infrastructure }[kind]
  try {
    return { indicator, kind, answer: await checks.explain(indicator, { signal: context.interrupted }) }
  } catch (error) {
    // Only what is wrong with this one: anything else is wrong with all of them.
    if (error instanceof ValidationError && error.code === 'validation_failed') return { indicator, kind, error }
    throw error
  }
}

/** Results in the order of the list, a few requests at a time. */
async function* inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const underWay: Promise<R>[] = []
  let next = 0
  while (next < items.length || underWay.length > 0) {
    while (next < items.length && underWay.length < UNDER_WAY_MAX) {
      const started = work(items[next++]!)
      // Awaited in its turn; until then a failure is not an unhandled one.
      started.catch(() => {})
      underWay.push(started)
    }
    yield await underWay.shift()!
  }
}

function jsonOf({ indicator, kind, answer, error }: Checked): string {
  if (error) {
    const detail = error.errors[0]?.detail ?? error.message
    return JSON.stringify({ indicator, kind, error: { code: error.errors[0]?.code ?? error.code, detail } })
  }
  return JSON.stringify({ indicator, kind, ...answer })
}

interface Page {
  readonly paint: Paint
  readonly columns: number
  readonly nowMs: number
}

function render({ indicator, answer, error }: Checked, page: Page): string {
  const { paint, columns } = page
  const name = harmless(indicator)
  if (!answer) {
    const detail = harmless(error?.errors[0]?.detail ?? error?.message ?? '')
    return [title(paint.yellow, 'NOT VALID', '', name, columns), hanging('  ', detail, columns)].join('\n')
  }
  const { coverage, signals } = answer
  if (coverage.known === 'not_public') {
    const head = title(paint.bold, 'NOTHING TO CHECK', '', name, columns)
    // The title says the first words already.
    const why = coverage.summary.replace(/^Nothing to check: (.)/, (_all, first: string) => first.toUpperCase())
    return [head, hanging('  ', harmless(why), columns)].join('\n')
  }
  const colour = { low: paint.green, medium: paint.yellow, high: paint.red }[answer.risk]
  return [
    title((text) => paint.bold(colour(text)), answer.risk.toUpperCase(), String(answer.risk_score), name, columns),
    `  Starts at ${answer.base_score}`,
    ...signals.map((signal) => reason(signal, paint, columns)),
    hanging('  ', harmless(knowledgeOf(answer)), columns),
    ...factLines(answer, page),
    hanging('  → ', harmless(answer.recommended_action), columns),
  ].join('\n')
}

/** What is known, where the reasons above do not say it already. */
function knowledgeOf({ coverage }: Answer): string {
  const { known, summary, lists } = coverage
  const newest = lists.newest === null ? '' : `, newest ${lists.newest.slice(0, 10)}`
  const asked = `${plural(lists.sources, 'list')} asked${newest}.`
  return known === 'nothing' ? summary : `${KNOWN_WORDS[known]}. ${asked}`
}

const KNOWN_WORDS: Record<Exclude<Answer['coverage']['known'], 'nothing'>, string> = {
  good: 'Known good',
  bad: 'Known bad',
  mixed: 'Known for and against',
  neutral: 'Nothing is known for or against it',
  not_public: 'Nothing to check',
}

function title(colour: (text: string) => string, level: string, score: string, name: string, columns: number): string {
  const head = `${level}${score === '' ? '' : ` ${score}`}  `
  return colour(head) + hanging('', name, columns - head.length).replaceAll('\n', `\n${' '.repeat(head.length)}`)
}

function reason({ effect, description, source }: Signal, paint: Paint, columns: number): string {
  const points = `  ${effect >= 0 ? '+' : '−'}${Math.abs(effect)}`.padEnd(7)
  const colour = effect > 0 ? paint.red : effect < 0 ? paint.green : paint.dim
  // A list stands in the words already.
  const words = source === 'model' || source === 'rules' ? `${description} (${source})` : description
  return (
    colour(points) +
    hanging('', harmless(words), columns - points.length).replaceAll('\n', `\n${' '.repeat(points.length)}`)
  )
}
