/**
 * Passkeys (WebAuthn): a key pair on somebody's device, of which the public half is kept here.
 *
 *  1. A passkey belongs to this server's name and origin, as configured. An answer made for any other is refused.
 *  2. A passkey signs the challenge of a single-use ticket (tickets.ts).
 *  3. A counter that does not grow means a cloned key: the response is refused. Counters that stay at 0 are ignored.
 *  4. Without a password it opens a session only with user verification (fingerprint or PIN).
 */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Person } from '../../../access/session.ts'
import type { SqlQueries, Tx } from '../../../db/sql.ts'
import { defineTable, type EntityOf, flag, integer, json, orNull, text } from '../../../db/table.ts'
import { conflict, invalidField, Problem } from '../../../errors.ts'
import { LIMITS } from '../../../limits.ts'
import { TICKET_MS } from './tickets.ts'

/** Loaded on first use, to keep the start fast. */
const webauthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256. Named, because the library would try an algorithm that Node warns of. */
const ALGORITHMS = [-8, -7, -257]

export const passkeys = defineTable({
  name: 'passkey',
  key: ['id'],
  fixed: ['person_id', 'public_key', 'created_at'],
  columns: {
    /** The credential's id, base64url. */
    id: text(),
    person_id: text(),
    name: text(),
    public_key: text(),
    counter: integer(),
    transports: json<readonly string[]>(),
    backed_up: flag(),
    /** The device checked its user when it was last asked. False: a security key without a PIN. */
    user_verified: flag(),
    created_at: integer(),
    used_at: orNull(integer()),
  },
})
export type Passkey = EntityOf<typeof passkeys>

/** Rule 1: the host name that browsers use. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** Undefined where browsers offer no passkeys: without TLS (except localhost), or on an IP address. */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { hostname, protocol, origin } = new URL(baseUrl)
  const local = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return (protocol === 'https:' || local) && !isAddress ? { id: hostname, origin } : undefined
}

export function requireRelyingParty(baseUrl: string): RelyingParty {
  const party = relyingPartyOf(baseUrl)
  if (party) return party
  throw conflict(
    'Browsers allow passkeys only at an https address with a host name. The operator must set one up first.',
  )
}

export function listPasskeys(sql: SqlQueries, personId: string): Promise<Passkey[]> {
  return passkeys.list(sql, { person_id: personId }, { order: 'created_at, id', limit: LIMITS.counts.passkeysMax })
}

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))

export async function offerNewPasskey(party: RelyingParty, person: Person, own: readonly Passkey[], challenge: string) {
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: 'Assay',
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    challenge: bytesOf(challenge),
    timeout: TICKET_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: own.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

export type MadePasskey = Awaited<ReturnType<typeof checkNewPasskey>>

export async function checkNewPasskey(party: RelyingParty, response: RegistrationResponseJSON, challenge: string) {
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause: unknown) => {
    throw passkeyRefused(cause)
  })
  if (!verified.verified) throw passkeyRefused()
  const { credential, credentialBackedUp, userVerified } = verified.registrationInfo
  return {
    id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: (response.response.transports ?? [])
      .filter((word) => typeof word === 'string' && /^[a-z-]{1,20}$/.test(word))
      .slice(0, 10),
    backed_up: credentialBackedUp,
    user_verified: userVerified,
  }
}

/** Options for the browser to use a passkey: one of these, or any that the device has for this server. */
export async function askForPasskey(party: RelyingParty, own: readonly Passkey[], challenge: string) {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: TICKET_MS,
    allowCredentials: own.map(({ id, transports }) => ({ id, transports: [...transports] })),
    userVerification: own.length === 0 ? 'required' : 'preferred',
  })
}

export type UsedPasskey = Awaited<ReturnType<typeof checkPasskey>>

/** Rules 1, 3 and 4. Writes nothing: `notePasskeyUse` does, in the transaction of the session it opens. */
export async function checkPasskey(
  sql: SqlQueries,
  party: RelyingParty,
  response: AuthenticationResponseJSON,
  { challenge, alone }: { readonly challenge: string; readonly alone: boolean },
) {
  const passkey = await passkeys.find(sql, { id: response.id })
  const handle = response.response.userHandle
  // Refuse a response that names another person.
  if (!passkey || (handle !== undefined && Buffer.from(handle, 'base64url').toString() !== passkey.person_id)) {
    throw passkeyRefused()
  }
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: { id: passkey.id, publicKey: bytesOf(passkey.public_key), counter: passkey.counter },
  }).catch((cause: unknown) => {
    throw passkeyRefused(cause)
  })
  if (!verified) throw passkeyRefused()
  const { newCounter, credentialBackedUp, userVerified } = authenticationInfo
  if (alone && !userVerified) {
    throw new Problem('sign_in_failed', {
      detail:
        'This security key did not check who you are. Sign in with your password, then confirm with the key; or set a PIN on it.',
    })
  }
  return { passkey, counter: newCounter, backedUp: credentialBackedUp, userVerified }
}

/** Rule 3, enforced by the database: a second response with the same counter is refused. */
export async function notePasskeyUse(tx: Tx, used: UsedPasskey): Promise<void> {
  const noted = await tx.query(
    `update passkey set counter = $2, used_at = $3, backed_up = $4, user_verified = $5
     where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`,
    [used.passkey.id, used.counter, tx.nowMs, used.backedUp ? 1 : 0, used.userVerified ? 1 : 0],
  )
  if (noted.length === 0) throw passkeyRefused()
}

export function passkeyRefused(cause?: unknown): Problem {
  return new Problem('sign_in_failed', {
    detail: 'This passkey was not accepted. Try again, or use another method.',
    cause,
  })
}

/** The part of a browser's response that is read before the library checks it. */
export function passkeyAnswer<Answer extends AuthenticationResponseJSON | RegistrationResponseJSON>(
  value: unknown,
): Answer {
  const { id, rawId, type, response } = (value ?? {}) as Partial<Record<keyof Answer, unknown>>
  const texts = Object.values((response ?? {}) as object).filter((one) => typeof one === 'string')
  const { userHandle, transports } = (response ?? {}) as { userHandle?: unknown; transports?: unknown }
  const typed = ['undefined', 'string'].includes(typeof userHandle) && Array.isArray(transports ?? [])
  const bounded = typed && typeof id === 'string' && id.length <= 1400 && rawId === id && type === 'public-key'
  if (bounded && typeof response === 'object' && response !== null && texts.every((one) => one.length <= 16_000)) {
    return value as Answer
  }
  throw invalidField('/passkey', 'passkey must be the response of the browser.')
}
