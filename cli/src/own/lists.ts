import type { Row } from '@assay/reader/csv'
import { type Operations, ValidationError } from '@assay/sdk'
import { type AnswerOptions, given, printAnswer, printRows, readPages } from '../answer.ts'
import { openInput } from '../bulk/input.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

/** The organisation's own lists: allow, block, review. */

type Entry = Operations['GET /v1/own-lists/{list}']['response']['data'][number]
type NewEntry = Operations['POST /v1/own-lists/{list}']['body']

const LISTED_MAX = 200_000

export async function listEntries(
  context: Context,
  list: string,
  options: AnswerOptions & { search?: string; state?: Entry['state'] },
): Promise<void> {
  const { call } = connect(context)
  const filters = given({ search: options.search, state: options.state })
  const { rows } = await readPages(
    (page) => call('GET /v1/own-lists/{list}', { path: { list }, query: { ...page, ...filters } }),
    LISTED_MAX,
  )
  printRows(context, rows, options, `The ${harmless(list)} list has no such entry.`, {
    ENTRY: ({ id }) => id,
    INDICATOR: ({ indicator }) => indicator,
    STATE: ({ state }) => state,
    EXPIRES: ({ expires_at }) => expires_at?.slice(0, 10),
    AUTHOR: ({ author }) => author.name ?? author.kind,
    REASON: ({ reason }) => reason,
  })
}

export async function addEntry(
  context: Context,
  list: string,
  indicator: string,
  options: AnswerOptions & { reason?: string; expires?: string },
): Promise<void> {
  const entry = await connect(context).call('POST /v1/own-lists/{list}', {
    path: { list },
    body: { indicator, ...given({ reason: options.reason, expires_at: options.expires && timeIn(options.expires) }) },
  })
  for (const { detail } of entry.warnings) context.stderr.write(`Warning: ${harmless(detail)}\n`)
  printAnswer(
    context,
    entry,
    options,
    () => `${harmless(entry.indicator)} is on the ${entry.list} list as ${entry.id}.${waitingWords(entry)}\n`,
  )
}

/** Changes the entry as it is now: a change made in between is not overwritten. */
export async function changeEntry(
  context: Context,
  list: string,
  id: string,
  options: AnswerOptions & { reason?: string; expires?: string },
): Promise<void> {
  const { reason, expires } = options
  if (reason === undefined && expires === undefined) throw new CliError('Give --reason, --expires or both.')
  const body = given({
    reason: reason === undefined ? undefined : reason.trim() || null,
    expires_at: expires === 'never' ? null : expires && timeIn(expires),
  })
  const { assay } = connect(context)
  const request = { path: { list, entry_id: id }, signal: context.interrupted }
  const { etag = '*' } = await assay.callForVersion('GET /v1/own-lists/{list}/{entry_id}', request)
  const headers = { 'if-match': etag }
  const entry = await assay.call('PATCH /v1/own-lists/{list}/{entry_id}', { ...request, body, headers })
  printAnswer(context, entry, options, () => `Entry ${entry.id} is changed.${waitingWords(entry)}\n`)
}

const waitingWords = ({ state }: Pick<Entry, 'state'>): string =>
  state === 'pending' ? ' It has no effect until another person approves it in the console.' : ''

export async function removeEntry(context: Context, list: string, id: string, options: AnswerOptions): Promise<void> {
  const path = { list, entry_id: id }
  await connect(context).call('DELETE /v1/own-lists/{list}/{entry_id}', { path })
  printAnswer(context, { id, removed: true }, options, () => `Entry ${harmless(id)} is removed.\n`)
}

export async function exportEntries(context: Context, list: string): Promise<void> {
  const asked = { path: { list }, signal: context.interrupted }
  context.stdout.write(await connect(context).assay.exportCsv('GET /v1/own-lists/{list}', asked))
}

/** All rows or none. The first row names the columns: indicator, and if wanted reason and expires_at. */
export async function importEntries(
  context: Context,
  list: string,
  file: string,
  options: AnswerOptions,
): Promise<void> {
  const input = await openInput(context, file)
  try {
    const rows: Row[] = []
    for await (const part of input.rows()) rows.push(...part)
    const { entries, lines } = entriesIn(rows, input.name)
    const imported = await connect(context)
      .call('POST /v1/own-lists/{list}/imports', {
        path: { list },
        body: { entries },
      })
      .catch((error: unknown) => {
        throw error instanceof ValidationError ? namingLines(error, lines) : error
      })
    for (const { entry, detail } of imported.warnings) {
      context.stderr.write(`Warning: line ${lines[entry]}: ${harmless(detail)}\n`)
    }
    const { added, changed, unchanged, pending } = imported
    const waiting = pending > 0 ? ` ${pending} of them wait for the approval of another person.` : ''
    printAnswer(
      context,
      imported,
      options,
      () => `${added} entries added, ${changed} changed, ${unchanged} unchanged.${waiting}\n`,
    )
  } finally {
    await input.remove()
  }
}

function entriesIn([titles, ...rows]: readonly Row[], name: string) {
  const places = titles?.cells.map((title) => title.trim().toLowerCase()) ?? []
  const place = places.indexOf('indicator')
  if (place < 0) throw new CliError(`${name}: the first row must name the columns, one of them "indicator".`)
  const cellOf = ({ cells }: Row, title: string) => cells[places.indexOf(title)]?.trim() || undefined
  const entries = rows.map((row): NewEntry => {
    const expires = cellOf(row, 'expires_at')
    const expires_at = expires && timeIn(expires, `${name}, line ${row.line}`)
    return { indicator: row.cells[place]?.trim() ?? '', ...given({ reason: cellOf(row, 'reason'), expires_at }) }
  })
  return { entries, lines: rows.map(({ line }) => line) }
}

/** The service names an entry by its place; a person looks for its line. */
function namingLines(error: ValidationError, lines: readonly number[]): CliError {
  const named = error.errors.map(({ pointer, detail }) => {
    const line = lines[Number(/^\/entries\/(\d+)/.exec(pointer)?.[1])]
    return line === undefined ? harmless(detail) : `line ${line}: ${harmless(detail)}`
  })
  return new CliError([harmless(error.message), ...named].join('\n'), { cause: error })
}

function timeIn(text: string, where = '--expires'): string {
  const timeMs = Date.parse(text)
  if (Number.isNaN(timeMs)) throw new CliError(`${where}: ${JSON.stringify(text)} is not a day, such as 2027-01-31.`)
  return new Date(timeMs).toISOString()
}
