import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { RequireSession } from '../../access/session.ts'
import { changeIn, type Tx } from '../../db/sql.ts'
import { conflict, invalidField, type ProblemCode } from '../../errors.ts'
import { change, list, type Operation, type OperationDependencies, oneOf, operation } from '../../http/operation.ts'
import { closed } from '../../http/page-operation.ts'
import {
  AcceptTerms,
  jsonResponse,
  Name,
  NewPassword,
  named,
  noContent,
  TextOrNull,
  Time,
  TimeOrNull,
  withSample,
} from '../../http/schema.ts'
import { iso, shown } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { READING, RoleSchema, WRITING } from '../members/http.ts'
import { checkedName } from '../organisation/organisations.ts'
import { tellNewMember } from '../organisation/second-factor.ts'
import { markVerified } from '../people/address.ts'
import { fromOf } from '../people/audit-self.ts'
import { checkedPassword } from '../people/password-choice.ts'
import { hashPassword } from '../people/passwords.ts'
import {
  checkedEmail,
  createPerson,
  findPersonByEmail,
  insertPerson,
  type NewPerson,
  type Person,
} from '../people/people.ts'
import { putSignUp } from '../people/sign-ups.ts'
import { requireAccepted, type Terms } from '../people/terms.ts'
import { refuseWait, requireAttemptFrom, takeAttempt } from '../people/throttle.ts'
import {
  acceptInvitation,
  askForInvitation,
  createInvitation,
  findOpenInvitation,
  INVITATION_STATES,
  type Invitation,
  type InvitationState,
  invitationLink,
  inviterOf,
  listInvitations,
  provesMailbox,
  requireAddressee,
  revokeInvitation,
} from './invitations.ts'

export interface InvitationDependencies extends OperationDependencies {
  /** The signed-in person; throws 401 without one. Absent without OAuth. */
  readonly requireSession?: RequireSession | undefined
  readonly settings: { readonly terms: Terms | null }
}

const { schema, sample } = withSample('Invitation', {
  id: [Type.String(), 'inv_3dEfGhIjKlMnOpQrStUv'],
  role: [RoleSchema, 'developer'],
  email: [TextOrNull('Only this address may accept; null: anybody with the link.'), null],
  state: [
    oneOf(INVITATION_STATES, { description: 'revoked: withdrawn, or its creator lost the right to invite.' }),
    'open',
  ],
  created_at: [Time('When it was created.'), '2026-03-01T09:00:00.000Z'],
  expires_at: [Time('When it expires.'), '2026-03-08T09:00:00.000Z'],
  accepted_at: [TimeOrNull('When it was used.'), null],
  accepted_by: [TextOrNull(), null],
})
const sampleToken = '1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv'
const Email = Type.String({ minLength: 3, maxLength: 254 })
const Token = Type.String({ minLength: 1, maxLength: 100, description: 'The part of the link after #.' })
const PUBLIC_PROBLEMS: readonly ProblemCode[] = [
  ...(['malformed_json', 'not_found', 'conflict', 'body_too_large', 'unsupported_media_type'] as const),
  ...(['validation_failed', 'rate_limited', 'internal', 'store_unavailable', 'overloaded', 'shutting_down'] as const),
]
const AcceptBody = closed(
  {
    token: Token,
    email: Type.Optional(Email),
    name: Type.Optional(Name('Name of the person.')),
    password: Type.Optional(NewPassword),
    accept_terms: AcceptTerms,
  },
  { token: sampleToken, email: 'jane@company.example', name: 'Jane Doe', password: 'a long pass phrase' },
)

