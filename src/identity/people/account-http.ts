import Type from 'typebox'
import { changeIn, type Tx } from '../../db/sql.ts'
import { invalidField, Problem } from '../../errors.ts'
import type { ChangeDependencies } from '../../http/change.ts'
import {
  closed,
  flags,
  NoFields,
  operatorChange,
  type PageOperation,
  pageOperation,
  texts,
  textsOrNull,
} from '../../http/page-operation.ts'
import { NewPassword } from '../../http/schema.ts'
import type { Afterwards } from '../../lib/afterwards.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { iso } from '../../lib/time-text.ts'
import { deviceInWords } from '../../lib/user-agent.ts'
import { LIMITS } from '../../limits.ts'
import { RoleSchema } from '../members/http.ts'
import { removeMember } from '../members/members.ts'
import type { SignInService, SignInServiceDependencies } from '../sessions/sign-in-service.ts'
import {
  askForReset,
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  renamePerson,
  resetByLink,
  verifyByLink,
} from './account.ts'
import { fromOf, selfIn } from './audit-self.ts'
import { resetPassword } from './changes.ts'
import { findLink, type LinkMaker, mailLink } from './links.ts'
import { checkedPassword } from './password-choice.ts'
import { hashPassword, newPassword, verifyPassword } from './passwords.ts'
import { checkedEmail, findPersonWithHash } from './people.ts'
import { PER_ACCOUNT } from './sign-in.ts'
import { type ConfirmedSignUp, confirmSignUp, findSignUp } from './sign-ups.ts'
import { forgetAttempts, refuseWait, requireAttemptFrom, takeTry } from './throttle.ts'

/** Account changes that people make on the console's pages, and the targets of links in mails. */
export interface AccountDependencies
  extends LinkMaker,
    Pick<SignInServiceDependencies, 'sql' | 'clock' | 'sendsMail' | 'placeOf'>,
    Pick<SignInService, 'knowAgain'> {
  readonly afterwards: Afterwards
  /** Called after the commit, so that every node drops what it cached about an organisation. */
  readonly onAccountChanged: (organisationId: string) => Promise<void>
  /** Called in the transaction that gives a sign-up its owner. */
  readonly onSignUpConfirmed?: ((tx: Tx, confirmed: ConfirmedSignUp) => Promise<void>) | undefined
  /** Called after the commit, so that every node drops its cache. */
  readonly onPeopleChanged: () => Promise<void>
}

const Token = Type.String({ minLength: 1, maxLength: 100 })
const TypedPassword = Type.String({ minLength: 1, maxLength: 1024 })
const WithToken = closed({ token: Token })

const Email = Type.Object(texts('email'))
const AccountSchema = Type.Object(
  { ...texts('id', 'email', 'name'), ...flags('email_verified', 'sends_mail') },
  { $id: 'Account', description: 'The account of the person signed in.' },
)
const OwnSessionSchema = Type.Object(
  { ...texts('id', 'device', 'signed_in_at', 'seen_at'), ...textsOrNull('ip', 'place'), ...flags('present') },
  { $id: 'OwnSession' },
)

export function accountPages(deps: AccountDependencies): PageOperation[] {
  return [...ownAccount(deps), ...sessionList(deps), ...mailedLinks(deps)]
}

function ownAccount(deps: AccountDependencies): PageOperation[] {
  const { sql, clock, sendsMail = false } = deps

  return [
    pageOperation({
      name: 'GET /api/account',
      access: 'person',
      answer: AccountSchema,
      handle: async ({ who: { person } }) => {
        const { id, email, email_verified, name } = person
        return { id, email, email_verified, name, sends_mail: sendsMail }
      },
    }),
    pageOperation({
      name: 'POST /api/account/name',
      access: 'person',
      body: closed({ name: Type.String({ minLength: 1, maxLength: 200 }) }),
      answer: Type.Object(texts('name')),
      async handle({ request, who: { person }, body: { name } }) {
        const renamed = await changeIn(sql, clock, (tx) => renamePerson(tx, person.id, name, fromOf(request)))
        return { name: renamed.name }
      },
    }),
    pageOperation({
      name: 'POST /api/account/password',
      access: 'person',
      body: closed({ present: TypedPassword, password: NewPassword, disconnect: Type.Boolean() }),
      async handle({ request, who: { person, id: sessionId }, body: { present, password, disconnect } }) {
        checkedPassword(password, person)
        if (password === present) throw invalidField('/password', 'The new password must differ from the current one.')
        const formerHash = (await findPersonWithHash(sql, person.id))?.passwordHash
        const wrong = invalidField('/present', 'The current password is wrong.')
        if (formerHash === undefined) throw wrong
        const run = `password of session ${sessionId}`
        await requirePassword(deps, { run, typed: present, hash: formerHash, wrong })
        const passwordHash = await hashPassword(password)
        const chosen = { passwordHash, formerHash, sessionId, endsGrants: disconnect }
        await changeIn(sql, clock, (tx) => changePassword(tx, person.id, chosen, fromOf(request), sendsMail))
        await deps.onPeopleChanged()
      },
    }),
    pageOperation({
      name: 'POST /api/account/verify',
      access: 'person',
      body: NoFields,
      answer: Type.Object(texts('sent_to')),
      async handle({ who: { person } }) {
        if (!sendsMail) throw noMail('verify your address')
        if (!person.email_verified) await changeIn(sql, clock, (tx) => mailLink(tx, deps, person.id, 'verify'))
        return { sent_to: person.email }
      },
    }),
    pageOperation({
      name: 'POST /api/account/organisations/{organisation_id}/leave',
      access: 'person',
      body: NoFields,
      async handle({ request, who: { person }, params }) {
        const actor = selfIn(person, fromOf(request))(params.organisation_id)
        await changeIn(sql, clock, (tx) => removeMember(tx, actor, person.id))
        await deps.onPeopleChanged()
      },
    }),
  ]
}

