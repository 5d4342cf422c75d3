/**
 * Answered requests to /v1, found for 30 days by the id that an error shows: support asks for it.
 *
 *  1. No answer waits: a request is noted in memory, and twice a second, or when a thousand wait, the notes become packed rows.
 *  2. Memory and disk are bounded: notes are dropped, and counted, while too many wait. Requests that were answered before
 *     their caller was known, such as those of strangers, are noted up to 500 in half a second.
 *  3. Nothing of the path, the query, the body and the address is kept.
 *  4. While the store cannot be written, the notes wait: its refusals are what customers ask about.
 */
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { KIND_OF_CALLER } from '../access/actor.ts'
import { apiKeyDigest, isWellFormedApiKey } from '../access/api-key.ts'
import type { Caller } from '../access/caller.ts'
import { deletePast } from '../db/purge.ts'
import type { SqlQueries } from '../db/sql.ts'
import { DAY_MS, iso, MINUTE_MS } from '../lib/clock.ts'
import { startOfTime, timeOfId } from '../lib/ids.ts'

const REQUESTS_KEPT_DAYS = 30

const WRITE_MS = 500
/** Packed together: some 1,000 requests, 12 bytes each, and a millisecond of the serving thread. */
const BATCH_BYTES = 128 * 1024
/** Ids, a path template and a problem code: no line is longer. */
const LINE_BYTES_MAX = 1024
const BATCHES_MAX = 20
const STRANGERS_MAX = 500
/** No request takes longer, so the ids of a batch are no further apart. */
const REQUEST_MS_MAX = 10 * MINUTE_MS

/** A request with its answer, as the server's hook sees it. */
interface Answered {
  readonly id: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly caller: Caller | undefined
  readonly billing: string | undefined
  readonly problemCode: string | undefined
}

/**
 * Lines of answered requests, as bytes: thousands of objects that live for half a second would be copied by every short
 * garbage collection.
 */
interface Batch {
  readonly bytes: Buffer
  length: number
  firstId: string
  lastId: string
  /** Of keys whose owners are looked up after the answers. */
  readonly keyDigests: Set<string>
}

type KeyOwners = ReadonlyMap<string, { readonly organisationId: string; readonly keyId: string }>

export type RequestNotes = ReturnType<typeof createRequestNotes>

export function createRequestNotes(deps: {
  readonly sql: SqlQueries
  readonly ownersOfKeys: (digests: readonly string[]) => Promise<KeyOwners>
  readonly onTrouble: (error: unknown) => void
}) {
  const waiting: Batch[] = []
  let beingWritten: Batch | undefined
  let strangers = 0
  let dropped = 0
  let failing = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  /** Undefined while too many wait. */
  function batchForNext(): Batch | undefined {
    const last = waiting.at(-1)
    if (last && last !== beingWritten && last.length + LINE_BYTES_MAX <= BATCH_BYTES) return last
    if (last && !failing) void write()
    if (waiting.length >= BATCHES_MAX) return undefined
    const bytes = Buffer.allocUnsafe(BATCH_BYTES)
    const batch: Batch = { bytes, length: 0, firstId: '', lastId: '', keyDigests: new Set() }
    waiting.push(batch)
    return batch
  }

  function note(request: Answered, route: string, reply: { statusCode: number; elapsedTime: number }): void {
    if (!request.url.startsWith('/v1/')) return
    const { id, caller } = request
    const batch = caller === undefined && ++strangers > STRANGERS_MAX ? undefined : batchForNext()
    if (!batch) {
      dropped++
      return
    }
    const keyDigest = caller ? undefined : digestOfKey(request.headers['x-api-key'])
    if (keyDigest !== undefined) batch.keyDigests.add(keyDigest)
    if (batch.firstId === '' || id < batch.firstId) batch.firstId = id
    if (id > batch.lastId) batch.lastId = id
    batch.length += batch.bytes.write(lineOf(request, route, reply, keyDigest), batch.length, 'latin1')
    timer ??= setTimeout(writeInTime, WRITE_MS).unref()
  }

  function writeInTime(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    strangers = 0
    return write()
  }

  function write(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }

  /** Not those that come meanwhile: under load there are always a few, and each batch is a transaction. */
  async function writeAll(): Promise<void> {
    for (const batch of [...waiting]) {
      beingWritten = batch
      try {
        await writeBatch(batch)
        waiting.shift()
        failing = false
      } catch (error) {
        if (!failing) deps.onTrouble(error)
        failing = true
        if (!closed) timer ??= setTimeout(writeInTime, WRITE_MS).unref()
        return
      } finally {
        beingWritten = undefined
      }
    }
  }

  async function linesOf({ bytes, length, keyDigests }: Batch): Promise<string> {
    const lines = bytes.toString('latin1', 0, length)
    if (keyDigests.size === 0) return lines
    const owners = await deps.ownersOfKeys([...keyDigests])
    return lines.replace(/\tkey ([^\t]+)\t/g, (_, digest: string) => {
      const owner = owners.get(digest)
      return owner ? `\t${owner.organisationId}\tapi_key\t${owner.keyId}\t` : '\t\t\t\t'
    })
  }

  async function writeBatch(batch: Batch): Promise<void> {
    const packed = await promisify(deflateRaw)(await linesOf(batch), { level: 1 })
    // A batch whose commit was uncertain comes again, with the same requests first.
    await deps.sql.query(
      `insert into request_batch (first_id, last_id, packed) values ($1, $2, $3)
       on conflict (first_id) do update set last_id = excluded.last_id, packed = excluded.packed`,
      [batch.firstId, batch.lastId, packed.toString('base64')],
    )
  }

  return {
    note,
    /** Since the start. */
    dropped: () => dropped,
    /** Finds the requests of this node at once, those of others when they are written. */
    async find(id: string) {
      for (const batch of waiting) {
        const own = lineIn(await linesOf(batch), id)
        if (own !== undefined) return requestOf(own)
      }
      return findRequest(deps.sql, id)
    },
    async close() {
      closed = true
      await writing
      await writeInTime()
    },
  }
}