export function invitationOperations(deps: InvitationDependencies): Operation[] {
  const { sql, clock, baseUrl } = deps
  async function refuseGuessing(request: FastifyRequest): Promise<void> {
    const limit = LIMITS.attempts.invitationLooks
    await requireAttemptFrom(deps, 'invitation', request.ip, limit, 'There were too many attempts from this address.')
  }

  return [
    list(deps, {
      ...READING,
      name: 'GET /v1/organisation/invitations',
      id: 'listInvitations',
      summary: 'List the invitations',
      about: 'A page of invitations, oldest first.',
      schema,
      sample,
      read: (organisationId, page) => listInvitations(sql, organisationId, clock.now(), page),
      view: (invitation) => view(invitation, invitation.state),
    }),
    change({
      name: 'POST /v1/organisation/invitations',
      id: 'createInvitation',
      summary: 'Create an invitation link',
      description:
        'The link is shown only once and works once, as long as its creator may invite. With an email address it is also mailed, if mail is set up. The caller needs every scope of the role.',
      ...WRITING,
      body: closed(
        {
          role: RoleSchema,
          email: Type.Optional(Email),
          expires_in_days: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: LIMITS.counts.invitationDaysMax,
              description: `Default ${LIMITS.counts.invitationDaysDefault}.`,
            }),
          ),
        },
        { role: 'developer' },
      ),
      answers: {
        201: jsonResponse(
          'The invitation and its link.',
          named('NewInvitation', {
            ...schema.properties,
            link: Type.String({ description: 'Shown only once.' }),
            mailed: Type.Union([Type.Boolean(), Type.Literal('waiting')], {
              description:
                'True if the link is mailed to the address; otherwise pass it on yourself. False without an address, without mail on this server, and after too many mails to the address in the last hour. waiting: the mail server accepts no mail at the moment, so the mail is sent later.',
            }),
          }),
          { ...sample, link: `http://localhost:8080/invitation#${sampleToken}`, mailed: false },
        ),
      },
      async handle(tx, { actor, body: { role, email, expires_in_days: days } }) {
        const mail = deps.sendsMail ? deps : undefined
        const { invitation, secret, mailed } = await createInvitation(tx, actor, { role, email, days }, mail)
        const body = { ...view(invitation, 'open'), link: invitationLink(baseUrl, secret), mailed }
        return { status: 201, body }
      },
    }),
    change({
      name: 'DELETE /v1/organisation/invitations/{invitation_id}',
      id: 'revokeInvitation',
      ...WRITING,
      summary: 'Withdraw an invitation',
      description: 'The caller needs every scope of its role.',
      answers: { 204: noContent('Withdrawn.') },
      handle: (tx, { actor, params }) => revokeInvitation(tx, actor, params.invitation_id),
    }),
    operation({
      name: 'POST /v1/invitations/lookup',
      id: 'lookUpInvitation',
      summary: 'Read an invitation',
      description: 'Public: the secret of the link is the credential.',
      scope: 'public',
      body: closed({ token: Token }, { token: sampleToken }),
      answers: {
        200: jsonResponse(
          'The organisation and role of the invitation.',
          named('InvitationOffer', {
            organisation_name: Type.String(),
            role: RoleSchema,
            inviter: Type.String({ description: 'The name of the person who made it.' }),
            email_bound: Type.Boolean(),
            email: TextOrNull('Only this address may accept; null: anybody with the link.'),
            has_account: Type.Union([Type.Boolean(), Type.Null()], {
              description: 'True if the address has an account here. Null unless the link was mailed to the address.',
            }),
            expires_at: Time('When it expires.'),
          }),
          {
            organisation_name: 'Example Ltd',
            role: 'developer',
            inviter: 'Jane Doe',
            email_bound: true,
            email: 'sam@company.example',
            has_account: false,
            expires_at: sample.expires_at,
          },
        ),
      },
      problems: PUBLIC_PROBLEMS,
      async handle({ body, request, reply }) {
        await refuseGuessing(request)
        const found = await findOpenInvitation(sql, body.token, clock.now())
        reply.header('cache-control', 'no-store')
        const { email } = found
        const isProved = email !== null && (await provesMailbox(deps.ring, body.token, email))
        return {
          organisation_name: found.organisation_name,
          role: found.role,
          inviter: await inviterOf(sql, found),
          email_bound: email !== null,
          email,
          has_account: isProved ? (await findPersonByEmail(sql, email)) !== undefined : null,
          expires_at: iso(found.expires_at),
        }
      },
    }),
    operation({
      name: 'POST /v1/invitations/accept',
      id: 'acceptInvitation',
      summary: 'Accept an invitation',
      description:
        'Public: the secret of the link is the credential. A signed-in person joins with their account; anybody else sends email, name and password, accepts the terms, and becomes a new user. If the server sends mail and the link was not mailed to this address, the response is 202 for every address, with and without an account: the person joins by the mailed link.',
      scope: 'public',
      body: AcceptBody,
      answers: {
        200: jsonResponse(
          'Joined.',
          named('Membership', {
            organisation: Type.Object({ id: Type.String(), name: Type.String() }),
            role: RoleSchema,
          }),
          { organisation: { id: 'org_0Fv3kQ2mXb7TzR1yLw9c', name: 'Example Ltd' }, role: 'developer' },
        ),
        202: jsonResponse(
          'The person joins when they open the mailed link.',
          named('PendingMembership', { confirm_email: Type.Literal(true) }),
          { confirm_email: true },
        ),
      },
      problems: [...PUBLIC_PROBLEMS, 'forbidden'],
      async handle({ body, request, reply }) {
        await refuseGuessing(request)
        reply.header('cache-control', 'no-store')
        // Check the link first, so that a bad one costs no password hash.
        const invitation = await findOpenInvitation(sql, body.token, clock.now())
        const bySession = body.password === undefined && request.headers.cookie?.includes('assay_session=')
        const signedIn = bySession ? await deps.requireSession?.(request) : undefined
        const newcomer = signedIn ? undefined : await readNewcomer(deps, body, invitation)
        if (newcomer && deps.sendsMail && !newcomer.emailVerified) {
          await changeIn(sql, clock, (tx) => putNewcomer(tx, deps, newcomer, invitation))
          reply.code(202)
          return { confirm_email: true }
        }
        const who = (tx: Tx) => (newcomer ? createNewcomer(tx, newcomer) : Promise.resolve(signedIn!.person))
        const isProved = signedIn !== undefined && (await provesMailbox(deps.ring, body.token, signedIn.person.email))
        const joined = await changeIn(sql, clock, async (tx) => {
          const terms = newcomer ? deps.settings.terms : null
          const accepted = await acceptInvitation(tx, body.token, () => who(tx), fromOf(request), terms)
          if (isProved) await markVerified(tx, signedIn.person.id, fromOf(request))
          await tellNewMember(tx, deps, accepted.organisation_id, accepted.accepted_by)
          return accepted
        })
        await deps.onPeopleChanged()
        return { organisation: { id: joined.organisation_id, name: joined.organisation_name }, role: joined.role }
      },
    }),
    operation({
      name: 'POST /v1/invitations/ask',
      id: 'askForInvitation',
      summary: 'Ask for a new invitation',
      description:
        'Public: the secret of the link is the credential. For an invitation to an address that has expired, was used, or whose creator lost the right to invite. The inviter is notified in the inbox and by mail; if the inviter cannot invite any more, the owners are.',
      scope: 'public',
      body: closed({ token: Token }, { token: sampleToken }),
      answers: {
        200: jsonResponse(
          'A person who can invite was notified.',
          named('AskedInvitation', {
            inviter: TextOrNull('Name of the inviter, who was notified; null if the owners were notified.'),
          }),
          { inviter: 'Jane Doe' },
        ),
      },
      problems: PUBLIC_PROBLEMS,
      async handle({ body, request, reply }) {
        await refuseGuessing(request)
        reply.header('cache-control', 'no-store')
        const inviter = await changeIn(sql, clock, (tx) => askForInvitation(tx, deps, body.token, fromOf(request)))
        return { inviter }
      },
    }),
  ]
}

