import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { escapeHtml } from '../lib/html.ts'
import { browserHeaders } from './browser-headers.ts'

/** The pages of the console, as built into console/dist: cached in memory, and served under a strict policy. */

export interface Asset {
  readonly type: string
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
}

/** The page shows this instead of its content. Both texts may contain what a stranger put into the URL. */
export interface PageError {
  readonly code: string
  readonly detail: string
  readonly request_id?: string
}

export interface Pages {
  /** False if the console was never built: every page then says so. */
  readonly built: boolean
  /** The HTML document of every page; with an error it shows the error instead. */
  render(error?: PageError): string
  readonly headers: Readonly<Record<string, string>>
  readonly assets: ReadonlyMap<string, Asset>
}

const CONSOLE_DIRECTORY: string = join(import.meta.dirname, '../../console/dist')

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Paths where the app takes over: its own router knows the rest. */
const PAGE_PATHS = [
  ...['/', '/guides', '/guides/:name', '/pricing', '/checkout', '/console', '/console/*', '/interaction/:uid', '/done'],
  ...['/receipt'],
  ...['/sign-in', '/forgot-password', '/reset', '/verify', '/confirm', '/invitation', '/device', '/device/*'],
]

// The component library sets style attributes; styles cannot be loaded from other origins.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'",
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
].join('; ')

// No Cross-Origin-Opener-Policy: an application may open the sign-in in a window and wait for its result.
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/**
 * Synchronous: hundreds of small files are read before the server listens, and each promise costs more than its read.
 */
export function loadPages(options: {
  /** The public URL of the service: a proxy may serve it under its own path. */
  readonly baseUrl: string
  readonly directory?: string
}): Pages {
  const { directory = CONSOLE_DIRECTORY } = options
  const basePath = new URL(options.baseUrl).pathname.replace(/\/+$/, '')
  const headers = { ...browserHeaders(options.baseUrl), ...PAGE_HEADERS }
  const index = join(directory, 'index.html')
  const assets = new Map<string, Asset>()
  if (!existsSync(index)) return { built: false, assets, headers, render: renderWithoutApp }
  const folder = join(directory, 'assets')
  const names = new Set(readdirSync(folder))
  const read = (name: string) => readFileSync(join(folder, name))
  const readListed = (name: string) => (names.has(name) ? read(name) : undefined)
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    assets.set(name, { type, plain: read(name), br: readListed(`${name}.br`), gzip: readListed(`${name}.gz`) })
  }
  const html = placeUnder(basePath, readFileSync(index, 'utf8'))
  return { built: true, assets, headers, render: (error) => (error ? injectMeta(html, error) : html) }
}

/** The build names its files relative to the page; pages have different depths, so the server sets the base path. */
function placeUnder(basePath: string, html: string): string {
  const placed = html.replaceAll('"./assets/', () => `"${escapeHtml(basePath)}/assets/`)
  return basePath === '' ? placed : addToHead(placed, `<meta name="assay-base" content="${escapeHtml(basePath)}">`)
}

function renderWithoutApp(error?: PageError): string {
  const [title, text] = error
    ? ['This request cannot continue', `${error.code}: ${error.detail}`]
    : ['The pages are not built', 'The operator must run npm run build and restart the server.']
  return `<!doctype html><html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><h1>${title}</h1><p>${escapeHtml(text)}</p></html>`
}

export function registerPages(app: FastifyInstance, pages: Pages): void {
  for (const path of PAGE_PATHS) app.get(path, (_request, reply) => sendPage(reply, pages))
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const asset = pages.assets.get(request.params.name)
    if (!asset) throw new Problem('not_found', { detail: 'There is no such file. Load the page again.' })
    return sendAsset(request, reply, asset)
  })
}

/** Sends the app at any requested path; with an error, the app shows only the error. */
export function sendPage(
  reply: FastifyReply,
  pages: Pages,
  options: { readonly status?: number; readonly error?: Omit<PageError, 'request_id'> } = {},
): FastifyReply {
  reply.headers(pages.headers)
  if (options.error) {
    return reply
      .code(options.status ?? 400)
      .header('cache-control', 'no-store')
      .send(pages.render({ ...options.error, request_id: reply.request.id }))
  }
  return reply.code(pages.built ? (options.status ?? 200) : 503).send(pages.render())
}

/** Writes the error into the head of the page, where the app finds it without an inline script. */
export function injectMeta(html: string, error: PageError): string {
  return addToHead(html, `<meta name="assay-error" content="${escapeHtml(JSON.stringify(error))}">`)
}

function addToHead(html: string, element: string): string {
  // A function, because `$&` in a replacement text would be expanded.
  return html.replace('</head>', () => `${element}</head>`)
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  reply
    .header('content-type', asset.type)
    // The name contains a digest of the content, so the content never changes.
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('vary', 'accept-encoding')
  const encoding = chooseEncoding(request.headers['accept-encoding'], asset)
  if (encoding === undefined) return reply.send(asset.plain)
  return reply.header('content-encoding', encoding).send(asset[encoding])
}

/** The smallest encoding that the client accepts (RFC 9110 §12.5.3); `q=0` excludes one. */
export function chooseEncoding(accepted: string | undefined, asset: Pick<Asset, 'br' | 'gzip'>) {
  if (accepted === undefined) return undefined
  const taken = new Set<string>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(coding)
  }
  return (['br', 'gzip'] as const).find((coding) => asset[coding] !== undefined && taken.has(coding))
}
