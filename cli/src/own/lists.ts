import type { Row } from '@assay/reader/csv'
import { type Operations, ValidationError } from '@assay/sdk'
import { type AnswerOptions, printAnswer } from '../answer.ts'
import { openInput } from '../bulk/input.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless, tabulate } from '../terminal/paint.ts'

/** The organisation's own lists: allow, block, review. */

type Page = Operations['GET /v1/own-lists/{list}']['response']
type Entry = Page['data'][number]
type NewEntry = Operations['POST /v1/own-lists/{list}']['body']

const PAGES_MAX = 1000

export async function listEntries(
  context: Context,
  list: string,
  options: AnswerOptions & { search?: string; state?: string },
): Promise<void> {
  const { assay } = connect(context)
  const entries: Entry[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = {
      limit: 200,
      ...(options.search === undefined ? {} : { search: options.search }),
      ...(options.state === undefined ? {} : { state: options.state as Entry['state'] }),
      ...(cursor === null ? {} : { cursor }),
    }
    const answer: Page = await assay.call('GET /v1/own-lists/{list}', {
      path: { list },
      query,
      signal: context.interrupted,
    })
    entries.push(...answer.data)
    cursor = answer.next_cursor
    if (cursor === null) break
  }
  printAnswer(context, entries, options, () => {
    if (entries.length === 0) return `The ${harmless(list)} list has no such entry.\n`
    const rows = entries.map((entry) => [
      entry.id,
      harmless(entry.indicator),
      entry.state,
      entry.expires_at?.slice(0, 10) ?? '-',
      harmless(entry.author.name ?? entry.author.kind),
      harmless(entry.reason ?? '-'),
    ])
    return `${tabulate(['ENTRY', 'INDICATOR', 'STATE', 'EXPIRES', 'AUTHOR', 'REASON'], rows, context.stdout.columns)}\n`
  })
}

export async function addEntry(
  context: Context,
  list: string,
  indicator: string,
  options: AnswerOptions & { reason?: string; expires?: string },
): Promise<void> {
  const entry = await connect(context).assay.call('POST /v1/own-lists/{list}', {
    path: { list },
    body: {
      indicator,
      ...(options.reason === undefined ? {} : { reason: options.reason }),
      ...(options.expires === undefined ? {} : { expires_at: timeIn(options.expires) }),
    },
    signal: context.interrupted,
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
  const body = {
    ...(reason === undefined ? {} : { reason: reason.trim() || null }),
    ...(expires === undefined ? {} : { expires_at: expires === 'never' ? null : timeIn(expires) }),
  }
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
  await connect(context).assay.call('DELETE /v1/own-lists/{list}/{entry_id}', { path, signal: context.interrupted })
  printAnswer(context, { id, removed: true }, options, () => `Entry ${harmless(id)} is removed.\n`)
}

export async function exportEntries(context: Context, list: string): Promise<void> {
  const path = { list }
  const file = await connect(context).assay.callForFile('GET /v1/own-lists/{list}', 'text/csv', {
    path,
    signal: context.interrupted,
  })
  context.stdout.write(await file.text())
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
      .assay.call('POST /v1/own-lists/{list}/imports', {
        path: { list },
        body: { entries },
        signal: context.interrupted,
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
    const [reason, expires] = [cellOf(row, 'reason'), cellOf(row, 'expires_at')]
    return {
      indicator: row.cells[place]?.trim() ?? '',
      ...(reason === undefined ? {} : { reason }),
      ...(expires === undefined ? {} : { expires_at: timeIn(expires, `${name}, line ${row.line}`) }),
    }
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
