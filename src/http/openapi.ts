import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { SCOPES } from '../access/scopes.ts'
import { INTERFACE_VERSION } from '../version.ts'
import { etagOf, isKept } from './change.ts'
import { type DocumentedRoute, type DocumentedSchema, describeRoutes } from './openapi-document.ts'
import { chooseEncoding } from './pages.ts'

/**
 * /openapi.json: every route registered afterwards whose schema has an operationId, and the routes of other parts.
 * Built and compressed on the first request, then cached in memory.
 */
export function registerOpenApi(
  app: FastifyInstance,
  {
    baseUrl,
    servedElsewhere,
    webhooks,
  }: {
    readonly baseUrl: string
    readonly servedElsewhere: readonly DocumentedRoute[]
    /** Requests that the server sends; the path of each is its name. */
    readonly webhooks: readonly DocumentedRoute[]
  },
): void {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema }) => {
    // Fastify adds HEAD to every GET automatically.
    if (!schema || !('operationId' in schema) || typeof method !== 'string' || method === 'HEAD') return
    routes.push({ method, path: url.replaceAll(/:(\w+)/g, '{$1}'), schema: schema as unknown as DocumentedSchema })
  })
  let made: ReturnType<typeof compressed> | undefined
  app.get('/openapi.json', async (request, reply) => {
    made ??= compressed(JSON.stringify(openApiDocument(baseUrl, [...routes, ...servedElsewhere], webhooks)))
    const { etag, ...forms } = await made
    const encoding = chooseEncoding(request.headers['accept-encoding'], forms)
    // RFC 9110 §8.8.3: each encoding is its own representation, with its own strong tag.
    const tag = encoding ? `${etag.slice(0, -1)}-${encoding}"` : etag
    reply.headers({ etag: tag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
    if (isKept(request.headers['if-none-match'], tag)) return reply.code(304).send()
    if (encoding) reply.header('content-encoding', encoding)
    return reply.type('application/json; charset=utf-8').send(forms[encoding ?? 'plain'])
  })
}

async function compressed(text: string) {
  const plain = Buffer.from(text)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
  ])
  return { etag: etagOf(text), plain, br, gzip: gz }
}

/** The highest quality, 11, takes forty times as long to save an eighth. */
const BROTLI_QUALITY = 5

function openApiDocument(baseUrl: string, routes: readonly DocumentedRoute[], sent: readonly DocumentedRoute[]) {
  const { paths, webhooks, components } = describeRoutes(routes, sent)
  const tokenUrl = `${baseUrl}/oauth/token`
  const ofUsers = { tokenUrl, refreshUrl: tokenUrl, scopes: scopeWords('user') }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: INTERFACE_VERSION,
      summary: 'Risk intelligence at the moment a business decides.',
      description:
        'Answers low, medium or high for an email address, a domain or an IP address, one at a time or up to 10,000 in one request. Every answer contains its price. A result is a signal from the intelligence available at request time: use it together with your other controls, not instead of them.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl }],
    // For programs that set one credential for all imported operations; every operation names its own as well.
    security: [{ apiKey: [] }, { oauth2: [] }],
    tags: [
      { name: 'Risk', description: 'One indicator or a batch, at the moment of decision.' },
      { name: 'Billing', description: 'Plans, credit, usage, statements and payment.' },
      { name: 'Checkout', description: 'Subscribing: organisation, owner, plan and first key.' },
      { name: 'Organisation', description: 'Members, invitations, API keys, applications, and the audit log.' },
      {
        name: 'Counterparties',
        description: 'Suppliers, customers and other counterparties of the organisation, and their bank accounts.',
      },
      { name: 'History', description: 'Checks on record.' },
      { name: 'Own knowledge', description: 'Own lists and decision rules.' },
      { name: 'Events', description: 'Events to read, or to receive by webhooks.' },
      { name: 'OAuth', description: 'Access tokens for applications: OAuth 2.0 and OpenID Connect.' },
    ],
    paths,
    webhooks,
    components: {
      ...components,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'assay_session',
          description:
            'A person signed in to the console, with the rights of their role in the organisation. Writes need `x-csrf-token`; `x-organisation-id` selects the organisation for members of several.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Shown once, after checkout.' },
        oauth2: {
          type: 'oauth2',
          description:
            'Bearer token in the Authorization header. Programs without a browser use the device flow: they start at `/oauth/device_authorization` and poll `/oauth/token`.',
          flows: {
            clientCredentials: { tokenUrl, scopes: scopeWords('clientCredentials') },
            authorizationCode: { authorizationUrl: `${baseUrl}/oauth/authorize`, ...ofUsers },
            // OpenAPI 3.2 calls this flow `deviceAuthorization`; 3.1 has no name for it.
            'x-deviceAuthorization': { deviceAuthorizationUrl: `${baseUrl}/oauth/device_authorization`, ...ofUsers },
          },
        },
        clientSecret: {
          type: 'http',
          scheme: 'basic',
          description: 'Id and secret of an application, at the OAuth endpoints.',
        },
      },
    },
  }
}

