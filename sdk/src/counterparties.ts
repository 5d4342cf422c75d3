import { AssayError } from './errors.ts'
import type { Operations } from './generated/api.ts'

type Begin = Operations['POST /v1/counterparties/imports']
type AddRows = Operations['POST /v1/counterparties/imports/{import_id}/rows']
/** An import of counterparties, with its differences in numbers. */
export type CounterpartyImport = Begin['response']
/** A row of a file of counterparties. */
export type CounterpartyRow = AddRows['body']['rows'][number]
export type CounterpartyRemarks = AddRows['response']['remarks'][number]

export interface ImportOptions extends Omit<Begin['body'], 'rows'> {
  readonly signal?: AbortSignal | undefined
  /** Called after each request. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Called with the rows that are left out or need a look. */
  readonly onRemarks?: ((remarks: readonly CounterpartyRemarks[]) => void) | undefined
}

export type Call = <Name extends keyof Operations & string>(
  name: Name,
  options: {
    readonly path?: Operations[Name]['path']
    readonly body?: Operations[Name]['body']
    readonly signal?: AbortSignal | undefined
  },
) => Promise<Operations[Name]['response']>

/** The limits of a request: rows, and bytes of the body with room for the rest of it. */
const ROWS_MAX = 250
const BYTES_MAX = 60_000

/** Sends the rows of a file, in parts. Nothing changes before `applyImport`. */
export async function stageImport(
  call: Call,
  rows: readonly CounterpartyRow[],
  { signal, onProgress, onRemarks, ...body }: ImportOptions = {},
): Promise<CounterpartyImport> {
  let state = await call('POST /v1/counterparties/imports', { body: { ...body, rows: rows.length }, signal })
  const path = { import_id: state.id }
  const send = async (part: readonly CounterpartyRow[]): Promise<void> => {
    const { remarks, ...next } = await call('POST /v1/counterparties/imports/{import_id}/rows', {
      path,
      body: { rows: [...part] },
      signal,
    })
    state = next
    if (remarks.length > 0) onRemarks?.(remarks)
    onProgress?.(state.counts.received, rows.length)
  }
  for (const part of partsOf(rows)) {
    await send(part).catch(async (error: unknown) => {
      // Rows of one large counterparty: the service takes them in smaller parts.
      if (!(error instanceof AssayError) || error.code !== 'too_many_records' || part.length < 10) throw error
      for (let at = 0; at < part.length; at += 10) await send(part.slice(at, at + 10))
    })
  }
  return state
}

function* partsOf(rows: readonly CounterpartyRow[]): Generator<CounterpartyRow[]> {
  const encoder = new TextEncoder()
  let part: CounterpartyRow[] = []
  let bytes = 0
  for (const row of rows) {
    const length = encoder.encode(JSON.stringify(row)).length + 1
    if (part.length === ROWS_MAX || (part.length > 0 && bytes + length > BYTES_MAX)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(row)
    bytes += length
  }
  if (part.length > 0) yield part
}

/** Applies an import: from then on everybody sees it, as a whole. */
export async function applyImport(
  call: Call,
  importId: string,
  { signal, onProgress }: Pick<ImportOptions, 'signal' | 'onProgress'> = {},
): Promise<CounterpartyImport> {
  for (;;) {
    const state = await call('POST /v1/counterparties/imports/{import_id}/apply', {
      path: { import_id: importId },
      signal,
    })
    onProgress?.(state.progress.done, state.progress.total)
    if (state.state !== 'applying') return state
  }
}
