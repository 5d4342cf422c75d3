import type { Adapter, AdapterPayload } from 'oidc-provider'
import Provider, { errors } from 'oidc-provider'
import { resealed, type SealedColumn } from '../db/reseal.ts'
import { changeIn, type Sql, type SqlValue } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, text } from '../db/table.ts'
import { endGrants, endReusedGrant, type Reuse } from '../identity/people/grants.ts'
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { tokensEndedAt } from './client-metadata.ts'
import { isVerifierOf, toLibraryTime, toServiceTime, useMarks, withoutUse } from './library-internals.ts'
import { DEVICE_GRANT } from './paths.ts'
import type { PendingRequests } from './pending-requests.ts'
import { OAUTH_PURPOSE, type Sealer } from './seal.ts'
import type { TracedReuse } from './trace.ts'

/**
 * Stores the OAuth library's records in one table.
 * 1. A credential is never stored: rows are found by its SHA-256, and copies of it inside a payload are sealed.
 * 2. Codes, refresh tokens and device codes are used once: the first request to set `consumed_at` wins, on any node. A
 *    second use ends the whole grant. Tabs of one browser application refresh at the same moment, so for them a refresh
 *    token works again for `refreshGraceMs` after its first use, until one of its successors is used. All successors
 *    belong to one grant and end with it. A wrong PKCE verifier ends a code as well: a stolen code allows one guess.
 * 3. A token whose grant is gone or ended is invalid, so one update revokes a grant even while tokens are being issued
 *    under it. An exchange in progress at that moment is still answered, with invalid tokens: exactly one of many
 *    exchanges of a code succeeds, never none.
 * 4. Times come from the service's clock, not this machine's; see library-internals.ts.
 */
export interface RecordStore {
  readonly sql: Sql
  readonly clock: Clock
  readonly sealer: Sealer
  readonly onRevoked: (revoked: Revoked) => void
  /** Stores an access token; separate because many tokens are written in one batch. */
  readonly insertToken: (row: TokenRow) => Promise<void>
  readonly refreshGraceMs: number
  readonly onReuse: (reuse: TracedReuse) => void
  /** Limits the rows that belong to nobody yet. */
  readonly pending: PendingRequests
}

export type Revoked = { readonly digest: string } | { readonly grant: string } | { readonly client: string }

const tokenColumns = {
  digest: text(),
  kind: text(),
  payload: text(),
  client_id: orNull(text()),
  person_id: orNull(text()),
  grant_digest: orNull(text()),
  scope: orNull(text()),
  client_tokens_ended_at: orNull(integer()),
  issued_at: integer(),
  expires_at: integer(),
  purge_at: integer(),
}
const key = ['digest', 'kind'] as const
export const tokens = defineTable({ name: 'oauth_record', key, columns: tokenColumns })
export type TokenRow = EntityOf<typeof tokens>
const records = defineTable({
  name: 'oauth_record',
  key,
  columns: { ...tokenColumns, uid_digest: orNull(text()), user_code_digest: orNull(text()), begun_by: orNull(text()) },
})

/** Their payloads contain a credential (the library looks them up by another value, or passes one along in them). */
const SEALED_KINDS = new Set(['Session', 'Interaction', 'DeviceCode'])
export const SEALED_RECORDS: SealedColumn = {
  about: 'sign-ins and device codes',
  table: 'oauth_record',
  key: ['digest', 'kind'],
  column: 'payload',
  where: `kind in (${[...SEALED_KINDS].map((kind) => `'${kind}'`).join(', ')})`,
  reseal: ({ digest, payload }, ring) => resealed(ring, OAUTH_PURPOSE, payload, String(digest)),
}
/** Requests are limited before they reach this code; this limits the size of a row in every case. */
const PAYLOAD_CHARACTERS_MAX = 64 * 1024

/** How long a row is kept after its end: a late replay still revokes, a late poll learns that the code expired. */
function keptMs(kind: string, personId: string | undefined): number {
  if (kind === 'AuthorizationCode' || kind === 'RefreshToken') return DAY_MS
  if (kind === 'DeviceCode') return personId === undefined ? 10 * MINUTE_MS : DAY_MS
  if (kind === 'Grant') return HOUR_MS
  return TOKEN_KEPT_MS
}

/** Longer than the clocks of two nodes differ. */
export const TOKEN_KEPT_MS = MINUTE_MS
/** How long the library still finds an ended grant: longer than an exchange in progress takes. */
const ENDED_GRANT_FOUND_MS = 10_000
const TOKEN_KINDS = new Set(['AccessToken', 'ClientCredentials'])

/** The person of a row; a sign-in or consent in progress belongs to the person who signed in for it. */
function personOf({ accountId, session, result, lastSubmission }: AdapterPayload): string | undefined {
  return accountId ?? session?.accountId ?? result?.login?.accountId ?? lastSubmission?.login?.accountId
}

