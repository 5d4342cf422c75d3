import swagger from '@fastify/swagger'
import apiReference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
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
  app.get('/openapi.json', { schema: { hide: true } as object }, () => openApiDocument(app))
}

// The reference configures itself by an inline script; whatever it runs, it can reach no other server.
const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page at /docs: everything it needs comes from this server. */
export async function registerReference(app: FastifyInstance): Promise<void> {
  await app.register(apiReference, {
    routePrefix: '/docs',
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', REFERENCE_POLICY)
        done()
      },
    },
    configuration: {
      url: '/openapi.json',
      title: 'Assay API reference',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      // Services of the page's maker elsewhere: this page works without a network and tells nobody anything.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
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
