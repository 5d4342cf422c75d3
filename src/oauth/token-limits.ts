import type { AdapterPayload } from 'oidc-provider'
import { createRateLimiter } from '../access/limits.ts'
import type { Sql } from '../db/sql.ts'
import { takeAttempts, waiting } from '../identity/people/throttle.ts'
import { type Clock, HOUR_MS, MINUTE_MS } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { readJsonText } from '../lib/json-text.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import type { Maybe } from '../lib/maybe.ts'
import { LIMITS } from '../limits.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { DEVICE_GRANT } from './paths.ts'
import { percentDecoded } from './request.ts'

const LEASES_MAX = 10_000
const LEASE_PARTS = 10
const LIVING_MINUTES = 60

/** The form field of each grant type that identifies the person. */
const CREDENTIALS = new Map([
  ['refresh_token', { parameter: 'refresh_token', kind: 'RefreshToken' }],
  ['authorization_code', { parameter: 'code', kind: 'AuthorizationCode' }],
  [DEVICE_GRANT, { parameter: 'device_code', kind: 'DeviceCode' }],
])

const FREE = { giveBack: () => {} }

interface Subject {
  readonly clientId: string
  readonly organisationId: string | undefined
  /** Absent for a client's own tokens. */
  readonly personId?: string | undefined
}

/** The number of tokens this node may still issue until the window ends; `last`: the store has no more. */
interface Lease {
  left: number
  readonly endsAtMs: number
  readonly last: boolean
}

export type TokenLimits = ReturnType<typeof createTokenLimits>

/**
 * Limits the tokens of a client, by the plan of its organisation.
 * 1. A client gets `tokens_per_minute` for itself, and as many for each person who uses it: one person cannot use up
 *    the limit of the others. The command line, which belongs to no organisation, has the default.
 * 2. The limit applies to all nodes together. A node takes a tenth of it at a time from the count in the store, so that
 *    not every token costs a write there; the unused part is unavailable to the others until the minute is over.
 * 3. A client's own token is counted when it is about to be stored, because by then the client is authenticated. A
 *    person's token is reserved before the request is processed, so that a refusal loses no code or refresh token, and
 *    given back if none was issued. Only the holder of such a code or token can reserve one.
 * 4. The number of valid tokens is at most one hour of that rate.
 * 5. The applications of an organisation share a rate on each node, however many they are.
 */
