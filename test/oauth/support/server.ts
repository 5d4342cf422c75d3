import type { FastifyInstance } from 'fastify'
import { operatorIn } from '../../../src/access/actor.ts'
import { authenticate, requireActive, requireScopes } from '../../../src/access/auth.ts'
import type { Role } from '../../../src/access/roles.ts'
import { isScope } from '../../../src/access/scopes.ts'
import { changeIn, type Sql, type Tx } from '../../../src/db/sql.ts'
import { registerPageOperations } from '../../../src/http/page-operation.ts'
import { loadPages, registerPages } from '../../../src/http/pages.ts'
import { createHttpServer, refuseOtherMethods } from '../../../src/http/server.ts'
import { type Client, createClient } from '../../../src/identity/clients/clients.ts'
import type { ClientRequest } from '../../../src/identity/clients/registration.ts'
import { addMember } from '../../../src/identity/members/members.ts'
import {
  createOrganisation,
  type Organisation,
  organisations as organisationTable,
} from '../../../src/identity/organisation/organisations.ts'
import { createPerson, type Person } from '../../../src/identity/people/people.ts'
import { factorPages } from '../../../src/identity/sessions/factor-http.ts'
import { sessionPages } from '../../../src/identity/sessions/session-http.ts'
import { createSessions } from '../../../src/identity/sessions/sessions.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { DEFAULT_LIFETIMES, type Lifetimes } from '../../../src/lib/lifetimes.ts'
import { ringOf } from '../../../src/lib/seal.ts'
import { devicePages } from '../../../src/oauth/device-routes.ts'
import { interactionPages } from '../../../src/oauth/interaction-routes.ts'
import type { PendingBounds } from '../../../src/oauth/pending-requests.ts'
import { type OAuth, registerOAuth } from '../../../src/oauth/server.ts'
import { createLogger, type LineWriter } from '../../../src/ops/logging.ts'
import { PASSWORD, PASSWORD_HASH } from '../../support/passwords.ts'
import { freePort } from '../../support/ports.ts'
import { PATIENT_TURNS } from '../../support/server.ts'
import { putSigningKeys } from '../../support/signing-keys.ts'

/** The OAuth server on a real port, with one guarded endpoint that says who called. */
export interface TestServer {
  readonly url: string
  readonly app: FastifyInstance
  readonly oauth: OAuth
  close(): Promise<void>
}

export { PASSWORD }
export const SECRET = 'a secret of the tests, long enough to be one'

/** Tests here let time pass by moving Date, which the library reads too. */
let passedMs = 0
let lastMs = 0
const passingTime: Clock = {
  now: () => Date.now(),
  // A test lets go of the time it moved on: that is no time passing backwards.
  ticks() {
    const nowMs = Date.now()
    passedMs += Math.max(0, nowMs - lastMs)
    lastMs = nowMs
    return passedMs
  },
}

