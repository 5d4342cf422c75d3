import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetcher, type Fetcher } from './fetch.ts'
import { DocumentGone, FeedUnreachable } from './parse/report.ts'

let server: Server
let base: string
const seen: IncomingMessage['headers'][] = []
const fetchers: Fetcher[] = []

function fetcher(options: Parameters<typeof createFetcher>[0] = {}): Fetcher {
  const made = createFetcher({ allowLoopback: true, timeoutMs: 30_000, ...options })
  fetchers.push(made)
  return made
}

async function text(fetched: Awaited<ReturnType<Fetcher['fetch']>>): Promise<string> {
  if (fetched.status !== 'ok') return fetched.status
  let body = ''
  for await (const chunk of fetched.body) body += Buffer.from(chunk).toString()
  return body
}

const ROUTES: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/list': (request, response) => {
    if (request.headers['if-none-match'] === '"v1"') return void response.writeHead(304).end()
    response.writeHead(200, { etag: '"v1"', 'last-modified': 'Sun, 31 May 2026 10:00:00 GMT' }).end('one.example\n')
  },
  '/moved': (_, response) => void response.writeHead(302, { location: '/list' }).end(),
  '/loop': (_, response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/nowhere': (_, response) => void response.writeHead(302).end(),
  '/private': (_, response) => void response.writeHead(302, { location: 'https://10.0.0.1/list' }).end(),
  '/metadata': (_, response) => void response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
  '/plain': (_, response) => void response.writeHead(302, { location: 'ftp://127.0.0.1/list' }).end(),
  '/large': (_, response) => void response.writeHead(200, { 'content-length': '5000' }).end('x'.repeat(5000)),
  '/unannounced': (_, response) => {
    for (let i = 0; i < 50; i++) response.write('x'.repeat(100))
    response.end()
  },
  '/silent': () => {},
  '/stalls': (_, response) => void response.write('one.example\n'),
  '/gone': (_, response) => void response.writeHead(410).end('gone'),
  '/broken': (_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half')
    response.destroy()
  },
}

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.headers)
    const route = ROUTES[request.url ?? '']
    if (route) route(request, response)
    else response.writeHead(404).end()
  })
  // The client alone decides how long a connection is kept: the server never closes one just as it is used again.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  for (const made of fetchers) await made.close()
})

