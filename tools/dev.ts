import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { createServer, type ViteDevServer } from 'vite'
import { escapeHtml } from '../src/lib/html.ts'

/**
 * `npm run dev`: server and console at one address. Saving a file of the server restarts the server; saving a file of
 * the console updates the open page. Vite serves the modules of the console, the server everything else.
 *
 * The server does not run under `node --watch`, because that mode sends messages through the ports of worker threads,
 * where the store expects answers.
 */

const ROOT = join(import.meta.dirname, '..')
const SERVER_FILES = ['src', 'plans.json', 'feeds.json', 'package.json', '.env']
/** Addresses that Vite serves itself. */
const MODULES = /^\/(@|src\/|node_modules\/|__)/
/** An editor that saves many files at the same time causes one restart. */
const SAVES_TOGETHER_MS = 50
/** A hanging request must not delay a restart for longer. */
const GRACE_MS = 2000
/** The page that explains why the server ended reloads when the server is ready again. */
const LOAD_AGAIN = `import { createHotContext } from '/@vite/client'
createHotContext('/ended').on('assay:ready', () => location.reload())`
const INLINE_SCRIPTS = { nonce: 'development' }

// The server itself reads the file at every start.
const envFile = join(ROOT, '.env')
const { HOST: host = 'localhost', PORT = '8080' } = {
  ...(existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {}),
  ...process.env,
}
const address = `http://${['0.0.0.0', '::'].includes(host) ? 'localhost' : host}:${PORT}`

/** The address of the running server, or its output before it ended. */
type State = { readonly url: string } | { readonly failure: string }

function superviseServer(onReady: () => void) {
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    ASSAY_BASE_URL: address,
    ASSAY_TRUST_PROXY: 'loopback',
    ASSAY_SHUTDOWN_GRACE_MS: String(GRACE_MS),
    // The program caches compiled code automatically, but not for its threads.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile-cache'),
  }
  let state = Promise.withResolvers<State>()
  let settled = false
  let saved = Promise.withResolvers<void>()
  let stopping = false
  let running: Promise<void> | undefined
  const alive = new Set<ChildProcess>()
  process.once('exit', () => {
    for (const child of alive) child.kill('SIGKILL')
  })

  function settle(next: State): void {
    settled = true
    state.resolve(next)
  }

  function restart(): void {
    // New requests wait for the next start; requests that already wait continue to wait.
    if (settled) state = Promise.withResolvers()
    settled = false
    saved.resolve()
  }

  /** A process that has loaded the packages and waits for the message to start. */
  function prepare(): { readonly child: ChildProcess; readonly closed: Promise<'closed'> } {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'dev-server.ts'), 'serve'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A terminal sends Ctrl-C to its whole process group: detached, the server gets one signal, from this process.
      detached: true,
    })
    alive.add(child)
    const closed = once(child, 'close').then(() => {
      alive.delete(child)
      return 'closed' as const
    })
    return { child, closed }
  }

  async function run(): Promise<void> {
    let next = prepare()
    for (let first = true; !stopping; first = false) {
      const replaced = Promise.withResolvers<void>()
      saved = replaced
      const { child, closed } = next
      const ready = Promise.withResolvers<{ readonly url: string }>()
      const complaints = listen(child, first, (url) => ready.resolve({ url }))
      // Ignore the error of a process that has already ended: its end is handled below.
      child.send('start', () => {})
      // The first event counts: a server that is being replaced never becomes ready.
      const begun = await Promise.race([ready.promise, closed, replaced.promise])
      if (typeof begun === 'object') {
        settle(begun)
        onReady()
      }
      next = prepare()
      if ((await Promise.race([closed, replaced.promise])) === 'closed') {
        console.error('The server ended. It starts again when a file is saved.')
        settle({ failure: complaints.join('\n') })
        await replaced.promise
      }
      child.kill('SIGTERM')
      await closed
    }
    next.child.kill('SIGKILL')
    await next.closed
  }

  return {
    start() {
      running = run()
    },
    /** Waits while the server starts. */
    state: () => state.promise,
    restart,
    async stop() {
      stopping = true
      restart()
      await running
    },
  }
}

/** Passes on the output of the server: its welcome only at the first start. Returns its error output. */
function listen(child: ChildProcess, first: boolean, onReady: (url: string) => void): readonly string[] {
  const complaints: string[] = []
  createInterface(child.stdout!).on('line', (line) => {
    const url = /^Assay is ready on (\S+)/.exec(line)?.[1]
    if (url) onReady(url)
    if (url && first) console.log(`Assay is ready on ${address}, and reloads what is saved. Ctrl-C ends it.`)
    else if (first || line.startsWith('{')) console.log(line)
  })
  createInterface(child.stderr!).on('line', (line) => {
    complaints.push(line)
    console.error(line)
  })
  return complaints
}

