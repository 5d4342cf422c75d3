import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import type { Sql } from '../../../src/db/sql.ts'
import { authenticate, requireActive, requireScopes } from '../../../src/access/auth.ts'
import { loadPages, registerPages } from '../../../src/http/pages.ts'
import { createHttpServer, refuseOtherMethods } from '../../../src/http/server.ts'
import { type Client, type ClientRequest, clientProblems, createClient } from '../../../src/identity/clients.ts'
import { createOrganisation, type Organisation } from '../../../src/identity/organisation/organisations.ts'
import { hashPassword } from '../../../src/identity/passwords.ts'
import { createPerson, type Person, setMembership } from '../../../src/identity/people.ts'
import type { Role } from '../../../src/access/roles.ts'
import { isScope } from '../../../src/access/scopes.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { DEFAULT_LIFETIMES, type Lifetimes } from '../../../src/oauth/provider.ts'
import { type OAuth, registerOAuth } from '../../../src/oauth/routes.ts'
import { freePort } from '../../support/ports.ts'

/** The OAuth server on a real port, with one guarded endpoint that says who called. */
export interface TestServer {
  readonly url: string
  readonly app: FastifyInstance
  readonly oauth: OAuth
  close(): Promise<void>
}

export const SECRET = 'a secret of the tests, long enough to be one'
export const PASSWORD = 'correct horse battery staple'

export async function startServer(
  sql: Sql,
  options: {
    readonly port?: number
    readonly baseUrl?: string
    readonly lifetimes?: Partial<Lifetimes>
    readonly clock?: Clock
  } = {},
): Promise<TestServer> {
  const port = options.port ?? (await freePort())
  const baseUrl = options.baseUrl ?? `http://localhost:${port}`
  const logger = pino({ level: 'silent' })
  const app = createHttpServer({ baseUrl, trustProxy: false, logger, isStopping: () => false })
  const methods = refuseOtherMethods(app)
  const pages = await loadPages({ baseUrl })
  registerPages(app, pages)
  const oauth = await registerOAuth(app, {
    sql,
    clock: options.clock ?? systemClock,
    baseUrl,
    secret: SECRET,
    logger,
    lifetimes: { ...DEFAULT_LIFETIMES, ...options.lifetimes },
    pages,
  })
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
  methods.finish()
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

export async function newOrganisation(sql: Sql, name = 'Acme'): Promise<Organisation> {
  return createOrganisation(sql, { name, nowMs: Date.now() })
}

export async function newClient(
  sql: Sql,
  organisationId: string,
  request: Partial<ClientRequest> & { readonly kind: string },
): Promise<{ client: Client; secret: string }> {
  const full = {
    name: 'Test application',
    scope:
      request.kind === 'service'
        ? 'risk:payment risk:bulk billing:read'
        : 'openid profile email offline_access risk:payment',
    redirectUris:
      request.kind === 'service'
        ? []
        : request.kind === 'native'
          ? ['http://127.0.0.1/callback']
          : ['https://app.example/callback'],
    ...request,
  }
  const problems = clientProblems(full, { production: true })
  if (problems.length > 0) throw new Error(problems.join('; '))
  const { client, secret } = await createClient(sql, { organisationId, request: full, nowMs: Date.now() })
  return { client, secret: secret ?? '' }
}

let people = 0
let passwordHash: Promise<string> | undefined

export async function newPerson(
  sql: Sql,
  organisations: readonly { readonly id: string }[],
  role: Role = 'developer',
): Promise<Person> {
  passwordHash ??= hashPassword(PASSWORD)
  const nowMs = Date.now()
  const person = await createPerson(sql, {
    email: `person${people++}@example.com`,
    emailVerified: true,
    name: 'Pat Example',
    passwordHash: await passwordHash,
    nowMs,
  })
  for (const { id } of organisations) {
    await setMembership(sql, { personId: person.id, organisationId: id, role, nowMs })
  }
  return person
}
