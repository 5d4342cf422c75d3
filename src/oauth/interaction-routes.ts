import type { FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import type { Interaction } from 'oidc-provider'
import Type from 'typebox'
import { ORGANISATION_STATES } from '../access/organisation-state.ts'
import { type FoundSession, isTwoFactor, type OwnOrganisation } from '../access/session.ts'
import { changeIn, type Sql } from '../db/sql.ts'
import { forbidden, invalidField, notFound, Problem } from '../errors.ts'
import { oneOf } from '../http/operation.ts'
import { orNull, type PageOperation, pageOperation, texts, textsOrNull } from '../http/page-operation.ts'
import { RoleSchema } from '../identity/members/http.ts'
import { organisationsOf } from '../identity/members/members.ts'
import { bindGrant } from '../identity/people/grants.ts'
import { findPerson } from '../identity/people/people.ts'
import { CredentialsSchema, SecondStepSchema } from '../identity/sessions/session-http.ts'
import { requireSecondFactor, type Sessions } from '../identity/sessions/sessions.ts'
import { isSecondStep } from '../identity/sessions/sign-in-service.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import { ApplicationSchema, AskedForSchema, applicationOf, askedFor, GoOnSchema, ScopeList } from './consent-page.ts'
import { acrOf, proofOf, shadowUid } from './follow-session.ts'
import { finishInteraction as finish, libraryCookies, toServiceMs } from './library-internals.ts'
import { inWords, splitByRole } from './policy.ts'
import { PAGE_COOKIE } from './provider.ts'

/** The API of the sign-in and consent pages. */
export interface InteractionDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly sessions: Sessions
  readonly lifetimes: Lifetimes
  readonly library: () => Provider
}

function askedOf({ params }: Interaction): string | undefined {
  return typeof params.scope === 'string' ? params.scope : undefined
}

/** The library's prompts, each with a page of that name. */
const PAGE_KINDS = ['login', 'consent', 'select_account'] as const

/** True when the application requires a class of sign-in (OpenID Connect Core §5.5.1.1) that this session lacks. */
function isUnmet({ prompt }: Interaction, session: FoundSession): boolean {
  const asked = prompt.details.acr as { value?: string; values?: string[] } | undefined
  const values = asked && (asked.values ?? (asked.value === undefined ? [] : [asked.value]))
  return values !== undefined && values.length > 0 && !values.includes(acrOf(session))
}

const gone = () => notFound('This sign-in has expired or is finished. Start again from the application.')

const InteractionSchema = Type.Object(
  {
    kind: oneOf(PAGE_KINDS),
    ...texts('csrf'),
    ...textsOrNull('login_hint', 'redirect_host'),
    client: ApplicationSchema,
    user: orNull(Type.Object(texts('email', 'name'))),
    asked: AskedForSchema,
    organisations: Type.Array(
      Type.Object(
        { ...texts('id', 'name'), state: oneOf(ORGANISATION_STATES), role: RoleSchema, left_out: ScopeList },
        { $id: 'OrganisationChoice', description: 'Role in the organisation; it may not allow every requested scope.' },
      ),
    ),
  },
  { $id: 'Interaction' },
)

