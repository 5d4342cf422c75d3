import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import Type from 'typebox'
import { changeIn } from '../../db/sql.ts'
import { invalidField, Problem } from '../../errors.ts'
import {
  counts,
  flags,
  orNull,
  type PageOperation,
  pageOperation,
  Text,
  texts,
  textsOrNull,
} from '../../http/page-operation.ts'
import { iso, shown } from '../../lib/clock.ts'
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
  readProof,
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
import { makeTicket, openTicket, spendTicket, ticketEnded } from '../people/factors/tickets.ts'
import { proveSession } from '../people/sessions.ts'
import { PasskeyAsked, ProofAsked, ProofFields, Ticket } from './session-http.ts'
import type { Sessions } from './sessions.ts'
import type { SignInServiceDependencies } from './sign-in-service.ts'

/** Second factors of the signed-in person, and how they authenticate again. */
export type FactorDependencies = Pick<SignInServiceDependencies, 'sql' | 'clock' | 'ring' | 'baseUrl' | 'sendsMail'> &
  Pick<Sessions, 'checkPassword' | 'requireChanger' | 'knowAgain'>

const PasskeyName = Text(400)
const PasskeyId = Text(1400)
const PasskeySchema = Type.Object(
  { ...texts('id', 'name', 'created_at'), ...flags('backed_up', 'user_verified'), ...textsOrNull('used_at') },
  { $id: 'Passkey' },
)
const RecoveryCodes = Type.Array(Type.String(), { description: 'Shown only once.' })
const NewRecoveryCodes = orNull(RecoveryCodes, { description: 'Null if codes already exist.' })
const FactorsSchema = Type.Object(
  {
    passkeys: Type.Array(PasskeySchema),
    codes: orNull(Type.Object(texts('since'))),
    recovery_codes: orNull(Type.Object({ ...counts('left'), ...texts('made_at') })),
    passkeys_work: Type.Boolean({
      description: 'False if browsers do not support passkeys here: without TLS, or at an address without a host name.',
    }),
    required_by: Type.Array(Type.String(), { description: 'Names of organisations that require a second factor.' }),
  },
  { $id: 'Factors' },
)