/**
 * Forwards a request to the server. If the answer is a page of the console, Vite builds it from the sources instead.
 */
async function forward(vite: ViteDevServer, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const state = await server.state()
  if ('failure' in state) {
    response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>The server ended</title><h1>The server ended</h1>
<pre>${escapeHtml(state.failure)}</pre><script type="module">${LOAD_AGAIN}</script>`)
    return
  }
  const { method, headers, socket, url = '/' } = incoming
  const onward = request(new URL(url, state.url), {
    method,
    headers: { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '' },
  })
  incoming.pipe(onward)
  response.once('close', () => onward.destroy())
  const [answer] = (await once(onward, 'response')) as [IncomingMessage]
  const isPage = answer.headers['content-type']?.startsWith('text/html') && method === 'GET'
  if (!isPage) {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
    return
  }
  const html = await text(answer)
  const fromSources = html.includes('<div id="root">') ? await pageFromSources(vite, url, html) : html
  const { 'content-length': _length, ...others } = answer.headers
  const policy = String(answer.headers['content-security-policy'] ?? '')
  response.writeHead(answer.statusCode ?? 502, {
    ...others,
    'content-security-policy': policy.replace("script-src 'self'", `$& 'nonce-${INLINE_SCRIPTS.nonce}'`),
  })
  response.end(fromSources)
}

/** The page from Vite, with the meta tags that the server wrote into the head of the built page. */
function pageFromSources(vite: ViteDevServer, url: string, built: string): Promise<string> {
  const notes = built.match(/<meta name="assay-[^>]*>/g) ?? []
  const source = readFileSync(join(ROOT, 'console/index.html'), 'utf8')
  return vite.transformIndexHtml(
    url,
    // Absolute paths, because pages have different depths.
    source.replaceAll('"./', '"/').replace('</head>', () => `${notes.join('')}</head>`),
  )
}

let savedAtMs: number | undefined
const server = superviseServer(() => {
  if (savedAtMs === undefined) return
  console.log(`The server is ready again, ${Math.round(performance.now() - savedAtMs)} ms after the save.`)
  vite.hot.send({ type: 'custom', event: 'assay:ready' })
})

const vite = await createServer({
  configFile: join(ROOT, 'console/vite.config.ts'),
  appType: 'custom',
  base: '/',
  clearScreen: false,
  html: { cspNonce: INLINE_SCRIPTS.nonce },
  server: {
    host,
    port: Number(PORT),
    strictPort: true,
    // The server decides which other sites may call it.
    cors: false,
    // The packages may be in another folder, as in a second working tree.
    fs: { allow: [ROOT, dirname(realpathSync(join(ROOT, 'node_modules')))] },
  },
  plugins: [
    {
      name: 'assay-server',
      configureServer(vite) {
        vite.middlewares.use((incoming, response, next) => {
          if (MODULES.test(incoming.url ?? '')) return next()
          forward(vite, incoming, response).catch((error: Error) => {
            if (response.headersSent) return response.destroy()
            response
              .writeHead(502, { 'content-type': 'text/plain' })
              .end(`The server did not answer: ${error.message}\n`)
          })
        })
      },
    },
  ],
})
try {
  await vite.listen()
} catch (error) {
  console.error(`${(error as Error).message}. Stop what listens there, or choose another port: PORT=8081 npm run dev`)
  process.exit(1)
}

server.start()

let soon: NodeJS.Timeout | undefined
vite.watcher.add(SERVER_FILES.map((name) => join(ROOT, name)))
vite.watcher.on('all', (_event, path) => {
  const name = relative(ROOT, path)
  if (!SERVER_FILES.includes(name) && !name.startsWith('src/')) return
  if (name.endsWith('.test.ts')) return
  savedAtMs = performance.now()
  clearTimeout(soon)
  soon = setTimeout(() => {
    console.log(`${name} was saved.`)
    server.restart()
  }, SAVES_TOGETHER_MS)
})

// Vite ends the process on SIGTERM as soon as it has closed itself, while the server still has requests to answer.
process.removeAllListeners('SIGTERM')
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (stopping) process.exit(130)
    stopping = true
    clearTimeout(soon)
    await Promise.all([server.stop(), vite.close()])
    process.exit(0)
  })
}