function digestOfKey(key: unknown): string | undefined {
  return typeof key === 'string' && isWellFormedApiKey(key) ? apiKeyDigest(key) : undefined
}

/** Tabs separate the values, which are our own words. An array or JSON would cost the serving thread several times as much. */
function lineOf(
  { id, caller, billing, problemCode, method }: Answered,
  route: string,
  { statusCode, elapsedTime }: { statusCode: number; elapsedTime: number },
  keyDigest: string | undefined,
) {
  const who = caller
    ? `${caller.organisationId}\t${KIND_OF_CALLER[caller.method]}\t${caller.credentialId}`
    : keyDigest === undefined
      ? '\t\t'
      : `key ${keyDigest}`
  const price = billing === undefined ? '' : (/"total_price_pence":(\d+)/.exec(billing)?.[1] ?? '')
  return `${id}\t${who}\t${caller?.userId ?? ''}\t${method}\t${route}\t${statusCode}\t${problemCode ?? ''}\t${price}\t${Math.round(elapsedTime)}\n`
}

const lineIn = (lines: string, id: string) => lines.split('\n').find((line) => line.startsWith(`${id}\t`))

function requestOf(line: string) {
  const [id = '', ...values] = line.split('\t')
  const [method = '', route = '', status, code, price, ms] = values.slice(4)
  const [organisation_id = null, called_by = null, credential_id = null, person_id = null] = values.map(textOrNull)
  return {
    id,
    at: iso(timeOfId(id)),
    organisation_id,
    called_by: called_by as (typeof KIND_OF_CALLER)[Caller['method']] | null,
    credential_id,
    person_id,
    method,
    route,
    status: Number(status),
    code: textOrNull(code),
    price_pence: price ? Number(price) : null,
    duration_ms: Number(ms),
  }
}

const textOrNull = (text: string | undefined) => text || null

export async function findRequest(sql: SqlQueries, id: string) {
  if (!/^req_[0-9A-Za-z]{20}$/.test(id)) return undefined
  const rows = await sql.query<{ packed: string }>(
    'select packed from request_batch where first_id >= $1 and first_id <= $2 and last_id >= $2 order by first_id desc',
    [idAt(timeOfId(id) - REQUEST_MS_MAX), id],
  )
  for (const { packed } of rows) {
    const found = lineIn(String(await promisify(inflateRaw)(Buffer.from(packed, 'base64'))), id)
    if (found !== undefined) return requestOf(found)
  }
  return undefined
}

export const NO_SUCH_REQUEST = `No answered request has this id. Requests to /v1 are kept for ${REQUESTS_KEPT_DAYS} days.`

const idAt = (timeMs: number) => `req_${startOfTime(timeMs)}`

export function purgeRequests(sql: SqlQueries, nowMs: number): Promise<number> {
  const until = idAt(nowMs - REQUESTS_KEPT_DAYS * DAY_MS)
  return deletePast(sql, { table: 'request_batch', key: 'first_id', time: 'first_id' }, until)
}
