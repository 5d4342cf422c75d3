import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../errors.ts'

/** The web pages: one built application, the same document for every page, strict headers. */
export interface Pages {
  /** The document; with an error it shows that instead of a page. */
  render(error?: { readonly code: string; readonly detail: string }): string
  readonly headers: Readonly<Record<string, string>>
}

export const PAGE_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const HEADERS = {
  'content-security-policy': PAGE_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.map': 'application/json',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A page without the application: sign-out, and errors where the application was not built. */
export function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem;margin-right:.5rem}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`
}

export function loadPages(folder: string): Pages {
  let index: string | undefined
  try {
    index = readFileSync(join(folder, 'index.html'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return {
    headers: HEADERS,
    render(error) {
      if (index === undefined) {
        return error
          ? plainPage(
              'This did not work',
              `<p>${escapeHtml(error.detail)}</p><p><code>${escapeHtml(error.code)}</code></p>`,
            )
          : plainPage(
              'The pages are not built',
              '<p>Run <code>npm ci</code> in the program’s folder, then start it again.</p>',
            )
      }
      if (!error) return index
      const meta = `<meta name="assay-error" content="${escapeHtml(JSON.stringify(error))}">`
      return index.replace(/<head[^>]*>/i, (head) => head + meta)
    },
  }
}

/** Packed once by the build. */
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
]

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const PAGE_PATHS = ['/sign-in', '/interaction/:uid', '/device', '/device/*', '/console', '/console/*']

export function registerPages(app: FastifyInstance, { pages, folder }: { pages: Pages; folder: string }): void {
  const show = (_: unknown, reply: FastifyReply) =>
    reply.headers(pages.headers).type('text/html; charset=utf-8').send(pages.render())
  for (const url of PAGE_PATHS) app.get(url, { schema: { hide: true } as object }, show)

  app.get<{ Params: { '*': string } }>('/assets/*', { schema: { hide: true } as object }, async (request, reply) => {
    const name = request.params['*']
    const type = TYPES[extname(name)]
    // Names are made by the build: letters, digits, dots and dashes, in one folder.
    if (!type || !/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}$/.test(name)) throw new Problem('not_found')
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const encodings = ENCODINGS.filter(({ encoding }) => new RegExp(`\\b${encoding}\\b`).test(accepted))
    reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
      .header('vary', 'accept-encoding')
      .type(type)
    for (const { encoding, suffix } of encodings) {
      const packed = await readIfThere(join(folder, 'assets', name + suffix))
      if (packed) return reply.header('content-encoding', encoding).send(packed)
    }
    const body = await readIfThere(join(folder, 'assets', name))
    if (!body) throw new Problem('not_found', { detail: 'There is no such file.' })
    return reply.send(body)
  })
}
