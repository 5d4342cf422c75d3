import { connect } from 'node:net'

/** Requests as bytes, because an HTTP client refuses to send most of these; answers read as strictly as HTTP allows. */

export type Headers = readonly (readonly [name: string, value: string])[]

/** A request before it becomes bytes. Families change a good one into what they want to send. */
export interface Draft {
  readonly method: string
  /** The path and, where there is one, the query. */
  readonly target: string
  readonly version?: string
  readonly headers: Headers
  readonly body?: Buffer
  /** How the body is framed; `none` says nothing of it. */
  readonly framing?: 'length' | 'chunked' | 'none'
}

export function render(draft: Draft): Buffer {
  const { body, framing = body ? 'length' : 'none' } = draft
  const framed = framing === 'chunked' ? chunked(body ?? Buffer.alloc(0)) : (body ?? Buffer.alloc(0))
  const lines = [
    `${draft.method} ${draft.target} ${draft.version ?? 'HTTP/1.1'}`,
    ...draft.headers.map(([name, value]) => `${name}: ${value}`),
    ...(framing === 'length' ? [`Content-Length: ${body?.length ?? 0}`] : []),
    ...(framing === 'chunked' ? ['Transfer-Encoding: chunked'] : []),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), framed])
}

function chunked(body: Buffer, size = 4096): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size)
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

export function setHeader(headers: Headers, name: string, value: string | undefined): Headers {
  const others = headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase())
  return value === undefined ? others : [...others, [name, value]]
}

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly text: string
  /** Undefined when the body is not JSON. */
  readonly json: unknown
}

export interface Exchange {
  /** Final answers; those with a status below 200 are left out. */
  readonly answers: readonly Answer[]
  /** The fault in the bytes that came, or the reason why none came. */
  readonly fault?: string
}

/** Asked after a request on the same connection: it shows that both sides agree where that request ended. */
export const LAST_REQUEST = Buffer.from('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')

const WAIT_MS = 45_000
const SILENCE_MS = 200

/** Sends bytes on a connection of their own and reads until the server closes it. */
export function exchange(
  port: number,
  bytes: readonly Buffer[],
  options: {
    /** The methods of the requests in the bytes, in order: an answer to HEAD has no body. */
    readonly methods: readonly string[]
    /**
     * The server may rightly wait for more. When it has been silent for a while and has nothing under way for this port
     * any more, it is told that nothing follows. Earlier, an answer on its way would be lost.
     */
    readonly open?: ((port: number) => Promise<unknown>) | undefined
    /** How long a server may take that answers at all; a busy machine is no fault. */
    readonly waitMs?: number
  },
): Promise<Exchange> {
  const { waitMs = WAIT_MS } = options
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const received: Buffer[] = []
    let hung = false
    let silence: NodeJS.Timeout | undefined
    const listen = () => {
      if (!options.open) return
      clearTimeout(silence)
      silence = setTimeout(() => options.open?.(socket.localPort ?? 0).then(() => socket.end()), SILENCE_MS)
    }
    const wait = setTimeout(() => {
      hung = true
      socket.destroy()
    }, waitMs)
    socket.on('connect', () => {
      for (const piece of bytes) socket.write(piece)
      listen()
    })
    socket.on('data', (chunk) => {
      received.push(chunk)
      listen()
    })
    // The server may close while it is still being written to; what it said before that counts.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(wait)
      clearTimeout(silence)
      const read = readAnswers(Buffer.concat(received), options.methods)
      resolve(hung ? { ...read, fault: `no end within ${waitMs} ms (${read.fault ?? 'silence'})` } : read)
    })
  })
}

/** Every answer in what was received, up to the end of the connection. */
export function readAnswers(received: Buffer, methods: readonly string[]): Exchange {
  const answers: Answer[] = []
  let rest = received
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) return { answers, fault: 'an answer without the end of its head' }
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(statusLine)?.[1])
    if (Number.isNaN(status)) return { answers, fault: `not a status line: ${statusLine.slice(0, 80)}` }
    const headers = new Map<string, string>()
    for (const line of lines) {
      const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
      if (name === undefined) return { answers, fault: `not a header line: ${line.slice(0, 80)}` }
      const key = name.toLowerCase()
      const before = headers.get(key)
      if (before !== undefined && key !== 'set-cookie' && key !== 'vary') {
        return { answers, fault: `the header ${key} twice` }
      }
      headers.set(key, before === undefined ? value : `${before}\n${value}`)
    }
    rest = rest.subarray(headEnd + 4)
    if (status < 200) continue
    const framed = readBody(rest, status, headers, methods[answers.length] ?? 'GET')
    if (typeof framed === 'string') return { answers, fault: framed }
    rest = framed.rest
    const text = framed.body.toString('utf8')
    answers.push({ status, headers, body: framed.body, text, json: jsonIn(text) })
  }
  return { answers }
}

function readBody(
  rest: Buffer,
  status: number,
  headers: ReadonlyMap<string, string>,
  method: string,
): { body: Buffer; rest: Buffer } | string {
  const none = { body: Buffer.alloc(0), rest }
  if (headers.has('transfer-encoding') && headers.has('content-length')) return 'an answer framed in two ways'
  if (status === 204 || status === 304 || method === 'HEAD') {
    // A request that could not be read has no method yet: its answer may have a body whatever stood there.
    return method === 'HEAD' && rest.toString('latin1', 0, 1) === '{'
      ? { body: rest, rest: rest.subarray(rest.length) }
      : none
  }
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest)
  const length = headers.get('content-length')
  if (length === undefined) return { body: rest, rest: rest.subarray(rest.length) }
  if (!/^\d+$/.test(length)) return `not a length: ${length}`
  if (rest.length < Number(length)) return `an answer cut short: ${rest.length} of ${length} bytes`
  return { body: rest.subarray(0, Number(length)), rest: rest.subarray(Number(length)) }
}

function readChunks(bytes: Buffer): { body: Buffer; rest: Buffer } | string {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) return 'an answer with a broken chunk'
    const start = lineEnd + 2
    if (bytes.toString('latin1', start + size, start + size + 2) !== '\r\n') return 'an answer cut in a chunk'
    at = start + size + 2
    if (size === 0) return { body: Buffer.concat(parts), rest: bytes.subarray(at) }
    parts.push(bytes.subarray(start, start + size))
  }
}

function jsonIn(text: string): unknown {
  if (!/^[\s]*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bytes as an argument of `printf`, to be piped into `nc`. */
export function printable(bytes: Buffer): string {
  let text = ''
  for (const byte of bytes) {
    if (byte === 0x0d) text += '\\r'
    else if (byte === 0x0a) text += '\\n'
    else if (byte === 0x5c) text += '\\\\'
    else if (byte === 0x25) text += '%%'
    else if (byte < 0x20 || byte > 0x7e || byte === 0x27) text += `\\x${byte.toString(16).padStart(2, '0')}`
    else text += String.fromCharCode(byte)
  }
  return text
}