function sessionList(deps: AccountDependencies): PageOperation[] {
  const { sql, clock } = deps
  return [
    pageOperation({
      name: 'GET /api/account/sessions',
      access: 'person',
      answer: Type.Object({ data: Type.Array(OwnSessionSchema) }),
      async handle({ who: { person, id: present } }) {
        const sessions = await listSessions(sql, person.id, clock.now())
        return {
          data: sessions.map(({ id, ip, user_agent, created_at, seen_at }) => ({
            id,
            present: id === present,
            ip,
            place: ip === null ? null : (deps.placeOf?.(ip) ?? null),
            device: deviceInWords(user_agent),
            signed_in_at: iso(created_at),
            seen_at: iso(seen_at),
          })),
        }
      },
    }),
    pageOperation({
      name: 'POST /api/account/sessions/{session_id}/end',
      access: 'person',
      body: NoFields,
      async handle({ request, who: { person, id: present }, params: { session_id: id } }) {
        if (id === present) throw new Problem('conflict', { detail: 'This is your current session: sign out instead.' })
        await changeIn(sql, clock, (tx) => endSession(tx, person, id, fromOf(request)))
      },
    }),
    pageOperation({
      name: 'POST /api/account/end-other-sessions',
      access: 'person',
      body: NoFields,
      handle: ({ request, who: { person, id } }) =>
        changeIn(sql, clock, (tx) => endOtherSessions(tx, person, id, fromOf(request))),
    }),
  ]
}