describe('fetching', () => {
  it('gives the body and its validators, and asks again conditionally', async () => {
    const made = fetcher()
    const first = await made.fetch(`${base}/list`)
    expect(first).toMatchObject({ status: 'ok', etag: '"v1"', lastModified: 'Sun, 31 May 2026 10:00:00 GMT' })
    expect(await text(first)).toBe('one.example\n')
    expect(await made.fetch(`${base}/list`, { etag: '"v1"' })).toEqual({ status: 'unchanged' })
  })

  it('follows a few redirects and then gives up', async () => {
    expect(await text(await fetcher().fetch(`${base}/moved`))).toBe('one.example\n')
    await expect(fetcher().fetch(`${base}/loop`)).rejects.toThrow('redirects more than 5 times')
    await expect(fetcher().fetch(`${base}/nowhere`)).rejects.toThrow('redirects without a target')
  })

  it('refuses a redirect to a private address, to link-local metadata and away from https', async () => {
    await expect(fetcher().fetch(`${base}/private`)).rejects.toThrow('10.0.0.1 is at 10.0.0.1: private address')
    await expect(fetcher().fetch(`${base}/metadata`)).rejects.toThrow(': link-local address')
    await expect(fetcher().fetch(`${base}/plain`)).rejects.toThrow('is not https:')
  })

  it('refuses names that resolve to private addresses, all or in part, at the moment of connecting', async () => {
    const rebinding = [
      [{ address: '192.168.1.1', family: 4 }],
      [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
      [{ address: 'fd00::1', family: 6 }],
      [{ address: '::ffff:10.0.0.1', family: 6 }],
    ]
    for (const addresses of rebinding) {
      const made = fetcher({ allowLoopback: false, lookup: async () => addresses })
      await expect(made.fetch('https://feeds.example/list')).rejects.toThrow('only public addresses are fetched')
    }
  })

  it('connects to the address that was checked', async () => {
    const asked: string[] = []
    const made = fetcher({
      lookup: async (host) => {
        asked.push(host)
        return [{ address: '127.0.0.1', family: 4 }]
      },
    })
    expect(await text(await made.fetch(base.replace('127.0.0.1', 'feeds.example').concat('/list')))).toBe(
      'one.example\n',
    )
    expect(asked).toEqual(['feeds.example'])
  })

  it('refuses loopback, plain http and credentials in the address unless a test allows loopback', async () => {
    const strict = fetcher({ allowLoopback: false })
    await expect(strict.fetch('https://127.0.0.1/list')).rejects.toThrow(': loopback address')
    await expect(strict.fetch('https://[::1]/list')).rejects.toThrow(': loopback address')
    await expect(strict.fetch('http://feeds.example/list')).rejects.toThrow('is not https:')
    await expect(strict.fetch('https://user:pass@feeds.example/list')).rejects.toThrow('must not contain a user name')
  })

  it('stops at the size limit, announced or not', async () => {
    const made = fetcher({ bytesMax: 1000 })
    await expect(made.fetch(`${base}/large`)).rejects.toThrow('is 5000 bytes long; 1000 are allowed')
    const endless = await made.fetch(`${base}/unannounced`)
    await expect(text(endless)).rejects.toThrow('is longer than 1000 bytes')
  })

  it('stops at the time limit, before and within the body', async () => {
    await expect(fetcher({ timeoutMs: 50 }).fetch(`${base}/silent`)).rejects.toThrow('took longer than 50 ms')
    // On a busy machine the limit may pass before the first byte: the answer is the same.
    const stalled = fetcher({ timeoutMs: 200 }).fetch(`${base}/stalls`).then(text)
    await expect(stalled).rejects.toThrow('took longer than 200 ms')
  })

  it('stops when told to, while connecting, before and within the body', async () => {
    // A name service that never answers stands for a connection that does not come about.
    const deaf = fetcher({ lookup: () => new Promise(() => {}) })
    const connecting = new AbortController()
    const nobody = deaf.fetch('https://feeds.example/list', { signal: connecting.signal })
    connecting.abort()
    await expect(nobody).rejects.toThrow('cannot be fetched')
    const silent = new AbortController()
    const waiting = fetcher().fetch(`${base}/silent`, { signal: silent.signal })
    silent.abort()
    await expect(waiting).rejects.toThrow('cannot be fetched')
    const stalled = new AbortController()
    const body = await fetcher().fetch(`${base}/stalls`, { signal: stalled.signal })
    stalled.abort()
    await expect(text(body)).rejects.toThrow('cannot be fetched')
  })

  it('says which status came, and that a connection broke', async () => {
    await expect(fetcher().fetch(`${base}/gone`)).rejects.toThrow('answered 410')
    const broken = fetcher().fetch(`${base}/broken`).then(text)
    await expect(broken).rejects.toThrow('cannot be fetched')
  })

  it('tells a host that is not reached and a document that is gone from a feed that fails', async () => {
    const unknown = createFetcher({
      lookup: () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND a.example'), { code: 'ENOTFOUND' })),
    })
    const failure = await unknown.fetch('https://a.example/list').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(FeedUnreachable)
    expect(failure).toMatchObject({ host: 'a.example', message: expect.stringContaining('cannot be reached') })
    await unknown.close()
    const nobody = await fetcher()
      .fetch('http://127.0.0.1:1/list')
      .catch((error: unknown) => error)
    expect(nobody).toBeInstanceOf(FeedUnreachable)
    expect(
      await fetcher()
        .fetch(`${base}/gone`)
        .catch((error: unknown) => error),
    ).toBeInstanceOf(DocumentGone)
    expect(
      await fetcher()
        .fetch(`${base}/broken`)
        .then(text)
        .catch((error: unknown) => error),
    ).not.toBeInstanceOf(FeedUnreachable)
  })

  it('sends credentials to the feed and not to where it redirects', async () => {
    const other = createServer((_, response) => void response.writeHead(302, { location: `${base}/list` }).end())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    try {
      seen.length = 0
      await fetcher().fetch(`${base}/list`, { headers: { authorization: 'Bearer secret' } })
      expect(seen.at(-1)?.authorization).toBe('Bearer secret')
      const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
      await fetcher().fetch(address, { headers: { authorization: 'Bearer secret' } })
      expect(seen.at(-1)?.authorization).toBeUndefined()
    } finally {
      other.closeAllConnections()
      await new Promise((resolve) => other.close(resolve))
    }
  })
})
