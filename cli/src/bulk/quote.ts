import { createReadStream, createWriteStream, openSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { KIND_WORDS } from '@assay/reader/kinds'
import { type Assay, KINDS, NotFoundError, type Operations, PermissionError } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'
import { count, harmless, plural, pounds } from '../terminal/paint.ts'
import type { Plan } from './records.ts'

type Quote = Operations['POST /v1/billing/quote']['response']

/** The price of the run, when the credential may ask for it; otherwise only the number of billed records. */
export async function quoteText(assay: Assay, plan: Plan, context: Context): Promise<string> {
  const facts = contentText(plan)
  try {
    const quotes = await Promise.all(
      plan.kinds.map(({ kind, distinct }) =>
        assay.call('POST /v1/billing/quote', {
          body: { family: KINDS[kind].family, records: distinct },
          signal: context.interrupted,
        }),
      ),
    )
    return `${facts} ${quotes.length === 1 ? priceOf(quotes[0]!) : priceOfSeveral(quotes)}`
  } catch (error) {
    // A service of an earlier version gives a quote to fewer credentials, or to none.
    if (
      !(error instanceof PermissionError && error.code === 'insufficient_scope') &&
      !(error instanceof NotFoundError)
    ) {
      throw error
    }
    return `${facts} At most ${plural(plan.distinct, 'unit')} will be billed; this credential may not ask for the price.`
  }
}

function priceOf(quote: Quote): string {
  const parts = [
    ...(quote.free_units > 0 ? [`${count(quote.free_units)} free`] : []),
    ...(quote.charged_from_credit_pence > 0 ? [`${pounds(quote.charged_from_credit_pence)} from credit`] : []),
    ...(quote.overage_pence > 0 ? [`${pounds(quote.overage_pence)} overage`] : []),
  ]
  const beyond =
    quote.overage_pence > 0
      ? ` ${pounds(quote.overage_pence)} of it is overage: beyond the credit, paid by invoice.`
      : ''
  const short = quote.covered
    ? ''
    : ` The credit is ${pounds(quote.shortfall_pence)} short: the run would stop before its end. Resume it after a top-up.`
  return `At most ${pounds(quote.total_price_pence)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}.${beyond}${short}`
}

/** Each quote assumes all free units and the whole credit for itself: count the free units for one kind only. */
function priceOfSeveral(quotes: readonly Quote[]): string {
  const [{ charged_from_credit_pence, remaining_credit_pence }] = quotes as readonly [Quote]
  const credit = charged_from_credit_pence + remaining_credit_pence
  const gross = quotes.reduce((sum, { records, unit_price_pence }) => sum + records * unit_price_pence, 0)
  const free = Math.max(...quotes.map(({ free_units, unit_price_pence }) => free_units * unit_price_pence))
  const beyond = ` The credit is ${pounds(credit)}. Beyond it the rest is paid by invoice if the plan allows it; otherwise the run stops before its end. Resume it after a top-up.`
  return `At most ${pounds(gross - free)}.${gross - free > credit ? beyond : ''}`
}

function contentText({ rows, distinct, kinds, duplicates, invalid, nothing, blank, problems }: Plan): string {
  const byKind = kinds.map(({ kind, distinct: own }) => plural(own, KIND_WORDS[kind].one, KIND_WORDS[kind].many))
  const parts = [
    `${count(distinct)} distinct${kinds.length > 1 ? ` (${byKind.join(', ')})` : ''}`,
    ...(duplicates > 0 ? [plural(duplicates, 'duplicate')] : []),
    ...(invalid > 0 ? [`${count(invalid)} not valid`] : []),
    ...(nothing > 0 ? [`${count(nothing)} with nothing to check`] : []),
    ...(blank > 0 ? [`${count(blank)} without a value`] : []),
  ]
  const rest = invalid + nothing > problems.length ? ' …' : ''
  const why = problems.length > 0 ? ` Not sent: ${harmless(problems.join(' '))}${rest}` : ''
  return `${plural(rows, 'row')}: ${parts.join(', ')}.${why}`
}

/** Asks yes or no on the terminal; standard input may be the list itself. */
export async function confirm(context: Context, question: string, inputIsStdin: boolean): Promise<boolean> {
  const source = answerSource(context, inputIsStdin)
  if (!source) throw new CliError('Confirmation is not possible here. Use --yes to proceed.')
  const reader = createInterface({ input: source.input, output: source.output, terminal: false })
  try {
    context.stderr.write(question)
    // The end of input gives no answer, which counts as no.
    const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')))
    const answer = await Promise.race([reader.question('', { signal: context.interrupted }), closed])
    return /^\s*y(es)?\s*$/i.test(answer)
  } finally {
    reader.close()
    source.release()
  }
}

function answerSource(context: Context, inputIsStdin: boolean) {
  const silent = createWriteStream('/dev/null')
  if (!inputIsStdin) {
    const { stdin } = context
    return stdin.isTTY ? { input: stdin, output: silent, release: () => void stdin.pause() } : undefined
  }
  if (!context.stderr.isTTY) return undefined
  try {
    const input: Readable & { destroy(): void } = createReadStream('', { fd: openSync('/dev/tty', 'r') })
    return { input, output: silent, release: () => input.destroy() }
  } catch {
    return undefined
  }
}
