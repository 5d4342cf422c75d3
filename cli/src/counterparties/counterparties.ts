import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { decisionWords } from '@assay/reader/comparison'
import { createCsvReader } from '@assay/reader/csv'
import { isIndicator } from '@assay/reader/indicator'
import { ListProblem } from '@assay/reader/problem'
import { recognise } from '@assay/reader/recognise'
import { aboutFile, ROLES, type Role, readVendors, type VendorColumn, vendorRows } from '@assay/reader/vendors'
import { type CounterpartyImport, type CounterpartyRemarks, NotFoundError, type Operations } from '@assay/sdk'
import type { Command } from 'commander'
import { type Answer, tableOf } from '../answer.ts'
import { call, connect, given, listRows } from '../client.ts'
import { commandAgain } from '../command-again.ts'
import { CliError, type Context, EXIT } from '../context.ts'
import { count, harmless, plural } from '../terminal/paint.ts'

type NewOne = Operations['POST /v1/counterparties']['body']

const LISTED_MAX = 1000

export async function listCounterparties(context: Context, { search }: { readonly search?: string }): Promise<Answer> {
  const { rows, more } = await listRows(context, 'GET /v1/counterparties', { query: { search } }, LISTED_MAX)
  const text = () => {
    if (rows.length === 0) return 'No counterparty found. Add some: assay counterparties import vendors.csv'
    const table = tableOf(context, rows, {
      COUNTERPARTY: (one) => one.id,
      NAME: (one) => one.name,
      REFERENCE: (one) => one.reference,
      STATE: (one) => one.state,
      DOMAINS: (one) => one.domains.join(' '),
      ACCOUNTS: (one) => one.accounts.map(({ last4 }) => `…${last4}`).join(' '),
    })
    return `${table}${more ? '\nThere are more: assay counterparties export writes all of them.' : ''}`
  }
  return { value: rows, text }
}

export async function addCounterparty(
  context: Context,
  name: string,
  options: { readonly [List in 'domain' | 'email' | 'network' | 'account']?: string[] } & {
    readonly [Text in 'reference' | 'since' | 'note']?: string
  },
): Promise<Answer> {
  const { domain, email, network, account, reference, since, note } = options
  const values = { domains: domain, emails: email, networks: network, accounts: account, reference, since, note }
  const made = await call(context, 'POST /v1/counterparties', { body: { name, ...given(values) } as NewOne })
  const lines = [`${made.name} is added: ${made.id}`, ...made.remarks.map(({ detail }) => detail)]
  return { value: made, text: () => lines.map(harmless).join('\n') }
}

export interface ImportFlags {
  readonly sheet?: string
  readonly column?: string[]
  readonly gone?: 'keep' | 'former' | 'delete'
  readonly skipInvalid?: boolean
  readonly yes?: boolean
}

/** Shows the differences first; `--yes` applies them. */
export async function importCounterparties(context: Context, file: string, options: ImportFlags, command: Command) {
  const { columns, rows, notes, about } = await readFile(file, options)
  for (const note of notes) context.stderr.write(`${harmless(note)}\n`)
  const { assay } = connect(context, { patient: true })
  const remarks: CounterpartyRemarks[] = []
  const { interrupted: signal } = context
  const tell = (what: string) => (done: number, total: number) => {
    if (context.stderr.isTTY) context.stderr.write(`\r${what} ${count(done)} of ${count(total)}\u001b[K`)
  }
  const staged = await assay.stageCounterparties(rows, {
    file_name: basename(file).slice(0, 200),
    ...about,
    gone: options.gone ?? 'keep',
    invalid_rows: options.skipInvalid ? 'skip' : 'refuse',
    signal,
    onProgress: tell('Sent'),
    onRemarks: (some) => void remarks.push(...some),
  })
  const stopped = staged.counts.invalid > 0 && !options.skipInvalid
  const applied =
    options.yes && !stopped
      ? await assay.applyCounterparties(staged.id, { signal, onProgress: tell('Copied') })
      : undefined
  const differences = applied ? [] : await readDifferences(context, staged)
  if (!applied) {
    await assay.call('DELETE /v1/counterparties/imports/{import_id}', { path: { import_id: staged.id }, signal })
  }
  if (context.stderr.isTTY) context.stderr.write('\r\u001b[K')
  const next = stopped
    ? 'Nothing was imported. Correct the file, or leave these rows out: --skip-invalid'
    : `Nothing was imported yet. Import it: ${commandAgain(command, ['yes'])} --yes`
  return {
    value: { ...(applied ?? staged), dry_run: !applied, remarks, ...(!applied && { differences }) },
    text: () => importText(applied ?? staged, columns, remarks, differences, applied ? undefined : next),
    exitCode: stopped ? EXIT.error : EXIT.low,
  }
}

