import { connect, type Socket } from 'node:net'

/**
 * A lean caller: raw sockets that are kept open, one request at a time on each, requests as bytes made beforehand, and of
 * an answer nothing but its status and its length. What it takes of the two cores, the server does not get.
 */
export interface Request {
  readonly bytes: Buffer
}

export function post(url: string, path: string, apiKey: string, body: string): Request {
  const { host } = new URL(url)
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nX-Api-Key: ${apiKey}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  return { bytes: Buffer.from(head + body) }
}

export function get(url: string, path: string): Request {
  return { bytes: Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`) }
}

export interface Measured {
  readonly seconds: number
  /** Answers by status. */
  readonly byStatus: ReadonlyMap<number, number>
  /** From the moment a request was due to the end of its answer, of those answered 200, in order. */
  readonly latenciesMs: readonly number[]
  /** Due but not even sent when the time was over. */
  readonly unsent: number
}

export const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

interface Line {
  readonly socket: Socket
  dueMs: number
  busy: boolean
}

/** Connections to one server. */
export class Callers {
  readonly #lines: Line[] = []
  readonly #idle: Line[] = []
  #onAnswer: (line: Line, status: number) => void = () => {}
  /** A connection that broke: those that are left would answer for all. */
  #broken: Error | undefined
  #onError: (error: Error) => void = () => {}

  static async open(url: string, connections: number): Promise<Callers> {
    const callers = new Callers()
    const { hostname, port } = new URL(url)
    await Promise.all(Array.from({ length: connections }, () => callers.#connect(hostname, Number(port))))
    return callers
  }

  async #connect(hostname: string, port: number): Promise<void> {
    const socket = connect(port, hostname)
    socket.setNoDelay(true)
    const line: Line = { socket, dueMs: 0, busy: false }
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    readAnswers(socket, (status) => {
      line.busy = false
      this.#idle.push(line)
      this.#onAnswer(line, status)
    })
    const broke = (error: Error) => {
      this.#broken ??= error
      this.#onError(this.#broken)
    }
    socket.on('error', broke)
    socket.on('close', () => broke(new Error('the server closed a connection')))
    this.#lines.push(line)
    this.#idle.push(line)
  }

  /** As many as it goes: each connection sends its next request when the last is answered. */
  closedLoop(requests: readonly Request[], ms: number): Promise<Measured> {
    return this.#run(requests, ms, () => Number.POSITIVE_INFINITY)
  }

  /** At a fixed rate, whether answers come or not, as long as a connection is free; what is late counts as late. */
  openLoop(requests: readonly Request[], perSecond: number, ms: number): Promise<Measured> {
    return this.#run(requests, ms, (passedMs) => (passedMs * perSecond) / 1000, perSecond)
  }

  #run(
    requests: readonly Request[],
    ms: number,
    dueBy: (passedMs: number) => number,
    perSecond = 0,
  ): Promise<Measured> {
    if (this.#broken) return Promise.reject(this.#broken)
    const startMs = performance.now()
    const byStatus = new Map<number, number>()
    const latenciesMs: number[] = []
    let sent = 0
    return new Promise((resolve, reject) => {
      const pump = () => {
        const nowMs = performance.now()
        const due = nowMs - startMs >= ms ? 0 : dueBy(nowMs - startMs)
        while (sent < due) {
          // The one that waited longest: a server closes what it has not heard from for long.
          const line = this.#idle.shift()
          if (!line) return
          line.busy = true
          line.dueMs = perSecond > 0 ? startMs + (sent * 1000) / perSecond : nowMs
          line.socket.write((requests[sent % requests.length] as Request).bytes)
          sent++
        }
      }
      const timer = setInterval(() => {
        pump()
        const passedMs = performance.now() - startMs
        // Requests in progress at the end of the time may still be answered for a while.
        if (passedMs < ms || (passedMs < ms + 5000 && this.#lines.some(({ busy }) => busy))) return
        clearInterval(timer)
        this.#onAnswer = () => {}
        const due = dueBy(ms)
        const unsent = Number.isFinite(due) ? Math.max(0, Math.round(due) - sent) : 0
        resolve({ seconds: ms / 1000, byStatus, latenciesMs: latenciesMs.sort((a, b) => a - b), unsent })
      }, 1)
      this.#onError = reject
      this.#onAnswer = (line, status) => {
        const nowMs = performance.now()
        if (nowMs - startMs <= ms) byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
        if (status === 200) latenciesMs.push(nowMs - line.dueMs)
        pump()
      }
      pump()
    })
  }

  close(): void {
    this.#onError = () => {}
    for (const { socket } of this.#lines) socket.destroy()
  }
}

/** Calls back once for each whole answer. */
function readAnswers(socket: Socket, answered: (status: number) => void): void {
  let head = ''
  let status = 0
  let left = -1
  socket.on('data', (chunk: Buffer) => {
    let at = 0
    while (at < chunk.length) {
      if (left < 0) {
        head += chunk.toString('latin1', at)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const already = head.length - (chunk.length - at)
        at += end + 4 - already
        status = Number(head.slice(9, 12))
        left = Number(/\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2))?.[1] ?? 0)
        head = ''
      }
      const taken = Math.min(left, chunk.length - at)
      left -= taken
      at += taken
      if (left > 0) return
      left = -1
      answered(status)
    }
  })
}