export function createTokenLimits(deps: {
  readonly sql: Sql
  readonly clock: Clock
  readonly clients: ClientMetadata
  readonly lifetimes: Pick<Lifetimes, 'accessTokenSeconds'>
  readonly tokensPerMinuteOf?: ((organisationId: string) => Maybe<number>) | undefined
}) {
  const { sql, clock, clients, tokensPerMinuteOf } = deps
  const leases = new Map<string, Lease>()
  const pending = new Map<string, Promise<void>>()
  const shares = createRateLimiter({ clock, bucketsMax: LEASES_MAX })

  async function organisationOfClient(clientId: string): Promise<string | undefined> {
    const client = await clients.find(clientId)
    return client && organisationOf(client)
  }

  async function rateOf({ organisationId }: Subject): Promise<number> {
    return (organisationId && (await tokensPerMinuteOf?.(organisationId))) || LIMITS.rates.tokensPerMinuteDefault
  }

  function remember(key: string, lease: Lease): void {
    leases.delete(key)
    leases.set(key, lease)
    if (leases.size <= LEASES_MAX) return
    const oldest = leases.keys().next()
    if (!oldest.done) leases.delete(oldest.value)
  }

  async function countLiving({ clientId, personId }: Subject): Promise<number> {
    const [kind, ofPerson] = personId === undefined ? ['ClientCredentials', []] : ['AccessToken', [personId]]
    const rows = await sql.query<{ n: number }>(
      `select count(*) as n from oauth_record where client_id = $1 and kind = '${kind}' and expires_at > $2
       ${personId === undefined ? '' : 'and person_id = $3'}`,
      [clientId, clock.now(), ...ofPerson],
    )
    return rows[0]?.n ?? 0
  }

  function giveBack(key: string, { endsAtMs }: Lease): void {
    // The lease may have been replaced since; an expired window gets nothing back.
    const lease = leases.get(key)
    if (lease?.endsAtMs === endsAtMs) lease.left++
  }

  async function refill(key: string, perMinute: number, living: () => Promise<number>): Promise<void> {
    const nowMs = clock.now()
    if ((await living()) >= LIVING_MINUTES * perMinute) {
      remember(key, { left: 0, endsAtMs: nowMs + MINUTE_MS, last: true })
      return
    }
    const wanted = Math.ceil(perMinute / LEASE_PARTS)
    const limit = { attemptsMax: perMinute, windowMs: MINUTE_MS }
    const { taken, endsAtMs } = await takeAttempts(sql, key, limit, nowMs, { wanted })
    const before = leases.get(key)
    const givenBack = before?.endsAtMs === endsAtMs ? before.left : 0
    remember(key, { left: taken + givenBack, endsAtMs, last: taken < wanted })
  }

  async function take(key: string, perMinute: number, living: () => Promise<number>): Promise<Lease> {
    for (;;) {
      const lease = leases.get(key)
      if (lease && lease.endsAtMs > clock.now()) {
        if (lease.left > 0) {
          lease.left--
          return lease
        }
        if (lease.last) {
          throw waiting(lease.endsAtMs - clock.now(), `This application may get ${perMinute} tokens a minute.`)
        }
      }
      const filling = pending.get(key) ?? refill(key, perMinute, living).finally(() => pending.delete(key))
      pending.set(key, filling)
      await filling
    }
  }

  /** Reserves a token, or throws 429. Call `giveBack` if no token was issued. */
  async function setAside(subject: Subject) {
    const key = `tokens ${subject.clientId} ${subject.personId ?? ''}`
    // Tokens that expire within an hour are limited by the rate alone.
    const living = deps.lifetimes.accessTokenSeconds * 1000 <= HOUR_MS ? async () => 0 : () => countLiving(subject)
    const perMinute = await rateOf(subject)
    const { organisationId } = subject
    const togetherPerSecond = Math.max(LIMITS.rates.organisationTokensPerSecond, Math.ceil(perMinute / 60))
    const lease = await take(key, perMinute, living)
    try {
      if (organisationId !== undefined) shares.take(organisationId, togetherPerSecond, 'tokens', 'token')
    } catch (error) {
      giveBack(key, lease)
      throw error
    }
    return {
      giveBack() {
        giveBack(key, lease)
        if (organisationId !== undefined) shares.giveBack(organisationId, 'tokens', 'token')
      },
    }
  }

  /** The person for whom a token is requested; undefined if the request cannot succeed, so that nothing is reserved. */
  async function subjectOf(form: URLSearchParams, authorization: string | undefined): Promise<Subject | undefined> {
    const clientId = clientIdOf(form, authorization)
    const client = clientId === undefined ? undefined : await clients.find(clientId)
    if (clientId === undefined || !client) return undefined
    const { parameter, kind } = CREDENTIALS.get(form.get('grant_type') ?? '') ?? {}
    const credential = parameter === undefined ? null : form.get(parameter)
    if (credential === null || kind === undefined) return undefined
    const rows = await sql.query<{ person_id: string | null }>(
      'select person_id from oauth_record where digest = $1 and kind = $2 and client_id = $3',
      [sha256Hex(credential), kind, clientId],
    )
    const personId = rows[0]?.person_id ?? undefined
    return personId === undefined ? undefined : { clientId, organisationId: organisationOf(client), personId }
  }

  return {
    /** Runs `write`, which stores a token of the client itself, or throws 429. */
    async countOwn(clientId: string, write: () => Promise<void>): Promise<void> {
      const reserved = await setAside({ clientId, organisationId: await organisationOfClient(clientId) })
      try {
        await write()
      } catch (error) {
        reserved.giveBack()
        throw error
      }
    },
    /** Reserves the token of a person that this request asks for, or throws 429. */
    async reserve({ body, authorization }: { readonly body: Buffer; readonly authorization: string | undefined }) {
      const subject = await subjectOf(new URLSearchParams(body.toString('latin1')), authorization)
      return subject ? setAside(subject) : FREE
    },
    /** Counts an assertion that authenticated a client: each is stored until it expires. Throws 429. */
    async countAssertion(clientId: string): Promise<void> {
      const organisationId = await organisationOfClient(clientId)
      const perMinute = LIMITS.rates.assertionsPerToken * (await rateOf({ clientId, organisationId }))
      await take(`assertions ${clientId}`, perMinute, async () => 0)
    },
  }
}

function organisationOf(client: AdapterPayload): string | undefined {
  return typeof client.organisation_id === 'string' ? client.organisation_id : undefined
}

/** The claimed client id; it is verified later, and a failure gives the token back. */
export function clientIdOf(form: URLSearchParams, authorization: string | undefined): string | undefined {
  const named = form.get('client_id')
  if (named !== null) return named
  const encoded = authorization === undefined ? undefined : /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  if (encoded !== undefined)
    return percentDecoded(Buffer.from(encoded, 'base64').toString('latin1').split(':', 1)[0] ?? '')
  const claims = form.get('client_assertion')?.split('.')[1]
  return claims === undefined ? undefined : subjectOfClaims(claims)
}

function subjectOfClaims(encoded: string): string | undefined {
  const { sub } = (readJsonText(Buffer.from(encoded, 'base64url'))?.value ?? {}) as { sub?: unknown }
  return typeof sub === 'string' ? sub : undefined
}