function scopeWords(flow: 'clientCredentials' | 'user'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SCOPES)
      .filter(([, row]) => row[flow])
      .map(([name, row]) => [name, row.words]),
  )
}

/**
 * The page at /docs: all its files come from this server, and its scripts may do no more than those of the console,
 * which has the same origin. The package builds URLs from request headers, so we render the page once, separately from
 * all requests, and serve the result.
 */
export function registerReference(app: FastifyInstance, { baseUrl }: { readonly baseUrl: string }): void {
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, '')
  let made: ReturnType<typeof makeReference> | undefined
  const reference = () => {
    made ??= makeReference(basePath).catch((error: unknown) => {
      // The next request tries again.
      made = undefined
      throw error
    })
    return made
  }
  for (const path of ['/docs', '/docs/']) {
    app.get(path, async (_request, reply) => {
      const { page, policy } = await reference()
      return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page)
    })
  }
  app.get(REFERENCE_SCRIPT, async (_request, reply) => {
    const { script } = await reference()
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(script)
  })
}

const REFERENCE_SCRIPT = '/docs/js/scalar.js'

async function makeReference(basePath: string): Promise<{ page: string; policy: string; script: Buffer }> {
  const maker = Fastify()
  // Loaded on the first request for the page: it would be a sixth of the start-up load.
  const { default: apiReference } = await import('@scalar/fastify-api-reference')
  await maker.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: `${basePath}/openapi.json`,
      cdn: `${basePath}${REFERENCE_SCRIPT}`,
      title: 'Assay API reference',
      pageTitle: 'Assay API reference',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      // Services of the page's vendor: this page works without a network and sends nothing to anybody.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      customCss: WAYS_BACK_STYLE,
    },
  })
  const page = (await maker.inject('/docs/')).body
    .replace('<html>', '<html lang="en">')
    .replace('<body>', `<body>${waysBack(basePath)}`)
  const script = (await maker.inject(REFERENCE_SCRIPT)).rawPayload
  await maker.close()
  return { page, script, policy: referencePolicy(page) }
}

/** The reference is a page of its vendor: without this bar nothing leads from it to the other pages. */
const waysBack = (base: string) =>
  `<nav class="ways-back" aria-label="Assay"><a href="${base}/">Assay</a><a href="${base}/guides">Guides</a><a href="${base}/console">Console</a></nav>`

const WAYS_BACK_STYLE = `:root { --scalar-custom-header-height: 44px }
.ways-back { position: sticky; top: 0; z-index: 10; display: flex; gap: 24px; height: 44px; padding: 0 24px; align-items: center;
  font: 15px sans-serif; background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color) }
.ways-back a { color: var(--scalar-color-1) }`

/** The page configures itself with inline scripts: only these may run. */
function referencePolicy(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [
    `default-src 'none'; script-src 'self' ${inline.join(' ')}; style-src 'self' 'unsafe-inline'; img-src 'self' data:`,
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:",
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  ].join('; ')
}
