import Type from 'typebox'
import { changeIn, type Tx } from '../../db/sql.ts'
import { conflict, invalidField, type Problem } from '../../errors.ts'
import type { ChangeDependencies } from '../../http/change.ts'
import { oneOf } from '../../http/operation.ts'
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
import { NewPassword, TextOrNull, TimeOrNull } from '../../http/schema.ts'
import type { Afterwards } from '../../lib/afterwards.ts'
import { iso, isoOrNull } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { deviceInWords } from '../../lib/user-agent.ts'
import { LIMITS } from '../../limits.ts'
import { askToErase, cancelErasure, type ErasureRules, findErasure } from '../erasures.ts'
import { RoleSchema } from '../members/http.ts'
import { removeMember } from '../members/members.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignInServiceDependencies } from '../sessions/sign-in-service.ts'
import {
  askForReset,
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  renamePerson,
  resetByLink,
  resetForPerson,
} from './account.ts'
import { askForAddress, confirmAddress } from './address.ts'
import { fromOf, selfIn } from './audit-self.ts'
import { heldUpBy } from './deletion.ts'
import {
  ADDRESS_LINKS,
  findLink,
  LINK_KINDS,
  type LinkKind,
  type LinkMaker,
  mailLink,
  PASSWORD_LINKS,
  pendingAddress,
} from './links.ts'
import { checkedPassword } from './password-choice.ts'
import { hashPassword, newPassword, verifyPassword } from './passwords.ts'
import { checkedEmail, findPersonWithHash } from './people.ts'
import { PER_ACCOUNT } from './sign-in.ts'
import { type ConfirmedSignUp, confirmSignUp, findSignUp } from './sign-ups.ts'
import { forgetAttempts, refuseWait, requireAttemptFrom, takeTry } from './throttle.ts'

/** Account changes that people make on the console's pages, and the targets of links in mails. */
export interface AccountDependencies
  extends LinkMaker,
    ErasureRules,
    Pick<SignInServiceDependencies, 'sql' | 'clock' | 'sendsMail' | 'placeOf'>,
    Pick<Sessions, 'knowAgain' | 'requireChanger'> {
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
const Address = Type.String({ minLength: 1, maxLength: 254 })
const AccountSchema = Type.Object(
  {
    ...texts('id', 'email', 'name'),
    ...flags('email_verified', 'sends_mail'),
    pending_email: TextOrNull('The new address, until it is confirmed.'),
    held_up_by: Type.Array(Type.Object({ ...texts('id', 'name'), first: oneOf(['hand_over', 'end']) }), {
      description: 'Organisations to hand over, or whose subscription to end, before the account can be deleted.',
    }),
    erased_from: TimeOrNull('When the account is deleted; null if nobody asked for it.'),
  },
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
        const pending_email = await pendingAddress(sql, id, clock.now())
        const held_up_by = await heldUpBy(sql, id)
        const erased_from = isoOrNull((await findErasure(sql, id))?.due_at ?? null)
        return { id, email, email_verified, name, sends_mail: sendsMail, pending_email, held_up_by, erased_from }
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
      name: 'POST /api/account/email',
      access: deps.requireChanger,
      body: closed({ email: Address }),
      status: 202,
      answer: Type.Object(texts('sent_to')),
      async handle({ who: { person }, body }) {
        if (!sendsMail) throw noMail('change your address')
        const email = checkedEmail(body.email)
        if (email === person.email) throw invalidField('/email', 'This is your address already.')
        await changeIn(sql, clock, (tx) => askForAddress(tx, deps, person.id, email))
        return { sent_to: email }
      },
    }),
    pageOperation({
      name: 'POST /api/account/delete',
      access: deps.requireChanger,
      body: NoFields,
      status: 202,
      answer: Type.Object(texts('erased_from')),
      async handle({ request, who: { person } }) {
        const by = selfIn(person, fromOf(request))
        const { due_at } = await changeIn(sql, clock, (tx) =>
          askToErase(tx, deps, by, { kind: 'person', id: person.id }),
        )
        return { erased_from: iso(due_at) }
      },
    }),
    pageOperation({
      name: 'POST /api/account/keep',
      access: 'person',
      body: NoFields,
      async handle({ request, who: { person } }) {
        const by = selfIn(person, fromOf(request))
        await changeIn(sql, clock, (tx) => cancelErasure(tx, deps, by, { kind: 'person', id: person.id }))
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
        if (id === present) throw conflict('This is your current session: sign out instead.')
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

function mailedLinks(deps: AccountDependencies): PageOperation[] {
  const { sql, clock, sendsMail = false } = deps

  async function refuseGuessing({ ip }: { readonly ip: string }): Promise<void> {
    const limit = LIMITS.attempts.mailedLinkLooks
    await requireAttemptFrom(deps, 'mailed link', ip, limit, 'Too many links were opened from this address.')
  }

  // Opening a link changes nothing: programs that scan mail open every link.
  const lookUp = <N extends `POST /api/${string}`>(name: N, kinds: readonly LinkKind[]) =>
    pageOperation({
      name,
      access: 'anybody',
      body: WithToken,
      answer: Type.Object({ ...texts('email'), kind: oneOf(LINK_KINDS) }),
      async handle({ request, body: { token } }) {
        await refuseGuessing(request)
        const { email, kind } = await findLink(sql, token, kinds, clock.now())
        return { email, kind }
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
      body: closed({ email: Address }),
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
    lookUp('POST /api/reset-password/lookup', PASSWORD_LINKS),
    pageOperation({
      name: 'POST /api/reset-password',
      access: 'anybody',
      body: closed({ token: Token, password: NewPassword }),
      answer: Email,
      async handle({ request, reply, body: { token, password } }) {
        await refuseGuessing(request)
        // Check the link first, so that an invalid one costs no password hash.
        const { person, email } = await findLink(sql, token, PASSWORD_LINKS, clock.now())
        const passwordHash = await hashPassword(checkedPassword(password, { name: person.name, email }))
        const deviceDigest = deps.knowAgain(request, reply)
        const reset = { token, passwordHash, deviceDigest }
        await changeIn(sql, clock, (tx) => resetByLink(tx, reset, fromOf(request), sendsMail))
        await deps.onPeopleChanged()
        return { email }
      },
    }),
    lookUp('POST /api/verify-address/lookup', ADDRESS_LINKS),
    pageOperation({
      name: 'POST /api/verify-address',
      access: 'person',
      body: WithToken,
      answer: Email,
      async handle({ request, who, body: { token } }) {
        await refuseGuessing(request)
        const { email } = await changeIn(sql, clock, (tx) => confirmAddress(tx, deps, who, token, fromOf(request)))
        await deps.onPeopleChanged()
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
  return conflict(`This server sends no mail. Ask its operator to ${what}.`)
}

export function personActs(deps: ChangeDependencies & Pick<AccountDependencies, 'onPeopleChanged' | 'sendsMail'>) {
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
        const person = await resetForPerson(tx, deps, params.person_id, prepared.passwordHash, by)
        return { id: person.id, email: person.email, password: prepared.password }
      },
      after: deps.onPeopleChanged,
    }),
  ]
}
