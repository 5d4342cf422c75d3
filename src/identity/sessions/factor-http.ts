import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireProof } from '../../access/rights.ts'
import type { RequireSession, SignedIn } from '../../access/session.ts'
import { changeIn, type Sql } from '../../db/sql.ts'
import { invalidField, Problem } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ring } from '../../lib/seal.ts'
import { iso, isoOrNull } from '../../lib/time-text.ts'
import { lockPerson } from '../members/members.ts'
import { fromOf, selfIn } from '../people/audit-self.ts'
import {
  addPasskey,
  beginCodes,
  confirmCodes,
  countCode,
  type Factors,
  factorsOf,
  hasFactor,
  passkeyWords,
  removeCodes,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  takeProof,
  waysOf,
} from '../people/factors/factors.ts'
import {
  askForPasskey,
  checkNewPasskey,
  offerNewPasskey,
  type Passkey,
  passkeyAnswer,
  relyingPartyOf,
  requireRelyingParty,
} from '../people/factors/passkeys.ts'
import { makeTicket, openTicket, spendTicket, TICKET_LENGTH_MAX, ticketEnded } from '../people/factors/tickets.ts'
import { isTwoFactor, proveSession } from '../people/sessions.ts'
import type { SignInFunction } from '../people/sign-in.ts'
import { fieldOf, proofIn, textField } from './fields.ts'
import { readProof } from './given-proof.ts'
import type { SignInService } from './sign-in-service.ts'

/** What somebody signed in does about their own factors, and how they prove again who they are. */
export interface FactorRouteDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly ring: Ring
  readonly checkPassword: SignInFunction
  readonly requireSession: RequireSession
  readonly knowAgain: SignInService['knowAgain']
  readonly baseUrl: string
  readonly sendsMail?: boolean | undefined
}

const NAME_LENGTH_MAX = 400
const hidden = { schema: { hide: true } as object }

