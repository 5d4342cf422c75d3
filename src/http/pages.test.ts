import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { chooseEncoding, injectMeta, loadPages, type Pages, registerPages, sendPage } from './pages.ts'

const html = '<html><head><title>Assay</title></head><body></body></html>'
const pages: Pages = {
  built: true,
  headers: { 'x-made-by': 'loadPages' },
  render: (error) => (error ? injectMeta(html, error) : html),
  assets: new Map([
    [
      'main-abc.js',
      {
        type: 'text/javascript; charset=utf-8',
        plain: Buffer.from('plain'),
        br: Buffer.from('br'),
        gzip: Buffer.from('gzip'),
      },
    ],
  ]),
}

const opened: FastifyInstance[] = []
function serve(served: Pages = pages): FastifyInstance {
  const app = Fastify()
  opened.push(app)
  registerPages(app, served)
  return app
}
afterEach(() => Promise.all(opened.splice(0).map((app) => app.close())))

describe('pages', () => {
  it.each([
    '/',
    '/guides',
    '/guides/api',
    '/sign-in',
    '/interaction/x',
    '/device',
    '/device/done',
    '/done',
    '/console',
    '/console/a/b',
  ])('sends the app at %s', async (url) => {
    const answer = await serve().inject({ url })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe(html)
    expect(answer.headers['x-made-by']).toBe('loadPages')
  })

  it('sends what was built, to be asked for anew each time, under the strict policy', async () => {
    const answer = await serve(loadPages({ baseUrl: 'https://assay.example' })).inject({ url: '/console' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=15552000',
    })
    expect(answer.body).toMatch(/<script type="module" crossorigin src="\/assets\/[\w.-]+\.js">/)
    expect(answer.body).not.toContain('assay-base')
  })

  it('does not ask for https where the service is reached without', async () => {
    const { headers } = loadPages({ baseUrl: 'http://localhost:8080' })
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  it('finds its files and its own address under the path of a proxy', async () => {
    const { render } = loadPages({ baseUrl: 'https://example.com/assay' })
    expect(render()).toContain(' src="/assay/assets/')
    expect(render()).not.toMatch(/"\.?\/assets/)
    expect(render()).toContain('<meta name="assay-base" content="/assay">')
  })

  it('sends an asset once and for all, in the smallest form the client takes', async () => {
    const app = serve()
    const url = '/assets/main-abc.js'
    const brotli = await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } })
    expect(brotli.body).toBe('br')
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'content-type': 'text/javascript; charset=utf-8',
    })
    expect((await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })).body).toBe('gzip')
    const plain = await app.inject({ url })
    expect(plain.body).toBe('plain')
    expect(plain.headers['content-encoding']).toBeUndefined()
  })

  it('404 for an asset that is not there, whatever its name spells', async () => {
    const app = serve()
    for (const name of ['gone.js', '..%2findex.html', '%2e%2e%2fpackage.json', '__proto__']) {
      const answer = await app.inject({ url: `/assets/${name}` })
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['cache-control']).toBeUndefined()
    }
  })

  it('503 with what to do when the console was never built', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'assay-pages-'))
    try {
      const answer = await serve(loadPages({ baseUrl: 'http://localhost', directory: empty })).inject({
        url: '/console',
      })
      expect(answer.statusCode).toBe(503)
      expect(answer.body).toContain('npm run build')
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    } finally {
      await rm(empty, { recursive: true })
    }
  })

  it('sends an error with its status, never kept, and with the request id', async () => {
    const app = serve()
    app.get('/refused', (_request, reply) =>
      sendPage(reply, pages, { status: 400, error: { code: 'invalid_client', detail: 'unknown' } }),
    )
    const answer = await app.inject({ url: '/refused' })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toContain('&quot;code&quot;:&quot;invalid_client&quot;')
    expect(answer.body).toContain('&quot;request_id&quot;:&quot;')
  })

  it('keeps an error from the address inside its attribute', () => {
    const shown = injectMeta(html, {
      code: 'invalid_request',
      detail: `"><script>alert(1)</script> ' $& $' </head>`,
    })
    expect(shown).not.toContain('<script>')
    expect(shown.match(/<\/head>/g)).toHaveLength(1)
    expect(shown.match(/<meta name="assay-error" content="[^"'<>]*"><\/head>/)).not.toBeNull()
  })

  it.each([
    [undefined, undefined],
    ['br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.000, gzip;q=0', undefined],
    ['identity', undefined],
  ] as const)('for Accept-Encoding %j it chooses %j', (accepted, chosen) => {
    expect(chooseEncoding(accepted, { br: Buffer.from(''), gzip: Buffer.from('') })).toBe(chosen)
  })
})