/** True if this client is exchanging a credential now. A stranger who found an old code must not end its grant. */
function isExchangedBy(clientId: string | undefined): boolean {
  const request = Provider.ctx?.oidc
  return request?.route === 'token' && request.client?.clientId === clientId
}

const givenVerifier = (): unknown => Provider.ctx?.oidc.params?.code_verifier

/** True if a page in a browser exchanges: browsers send the origin of such a request. A program has no tabs. */
function isExchangedInTab(): boolean {
  const ctx = Provider.ctx
  return ctx?.oidc.client?.clientAuthMethod === 'none' && ctx.get('origin') !== ''
}

const REUSED: Readonly<Record<string, Reuse['what']>> = {
  authorization_code: 'code',
  refresh_token: 'refresh_token',
  [DEVICE_GRANT]: 'device_code',
}

/** The exchange in progress, as reported in a reuse. */
function exchangeUnderWay(): Omit<Reuse, 'grantDigest'> | undefined {
  const ctx = Provider.ctx
  const what = REUSED[String(ctx?.oidc.params?.grant_type)]
  if (ctx?.oidc.route !== 'token' || what === undefined) return undefined
  const { client } = ctx.oidc
  return { clientId: client?.clientId ?? '', what, requestId: ctx.response.get('x-request-id') || undefined }
}

interface Row {
  readonly payload: string
  readonly grant_digest: string | null
  readonly expires_at: number
  readonly consumed_at: number | null
  readonly claimed_at: number | null
}

/** A row keeps the time it was issued at, and its beginner until a person signs in for it. */
const REPLACE = `on conflict (digest, kind) do update set payload = excluded.payload, client_id = excluded.client_id,
  person_id = excluded.person_id, grant_digest = excluded.grant_digest, scope = excluded.scope,
  uid_digest = excluded.uid_digest, expires_at = excluded.expires_at, purge_at = excluded.purge_at,
  begun_by = case when excluded.person_id is null then oauth_record.begun_by end returning digest`
const REPLACE_EXPIRED = REPLACE.replace(' returning', ' where oauth_record.expires_at <= excluded.issued_at returning')

type UsedRow = Pick<Row, 'grant_digest' | 'consumed_at'>

