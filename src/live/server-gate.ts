import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { FairQueue, longestOf, NOBODY, SharedPlaces } from '../lib/fair-shares.ts'
import type { Asker, HeldBack } from './facts.ts'

/**
 * Rate limit and circuit breaker for servers. For each server:
 *
 * 1. At most `concurrencyMax` questions are in progress and at most `perSecondMax` begin in a second; others wait in a
 *    queue. Organisations take turns and share the places, urgent questions first: after three of these one of a list
 *    follows. If the queue exceeds `waitingMax`, the organisation with the most questions in it loses its last one.
 * 2. After `failuresToOpen` failures in a row the server is not asked for `openMs`; then one question tries it. A
 *    server that says when to retry is not asked earlier, whatever the results of other questions.
 * 3. A failure counts only if the server has answered nothing since that question began: a server that is silent about
 *    six of two hundred questions, and answers the others, works.
 */
export interface GateOptions {
  readonly concurrencyMax: number
  /** Infinity if the server may be asked as fast as it answers. */
  readonly perSecondMax: number
  readonly waitingMax: number
  readonly failuresToOpen: number
  readonly openMs: number
  readonly clock: Pick<Clock, 'ticks'>
}

/** The server must not be asked now. */
export class ServerClosed extends Error {
  readonly retryMs: number
  /** Set if a share is used up, which says nothing about the server. */
  readonly held: HeldBack | undefined
  constructor(message: string, retryMs: number, held?: HeldBack) {
    super(message)
    this.name = 'ServerClosed'
    this.retryMs = retryMs
    this.held = held
  }
}

/** The result of a question; `retryAfterMs` if the server said when to retry. */
export type Verdict = 'answered' | 'failed' | { readonly retryAfterMs: number }

export interface ServerState {
  readonly server: string
  readonly underWay: number
  readonly waiting: number
  /** Milliseconds until it is asked again; 0 if it may be asked now. */
  readonly closedMs: number
}

interface Waiter {
  readonly who: string
  readonly begin: () => void
  readonly refuse: (error: ServerClosed) => void
}

interface Server {
  readonly places: SharedPlaces
  answers: number
  failures: number
  closedUntil: number
  probing: boolean
  /** When the next question may begin, by the rate limit. */
  nextAt: number
  readonly urgent: FairQueue<Waiter>
  readonly others: FairQueue<Waiter>
  urgentInRow: number
  timer: NodeJS.Timeout | undefined
}

const URGENT_IN_ROW_MAX = 3

export class ServerGate {
  readonly #options: GateOptions
  readonly #servers = new Map<string, Server>()

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Asks when it is this question's turn. Rejects with ServerClosed if the server must not be asked. */
  async ask<T>(
    name: string,
    asker: Asker,
    question: () => Promise<{ readonly verdict: Verdict; readonly answer: T }>,
  ): Promise<T> {
    const server = this.#server(name)
    await this.#turn(server, asker)
    const answersBefore = server.answers
    let verdict: Verdict = 'failed'
    try {
      const { verdict: how, answer } = await question()
      verdict = how
      return answer
    } finally {
      this.#done(server, asker, verdict, answersBefore)
    }
  }

  /** The server answered a question that did not pass the gate. */
  heard(name: string): void {
    const server = this.#server(name)
    this.#answered(server)
    this.#next(server)
  }