/** The targets of links in mails. */
function mailedLinks(deps: AccountDependencies): PageOperation[] {
  const { sql, clock, sendsMail = false } = deps

  async function refuseGuessing({ ip }: { readonly ip: string }): Promise<void> {
    const limit = LIMITS.attempts.mailedLinkLooks
    await requireAttemptFrom(deps, 'mailed link', ip, limit, 'Too many links were opened from this address.')
  }

  const lookUp = <N extends `POST /api/${string}`>(name: N, kind: 'reset' | 'verify') =>
    pageOperation({
      name,
      access: 'anybody',
      body: WithToken,
      answer: Email,
      async handle({ request, body: { token } }) {
        await refuseGuessing(request)
        const { email } = await findLink(sql, token, kind, clock.now())
        return { email }
      },
    })

  return [
    pageOperation({
      name: 'GET /api/forgot-password',
      access: 'anybody',
      answer: Type.Object(flags('sends_mail')),
      handle: async () => ({ sends_mail: sendsMail }),
    }),
    pageOperation({
      name: 'POST /api/forgot-password',
      access: 'anybody',
      body: closed({ email: Type.String({ minLength: 1, maxLength: 254 }) }),
      status: 202,
      answer: NoFields,
      async handle({ request, body: { email } }) {
        if (!sendsMail) throw noMail('choose a new password')
        const address = checkedEmail(email)
        const why = 'Too many password resets were requested from this address.'
        await requireAttemptFrom(deps, 'forgot', request.ip, LIMITS.attempts.passwordResets, why)
        deps.afterwards.do(() => changeIn(sql, clock, (tx) => askForReset(tx, deps, address)))
        return {}
      },
    }),
    lookUp('POST /api/reset-password/lookup', 'reset'),
    pageOperation({
      name: 'POST /api/reset-password',
      access: 'anybody',
      body: closed({ token: Token, password: NewPassword }),
      answer: Email,
      async handle({ request, reply, body: { token, password } }) {
        await refuseGuessing(request)
        // Check the link first, so that an invalid one costs no password hash.
        const person = await findLink(sql, token, 'reset', clock.now())
        const passwordHash = await hashPassword(checkedPassword(password, person))
        const deviceDigest = deps.knowAgain(request, reply)
        const reset = { token, passwordHash, deviceDigest }
        await changeIn(sql, clock, (tx) => resetByLink(tx, reset, fromOf(request), sendsMail))
        await deps.onPeopleChanged()
        return { email: person.email }
      },
    }),
    // Opening a link changes nothing: programs that scan mail open every link.
    lookUp('POST /api/verify-address/lookup', 'verify'),
    pageOperation({
      name: 'POST /api/verify-address',
      access: 'person',
      body: WithToken,
      answer: Email,
      async handle({ request, who: { person }, body: { token } }) {
        await refuseGuessing(request)
        const { email } = await changeIn(sql, clock, (tx) => verifyByLink(tx, person.id, token, fromOf(request)))
        return { email }
      },
    }),
    pageOperation({
      name: 'POST /api/confirm-sign-up/lookup',
      access: 'anybody',
      body: WithToken,
      answer: Type.Object(
        { ...texts('email', 'organisation'), role: RoleSchema, ...flags('has_account', 'invited') },
        {
          $id: 'WaitingSignUp',
          description: 'A sign-up, or (`invited`) an accepted invitation, before its confirmation.',
        },
      ),
      async handle({ request, body: { token } }) {
        await refuseGuessing(request)
        const { account, passwordHash: _, ...found } = await findSignUp(sql, token, clock.now())
        return { ...found, has_account: account !== undefined }
      },
    }),
    pageOperation({
      name: 'POST /api/confirm-sign-up',
      access: 'anybody',
      body: closed({ token: Token, password: Type.Optional(TypedPassword) }),
      answer: Type.Object({ ...texts('email', 'organisation_id'), ...flags('is_new') }),
      async handle({ request, body: { token, password } }) {
        await refuseGuessing(request)
        const { account, passwordHash } = await findSignUp(sql, token, clock.now())
        const wrong = invalidField('/password', 'The password differs from the one chosen at sign-up.')
        const provesPassword = !account || password !== undefined
        if (provesPassword) {
          const run = `sign-up ${sha256Hex(token)}`
          await requirePassword(deps, { run, typed: password ?? '', hash: passwordHash, wrong })
        }
        const { person, organisationId, isNew } = await changeIn(sql, clock, async (tx) => {
          const confirmed = await confirmSignUp(tx, { token, provedPassword: provesPassword }, fromOf(request))
          if (!confirmed.isInvited) await deps.onSignUpConfirmed?.(tx, confirmed)
          return confirmed
        })
        // Also drops cached keys: one may have ended.
        await deps.onAccountChanged(organisationId)
        return { email: person.email, organisation_id: organisationId, is_new: isNew }
      },
    }),
  ]
}

/** Throws `wrong` unless the password is right; wrong guesses are delayed as at sign-in. */
async function requirePassword(
  { sql, clock }: Pick<AccountDependencies, 'sql' | 'clock'>,
  given: { readonly run: string; readonly typed: string; readonly hash: string; readonly wrong: Problem },
): Promise<void> {
  const { waitMs } = await takeTry(sql, given.run, PER_ACCOUNT, clock.now())
  refuseWait(waitMs, 'Too many wrong passwords.')
  const typed = given.typed.slice(0, LIMITS.requests.passwordCharactersMax + 1)
  if (!(await verifyPassword(typed, given.hash))) throw given.wrong
  await forgetAttempts(sql, given.run)
}

/** Every address gets this answer, whether it has an account or not. */
function noMail(what: string): Problem {
  return new Problem('conflict', { detail: `This server sends no mail. Ask its operator to ${what}.` })
}

/** Operator actions on people. */
export function personActs(deps: ChangeDependencies & Pick<AccountDependencies, 'onPeopleChanged'>): PageOperation[] {
  return [
    operatorChange(deps, {
      name: 'POST /api/operator/people/{person_id}/reset-password',
      body: NoFields,
      answer: Type.Object(texts('id', 'email', 'password')),
      async prepare() {
        const password = newPassword()
        return { password, passwordHash: await hashPassword(password) }
      },
      async handle(tx, { params, by, prepared }) {
        const person = await resetPassword(tx, params.person_id, prepared.passwordHash, by)
        return { id: person.id, email: person.email, password: prepared.password }
      },
      after: deps.onPeopleChanged,
    }),
  ]
}
