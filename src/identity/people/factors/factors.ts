/**
 * Second factors of a person: passkeys and one-time codes, with recovery codes for when both are lost.
 *
 *  1. A person with a factor is asked for one after the password. A passkey with user verification is enough by itself.
 *  2. Recovery codes are made with the first factor and removed with the last, as are the sessions' second-factor marks.
 *  3. A member of an organisation that requires a factor keeps one; only the operator can remove the last.
 *  4. Wrong codes are counted per person. Only somebody who knows the password, or is signed in, can type any. A known
 *     browser has its own count: wrong codes typed elsewhere do not make its owner wait.
 *  5. Every change, and every use of a recovery code, is audited in each of the person's organisations and announced to the
 *     person by mail.
 */

import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { operatorIn } from '../../../access/actor.ts'
import type { AuthenticationMethod } from '../../../access/session.ts'
import type { Sql, SqlQueries, Tx } from '../../../db/sql.ts'
import { conflict, notFound, Problem } from '../../../errors.ts'
import { type Clock, iso } from '../../../lib/clock.ts'
import type { Ring } from '../../../lib/seal.ts'
import { LIMITS } from '../../../limits.ts'
import { putMail } from '../../../mail/mail.ts'
import { auditPerson, type ByOperator, type Held, lockPerson } from '../../members/members.ts'
import { checkedName } from '../../organisation/organisations.ts'
import { isKnownDevice } from '../devices.ts'
import { endGrants, endSessions, forgetSecondFactor } from '../grants.ts'
import type { Person } from '../people.ts'
import { forgetAttempts, refuseWait, takeAttempt } from '../throttle.ts'
import { beginGenerator, endGenerator, generatorSince, useCode } from './code-generator.ts'
import {
  checkPasskey,
  listPasskeys,
  type MadePasskey,
  notePasskeyUse,
  type Passkey,
  passkeyAnswer,
  passkeyRefused,
  passkeys,
  type RelyingParty,
  type UsedPasskey,
} from './passkeys.ts'
import { endRecoveryCodes, makeRecoveryCodes, recoveryCodesOf, useRecoveryCode } from './recovery-codes.ts'

export type Factors = Awaited<ReturnType<typeof factorsOf>>

export const WAYS = ['passkey', 'code', 'recovery_code'] as const
export type Way = (typeof WAYS)[number]

export async function factorsOf(sql: SqlQueries, personId: string) {
  return {
    passkeys: await listPasskeys(sql, personId),
    codesSinceMs: await generatorSince(sql, personId),
    recoveryCodes: await recoveryCodesOf(sql, personId),
  }
}

export function hasFactor({ passkeys: own, codesSinceMs }: Factors): boolean {
  return own.length > 0 || codesSinceMs !== undefined
}

/** The person's ways to give a second proof; empty without a factor. */
export function waysOf(factors: Factors): Way[] {
  if (!hasFactor(factors)) return []
  const open = {
    passkey: factors.passkeys.length > 0,
    code: factors.codesSinceMs !== undefined,
    recovery_code: (factors.recoveryCodes?.left ?? 0) > 0,
  }
  return WAYS.filter((way) => open[way])
}

/** Without a mail server no mail is queued. */
export type Telling = { readonly sendsMail?: boolean | undefined }
type FactorDependencies = Telling & { readonly ring: Ring }

/** The result of adding a factor: `recoveryCodes` are shown once, with the first factor. */
type Added = { readonly recoveryCodes: readonly string[] | undefined }

async function tell(tx: Tx, deps: Telling, { person }: Held, change: string): Promise<void> {
  const { id: personId, email: to, name } = person
  if (deps.sendsMail)
    await putMail(tx, { kind: 'factor_changed', to, personId, facts: { name, at: iso(tx.nowMs), change } })
}

/** A security key without a PIN does not know its user: it is a second factor, and no sign-in alone. */
const kindOf = ({ user_verified }: Pick<Passkey, 'user_verified'>) => (user_verified ? 'passkey' : 'security key')

const DETAIL = { passkey: 'passkey', codes: 'one_time_codes' } as const

export async function addPasskey(
  tx: Tx,
  deps: Telling,
  by: ByOperator,
  personId: string,
  made: MadePasskey,
  givenName: string,
): Promise<Added & { readonly passkey: Passkey }> {
  const name = checkedName(givenName)
  const held = await lockPerson(tx, personId)
  const before = await factorsOf(tx, personId)
  if (before.passkeys.length >= LIMITS.counts.passkeysMax) {
    throw conflict(`You have ${LIMITS.counts.passkeysMax} passkeys. Remove one first.`)
  }
  const row = { ...made, person_id: personId, name, created_at: tx.nowMs, used_at: null }
  const passkey = await passkeys.insertIfNew(tx, row)
  if (!passkey) throw conflict('This passkey is already registered.')
  await auditPerson(tx, by, held, 'factor.add', { factor: DETAIL.passkey, label: name })
  await tell(tx, deps, held, `the ${kindOf(passkey)} “${name}” was added`)
  return { passkey, recoveryCodes: await withFirst(tx, by, held, before) }
}