export async function startServer(
  sql: Sql,
  options: {
    readonly port?: number
    readonly baseUrl?: string
    readonly lifetimes?: Partial<Lifetimes>
    readonly clock?: Clock
    /** Believes X-Forwarded-For, so that a test can come from many addresses. */
    readonly trustProxy?: boolean
    readonly pendingBounds?: PendingBounds
    readonly tokensPerMinute?: number
    readonly log?: LineWriter
    readonly countOAuth?: (endpoint: string, outcome: string) => void
    readonly countSignIn?: (outcome: string) => void
  } = {},
): Promise<TestServer> {
  const port = options.port ?? (await freePort())
  const baseUrl = options.baseUrl ?? `http://localhost:${port}`
  const { log, tokensPerMinute, clock = passingTime } = options
  const ring = ringOf(SECRET)
  const logger = createLogger(log ? { level: 'trace', out: log } : { level: 'silent' })
  const app = createHttpServer({
    baseUrl,
    trustProxy: options.trustProxy ?? false,
    logger,
    turns: PATIENT_TURNS,
    isLeaving: () => false,
    isStopping: () => false,
  })
  refuseOtherMethods(app)
  const pages = loadPages({ baseUrl })
  registerPages(app, pages)
  await putSigningKeys(sql, ring, clock)
  const lifetimes = { ...DEFAULT_LIFETIMES, ...options.lifetimes }
  const sessions = createSessions({
    sql,
    ring,
    clock,
    baseUrl,
    sessionSeconds: lifetimes.sessionSeconds,
    countSignIn: options.countSignIn,
  })
  const oauth = await registerOAuth(app, {
    sql,
    clock,
    baseUrl,
    production: baseUrl.startsWith('https:'),
    ring,
    logger,
    lifetimes,
    pages,
    sessions,
    countOAuth: options.countOAuth,
    ...(options.pendingBounds ? { pendingBounds: options.pendingBounds } : {}),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinuteOf: () => tokensPerMinute }),
  })
  const deps = { sql, clock, ring, baseUrl, lifetimes, ...sessions, sessions, ...oauth }
  registerPageOperations(app, { requireSession: sessions.requireSession, isOperator: async () => false }, [
    ...sessionPages(deps),
    ...factorPages(deps),
    ...interactionPages(deps),
    ...devicePages(deps),
  ])
  const authentication = {
    findByApiKey: async () => undefined,
    findByToken: oauth.findByToken,
    resourceMetadataUrl: oauth.resourceMetadataUrl,
  }
  app.get<{ Params: { scope: string } }>('/guarded/:scope', async (request) => {
    const caller = await authenticate(request, authentication)
    requireActive(caller)
    const { scope } = request.params
    requireScopes(caller, isScope(scope) ? [scope] : [], authentication)
    return { organisation: caller.organisationId, credential: caller.credentialId, user: caller.userId ?? null }
  })
  await app.listen({ port, host: 'localhost' })
  return {
    url: `http://localhost:${port}`,
    app,
    oauth,
    async close() {
      await app.close()
      await oauth.close()
    },
  }
}

/** One change at the present time, as a route or a verb makes it. */
export function change<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return changeIn(sql, systemClock, work)
}

export function newOrganisation(sql: Sql, name = 'Acme'): Promise<Organisation> {
  return change(sql, (tx) => createOrganisation(tx, { name, awaitingApproval: false }))
}

export async function disableOrganisation(sql: Sql, organisation: Organisation): Promise<void> {
  await organisationTable.update(sql, organisation, { state: 'disabled', state_reason: 'disabled' })
}

export async function newClient(
  sql: Sql,
  organisationId: string,
  { scope, ...request }: Partial<Omit<ClientRequest, 'scopes'>> & { readonly kind: string; readonly scope?: string },
): Promise<{ client: Client; secret: string }> {
  const service = request.kind === 'service'
  const scopes =
    scope ?? (service ? 'risk:payment risk:bulk billing:read' : 'openid profile email offline_access risk:payment')
  const address = request.kind === 'native' ? 'http://127.0.0.1/callback' : 'https://app.example/callback'
  const full = {
    name: 'Test application',
    scopes: scopes.split(' '),
    redirect_uris: service ? [] : [address],
    ...request,
  }
  const { client, secret } = await change(sql, (tx) =>
    createClient(tx, operatorIn(organisationId), full, { production: true }),
  )
  return { client, secret: secret ?? '' }
}

let people = 0

export async function newPerson(
  sql: Sql,
  organisations: readonly { readonly id: string }[],
  role: Role = 'developer',
): Promise<Person> {
  return change(sql, async (tx) => {
    const person = await createPerson(tx, {
      email: `person${people++}@example.com`,
      emailVerified: true,
      name: 'Pat Example',
      passwordHash: PASSWORD_HASH,
    })
    for (const { id } of organisations) await addMember(tx, operatorIn(id), { personId: person.id, role })
    return person
  })
}