type Difference = Operations['GET /v1/counterparties/imports/{import_id}/differences']['response']['data'][number]
type Side = NonNullable<Difference['after']>
const DIFFERENCES_SHOWN = 20

/** The first of each kind that would change something. */
async function readDifferences(context: Context, { id, counts, gone }: CounterpartyImport): Promise<Difference[]> {
  const path = { import_id: id }
  const read = kindsThatChange(gone).map(async (difference) => {
    if (counts[difference] === 0) return []
    const query = { difference, limit: DIFFERENCES_SHOWN }
    return (await call(context, 'GET /v1/counterparties/imports/{import_id}/differences', { path, query })).data
  })
  return (await Promise.all(read)).flat()
}

const kindsThatChange = (gone: CounterpartyImport['gone']) =>
  (['changed', 'gone', 'new'] as const).filter((kind) => kind !== 'gone' || gone !== 'keep')

function differenceText({ difference, changed, before, after }: Difference): string {
  const { name, reference } = (after ?? before)!
  const fields = changed.map((field) => `${field} ${cellOf(before, field)} → ${cellOf(after, field)}`).join('; ')
  return harmless(`  ${difference}: ${name}${reference === null ? '' : ` (${reference})`}${fields && `: ${fields}`}`)
}

function cellOf(side: Side | null, field: Difference['changed'][number]): string {
  const value = side?.[field] ?? []
  const texts = [value].flat().map((one) => (typeof one === 'string' ? one : `…${one.last4}`))
  return texts.join(', ') || 'nothing'
}