/** Rule 2. */
async function withFirst(tx: Tx, by: ByOperator, held: Held, before: Factors): Promise<string[] | undefined> {
  if (hasFactor(before)) return undefined
  const codes = await makeRecoveryCodes(tx, held.person.id)
  await auditPerson(tx, by, held, 'factor.recovery', { what: 'made' })
  return codes
}

/** Rule 2. */
async function withLast(tx: Tx, personId: string): Promise<void> {
  await endRecoveryCodes(tx, personId)
  await forgetSecondFactor(tx, personId)
}

/** Removes all factors, or those added since a time, even if an organisation requires one. The person must be locked. */
export async function dropFactors(tx: Tx, personId: string, sinceMs = 0): Promise<void> {
  for (const [table, since] of [
    ['passkey', 'created_at'],
    ['code_generator', 'coalesce(confirmed_at, created_at)'],
    ['recovery_code', 'created_at'],
  ]) {
    await tx.query(`delete from ${table} where person_id = $1 and ${since} >= $2`, [personId, sinceMs])
  }
  if (!hasFactor(await factorsOf(tx, personId))) await withLast(tx, personId)
}

export async function renamePasskey(tx: Tx, personId: string, passkeyId: string, name: string): Promise<Passkey> {
  const found = await passkeys.lock(tx, { id: passkeyId, person_id: personId })
  if (!found) throw noPasskey()
  return passkeys.update(tx, found, { name: checkedName(name) })
}

const noPasskey = () => notFound('You have no such passkey.')

export async function removePasskey(tx: Tx, deps: Telling, by: ByOperator, personId: string, passkeyId: string) {
  const held = await lockPerson(tx, personId)
  const before = await factorsOf(tx, personId)
  const passkey = before.passkeys.find(({ id }) => id === passkeyId)
  if (!passkey) throw noPasskey()
  const left = { ...before, passkeys: before.passkeys.filter((one) => one !== passkey) }
  await requireOneLeft(tx, personId, left)
  await passkeys.delete(tx, { id: passkeyId })
  if (!hasFactor(left)) await withLast(tx, personId)
  await auditPerson(tx, by, held, 'factor.remove', { factor: DETAIL.passkey, label: passkey.name })
  await tell(tx, deps, held, `the ${kindOf(passkey)} “${passkey.name}” was removed`)
}

/** Rule 3. */
async function requireOneLeft(tx: Tx, personId: string, left: Factors): Promise<void> {
  if (hasFactor(left)) return
  const requiring = await requiringOrganisations(tx, personId)
  if (requiring.length === 0) return
  throw conflict(
    `${requiring.map(({ name }) => name).join(' and ')} requires a second factor of its members. Add another one first, or leave the organisation.`,
  )
}

function requiringOrganisations(sql: SqlQueries, personId: string) {
  return sql.query<{ id: string; name: string }>(
    `select o.id, o.name from membership m join organisation o on o.id = m.organisation_id
     where m.person_id = $1 and o.requires_second_factor = 1 order by o.name, o.id`,
    [personId],
  )
}

export async function beginCodes(tx: Tx, { ring }: FactorDependencies, person: Person, issuer: string) {
  const begun = await beginGenerator(tx, ring, person, issuer)
  if (!begun) throw codesInUse()
  return begun
}

const codesInUse = () => conflict('One-time codes are already set up. Remove them first to set them up again.')

/** Activates the code generator with its first correct code. */
export async function confirmCodes(tx: Tx, deps: FactorDependencies, by: ByOperator, personId: string, code: string) {
  const held = await lockPerson(tx, personId)
  const before = await factorsOf(tx, personId)
  if (before.codesSinceMs !== undefined) throw codesInUse()
  if (!(await useCode(tx, deps.ring, personId, code, 'begun'))) throw wrongCode()
  await auditPerson(tx, by, held, 'factor.add', { factor: DETAIL.codes, label: 'One-time codes' })
  await tell(tx, deps, held, 'one-time codes were set up')
  return { recoveryCodes: await withFirst(tx, by, held, before) }
}

export async function removeCodes(tx: Tx, deps: FactorDependencies, by: ByOperator, personId: string): Promise<void> {
  const held = await lockPerson(tx, personId)
  const before = await factorsOf(tx, personId)
  const left = { ...before, codesSinceMs: undefined }
  if (before.codesSinceMs !== undefined) await requireOneLeft(tx, personId, left)
  if (!(await endGenerator(tx, personId))) throw notFound('You have no one-time codes.')
  if (!hasFactor(left)) await withLast(tx, personId)
  await auditPerson(tx, by, held, 'factor.remove', { factor: DETAIL.codes, label: 'One-time codes' })
  await tell(tx, deps, held, 'one-time codes were removed')
}

/** A new set; the former codes end. */
export async function renewRecoveryCodes(tx: Tx, deps: FactorDependencies, by: ByOperator, personId: string) {
  const held = await lockPerson(tx, personId)
  if (!hasFactor(await factorsOf(tx, personId))) {
    throw conflict('Recovery codes come with a second factor. Add a passkey or one-time codes.')
  }
  const codes = await makeRecoveryCodes(tx, personId)
  await auditPerson(tx, by, held, 'factor.recovery', { what: 'made' })
  await tell(tx, deps, held, 'new recovery codes were created, and the former ones ended')
  return codes
}