/** Without a proof of the mailbox the answer does not say that the address has an account. */
async function createNewcomer(tx: Tx, newcomer: NewPerson): Promise<Person> {
  if (newcomer.emailVerified) return createPerson(tx, newcomer)
  const made = await insertPerson(tx, newcomer)
  if (made) return made
  throw conflict(
    'The invitation could not be accepted with these details. If you have an account, sign in first and open the link again.',
  )
}

/** An account made through a link that its maker has seen too is verified by a mail of its own. */
async function putNewcomer(tx: Tx, deps: InvitationDependencies, newcomer: NewPerson, invitation: OpenInvitation) {
  const { id: invitationId, organisation_id: id, organisation_name: name, role } = invitation
  const { terms } = deps.settings
  await putSignUp(tx, deps, { ...newcomer, organisation: { id, name }, invitation: { id: invitationId, role, terms } })
}

type OpenInvitation = Awaited<ReturnType<typeof findOpenInvitation>>

async function readNewcomer(
  deps: InvitationDependencies,
  { token, email, name, password, accept_terms }: Static<typeof AcceptBody>,
  invitation: OpenInvitation,
): Promise<NewPerson> {
  for (const [field, value] of Object.entries({ email, name, password })) {
    if (value === undefined) {
      throw invalidField(`/${field}`, `Sign in first, or give email, name and password: ${field} is missing.`)
    }
  }
  requireAccepted(deps.settings.terms, accept_terms)
  const person = { email: checkedEmail(email!), name: checkedName(name!) }
  checkedPassword(password!, { ...person, organisation: invitation.organisation_name })
  const emailVerified = await provesMailbox(deps.ring, token, person.email)
  if (!emailVerified) {
    const limit = LIMITS.attempts.newcomersPerInvitation
    const { waitMs } = await takeAttempt(deps.sql, `newcomers ${invitation.id}`, limit, deps.clock.now())
    refuseWait(waitMs, 'Too many people tried to accept this invitation.')
  }
  requireAddressee(invitation, person.email)
  // Last, because it is slow.
  return { ...person, emailVerified, passwordHash: await hashPassword(password!) }
}

const view = (invitation: Invitation, state: InvitationState) => ({
  ...shown(invitation, 'id', 'role', 'email', 'created_at', 'expires_at', 'accepted_at', 'accepted_by'),
  state,
})