async function readFile(file: string, { sheet, column = [] }: ImportFlags) {
  try {
    const table = await readVendors(readFileSync(file), { sheet })
    const columns = chosen(table.columns, column)
    if (!columns.some(({ role }) => role === 'name')) {
      throw new CliError(
        `${file}: No column has the names of the counterparties. Say which one it is: --column name="Title". Columns: ${titlesOf(columns)}.`,
      )
    }
    const read = { ...table, columns }
    return { columns, notes: table.notes, rows: vendorRows(read), about: aboutFile(read) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CliError(`There is no file ${file}. Check its name.`)
    if (code !== undefined) throw new CliError(`${file} cannot be read (${message}).`)
    if (!(error instanceof ListProblem)) throw error
    throw new CliError(`${file}: ${harmless(message)}`)
  }
}

/** `--column name=Vendor`: the columns with these titles or numbers have this role, and no other has it. */
function chosen(columns: readonly VendorColumn[], wanted: readonly string[]): VendorColumn[] {
  const places = new Map<number, Role>()
  for (const text of wanted) {
    const [, name = '', title = ''] = /^(\w+)=(.*)$/.exec(text) ?? []
    const role = ROLES.find((one): one is Role => one === name)
    if (!role) throw new CliError(`--column ${text}: give ROLE=TITLE, with a role of ${ROLES.join(', ')}.`)
    const named = columns.findIndex((one) => one.title.toLowerCase() === title.toLowerCase())
    const at = named >= 0 ? named : /^\d{1,4}$/.test(title) ? Number(title) - 1 : -1
    if (!columns[at]) {
      throw new CliError(`There is no column ${JSON.stringify(title)}. Columns: ${titlesOf(columns)}.`)
    }
    places.set(at, role)
  }
  const given = new Set<Role | undefined>(places.values())
  return columns.map(({ title, role }, at) => ({ title, role: places.get(at) ?? (given.has(role) ? undefined : role) }))
}

const titlesOf = (columns: readonly VendorColumn[]) => columns.map(({ title }) => harmless(title)).join(', ')

const REMARKS_SHOWN = 20

function importText(
  { counts, gone, rows, invalid_rows: invalidRows }: CounterpartyImport,
  columns: readonly VendorColumn[],
  remarks: readonly CounterpartyRemarks[],
  differences: readonly Difference[],
  next: string | undefined,
): string {
  const used = columns.filter(({ role }) => role !== undefined)
  const unused = columns.filter(({ role }) => role === undefined)
  const then = { keep: 'they stay', former: 'they become former', delete: 'they are deleted' }[gone]
  const wrong = invalidRows === 'skip' ? ', left out' : ', not valid'
  const shown = remarks
    .slice(0, REMARKS_SHOWN)
    .flatMap(({ row, invalid, remarks: some }) =>
      some.map(({ detail }) => `  line ${row}${invalid ? wrong : ''}: ${harmless(detail)}`),
    )
  return [
    `Columns:  ${used.map(({ title, role }) => `${harmless(title)} → ${role}`).join(', ')}`,
    ...(unused.length > 0 ? [`Not used: ${unused.map(({ title }) => harmless(title)).join(', ')}`] : []),
    `${plural(rows, 'row')}: ${count(counts.new)} new, ${count(counts.changed)} changed, ${count(counts.same)} unchanged, ` +
      `${count(counts.merged)} joined with another row, ${count(counts.invalid)} not valid`,
    ...(counts.gone > 0
      ? [`${plural(counts.gone, 'known counterparty', 'known counterparties')} not in the file: ${then} (--gone).`]
      : []),
    ...differences.map(differenceText),
    ...(next && kindsThatChange(gone).some((kind) => counts[kind] > DIFFERENCES_SHOWN)
      ? ['  and more: an import in the console shows all of them']
      : []),
    ...shown,
    ...(remarks.length > REMARKS_SHOWN
      ? [`  and remarks on ${plural(remarks.length - REMARKS_SHOWN, 'more row')}`]
      : []),
    next ?? 'Imported. Undo it: assay counterparties undo',
  ].join('\n')
}

/** All counterparties as CSV, in the form of the last import: columns, separator, days. */
export async function exportCounterparties(context: Context, file: string | undefined) {
  const { assay } = connect(context, { patient: true })
  const text = await assay.exportCsv('GET /v1/counterparties', { signal: context.interrupted })
  if (file === undefined) return void context.stdout.write(text)
  writeFileSync(file, text, { mode: 0o600 })
  const reader = createCsvReader()
  const rows = reader.write(text).length + reader.end().length - 1
  const words = `${plural(rows, 'counterparty', 'counterparties')} in ${file}`
  return { value: { file, counterparties: rows }, text: () => words }
}

export async function undoImport(context: Context, options: { readonly discardChanges?: boolean }): Promise<Answer> {
  const { data } = await call(context, 'GET /v1/counterparties/imports')
  const last = data.find(({ can_undo }) => can_undo)
  if (!last) throw new NotFoundError('not_found', 'There is no import that can be undone.')
  const undone = await call(context, 'POST /v1/counterparties/imports/{import_id}/undo', {
    path: { import_id: last.id },
    body: options.discardChanges ? { discard_changes: true } : {},
  })
  return { value: undone, text: () => `The import of ${harmless(last.file_name ?? last.id)} is undone.` }
}

/** Exit codes as for a check: an account that differs is high. */
export async function compare(context: Context, who: string, account: string): Promise<Answer> {
  const read = recognise(who)
  const [kind, value] = isIndicator(read) ? [read.kind, read.value] : [who.includes('@') ? 'email' : 'domain', who]
  const from = kind === 'email' ? { email: value } : { domain: value }
  const answer = await connect(context).assay.compareAccount({ ...from, account }, { signal: context.interrupted })
  const { result, counterparties, account_of: others, decision } = answer
  const names = counterparties
    .map(({ name, state }) => `${harmless(name)}${state === 'active' ? '' : ` (${state})`}`)
    .join(', ')
  const known = counterparties.flatMap(({ accounts }) => accounts.map(({ last4 }) => `…${last4}`)).join(', ')
  const account4 = `…${answer.account?.last4}`
  const [words, exitCode] = {
    matches: [`matches: ${account4} is an account of ${names} on record.`, EXIT.low] as const,
    differs: [`differs: ${account4} is not one of the accounts of ${names} on record (${known}).`, EXIT.high] as const,
    unknown: [
      `unknown: no ${names === '' ? 'such counterparty' : `account of ${names}`} is on record.`,
      EXIT.medium,
    ] as const,
  }[result]
  const elsewhere = others.map(({ name }) => `\n${account4} is an account of ${harmless(name)}.`).join('')
  const rule = decision ? `\n${harmless(decisionWords(decision))}` : ''
  return { value: answer, text: () => `${words}${elsewhere}${rule}`, exitCode }
}