export function createRecordAdapter(kind: string, store: RecordStore): Adapter {
  const { clock, sealer } = store
  const query = <R extends object>(text: string, params: readonly SqlValue[]) => store.sql.query<R>(text, params)

  function pack(id: string, digest: string, payload: AdapterPayload): string {
    if (SEALED_KINDS.has(kind)) return sealer.seal(JSON.stringify({ ...payload, jti: id }), digest)
    const { jti: _, ...rest } = payload
    // A grant is found by its id. The id is no credential: it gives access to nothing.
    return JSON.stringify(kind === 'Grant' ? { ...rest, jti: id } : rest)
  }

  async function unpack(row: Row, digest: string, id: string | undefined): Promise<AdapterPayload> {
    const payload = JSON.parse(
      SEALED_KINDS.has(kind) ? await sealer.open(row.payload, digest) : row.payload,
    ) as AdapterPayload
    return { ...toLibraryTime(payload, clock), ...(id === undefined ? {} : { jti: id }), ...useMarks(row) }
  }

  async function endGrant(grantDigest: string | null): Promise<void> {
    if (grantDigest === null) return
    // During an exchange, a grant ends for one reason only: the code or token was used before.
    const exchange = exchangeUnderWay()
    const ended = exchange
      ? await changeIn(store.sql, clock, (tx) => endReusedGrant(tx, { grantDigest, ...exchange }))
      : (await endGrants(store.sql, { grantDigest }, clock.now())) > 0
    // Reported once: repeating a used code causes no further notices.
    if (!ended) return
    store.onRevoked({ grant: grantDigest })
    if (exchange) store.onReuse({ ...exchange, ended: true })
  }

  async function worksAgain(digest: string, { consumed_at, grant_digest }: UsedRow): Promise<boolean> {
    if (kind !== 'RefreshToken' || consumed_at === null || grant_digest === null || !isExchangedInTab()) return false
    if (clock.now() >= consumed_at + store.refreshGraceMs) return false
    // Use after its successor was used is not a tab that refreshed at the same moment.
    const successors = await query(
      `select digest from oauth_record where grant_digest = $1 and kind = 'RefreshToken' and issued_at >= $2
         and consumed_at is not null and digest <> $3 limit 1`,
      [grant_digest, consumed_at, digest],
    )
    return successors.length === 0
  }

  return {
    async upsert(id, given, expiresIn) {
      const payload = toServiceTime(given, clock)
      const nowMs = clock.now()
      const digest = sha256Hex(id)
      const expiresAtMs = payload.exp === undefined ? nowMs + (expiresIn ?? 0) * 1000 : payload.exp * 1000
      const packed = pack(id, digest, withoutUse(payload))
      if (packed.length > PAYLOAD_CHARACTERS_MAX) throw new errors.InvalidRequest('the request is too large')
      const personId = personOf(payload)
      const isToken = TOKEN_KINDS.has(kind)
      const row = {
        digest,
        kind,
        payload: packed,
        client_id: payload.clientId ?? null,
        person_id: personId ?? null,
        grant_digest: payload.grantId === undefined ? null : sha256Hex(payload.grantId),
        scope: payload.scope ?? (isToken ? '' : null),
        client_tokens_ended_at: isToken ? tokensEndedAt(Provider.ctx?.oidc.client) : null,
        issued_at: nowMs,
        expires_at: expiresAtMs,
        purge_at: expiresAtMs + keptMs(kind, personId),
      }
      if (isToken) return store.insertToken(row)
      const begunBy = store.pending.beginnerOf(kind, personId)
      const record = {
        ...row,
        uid_digest: payload.uid === undefined ? null : sha256Hex(payload.uid),
        user_code_digest: payload.userCode === undefined ? null : sha256Hex(payload.userCode),
        begun_by: begunBy,
      }
      const [insert] = records.toInsert(store.sql, [record], kind === 'ReplayDetection' ? REPLACE_EXPIRED : REPLACE)
      const write = () => query(insert!.text, insert!.params)
      const rows = begunBy === null ? await write() : await store.pending.keep({ begunBy, digest, kind }, write)
      // Two requests with one assertion at the same time: the second finds the first's row.
      if (rows.length === 0) throw new errors.InvalidClientAuth('client assertion tokens must only be used once')
      // A pushed request serves one sign-in: it must be found until that sign-in ends, and belongs to nobody as long as
      // the sign-in does.
      if (typeof payload.parJti === 'string') {
        await query(
          `update oauth_record set purge_at = case when purge_at < $2 then $2 else purge_at end
             ${personId === undefined ? '' : ', begun_by = null'}
           where digest = $1 and kind = 'PushedAuthorizationRequest'`,
          [sha256Hex(payload.parJti), expiresAtMs + TOKEN_KEPT_MS],
        )
      }
    },

    async find(id) {
      const digest = sha256Hex(id)
      const rows = await query<Row>(
        `select payload, grant_digest, expires_at, consumed_at, claimed_at from oauth_record
         where digest = $1 and kind = $2`,
        [digest, kind],
      )
      const row = rows[0]
      if (!row) return undefined
      const payload = await unpack(row, digest, id)
      // The library answers "expired" before it checks if the code was used: a late replay must revoke as well.
      if (row.consumed_at !== null && row.expires_at <= clock.now() && isExchangedBy(payload.clientId)) {
        await endGrant(row.grant_digest)
      }
      if (row.consumed_at !== null && isExchangedBy(payload.clientId) && (await worksAgain(digest, row))) {
        return withoutUse(payload)
      }
      if (kind === 'AuthorizationCode' && isExchangedBy(payload.clientId) && !isVerifierOf(payload, givenVerifier())) {
        await query('delete from oauth_record where digest = $1 and kind = $2 and consumed_at is null', [digest, kind])
      }
      if (kind === 'Grant' && row.consumed_at !== null && row.consumed_at + ENDED_GRANT_FOUND_MS <= clock.now()) {
        return undefined
      }
      return payload
    },

    findByUid: (uid) => findBy('uid_digest', uid),
    findByUserCode: (userCode) => findBy('user_code_digest', userCode),

    async consume(id) {
      const digest = sha256Hex(id)
      // Only a signed-in person can use a pushed request.
      const won = await query(
        `update oauth_record set consumed_at = $3, begun_by = null
         where digest = $1 and kind = $2 and consumed_at is null returning digest`,
        [digest, kind, clock.now()],
      )
      if (won.length > 0) return
      const [row] = await query<UsedRow>(
        'select grant_digest, consumed_at from oauth_record where digest = $1 and kind = $2',
        [digest, kind],
      )
      if (row && (await worksAgain(digest, row))) {
        const exchange = exchangeUnderWay()
        if (exchange) store.onReuse({ ...exchange, ended: false })
        return
      }
      await endGrant(row?.grant_digest ?? null)
      throw new errors.InvalidGrant('already used')
    },

    async destroy(id) {
      const digest = sha256Hex(id)
      if (kind === 'Grant') return endGrant(digest)
      await query('delete from oauth_record where digest = $1 and kind = $2', [digest, kind])
      if (TOKEN_KINDS.has(kind)) store.onRevoked({ digest })
    },

    async revokeByGrantId(grantId) {
      const grant = sha256Hex(grantId)
      await query('delete from oauth_record where grant_digest = $1 and kind = $2', [grant, kind])
      if (TOKEN_KINDS.has(kind)) store.onRevoked({ grant })
    },
  }

  async function findBy(column: 'uid_digest' | 'user_code_digest', value: string) {
    const rows = await query<Row & { digest: string }>(
      `select digest, payload, grant_digest, expires_at, consumed_at, claimed_at from oauth_record
       where ${column} = $1 and kind = $2`,
      [sha256Hex(value), kind],
    )
    return rows[0] && unpack(rows[0], rows[0].digest, undefined)
  }
}