  state(): ServerState[] {
    const now = this.#options.clock.ticks()
    return [...this.#servers].map(([server, { places, urgent, others, closedUntil }]) => ({
      server,
      underWay: places.used,
      waiting: urgent.size + others.size,
      closedMs: Math.max(0, closedUntil - now),
    }))
  }

  close(): void {
    for (const server of this.#servers.values()) this.#refuseAll(server, 'closed', SECOND_MS)
  }

  #server(name: string): Server {
    let server = this.#servers.get(name)
    if (!server) {
      server = {
        places: new SharedPlaces(this.#options.concurrencyMax),
        answers: 0,
        failures: 0,
        closedUntil: 0,
        probing: false,
        nextAt: 0,
        urgent: new FairQueue(),
        others: new FairQueue(),
        urgentInRow: 0,
        timer: undefined,
      }
      this.#servers.set(name, server)
    }
    return server
  }

  async #turn(server: Server, { urgent, organisationId: who = NOBODY }: Asker): Promise<void> {
    const { clock, waitingMax } = this.#options
    const closedMs = server.closedUntil - clock.ticks()
    if (closedMs > 0) throw new ServerClosed('the server is not asked for a while', closedMs)
    // An urgent question may wait for the outcome of the probe: usually the server works again.
    if (server.closedUntil > 0 && server.probing && !urgent)
      throw new ServerClosed('the server is being tried', SECOND_MS)
    await new Promise<void>((begin, refuse) => {
      const line = urgent ? server.urgent : server.others
      line.push(who, { who, begin, refuse })
      this.#next(server)
      if (server.urgent.size + server.others.size > waitingMax) {
        const longest = longestOf([server.urgent, server.others]) ?? who
        const last = server.others.pop(longest) ?? server.urgent.pop(longest)
        last?.refuse(new ServerClosed('too many requests wait for the server', SECOND_MS, 'queue_full'))
      }
    })
  }

  #next(server: Server): void {
    const { clock, concurrencyMax, perSecondMax } = this.#options
    while (server.urgent.size + server.others.size > 0) {
      const probe = server.closedUntil > 0
      if (server.places.used >= (probe ? 1 : concurrencyMax)) return
      const now = clock.ticks()
      if (server.nextAt > now) {
        server.timer ??= setTimeout(() => {
          server.timer = undefined
          this.#next(server)
        }, server.nextAt - now)
        server.timer.unref()
        return
      }
      const first = this.#take(server)
      if (!first) return
      server.nextAt = Math.max(server.nextAt, now) + SECOND_MS / perSecondMax
      server.places.take(first.who)
      server.probing = probe
      first.begin()
    }
  }

  /** Lists are not starved by urgent questions, whose organisation may be another. */
  #take(server: Server): Waiter | undefined {
    const mayGo = (who: string) => server.places.mayTake(who)
    const ofList = server.urgentInRow >= URGENT_IN_ROW_MAX ? server.others.shift(mayGo) : undefined
    const urgent = ofList ? undefined : server.urgent.shift(mayGo)
    const taken = ofList ?? urgent ?? server.others.shift(mayGo)
    if (taken) server.urgentInRow = taken === urgent ? server.urgentInRow + 1 : 0
    return taken
  }

  #done(server: Server, { organisationId: who = NOBODY }: Asker, verdict: Verdict, answersBefore: number): void {
    const { clock, failuresToOpen, openMs } = this.#options
    const now = clock.ticks()
    server.places.giveBack(who)
    server.probing = false
    if (verdict === 'answered') this.#answered(server)
    else {
      if (server.answers === answersBefore) server.failures++
      const leaveMs = verdict === 'failed' ? (server.failures >= failuresToOpen ? openMs : 0) : verdict.retryAfterMs
      if (leaveMs > 0) {
        server.closedUntil = Math.max(server.closedUntil, now + leaveMs)
        this.#refuseAll(server, 'the server is not asked for a while', server.closedUntil - now)
      }
    }
    this.#next(server)
  }

  #answered(server: Server): void {
    server.answers++
    server.failures = 0
    // An answer to a question that began before the server was closed does not open it.
    if (server.closedUntil <= this.#options.clock.ticks()) server.closedUntil = 0
  }

  #refuseAll(server: Server, message: string, retryMs: number): void {
    clearTimeout(server.timer)
    server.timer = undefined
    for (const waiter of [...server.urgent.clear(), ...server.others.clear()]) {
      waiter.refuse(new ServerClosed(message, retryMs))
    }
  }
}