export function factorPages(deps: FactorDependencies): PageOperation[] {
  const { sql, clock, ring } = deps
  const party = relyingPartyOf(deps.baseUrl)
  const change = <T>(work: Parameters<typeof changeIn<T>>[2]) => changeIn(sql, clock, work)

  return [
    pageOperation({
      name: 'POST /api/session/prove/begin',
      access: 'person',
      answer: ProofAsked,
      async handle({ who: { person, id } }) {
        const factors = await factorsOf(sql, person.id)
        const { ticket, challenge } = makeTicket(ring, 'prove', { personId: person.id, sessionId: id }, clock.now())
        const own = factors.passkeys
        const passkey = party && own.length > 0 ? await askForPasskey(party, own, challenge) : null
        return { ways: waysOf(factors).filter((way) => way !== 'passkey' || passkey !== null), ticket, passkey }
      },
    }),
    pageOperation({
      name: 'POST /api/session/prove',
      access: 'person',
      body: Type.Object({ ticket: Type.Optional(Ticket), password: Type.Optional(Text(1024)), ...ProofFields }),
      async handle({ request, reply, body, who: signedIn }) {
        const { person, id } = signedIn
        const { password } = body
        if (password !== undefined) {
          const factors = await factorsOf(sql, person.id)
          if (hasFactor(factors)) throw needsFactor(factors)
          const { ip, id: requestId } = request
          const deviceDigest = deps.knowAgain(request, reply)
          const attempt = { email: person.email, password, ip, requestId, deviceDigest }
          const found = await deps.checkPassword(attempt).catch((error: unknown) => {
            throw isWrong(error) ? invalidField('/password', 'The password is wrong.') : error
          })
          if (found.person.id !== person.id) throw ticketEnded()
          await change(async (tx) => {
            await lockPerson(tx, person.id)
            const now = await factorsOf(tx, person.id)
            if (hasFactor(now)) throw needsFactor(now)
            await proveSession(tx, signedIn, ['pwd'])
          })
          return
        }
        if (body.ticket === undefined) throw invalidField('/ticket', 'This field is required.')
        const ticket = await openTicket(ring, 'prove', body.ticket, clock.now())
        if (ticket.personId !== person.id || ticket.sessionId !== id) throw ticketEnded()
        try {
          const deviceDigest = deps.knowAgain(request, reply)
          const given = await readProof({ sql, clock, party }, body, { ...ticket, deviceDigest })
          await change(async (tx) => {
            await spendTicket(tx, ticket)
            const how = await takeProof(tx, deps, selfIn(person, fromOf(request)), person.id, given)
            await proveSession(tx, signedIn, how)
          })
        } catch (error) {
          // Not 401: the session continues, only the proof was wrong.
          throw isWrong(error) ? invalidField('/code', error.detail) : error
        }
      },
    }),
    pageOperation({
      name: 'GET /api/factors',
      access: 'person',
      answer: FactorsSchema,
      handle: async ({ who: { person, organisations } }) => ({
        ...factorsView(await factorsOf(sql, person.id)),
        passkeys_work: party !== undefined,
        required_by: organisations.filter((one) => one.requires_second_factor).map(({ name }) => name),
      }),
    }),
    pageOperation({
      name: 'POST /api/factors/passkeys/begin',
      access: deps.requireChanger,
      answer: PasskeyAsked,
      async handle({ who: { person, id } }) {
        const facts = { personId: person.id, sessionId: id }
        const { ticket, challenge } = makeTicket(ring, 'add_passkey', facts, clock.now())
        const { passkeys } = await factorsOf(sql, person.id)
        const passkey = await offerNewPasskey(requireRelyingParty(deps.baseUrl), person, passkeys, challenge)
        return { ticket, passkey }
      },
    }),
    pageOperation({
      name: 'POST /api/factors/passkeys',
      access: deps.requireChanger,
      body: Type.Object({ ticket: Ticket, name: PasskeyName, passkey: Type.Unknown() }),
      status: 201,
      answer: Type.Object({ ...PasskeySchema.properties, recovery_codes: NewRecoveryCodes }),
      async handle({ request, body: { ticket: given, name, passkey }, who: signedIn }) {
        const { person, id } = signedIn
        const ticket = await openTicket(ring, 'add_passkey', given, clock.now())
        if (ticket.personId !== person.id || ticket.sessionId !== id) throw ticketEnded()
        const answer = passkeyAnswer<RegistrationResponseJSON>(passkey)
        const at = requireRelyingParty(deps.baseUrl)
        const made = await checkNewPasskey(at, answer, ticket.challenge).catch(notAccepted)
        const added = await change(async (tx) => {
          await spendTicket(tx, ticket)
          const result = await addPasskey(tx, deps, selfIn(person, fromOf(request)), person.id, made, name)
          // The passkey was just used, so it counts as proof for this session.
          await proveSession(tx, signedIn, passkeyWords({ backedUp: made.backed_up, userVerified: made.user_verified }))
          return result
        })
        return { ...passkeyView(added.passkey), recovery_codes: added.recoveryCodes ?? null }
      },
    }),
    pageOperation({
      name: 'POST /api/factors/passkeys/rename',
      access: 'person',
      body: Type.Object({ id: PasskeyId, name: PasskeyName }),
      answer: PasskeySchema,
      handle: async ({ who: { person }, body: { id, name } }) =>
        passkeyView(await change((tx) => renamePasskey(tx, person.id, id, name))),
    }),
    pageOperation({
      name: 'POST /api/factors/passkeys/remove',
      access: deps.requireChanger,
      body: Type.Object({ id: PasskeyId }),
      handle: ({ request, who: { person }, body: { id } }) =>
        change((tx) => removePasskey(tx, deps, selfIn(person, fromOf(request)), person.id, id)),
    }),
    pageOperation({
      name: 'POST /api/factors/codes/begin',
      access: deps.requireChanger,
      answer: Type.Object(texts('secret', 'uri')),
      handle: ({ who: { person } }) => change((tx) => beginCodes(tx, deps, person, new URL(deps.baseUrl).host)),
    }),
    pageOperation({
      name: 'POST /api/factors/codes',
      access: deps.requireChanger,
      body: Type.Object({ code: Text(100) }),
      status: 201,
      answer: Type.Object({ recovery_codes: NewRecoveryCodes }),
      async handle({ request, reply, who: signedIn, body: { code } }) {
        const { person } = signedIn
        const deviceDigest = deps.knowAgain(request, reply)
        const counted = await countCode(deps, { personId: person.id, deviceDigest })
        const { recoveryCodes } = await change(async (tx) => {
          const result = await confirmCodes(tx, deps, selfIn(person, fromOf(request)), person.id, code)
          await counted.forget(tx)
          await proveSession(tx, signedIn, ['otp', 'mfa'])
          return result
        }).catch((error: unknown) => {
          throw isWrong(error)
            ? invalidField('/code', 'This code is wrong. Check that the clock of your device is right.')
            : error
        })
        return { recovery_codes: recoveryCodes ?? null }
      },
    }),
    pageOperation({
      name: 'DELETE /api/factors/codes',
      access: deps.requireChanger,
      handle: ({ request, who: { person } }) =>
        change((tx) => removeCodes(tx, deps, selfIn(person, fromOf(request)), person.id)),
    }),
    pageOperation({
      name: 'POST /api/factors/recovery-codes',
      access: deps.requireChanger,
      status: 201,
      answer: Type.Object({ recovery_codes: RecoveryCodes }),
      async handle({ request, who: { person } }) {
        const by = selfIn(person, fromOf(request))
        return { recovery_codes: await change((tx) => renewRecoveryCodes(tx, deps, by, person.id)) }
      },
    }),
  ]
}

const isWrong = (error: unknown): error is Problem => error instanceof Problem && error.code === 'sign_in_failed'

/** People with a second factor must confirm with it: somebody else may have learnt the password. */
function needsFactor(factors: Factors): Problem {
  return invalidField('/password', `You have a second factor: confirm with ${waysOf(factors).join(' or ')} instead.`)
}

function notAccepted(error: unknown): never {
  throw isWrong(error)
    ? new Problem('validation_failed', { detail: 'This passkey was not accepted. Try again.', cause: error.cause })
    : error
}

const passkeyView = (passkey: Passkey) =>
  shown(passkey, 'id', 'name', 'backed_up', 'user_verified', 'created_at', 'used_at')

function factorsView({ passkeys, codesSinceMs, recoveryCodes }: Factors) {
  return {
    passkeys: passkeys.map(passkeyView),
    codes: codesSinceMs === undefined ? null : { since: iso(codesSinceMs) },
    recovery_codes: recoveryCodes ? { left: recoveryCodes.left, made_at: iso(recoveryCodes.madeAtMs) } : null,
  }
}
