import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { type Indicator, isIndicator, isNothingToCheck, type NotIndicator } from '@assay/reader/indicator'
import type { Assay, BillingSum, CheckedRecord, Kind } from '@assay/sdk'
import type { Command } from 'commander'
import { connect, explainFailure, isChargeUnknown, notRead } from '../client.ts'
import { commandAgain } from '../command-again.ts'
import { CliError, type Context, EXIT, interruptionBehind } from '../context.ts'
import { emptyTally, exitCodeOf, type FailOn, note } from '../outcome.ts'
import { count, hanging, harmless, paintFor, plural, pounds, priceText } from '../terminal/paint.ts'
import {
  type Checkpoint,
  checkpointExists,
  createCheckpoint,
  cutOff,
  nothingBegun,
  resumeCheckpoint,
} from './checkpoint.ts'
import { type Input, openInput } from './input.ts'
import { type OutputTarget, openOutput, type ResultWriter, readTarget } from './output.ts'
import { createProgressBar } from './progress-bar.ts'
import { confirm, quoteText } from './quote.ts'
import { type Plan, planInput, readRecords } from './records.ts'

/** `assay bulk`: a file of any length, quoted first, paid once however often it is interrupted. */

export interface BulkOptions {
  readonly column?: readonly string[]
  readonly sheet?: string
  readonly kind?: Kind
  readonly out?: string
  readonly resume?: boolean
  readonly yes?: boolean
  readonly explain?: boolean
  readonly checkpoint?: string
  readonly batchSize: number
  readonly concurrency: number
  readonly failOn: FailOn
}

const LISTED_MAX = 20

export async function bulk(context: Context, file: string, options: BulkOptions, command: Command): Promise<number> {
  const again = commandAgain(command, ['resume'])
  const target = options.out === undefined ? undefined : readTarget(options.out)
  const place = options.checkpoint ?? (file === '-' ? 'assay-bulk.checkpoint' : `${file}.checkpoint`)
  if (options.resume && !checkpointExists(place)) {
    throw nothingBegun(place)
  }
  refuseSameFiles(file, place, target)
  const { assay, url } = connect(context)
  let recovered = 0
  const patient = connect(context, { patient: true, onRecovered: () => recovered++ }).assay
  const input = await openInput(context, file, options.sheet)
  try {
    const tell = (note: string) => context.stderr.write(`${harmless(`${input.name}: ${note}`)}\n`)
    const plan = await planInput(input, options, context)
    for (const note of [...input.notes, ...plan.notes]) tell(note)
    await refuseTooLong(target, plan)
    const checkpoint = await openCheckpoint({ context, assay, url, file, place, plan, options, target })
    if (!checkpoint) return EXIT.error
    try {
      const { header } = checkpoint
      const asBegun = header.out === undefined ? undefined : readTarget(header.out)
      // On a terminal without --out the results are summarised; through a pipe they are always written.
      const otherwise = context.stdout.isTTY ? undefined : { format: 'csv' as const, file: undefined }
      const wanted = target ?? asBegun ?? otherwise
      // The printed command does not repeat the pipe: without a file the results would go to the screen or be lost.
      if (target === undefined && asBegun !== undefined && asBegun.file === undefined && context.stdout.isTTY) {
        throw new CliError('The results of this run went to a pipe. Name a file for them: add --out results.csv')
      }
      const writer = wanted && openOutput(context, wanted, kindsOf(plan), header.explain)
      const outcome = await run({ context, assay: patient, input, plan, checkpoint, options, writer })
      if (!writer) list(context, outcome)
      const left = writer ? 0 : notListed(outcome)
      if (left > 0) {
        const how = `${again} --out results.csv --resume`
        context.stdout.write(`… and ${count(left)} more. Write them all, without another charge: ${how}\n`)
      }
      summarise(context, outcome, plan, recovered)
      // Keep paid results until they have been written.
      if (left > 0) checkpoint.close()
      else checkpoint.remove()
      return exitCodeOf(outcome.tally, options.failOn)
    } catch (error) {
      checkpoint.close()
      throw stopped(context, error, checkpointExists(place) ? `${again} --resume` : undefined)
    }
  } finally {
    await input.remove()
  }
}

/** A workbook has a row limit: refuse a longer list before anything is paid. */
export async function refuseTooLong(
  target: OutputTarget | undefined,
  { records }: Pick<Plan, 'records'>,
): Promise<void> {
  if (target?.format !== 'xlsx') return
  const { XLSX_MAX } = await import('@assay/reader/xlsx')
  if (records < XLSX_MAX.rows) return
  throw new CliError(
    `${count(records)} records do not fit into a workbook, which has at most ${count(XLSX_MAX.rows - 1)}. Write CSV instead: --out results.csv`,
  )
}

/** They must be different files: the output is overwritten, and the checkpoint is deleted at the end. */
function refuseSameFiles(file: string, place: string, target: OutputTarget | undefined): void {
  const named = [file === '-' ? undefined : file, place, target?.file].flatMap((one) => (one ? [resolve(one)] : []))
  if (new Set(named).size === named.length) return
  throw new CliError('The list, the output and the checkpoint must be three files. Name another file with --out.')
}

