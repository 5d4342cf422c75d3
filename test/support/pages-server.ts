import Fastify, { type FastifyReply } from 'fastify'
import { SCOPES, type Scope } from '../../src/access/scopes.ts'
import { loadPages, registerPages, sendPage } from '../../src/http/pages.ts'

/**
 * The built pages with answers chosen by a test, so that every state of a page can be shown, including states that the
 * real server takes hours to reach. Other tests, with the real server, check its answers.
 */
export interface PagesServer {
  readonly url: string
  /** Every API request that changes something, in order; without the offer of passkeys, which a sign-in page makes by itself. */
  readonly sent: { readonly path: string; readonly body: unknown; readonly csrf: string | undefined }[]
  /** Requests to this path wait until the returned function is called. */
  hold(path: string): () => void
  readonly close: () => Promise<void>
}

export const PASSWORD = 'verdigris and brass'
const CSRF = 'csrf-value'

function scopes(...names: Scope[]): { name: string; words: string }[] {
  return names.map((name) => ({ name, words: SCOPES[name].words }))
}

const ADA = { id: 'usr_1', email: 'ada@example.com', name: 'Ada Lovelace' }
const CLIENT = {
  id: 'client_1',
  name: 'Invoice Desk',
  kind: 'web',
  owner: { name: 'Analytical Engines Ltd', yours: true },
  policy_uri: null,
  terms_uri: null,
}
const ASKED = {
  charged: scopes('risk:payment', 'risk:bulk'),
  about_you: scopes('openid', 'email'),
  stays_days: 90,
}

const choice = (id: string, name: string, state: string) => ({ id, name, state, role: 'developer', left_out: [] })

const INTERACTIONS: Readonly<Record<string, object>> = {
  login: { kind: 'login', login_hint: null, user: null, organisations: [] },
  hinted: { kind: 'login', login_hint: ADA.email, user: null, organisations: [] },
  'one-organisation': {
    kind: 'consent',
    user: ADA,
    organisations: [choice('org_1', 'Analytical Engines Ltd', 'active')],
  },
  'many-organisations': {
    kind: 'consent',
    user: ADA,
    organisations: [
      choice('org_1', 'Analytical Engines Ltd', 'active'),
      choice('org_2', 'Difference & Sons', 'inactive'),
      choice('org_3', 'Closed Accounts plc', 'disabled'),
    ],
  },
  'no-organisation': { kind: 'consent', user: ADA, organisations: [] },
  'no-organisation-free': {
    kind: 'consent',
    user: ADA,
    organisations: [],
    asked: { charged: [], about_you: scopes('openid'), stays_days: null },
  },
}

export async function startPagesServer(basePath = ''): Promise<PagesServer> {
  const pages = loadPages({ baseUrl: `http://127.0.0.1${basePath}` })
  const server = Fastify()
  const sent: PagesServer['sent'] = []
  const held = new Map<string, Promise<void>>()
  let signedIn = false

  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', `req_test_${request.id}`)
    await held.get(request.url)
  })
  server.addHook('preHandler', async (request) => {
    const isOffer = request.url.endsWith('/api/session/passkey/begin')
    if (request.url.startsWith(`${basePath}/api/`) && request.method !== 'GET' && !isOffer) {
      sent.push({ path: request.url, body: request.body, csrf: request.headers['x-csrf-token']?.toString() })
    }
  })
  await server.register(
    async (app) => {
      registerPages(app, pages)

      const refuse = (reply: FastifyReply, status: number, code: string, detail: string) =>
        reply.code(status).type('application/problem+json').send(JSON.stringify({ code, detail, status }))

      app.get<{ Params: { uid: string } }>('/api/interaction/:uid', (request, reply) => {
        const interaction = INTERACTIONS[request.params.uid]
        if (!interaction) return refuse(reply, 404, 'not_found', 'This sign-in has ended. Start again.')
        return {
          csrf: CSRF,
          client: CLIENT,
          asked: ASKED,
          redirect_host: 'desk.example.com',
          login_hint: null,
          ...interaction,
        }
      })
      app.post<{ Params: { uid: string }; Body: { email: string; password: string } }>(
        '/api/interaction/:uid/login',
        (request, reply) => {
          if (request.body.email.startsWith('throttled')) {
            reply.header('retry-after', '30')
            return refuse(reply, 429, 'rate_limited', 'Too many tries. Wait half a minute.')
          }
          if (request.body.password !== PASSWORD) {
            return refuse(reply, 401, 'sign_in_failed', 'The email address or the password is wrong.')
          }
          return { redirect_to: '/interaction/many-organisations' }
        },
      )
      app.post('/api/interaction/:uid/consent', () => ({ redirect_to: '/done' }))

      app.get('/api/device', () => ({ csrf: CSRF }))
      app.post<{ Body: { user_code: string } }>('/api/device/lookup', (request, reply) => {
        if (request.body.user_code !== 'BCDF-GHJK') {
          return refuse(
            reply,
            404,
            'not_found',
            'This code is unknown, used or expired. Ask your device for a new one.',
          )
        }
        return {
          user_code: 'BCDF-GHJK',
          client: {
            id: 'client_2',
            name: 'assay command line',
            kind: 'native',
            owner: null,
            policy_uri: null,
            terms_uri: null,
          },
          asked: {
            charged: scopes('risk:payment', 'risk:supply-chain', 'risk:infrastructure', 'risk:bulk'),
            about_you: [],
            stays_days: null,
          },
          request: {
            at: new Date().toISOString(),
            address: '203.0.113.5',
            place: 'Germany',
            program: 'assay command line',
          },
        }
      })
      app.post<{ Body: { decision: string } }>('/api/device/confirm', (request) =>
        request.body.decision === 'deny' ? { done: 'denied' } : { redirect_to: '/device/done' },
      )

      const session = {
        user: ADA,
        csrf: CSRF,
        organisations: [
          { id: 'org_1', name: 'Analytical Engines Ltd', role: 'owner', state: 'active' },
          { id: 'org_2', name: 'Difference & Sons', role: 'viewer', state: 'inactive' },
        ],
      }
      app.get('/api/session', (_request, reply) =>
        signedIn ? session : refuse(reply, 401, 'credentials_missing', 'Nobody is signed in.'),
      )
      app.post<{ Body: { password: string } }>('/api/session', (request, reply) => {
        if (request.body.password !== PASSWORD) {
          return refuse(reply, 401, 'sign_in_failed', 'The email address or the password is wrong.')
        }
        signedIn = true
        return session
      })
      app.delete('/api/session', (_request, reply) => {
        signedIn = false
        return reply.code(204).send()
      })

      app.get<{ Querystring: { redirect_uri?: string } }>('/oauth/authorize', (request, reply) =>
        sendPage(reply, pages, {
          status: 400,
          error: {
            code: 'invalid_redirect_uri',
            detail: `redirect_uri ${request.query.redirect_uri ?? ''} is not registered`,
          },
        }),
      )
    },
    { prefix: basePath },
  )

  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    sent,
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(path, promise)
      return () => {
        held.delete(path)
        resolve()
      }
    },
    close: () => server.close(),
  }
}
