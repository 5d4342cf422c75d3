import { type Clock, SECOND_MS } from '../lib/clock.ts'

/**
 * How often a server may be asked. For each server:
 *
 * 1. At most `concurrencyMax` questions are under way and at most `perSecondMax` begin in a second; others wait, urgent
 *    ones in front. Of those waiting beyond `waitingMax` the last that is not urgent is refused.
 * 2. After `failuresToOpen` failures in a row it is not asked for `openMs`; then one question tries it. A server that
 *    says when to come back is not asked before.
 */
export interface GateOptions {
  readonly concurrencyMax: number
  /** Infinity where the server may be asked as fast as it answers. */
  readonly perSecondMax: number
  readonly waitingMax: number
  readonly failuresToOpen: number
  readonly openMs: number
  readonly clock: Pick<Clock, 'ticks'>
}

/** The server is not to be asked now. */
export class ServerClosed extends Error {
  readonly retryMs: number
  constructor(message: string, retryMs: number) {
    super(message)
    this.name = 'ServerClosed'
    this.retryMs = retryMs
  }
}

/** How a question went; `retryAfterMs` where the server said when to come back. */
export type Verdict = 'answered' | 'failed' | { readonly retryAfterMs: number }

export interface ServerState {
  readonly server: string
  readonly underWay: number
  readonly waiting: number
  /** Milliseconds until it is asked again; 0 where it is asked. */
  readonly closedMs: number
}

interface Waiter {
  readonly urgent: boolean
  readonly begin: () => void
  readonly refuse: (error: ServerClosed) => void
}

interface Server {
  underWay: number
  failures: number
  closedUntil: number
  probing: boolean
  /** When the next question may begin, by the rate. */
  nextAt: number
  waiting: Waiter[]
  timer: NodeJS.Timeout | undefined
}

export class ServerGate {
  readonly #options: GateOptions
  readonly #servers = new Map<string, Server>()

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Asks when it is this question's turn. Rejects with ServerClosed where the server is not to be asked. */
  async ask<T>(
    name: string,
    urgent: boolean,
    question: () => Promise<{ readonly verdict: Verdict; readonly answer: T }>,
  ): Promise<T> {
    const server = this.#server(name)
    await this.#turn(server, urgent)
    let verdict: Verdict = 'failed'
    try {
      const { verdict: how, answer } = await question()
      verdict = how
      return answer
    } finally {
      this.#done(server, verdict)
    }
  }

  state(): ServerState[] {
    const now = this.#options.clock.ticks()
    return [...this.#servers].map(([server, { underWay, waiting, closedUntil }]) => ({
      server,
      underWay,
      waiting: waiting.length,
      closedMs: Math.max(0, closedUntil - now),
    }))
  }

  /** Refuses whoever waits. */
  close(): void {
    for (const server of this.#servers.values()) this.#refuseAll(server, 'closed', SECOND_MS)
  }

  #server(name: string): Server {
    let server = this.#servers.get(name)
    if (!server) {
      server = { underWay: 0, failures: 0, closedUntil: 0, probing: false, nextAt: 0, waiting: [], timer: undefined }
      this.#servers.set(name, server)
    }
    return server
  }

  async #turn(server: Server, urgent: boolean): Promise<void> {
    const { clock, waitingMax } = this.#options
    const closedMs = server.closedUntil - clock.ticks()
    if (closedMs > 0) throw new ServerClosed('the server is left alone for a while', closedMs)
    if (server.closedUntil > 0 && server.probing) throw new ServerClosed('the server is being tried', SECOND_MS)
    await new Promise<void>((begin, refuse) => {
      const waiter = { urgent, begin, refuse }
      const at = urgent ? server.waiting.findIndex((other) => !other.urgent) : -1
      server.waiting.splice(at < 0 ? server.waiting.length : at, 0, waiter)
      if (server.waiting.length > waitingMax) {
        server.waiting.pop()?.refuse(new ServerClosed('too many questions wait for the server', SECOND_MS))
      }
      this.#next(server)
    })
  }

  #next(server: Server): void {
    const { clock, concurrencyMax, perSecondMax } = this.#options
    while (server.waiting.length > 0) {
      const probe = server.closedUntil > 0
      if (server.underWay >= (probe ? 1 : concurrencyMax)) return
      const now = clock.ticks()
      if (server.nextAt > now) {
        server.timer ??= setTimeout(() => {
          server.timer = undefined
          this.#next(server)
        }, server.nextAt - now)
        server.timer.unref()
        return
      }
      server.nextAt = Math.max(server.nextAt, now) + SECOND_MS / perSecondMax
      server.underWay++
      server.probing = probe
      server.waiting.shift()?.begin()
    }
  }

  #done(server: Server, verdict: Verdict): void {
    const { clock, failuresToOpen, openMs } = this.#options
    server.underWay--
    server.probing = false
    if (verdict === 'answered') {
      server.failures = 0
      server.closedUntil = 0
    } else {
      server.failures++
      const leaveMs = verdict === 'failed' ? (server.failures >= failuresToOpen ? openMs : 0) : verdict.retryAfterMs
      if (leaveMs > 0) {
        server.closedUntil = clock.ticks() + leaveMs
        this.#refuseAll(server, 'the server is left alone for a while', leaveMs)
      }
    }
    this.#next(server)
  }

  #refuseAll(server: Server, message: string, retryMs: number): void {
    clearTimeout(server.timer)
    server.timer = undefined
    for (const { refuse } of server.waiting.splice(0)) refuse(new ServerClosed(message, retryMs))
  }
}