/** For a person who lost all factors and recovery codes. Ends their sessions, and their grants where a factor is required. */
export async function resetFactors(tx: Tx, deps: Telling, personId: string): Promise<number> {
  const held = await lockPerson(tx, personId)
  const { passkeys: own, codesSinceMs } = await factorsOf(tx, personId)
  await dropFactors(tx, personId)
  await endSessions(tx, personId)
  for (const { id } of await requiringOrganisations(tx, personId)) {
    await endGrants(tx, { personId, organisationId: id }, tx.nowMs)
  }
  const removed = own.length + (codesSinceMs === undefined ? 0 : 1)
  await auditPerson(tx, operatorIn, held, 'factor.remove', { factor: 'all', removed })
  if (removed > 0) await tell(tx, deps, held, 'every second factor was removed by the operator')
  return removed
}

/** A second proof; a passkey's response is already checked. */
export type Proof =
  | { readonly way: 'passkey'; readonly used: UsedPasskey }
  | { readonly way: 'code' | 'recovery_code'; readonly code: string; readonly forget: (tx: Tx) => Promise<void> }

export interface CodeTyper {
  readonly personId: string
  /** SHA-256 of the cookie that identifies the browser. */
  readonly deviceDigest: string
}

/** Rule 4. Call before the transaction that takes the proof, so that its refusal is counted too; `forget` ends the count. */
export async function countCode(deps: { readonly sql: Sql; readonly clock: Clock }, typer: CodeTyper) {
  const { personId, deviceDigest } = typer
  const isKnown = await isKnownDevice(deps.sql, personId, deviceDigest)
  const key = isKnown ? `second factor ${personId} ${deviceDigest}` : `second factor ${personId}`
  const limit = LIMITS.attempts.wrongFactorCodes
  const { waitMs } = await takeAttempt(deps.sql, key, limit, deps.clock.now())
  refuseWait(waitMs, 'There were too many wrong codes.')
  return { forget: (tx: Tx) => forgetAttempts(tx, key) }
}

/** The second proof in a body: exactly one of these. */
export interface GivenProof {
  readonly passkey?: unknown
  readonly code?: string | undefined
  readonly recovery_code?: string | undefined
}

/** A code counts as an attempt before it is checked. */
export async function readProof(
  deps: { readonly sql: Sql; readonly clock: Clock; readonly party: RelyingParty | undefined },
  given: GivenProof,
  asked: CodeTyper & { readonly challenge: string },
): Promise<Proof> {
  const [way, ...others] = WAYS.filter((one) => given[one] !== undefined)
  if (way === undefined || others.length > 0) {
    throw new Problem('validation_failed', { detail: `Send exactly one of ${WAYS.join(', ')}.` })
  }
  if (way === 'passkey') {
    if (!deps.party) throw passkeyRefused()
    const answer = passkeyAnswer<AuthenticationResponseJSON>(given.passkey)
    const used = await checkPasskey(deps.sql, deps.party, answer, { challenge: asked.challenge, alone: false })
    if (used.passkey.person_id !== asked.personId) throw passkeyRefused()
    return { way, used }
  }
  return { way, code: given[way] ?? '', ...(await countCode(deps, asked)) }
}

/** Takes a second proof in the transaction of the session it opens; returns the method as in RFC 8176. */
export async function takeProof(
  tx: Tx,
  deps: FactorDependencies,
  by: ByOperator,
  personId: string,
  proof: Proof,
): Promise<AuthenticationMethod[]> {
  if (proof.way === 'passkey') {
    if (proof.used.passkey.person_id !== personId) throw wrongCode()
    await notePasskeyUse(tx, proof.used)
    return passkeyWords(proof.used)
  }
  if (proof.way === 'code') {
    if (!(await useCode(tx, deps.ring, personId, proof.code))) throw wrongCode()
  } else {
    const held = await lockPerson(tx, personId)
    if (!(await useRecoveryCode(tx, personId, proof.code))) throw wrongCode()
    const left = (await recoveryCodesOf(tx, personId))?.left ?? 0
    await auditPerson(tx, by, held, 'factor.recovery', { what: 'used', left })
    const { email: to, name } = held.person
    const facts = { name, at: iso(tx.nowMs), left }
    if (deps.sendsMail) await putMail(tx, { kind: 'recovery_code_used', to, personId, facts })
  }
  await proof.forget(tx)
  return ['otp', 'mfa']
}

/** A synchronised passkey is not bound to hardware. */
export function passkeyWords(used: Pick<UsedPasskey, 'backedUp' | 'userVerified'>): AuthenticationMethod[] {
  return [used.backedUp ? 'swk' : 'hwk', ...(used.userVerified ? (['user'] as const) : []), 'mfa']
}

const wrongCode = (): Problem => new Problem('sign_in_failed', { detail: 'This code is wrong, or was already used.' })