export function registerFactors(app: FastifyInstance, deps: FactorRouteDependencies): void {
  const { sql, clock, ring } = deps
  const party = relyingPartyOf(deps.baseUrl)
  const change = <T>(work: Parameters<typeof changeIn<T>>[2]) => changeIn(sql, clock, work)

  /** A change of factors: with a fresh proof, and by whoever has a factor already with that one. */
  async function requireChanger(request: FastifyRequest): Promise<SignedIn> {
    const signedIn = await deps.requireSession(request)
    if (!isTwoFactor(signedIn) && hasFactor(await factorsOf(sql, signedIn.person.id))) {
      throw new Problem('second_factor_needed', { detail: 'First confirm with your second factor.' })
    }
    requireProof(signedIn)
    return signedIn
  }

  const send = (reply: FastifyReply, body: unknown, status = 200) =>
    reply.code(status).header('cache-control', 'no-store').send(body)

  app.post('/api/session/prove/begin', hidden, async (request, reply) => {
    const { person, id } = await deps.requireSession(request)
    const factors = await factorsOf(sql, person.id)
    const { ticket, challenge } = makeTicket(ring, 'prove', { personId: person.id, sessionId: id }, clock.now())
    const own = factors.passkeys
    const passkey = party && own.length > 0 ? await askForPasskey(party, own, challenge) : null
    const ways = waysOf(factors).filter((way) => way !== 'passkey' || passkey !== null)
    return send(reply, { ways, ticket, passkey })
  })

  app.post('/api/session/prove', hidden, async (request, reply) => {
    const signedIn = await deps.requireSession(request)
    const { person, id } = signedIn
    const { body } = request
    if (fieldOf(body, 'password') !== undefined) {
      const factors = await factorsOf(sql, person.id)
      if (hasFactor(factors)) throw needsFactor(factors)
      const password = textField(body, 'password', 1024)
      const { ip, id: requestId } = request
      const deviceDigest = deps.knowAgain(request, reply)
      const attempt = { email: person.email, password, ip, requestId, deviceDigest }
      const found = await deps.checkPassword(attempt).catch((error: unknown) => {
        throw error instanceof Problem && error.code === 'sign_in_failed'
          ? invalidField('/password', 'The password is wrong.')
          : error
      })
      if (found.person.id !== person.id) throw ticketEnded()
      await change(async (tx) => {
        await lockPerson(tx, person.id)
        const now = await factorsOf(tx, person.id)
        if (hasFactor(now)) throw needsFactor(now)
        await proveSession(tx, signedIn, ['pwd'])
      })
      return send(reply, undefined, 204)
    }
    const ticket = await openTicket(ring, 'prove', textField(body, 'ticket', TICKET_LENGTH_MAX), clock.now())
    if (ticket.personId !== person.id || ticket.sessionId !== id) throw ticketEnded()
    try {
      const given = await readProof({ sql, clock, party }, proofIn(body), ticket)
      await change(async (tx) => {
        await spendTicket(tx, ticket)
        await proveSession(tx, signedIn, await takeProof(tx, ring, selfIn(person, fromOf(request)), person.id, given))
      })
    } catch (error) {
      // Not 401: the session goes on, only the proof was not right.
      if (error instanceof Problem && error.code === 'sign_in_failed') throw invalidField('/code', error.detail)
      throw error
    }
    return send(reply, undefined, 204)
  })

  app.get('/api/factors', hidden, async (request, reply) => {
    const { person, organisations } = await deps.requireSession(request)
    return send(reply, {
      ...factorsView(await factorsOf(sql, person.id)),
      passkeys_work: party !== undefined,
      required_by: organisations.filter((one) => one.requires_second_factor).map(({ name }) => name),
    })
  })

  app.post('/api/factors/passkeys/begin', hidden, async (request, reply) => {
    const signedIn = await requireChanger(request)
    const { person, id } = signedIn
    const { ticket, challenge } = makeTicket(ring, 'add_passkey', { personId: person.id, sessionId: id }, clock.now())
    const { passkeys } = await factorsOf(sql, person.id)
    const options = await offerNewPasskey(requireRelyingParty(deps.baseUrl), person, passkeys, challenge)
    return send(reply, { ticket, passkey: options })
  })

  app.post('/api/factors/passkeys', hidden, async (request, reply) => {
    const signedIn = await requireChanger(request)
    const { person, id } = signedIn
    const { body } = request
    const ticket = await openTicket(ring, 'add_passkey', textField(body, 'ticket', TICKET_LENGTH_MAX), clock.now())
    if (ticket.personId !== person.id || ticket.sessionId !== id) throw ticketEnded()
    const name = textField(body, 'name', NAME_LENGTH_MAX)
    const answer = passkeyAnswer<RegistrationResponseJSON>(fieldOf(body, 'passkey'))
    const made = await checkNewPasskey(requireRelyingParty(deps.baseUrl), answer, ticket.challenge).catch(notAccepted)
    const added = await change(async (tx) => {
      await spendTicket(tx, ticket)
      const result = await addPasskey(tx, { ...deps }, selfIn(person, fromOf(request)), person.id, made, name)
      // The passkey was used just now: this session has given it.
      await proveSession(tx, signedIn, passkeyWords({ backedUp: made.backed_up, userVerified: made.userVerified }))
      return result
    })
    return send(reply, { ...passkeyView(added.passkey), recovery_codes: added.recoveryCodes ?? null }, 201)
  })

  app.post('/api/factors/passkeys/rename', hidden, async (request, reply) => {
    const { person } = await deps.requireSession(request)
    const passkeyId = textField(request.body, 'id', 1400)
    const name = textField(request.body, 'name', NAME_LENGTH_MAX)
    return send(reply, passkeyView(await change((tx) => renamePasskey(tx, person.id, passkeyId, name))))
  })

  app.post('/api/factors/passkeys/remove', hidden, async (request, reply) => {
    const { person } = await requireChanger(request)
    const passkeyId = textField(request.body, 'id', 1400)
    await change((tx) => removePasskey(tx, deps, selfIn(person, fromOf(request)), person.id, passkeyId))
    return send(reply, undefined, 204)
  })

  app.post('/api/factors/codes/begin', hidden, async (request, reply) => {
    const { person } = await requireChanger(request)
    return send(reply, await change((tx) => beginCodes(tx, deps, person, new URL(deps.baseUrl).host)))
  })

  app.post('/api/factors/codes', hidden, async (request, reply) => {
    const signedIn = await requireChanger(request)
    const { person } = signedIn
    const code = textField(request.body, 'code', 100)
    await countCode(deps, person.id)
    const { recoveryCodes } = await change(async (tx) => {
      const result = await confirmCodes(tx, deps, selfIn(person, fromOf(request)), person.id, code)
      await proveSession(tx, signedIn, ['otp', 'mfa'])
      return result
    }).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'sign_in_failed'
        ? invalidField('/code', 'This code is wrong. Check that the clock of your device is right.')
        : error
    })
    return send(reply, { recovery_codes: recoveryCodes ?? null }, 201)
  })

  app.delete('/api/factors/codes', hidden, async (request, reply) => {
    const { person } = await requireChanger(request)
    await change((tx) => removeCodes(tx, deps, selfIn(person, fromOf(request)), person.id))
    return send(reply, undefined, 204)
  })

  app.post('/api/factors/recovery-codes', hidden, async (request, reply) => {
    const { person } = await requireChanger(request)
    const codes = await change((tx) => renewRecoveryCodes(tx, deps, selfIn(person, fromOf(request)), person.id))
    return send(reply, { recovery_codes: codes }, 201)
  })
}

/** Whoever has a second factor proves with it who they are: the password may be what somebody else has learnt. */
function needsFactor(factors: Factors): Problem {
  return invalidField('/password', `You have a second factor: confirm with ${waysOf(factors).join(' or ')} instead.`)
}

function notAccepted(error: unknown): never {
  throw error instanceof Problem && error.code === 'sign_in_failed'
    ? new Problem('validation_failed', { detail: 'This passkey was not accepted here. Try again.', cause: error.cause })
    : error
}

function passkeyView({ id, name, backed_up, created_at, used_at }: Passkey) {
  return { id, name, backed_up, created_at: iso(created_at), used_at: isoOrNull(used_at) }
}

function factorsView({ passkeys, codesSinceMs, recoveryCodes }: Factors) {
  return {
    passkeys: passkeys.map(passkeyView),
    codes: codesSinceMs === undefined ? null : { since: iso(codesSinceMs) },
    recovery_codes: recoveryCodes ? { left: recoveryCodes.left, made_at: iso(recoveryCodes.madeAtMs) } : null,
  }
}