export function interactionPages(deps: InteractionDependencies): PageOperation[] {
  const { sql, sessions } = deps
  const csrfSubject = (uid: string) => `interaction ${uid}`

  /** The interaction, for the browser that began it (it has the cookie). Changes carry the page's token. */
  async function access(request: FastifyRequest, reply: FastifyReply): Promise<Interaction> {
    const { uid } = request.params as { uid: string }
    if (!/^[\w-]{43}$/.test(uid)) throw gone()
    const provider = deps.library()
    const cookie = libraryCookies(provider, request.raw, reply.raw).get(PAGE_COOKIE, { signed: true })
    const interaction = cookie === uid ? await provider.Interaction.find(uid) : undefined
    if (!interaction || interaction.result) throw gone()
    if (request.method === 'POST') await sessions.csrf.require(request, csrfSubject(uid))
    return interaction
  }

  /** The person signed in in this browser; if the application wants a new proof, only a later sign-in counts. */
  async function currentSession(request: FastifyRequest, interaction: Interaction): Promise<FoundSession> {
    const current = await sessions.current(request.headers.cookie)
    const { prompt } = interaction
    // A person who continues with an account continues with the one shown on the page.
    const shown = prompt.name === 'select_account' && current?.person.id === interaction.session?.accountId
    const anySession = shown || prompt.reasons.every((reason) => reason === 'no_session')
    const askedAtMs = toServiceMs(interaction.iat, deps.clock)
    const tooWeak = interaction.prompt.reasons.includes('second_factor') && current && !isTwoFactor(current)
    const old = !anySession && current && current.provedAtMs < askedAtMs
    if (!current || old || tooWeak || isUnmet(interaction, current)) {
      throw new Problem('session_missing', { detail: 'Sign in first.' })
    }
    return current
  }

  async function chooseOrganisation(given: unknown, accountId: string): Promise<OwnOrganisation> {
    const own = (await organisationsOf(sql, accountId)).filter(({ state }) => state !== 'disabled')
    const chosen = given == null ? own.find(() => own.length === 1) : own.find(({ id }) => id === given)
    if (chosen) return chosen
    if (own.length === 0) {
      throw forbidden('You are not a member of an organisation that can be charged. Ask the operator.')
    }
    const errors = [{ pointer: '/organisation_id', code: 'invalid', detail: 'Choose one of your organisations.' }]
    throw new Problem('validation_failed', { detail: 'Choose the organisation to be charged.', errors })
  }

  return [
    pageOperation({
      name: 'GET /api/interaction/{uid}',
      access,
      answer: InteractionSchema,
      async handle({ who: interaction }) {
        const client = await deps.library().Client.find(String(interaction.params.client_id))
        if (!client) throw gone()
        const accountId = interaction.session?.accountId
        const person = accountId === undefined ? undefined : await findPerson(sql, accountId)
        const kind = PAGE_KINDS.find((name) => name === interaction.prompt.name) ?? 'login'
        const own = person && kind === 'consent' ? await organisationsOf(sql, person.id) : []
        const redirect = interaction.params.redirect_uri
        const hint = interaction.params.login_hint
        return {
          kind,
          csrf: sessions.csrf.tag(csrfSubject(interaction.uid)),
          client: await applicationOf(sql, client, person?.id),
          login_hint: typeof hint === 'string' ? hint : null,
          user: person ? { email: person.email, name: person.name } : null,
          asked: askedFor(askedOf(interaction), deps.lifetimes),
          organisations: own.map(({ id, name, state, role }) => {
            const { refused } = splitByRole(askedOf(interaction), role)
            return { id, name, state, role, left_out: inWords(refused) }
          }),
          redirect_host: typeof redirect === 'string' ? (URL.parse(redirect)?.host ?? null) : null,
        }
      },
    }),
    pageOperation({
      name: 'POST /api/interaction/{uid}/login',
      access,
      body: Type.Object({
        email: Type.Optional(CredentialsSchema.properties.email),
        password: Type.Optional(CredentialsSchema.properties.password),
      }),
      answer: Type.Union([GoOnSchema, SecondStepSchema]),
      async handle({ request, reply, who: interaction, body: { email, password } }) {
        const proves = email !== undefined && password !== undefined
        if (!proves && (email !== undefined || password !== undefined)) {
          throw invalidField(email === undefined ? '/email' : '/password', 'This field is required.')
        }
        const shownAccount = interaction.session?.accountId
        const session = proves
          ? await sessions.signIn(request, reply, { email, password })
          : await currentSession(request, interaction)
        if (isSecondStep(session)) return session
        if (isUnmet(interaction, session)) {
          return finish(interaction, {
            error: 'unmet_authentication_requirements',
            error_description: 'the person cannot sign in as this application asks',
          })
        }
        // The result is valid for this session only: not after signing out, nor for another person who signs in.
        interaction.session = {
          accountId: session.person.id,
          uid: shadowUid(session.id),
          cookie: interaction.session?.cookie ?? '',
        }
        const chosen = interaction.prompt.name === 'select_account' ? { select_account: {} } : {}
        // Choosing an account proves nothing: if a new proof is required too, the sign-in page follows.
        if (!proves && 'select_account' in chosen && session.person.id === shownAccount) {
          return finish(interaction, chosen)
        }
        const { loginTs: ts, ...login } = proofOf(session, deps.clock)
        return finish(interaction, { ...chosen, login: { ...login, ts } })
      },
    }),
    pageOperation({
      name: 'POST /api/interaction/{uid}/consent',
      access,
      body: Type.Object({ decision: oneOf(['allow', 'deny']), organisation_id: Type.Optional(orNull(Type.String())) }),
      answer: GoOnSchema,
      async handle({ request, who: interaction, body: { decision, organisation_id } }) {
        if (decision === 'deny') {
          return finish(interaction, { error: 'access_denied', error_description: 'the person refused' })
        }
        const accountId = interaction.session?.accountId
        if (interaction.prompt.name !== 'consent' || accountId === undefined) throw gone()
        // A person who has signed out, or in as somebody else, since the page was shown may not decide here.
        const current = await sessions.current(request.headers.cookie)
        if (current?.person.id !== accountId) throw gone()
        const organisation = await chooseOrganisation(organisation_id, accountId)
        requireSecondFactor(organisation, current)
        const { allowed, refused } = splitByRole(askedOf(interaction), organisation.role)
        // Staying connected is useless to an application that may do nothing.
        if (allowed.every((scope) => scope === 'offline_access')) {
          throw forbidden(
            `Your role ${organisation.role} in ${organisation.name} allows nothing that this application requests. Ask an owner for another role, then start again.`,
          )
        }
        const { Grant } = deps.library()
        const clientId = String(interaction.params.client_id)
        // Every consent creates its own grant, so that ending one does not affect another.
        const grant = new Grant({ accountId, clientId })
        grant.addOIDCScope(allowed.join(' '))
        // Recorded, so that the library does not ask for it again and again.
        if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
        const grantId = await grant.save()
        const { id: organisationId, role } = organisation
        await changeIn(sql, deps.clock, (tx) =>
          bindGrant(tx, sha256Hex(grantId), { personId: accountId, organisationId, role, clientId }),
        )
        return finish(interaction, { consent: { grantId } })
      },
    }),
  ]
}
