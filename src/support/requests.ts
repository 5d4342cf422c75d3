/**
 * Answered requests to /v1, found for 30 days by the id that an error shows: support asks for it.
 *
 *  1. No answer waits: a request is noted in memory, and twice a second the notes become packed rows.
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
/** Packed together: some 12 bytes a request, and a millisecond of the serving thread. */
const BATCH_MAX = 1000
const WAITING_MAX = 20_000
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

/** An answered request until it is written. */
interface Note extends Pick<Answered, 'id' | 'method' | 'caller' | 'billing' | 'problemCode'> {
  readonly route: string
  readonly status: number
  readonly ms: number
  /** Of a key whose owner is looked up after the answer. */
  readonly keyDigest: string | undefined
}

type KeyOwners = ReadonlyMap<string, { readonly organisationId: string; readonly keyId: string }>

export type RequestNotes = ReturnType<typeof createRequestNotes>

export function createRequestNotes(deps: {
  readonly sql: SqlQueries
  readonly ownersOfKeys: (digests: readonly string[]) => Promise<KeyOwners>
  readonly onTrouble: (error: unknown) => void
}) {
  let waiting: Note[] = []
  let strangers = 0
  let dropped = 0
  let failing = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  function note(request: Answered, route: string, reply: { statusCode: number; elapsedTime: number }): void {
    if (!request.url.startsWith('/v1/')) return
    const { id, method, caller, billing, problemCode } = request
    if (waiting.length >= WAITING_MAX || (caller === undefined && ++strangers > STRANGERS_MAX)) {
      dropped++
      return
    }
    const keyDigest = caller ? undefined : digestOfKey(request.headers['x-api-key'])
    const { statusCode: status, elapsedTime } = reply
    waiting.push({ id, method, caller, billing, problemCode, route, status, ms: Math.round(elapsedTime), keyDigest })
    timer ??= setTimeout(write, WRITE_MS).unref()
  }

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    strangers = 0
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX)
      try {
        await writeBatch(batch)
        failing = false
      } catch (error) {
        waiting = [...batch, ...waiting]
        if (!failing) deps.onTrouble(error)
        failing = true
        if (!closed) timer ??= setTimeout(write, WRITE_MS).unref()
        return
      }
    }
  }

  async function linesOf(batch: readonly Note[]): Promise<string[]> {
    const digests = batch.flatMap(({ keyDigest }) => keyDigest ?? [])
    const owners: KeyOwners = digests.length === 0 ? new Map() : await deps.ownersOfKeys([...new Set(digests)])
    return batch.map((one) => lineOf(one, owners))
  }

  async function writeBatch(batch: readonly Note[]): Promise<void> {
    const ids = batch.map(({ id }) => id).sort()
    const packed = await promisify(deflateRaw)((await linesOf(batch)).join('\n'), { level: 1 })
    // A batch whose commit was uncertain comes again, with the same requests first.
    await deps.sql.query(
      `insert into request_batch (first_id, last_id, packed) values ($1, $2, $3)
       on conflict (first_id) do update set last_id = excluded.last_id, packed = excluded.packed`,
      [ids[0]!, ids.at(-1)!, packed.toString('base64')],
    )
  }

  return {
    note,
    /** Since the start. */
    dropped: () => dropped,
    /** Finds the requests of this node at once, those of others when they are written. */
    async find(id: string) {
      const [own] = await linesOf(waiting.filter((one) => one.id === id))
      if (own !== undefined) return requestOf(own)
      await writing
      return findRequest(deps.sql, id)
    },
    close() {
      closed = true
      return write()
    },
  }
}

function digestOfKey(key: unknown): string | undefined {
  return typeof key === 'string' && isWellFormedApiKey(key) ? apiKeyDigest(key) : undefined
}

/** Tabs separate the values, which are our own words. An array or JSON would cost the serving thread several times as much. */
function lineOf({ id, caller, billing, problemCode, keyDigest, method, route, status, ms }: Note, owners: KeyOwners) {
  const owner = keyDigest === undefined ? undefined : owners.get(keyDigest)
  const by = owner ? 'api_key' : caller && KIND_OF_CALLER[caller.method]
  const who = `${(owner ?? caller)?.organisationId ?? ''}\t${by ?? ''}\t${owner?.keyId ?? caller?.credentialId ?? ''}`
  const price = billing === undefined ? '' : (/"total_price_pence":(\d+)/.exec(billing)?.[1] ?? '')
  return `${id}\t${who}\t${caller?.userId ?? ''}\t${method}\t${route}\t${status}\t${problemCode ?? ''}\t${price}\t${ms}`
}

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
    const lines = String(await promisify(inflateRaw)(Buffer.from(packed, 'base64'))).split('\n')
    const found = lines.find((line) => line.startsWith(`${id}\t`))
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
