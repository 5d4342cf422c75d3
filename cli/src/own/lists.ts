import type { Row } from '@assay/reader/csv'
import { tableOf } from '@assay/reader/list'
import { lineProblems, ownEntries } from '@assay/reader/own-list'
import { ListProblem } from '@assay/reader/problem'
import { type Operations, ValidationError } from '@assay/sdk'
import { type Answer, day, rowsAnswer } from '../answer.ts'
import { openInput } from '../bulk/input.ts'
import { call, connect, given, listRows } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { endOf } from '../day.ts'
import { harmless } from '../terminal/paint.ts'

type Entry = Operations['GET /v1/own-lists/{list}']['response']['data'][number]

const LISTED_MAX = 200_000

export async function listEntries(
  context: Context,
  list: string,
  { search, state }: { search?: string; state?: string },
): Promise<Answer> {
  const which = { path: { list }, query: { search, state } }
  const { rows } = await listRows(context, 'GET /v1/own-lists/{list}', which, LISTED_MAX)
  return rowsAnswer(context, rows, `The ${harmless(list)} list has no such entry.`, {
    ENTRY: (entry) => entry.id,
    INDICATOR: (entry) => entry.indicator,
    STATE: (entry) => entry.state,
    EXPIRES: (entry) => day(entry.expires_at),
    AUTHOR: (entry) => entry.author.name ?? entry.author.kind,
    REASON: (entry) => entry.reason,
  })
}

export async function addEntry(
  context: Context,
  list: string,
  indicator: string,
  { reason, expires }: { reason?: string; expires?: string },
): Promise<Answer> {
  const expires_at = expires === undefined ? undefined : expiryOf(expires)
  const body = { indicator, ...given({ reason, expires_at }) }
  const entry = await call(context, 'POST /v1/own-lists/{list}', { path: { list }, body })
  for (const { detail } of entry.warnings) context.stderr.write(`Warning: ${harmless(detail)}\n`)
  const added = `${harmless(entry.indicator)} is on the ${entry.list} list as ${entry.id}.`
  return { value: entry, text: () => `${added}${waitingWords(entry)}` }
}

/** Changes the entry as it is now: a change made in between is not overwritten. */
export async function changeEntry(
  context: Context,
  list: string,
  id: string,
  { reason, expires }: { reason?: string; expires?: string },
): Promise<Answer> {
  if (reason === undefined && expires === undefined) throw new CliError('Give --reason, --expires or both.')
  const body = {
    ...(reason === undefined ? {} : { reason: reason.trim() || null }),
    ...(expires === undefined ? {} : { expires_at: expires === 'never' ? null : expiryOf(expires) }),
  }
  const { assay } = connect(context)
  const request = { path: { list, entry_id: id }, signal: context.interrupted }
  const { etag = '*' } = await assay.callForVersion('GET /v1/own-lists/{list}/{entry_id}', request)
  const headers = { 'if-match': etag }
  const entry = await assay.call('PATCH /v1/own-lists/{list}/{entry_id}', { ...request, body, headers })
  return { value: entry, text: () => `Entry ${entry.id} is changed.${waitingWords(entry)}` }
}

const waitingWords = ({ state }: Pick<Entry, 'state'>): string =>
  state === 'pending' ? ' It has no effect until another person approves it in the console.' : ''

export async function removeEntry(context: Context, list: string, id: string): Promise<Answer> {
  await call(context, 'DELETE /v1/own-lists/{list}/{entry_id}', { path: { list, entry_id: id } })
  return { value: { id, removed: true }, text: () => `Entry ${harmless(id)} is removed.` }
}

export async function exportEntries(context: Context, list: string): Promise<void> {
  const asked = { path: { list }, signal: context.interrupted }
  const file = await connect(context).assay.callForFile('GET /v1/own-lists/{list}', 'text/csv', asked)
  context.stdout.write(await file.text())
}

/** All rows or none. */
export async function importEntries(context: Context, list: string, file: string): Promise<Answer> {
  const input = await openInput(context, file)
  try {
    const rows: Row[] = []
    for await (const part of input.rows()) rows.push(...part)
    const { entries, lines } = ownEntries(tableOf(rows))
    const imported = await call(context, 'POST /v1/own-lists/{list}/imports', {
      path: { list },
      body: { entries },
    }).catch((error: unknown) => {
      throw error instanceof ValidationError ? namingLines(error, lines) : error
    })
    for (const { entry, detail } of imported.warnings) {
      context.stderr.write(`Warning: line ${lines[entry]}: ${harmless(detail)}\n`)
    }
    const { added, changed, unchanged, pending } = imported
    const waiting = pending > 0 ? ` ${pending} of them wait for the approval of another person.` : ''
    const done = `${added} entries added, ${changed} changed, ${unchanged} unchanged.`
    return { value: imported, text: () => `${done}${waiting}` }
  } catch (error) {
    throw error instanceof ListProblem ? new CliError(`${input.name}: ${harmless(error.message)}`) : error
  } finally {
    await input.remove()
  }
}

const namingLines = (error: ValidationError, lines: readonly number[]) =>
  new CliError([error.message, ...lineProblems(error.errors, lines)].map(harmless).join('\n'), { cause: error })

function expiryOf(text: string): string {
  const end = endOf(text)
  if (end === undefined) throw new CliError(`--expires: ${JSON.stringify(text)} is not a day, such as 2027-01-31.`)
  return end
}