type Work = {
  readonly context: Context
  readonly assay: Assay
  readonly plan: Plan
  readonly options: BulkOptions
  readonly target: OutputTarget | undefined
} & Readonly<Record<'url' | 'file' | 'place', string>>

/** A new run after confirmation, or the interrupted run; undefined when the person says no. */
async function openCheckpoint(work: Work): Promise<Checkpoint | undefined> {
  const { context, assay, plan, options, place, target } = work
  const exists = checkpointExists(place)
  if (exists && !options.resume) throw cutOff(place)
  if (exists) {
    const checkpoint = await resumeCheckpoint(context, place)
    try {
      refuseOtherRun(checkpoint, work)
      context.stderr.write(`Resuming after ${plural(checkpoint.finished, 'finished batch', 'finished batches')}.\n`)
      if (checkpoint.atRisk === 0) return checkpoint
      const records = plural(checkpoint.atRisk, 'record')
      // Also with --yes, because the printed command to resume repeats --yes.
      context.stderr.write(`The run was interrupted more than a day ago: up to ${records} may be billed again.\n`)
      if (options.yes || (await confirm(context, 'Continue? [y/N] ', work.file === '-'))) return checkpoint
      checkpoint.close()
      return undefined
    } catch (error) {
      checkpoint.close()
      throw error
    }
  }
  // Also with --yes: the log then has the price, and an unreachable service is noticed before anything is written.
  const { stderr } = context
  stderr.write(`${hanging('', await quoteText(assay, plan, context), stderr.isTTY ? stderr.columns : 10_000)}\n`)
  if (!options.yes && !(await confirm(context, 'Continue? [y/N] ', work.file === '-'))) {
    stderr.write('Nothing was sent.\n')
    return undefined
  }
  return createCheckpoint(context, place, {
    format: 'assay-bulk-1',
    run: randomBytes(16).toString('hex'),
    url: work.url,
    kind: kindsOf(plan).join(),
    column: columnsOf(plan),
    explain: options.explain === true,
    // Through a pipe the default is CSV.
    ...(target
      ? { out: target.file === undefined ? target.format : resolve(target.file) }
      : context.stdout.isTTY
        ? {}
        : { out: 'csv' }),
    batch_size: options.batchSize,
    records: plan.records,
    distinct: plan.distinct,
    started_at_ms: context.now(),
  })
}

function refuseOtherRun({ header }: Checkpoint, { plan, url, options, place }: Work): void {
  const differs = [
    ...(header.url === url ? [] : ['the service']),
    ...(header.kind === kindsOf(plan).join() ? [] : ['--kind']),
    ...(String(header.column) === columnsOf(plan) ? [] : ['--column']),
    ...(header.explain || !options.explain ? [] : ['--explain']),
    ...(header.records === plan.records && header.distinct === plan.distinct ? [] : ['the input']),
  ]
  if (differs.length === 0) return
  throw new CliError(
    `The interrupted run differs in ${differs.join(', ')}. Repeat it unchanged, or delete ${place} to start over.`,
  )
}

const kindsOf = ({ kinds }: Plan): Kind[] => kinds.map(({ kind }) => kind)
const columnsOf = ({ checked }: Plan): string => checked.map(({ column }) => column).join()

type Outcome = Awaited<ReturnType<typeof run>>

interface Notable {
  readonly line: number
  readonly indicator: string
  readonly risk: string
  /** −1 for a record without a score. */
  readonly score: number
}

/** Sorted by score, then by line; the best records are dropped. */
function keepWorst(notable: Notable[], one: Notable): void {
  if (notable.length === LISTED_MAX && one.score <= notable[LISTED_MAX - 1]!.score) return
  const place = notable.findIndex(({ score }) => score < one.score)
  notable.splice(place < 0 ? notable.length : place, 0, one)
  notable.length = Math.min(notable.length, LISTED_MAX)
}

