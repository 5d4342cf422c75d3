import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import { SCOPES } from '../access/scopes.ts'
import { VERSION } from '../version.ts'
import { ProblemSchema } from './schema.ts'

/** OpenAPI 3.1, made from the route schemas, and the reference page over it. */
export async function registerOpenApi(app: FastifyInstance, options: { readonly baseUrl: string }): Promise<void> {
  app.addSchema(ProblemSchema)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assay',
        version: VERSION,
        summary: 'Risk intelligence at the moment a business decides.',
        description:
          'Answers low, medium or high for an email address, a domain or an IP address, singly or up to 10,000 at a time. Every answer says what it cost. A result is a signal from the intelligence available at request time: use it beside your other controls, not in their place.',
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: options.baseUrl }],
      tags: [
        { name: 'Risk', description: 'One indicator or a batch, at the moment of decision.' },
        { name: 'Billing', description: 'Plans, credit, usage, statements and payment.' },
        { name: 'Checkout', description: 'Subscribing: organisation, owner, plan and first key.' },
        { name: 'Organisation', description: 'Members, invitations, API keys, applications, and who changed what.' },
      ],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'assay_session',
            description:
              'A person signed in to the console, by the role held in the organisation. Writes carry `x-csrf-token`; `x-organisation-id` says which organisation, for those in more than one.',
          },
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Shown once, after checkout.' },
          oauth2: {
            type: 'oauth2',
            description: 'Bearer token in the Authorization header.',
            flows: {
              clientCredentials: {
                tokenUrl: `${options.baseUrl}/oauth/token`,
                scopes: scopeWords('clientCredentials'),
              },
              authorizationCode: {
                authorizationUrl: `${options.baseUrl}/oauth/authorize`,
                tokenUrl: `${options.baseUrl}/oauth/token`,
                scopes: scopeWords('user'),
              },
            },
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `Schema${i}`),
    },
  })
  let text: string | undefined
  app.get('/openapi.json', { schema: { hide: true } as object }, (_request, reply) => {
    text ??= JSON.stringify(openApiDocument(app))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/**
 * The page at /docs: everything it needs comes from this server, and its scripts may do no more than those of the
 * console, whose origin it shares. The package that makes it builds addresses from what the request says of itself, so
 * it is asked once, apart from all requests, and what it made is served.
 */
export function registerReference(app: FastifyInstance, { baseUrl }: { readonly baseUrl: string }): void {
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, '')
  let made: ReturnType<typeof makeReference> | undefined
  const reference = () => {
    made ??= makeReference(basePath).catch((error: unknown) => {
      // The next who asks has it tried again.
      made = undefined
      throw error
    })
    return made
  }
  const options = { schema: { hide: true } as object }
  for (const path of ['/docs', '/docs/']) {
    app.get(path, options, async (_request, reply) => {
      const { page, policy } = await reference()
      return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page)
    })
  }
  app.get(REFERENCE_SCRIPT, options, async (_request, reply) => {
    const { script } = await reference()
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(script)
  })
}

const REFERENCE_SCRIPT = '/docs/js/scalar.js'

async function makeReference(basePath: string): Promise<{ page: string; policy: string; script: Buffer }> {
  const maker = Fastify()
  // Loaded when somebody asks for the page: it is a sixth of what a start would load.
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
      // Services of the page's maker elsewhere: this page works without a network and tells nobody anything.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  const page = (await maker.inject('/docs/')).body
  const script = (await maker.inject(REFERENCE_SCRIPT)).rawPayload
  await maker.close()
  return { page, script, policy: referencePolicy(page) }
}

/** The page configures itself by scripts that stand in it: these may run, and no others. */
function referencePolicy(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** What /openapi.json answers, free of what only the generator needs. */
export function openApiDocument(app: FastifyInstance): object {
  const document = structuredClone(app.swagger()) as { components?: { schemas?: Record<string, { $id?: string }> } }
  for (const schema of Object.values(document.components?.schemas ?? {})) delete schema.$id
  return document
}

function scopeWords(flow: 'clientCredentials' | 'user'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SCOPES)
      .filter(([, row]) => row[flow])
      .map(([name, row]) => [name, row.words]),
  )
}