async function run(
  work: Pick<Work, 'context' | 'assay' | 'plan' | 'options'> & {
    readonly input: Input
    readonly checkpoint: Checkpoint
    readonly writer: ResultWriter | undefined
  },
) {
  const { context, assay, plan, checkpoint, options, writer } = work
  const bar = createProgressBar(context, plan.distinct, checkpoint.finishedRecords)
  /** The answers of each kind come in the order of the file: the file is read once for each kind, and once to write. */
  async function* indicatorsOf(kind: Kind) {
    for await (const { found } of readRecords(work.input, plan)) {
      if (isIndicator(found) && found.kind === kind) yield found.value
    }
  }
  const runs = plan.kinds.map(({ kind }) => {
    const journal = checkpoint.journal(kind)
    const checking = assay.checks(kind).checkMany(indicatorsOf(kind), {
      batchSize: checkpoint.header.batch_size,
      concurrency: Math.ceil(options.concurrency / plan.kinds.length),
      explain: checkpoint.header.explain,
      signal: context.interrupted,
      journal: {
        ...journal,
        async complete(batch) {
          await journal.complete(batch)
          bar.add(batch.outcomes.length)
        },
      },
    })
    return { kind, checking, answers: checking[Symbol.asyncIterator]() }
  })
  const answerTo = async ({ kind, value }: Indicator): Promise<CheckedRecord> => {
    const { value: record } = await runs.find((run) => run.kind === kind)!.answers.next()
    if (record?.indicator === value) return record
    throw new CliError('The input changed while it was read. Restore it, then go on.')
  }
  const tally = emptyTally()
  /** The worst records, for a terminal. */
  const notable: Notable[] = []
  bar.add(0)
  try {
    for await (const { line, found } of readRecords(work.input, plan)) {
      const record = isIndicator(found) ? await answerTo(found) : unreadRecord(found)
      const nothing = !isIndicator(found) && isNothingToCheck(found.problem)
      if (nothing) tally.nothingToCheck++
      else note(tally, record.risk)
      await writer?.write({ line, kind: found.kind, record })
      if (!writer && record.risk !== 'low') {
        const risk = nothing ? 'nothing' : (record.risk ?? 'not valid')
        keepWorst(notable, { line, indicator: record.indicator, risk, score: record.error ? -1 : record.risk_score })
      }
    }
    // A run that failed says so behind its last answer.
    for (const { answers } of runs) await answers.next()
    await writer?.close()
  } finally {
    for (const { answers } of runs) await answers.return?.()
    bar.clear()
  }
  return { tally, billing: runs.map(({ checking }) => checking.billing).reduce(added), notable }
}

/** The credit is that of the run that was answered last, which has left the least. */
function added(a: BillingSum, b: BillingSum): BillingSum {
  const left = [a, b].flatMap(({ remaining_credit_pence }) => remaining_credit_pence ?? [])
  return {
    billable_units: a.billable_units + b.billable_units,
    free_units: a.free_units + b.free_units,
    total_price_pence: a.total_price_pence + b.total_price_pence,
    charged_from_credit_pence: a.charged_from_credit_pence + b.charged_from_credit_pence,
    overage_pence: a.overage_pence + b.overage_pence,
    remaining_credit_pence: left.length > 0 ? Math.min(...left) : undefined,
  }
}

function unreadRecord(found: NotIndicator): CheckedRecord {
  return { index: -1, indicator: found.readFrom, repeat: false, error: notRead(found) }
}

function list({ stdout, env }: Context, { notable }: Outcome): void {
  const paint = paintFor(stdout, env)
  const colours: Record<string, (text: string) => string> = { high: paint.red, medium: paint.yellow }
  for (const { line, indicator, risk, score } of notable) {
    const head = `${risk.toUpperCase().padEnd(9)} ${String(score < 0 ? '' : score).padStart(3)}  `
    const text = `${harmless(indicator)} (line ${line})`
    stdout.write(`${hanging((colours[risk] ?? paint.dim)(head), text, stdout.columns, head.length)}\n`)
  }
}

const notListed = ({ tally: { medium, high, unchecked, nothingToCheck }, notable }: Outcome) =>
  medium + high + unchecked + nothingToCheck - notable.length

function summarise({ stderr }: Context, { tally, billing }: Outcome, plan: Plan, recovered: number): void {
  const { nothingToCheck } = tally
  const levels = `${count(tally.low)} low, ${count(tally.medium)} medium, ${count(tally.high)} high`
  const nothing = nothingToCheck > 0 ? `, ${count(nothingToCheck)} with nothing to check` : ''
  const unchecked = tally.unchecked > 0 ? `, ${count(tally.unchecked)} not valid` : ''
  const left =
    billing.remaining_credit_pence === undefined ? '' : `; credit left ${pounds(billing.remaining_credit_pence)}`
  const repeats = recovered > 0 ? ` ${plural(recovered, 'request')} lost in transit and repeated: charged once.` : ''
  const sentences = `${plural(plan.records, 'record')}: ${levels}${nothing}${unchecked}. ${plural(billing.billable_units, 'unit')} billed, ${priceText(billing)}${left}.${repeats}`
  stderr.write(`${hanging('', sentences, stderr.isTTY ? stderr.columns : 10_000)}\n`)
}

function stopped(context: Context, error: unknown, again: string | undefined): CliError {
  const unknown =
    again && isChargeUnknown(error, context)
      ? ' It is unknown whether the last batch was charged; resuming finds out and charges nothing twice.'
      : ''
  const interruption = interruptionBehind(error, context)
  if (interruption) {
    const next = again ? `${unknown} Resume with: ${again}` : ''
    return new CliError(interruption.message + next, { exitCode: interruption.exitCode })
  }
  const { message } = explainFailure(error, context)
  const next = again && !message.includes('start over') ? ` Then resume with: ${again}` : ''
  return new CliError(`${message}${unknown}${next}`, { cause: error })
}
