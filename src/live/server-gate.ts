import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { FairQueue, longestOf, NOBODY, SharedPlaces } from '../lib/fair-shares.ts'
import type { Asker, HeldBack } from './facts.ts'

/**
 * Rate limit and circuit breaker for servers. For each server:
 *
 * 1. At most `concurrencyMax` questions are in progress and at most `perSecondMax` begin in a second; others wait in a
 *    queue. Organisations take turns and share the places, urgent questions first: after three of these one of a list
 *    follows. If the queue exceeds `waitingMax`, the organisation with the most questions in it loses its last one.
 * 2. After `failuresToOpen` failures in a row of an organisation the server is not asked for `openMs` by it; then one
 *    question tries it. Others go on: a server may fail about some names, and a stranger could ask for these. A server
 *    that says when to retry is not asked earlier by anybody, whatever the results of other questions.
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

/** The server must not be asked now, by this organisation. */
export class ServerClosed extends Error {
  readonly retryMs: number
  readonly held: HeldBack
  constructor(message: string, retryMs: number, held: HeldBack = 'server_silent') {
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
  readonly begin: (turn: { readonly isProbe: boolean }) => void
  readonly refuse: (error: ServerClosed) => void
}

interface Server {
  readonly places: SharedPlaces
  answers: number
  /** As the server said; 0 if it may be asked. */
  closedUntil: number
  /** By organisation, since the last answer. */
  readonly failures: Map<string, { count: number; closedUntil: number }>
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
    const { isProbe } = await this.#turn(server, asker)
    const answersBefore = server.answers
    let verdict: Verdict = 'failed'
    try {
      const { verdict: how, answer } = await question()
      verdict = how
      return answer
    } finally {
      if (isProbe) server.probing = false
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
    return [...this.#servers].map(([name, server]) => ({
      server: name,
      underWay: server.places.used,
      waiting: server.urgent.size + server.others.size,
      closedMs: Math.max(0, ...[NOBODY, ...server.failures.keys()].map((who) => closedUntil(server, who) - now)),
    }))
  }

  close(): void {
    for (const server of this.#servers.values()) {
      clearTimeout(server.timer)
      for (const line of [server.urgent, server.others]) refuse(line.clear(), 'closed', SECOND_MS)
    }
  }

  #server(name: string): Server {
    let server = this.#servers.get(name)
    if (!server) {
      server = {
        places: new SharedPlaces(this.#options.concurrencyMax),
        answers: 0,
        closedUntil: 0,
        failures: new Map(),
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

  async #turn(server: Server, { urgent, organisationId: who = NOBODY }: Asker) {
    const { clock, waitingMax } = this.#options
    const until = closedUntil(server, who)
    const closedMs = until - clock.ticks()
    if (closedMs > 0) throw new ServerClosed(LEFT_ALONE, closedMs)
    // An urgent question may wait for the outcome of the probe: usually the server works again.
    if (until > 0 && server.probing && !urgent) throw new ServerClosed('the server is being tried', SECOND_MS)
    return new Promise<{ readonly isProbe: boolean }>((begin, refuse) => {
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
    while (server.urgent.size + server.others.size > 0 && server.places.used < concurrencyMax) {
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
      const isProbe = closedUntil(server, first.who) > 0
      server.probing ||= isProbe
      first.begin({ isProbe })
    }
  }

  /** Lists are not starved by urgent questions, whose organisation may be another. */
  #take(server: Server): Waiter | undefined {
    const mayGo = (who: string) => server.places.mayTake(who) && !(server.probing && closedUntil(server, who) > 0)
    const ofList = server.urgentInRow >= URGENT_IN_ROW_MAX ? server.others.shift(mayGo) : undefined
    const urgent = ofList ? undefined : server.urgent.shift(mayGo)
    const taken = ofList ?? urgent ?? server.others.shift(mayGo)
    if (taken) server.urgentInRow = taken === urgent ? server.urgentInRow + 1 : 0
    return taken
  }

  #done(server: Server, { organisationId: who = NOBODY }: Asker, verdict: Verdict, answersBefore: number): void {
    const now = this.#options.clock.ticks()
    server.places.giveBack(who)
    if (verdict === 'answered') this.#answered(server)
    else if (verdict !== 'failed') {
      server.closedUntil = Math.max(server.closedUntil, now + verdict.retryAfterMs)
      for (const line of [server.urgent, server.others]) refuse(line.clear(), LEFT_ALONE, server.closedUntil - now)
    } else if (server.answers === answersBefore) this.#failed(server, who, now)
    this.#next(server)
  }

  #failed(server: Server, who: string, now: number): void {
    const { failuresToOpen, openMs } = this.#options
    const count = (server.failures.get(who)?.count ?? 0) + 1
    const isClosed = count >= failuresToOpen
    server.failures.set(who, { count, closedUntil: isClosed ? now + openMs : 0 })
    if (isClosed) for (const line of [server.urgent, server.others]) refuse(line.clear(who), LEFT_ALONE, openMs)
  }

  #answered(server: Server): void {
    server.answers++
    server.failures.clear()
    // An answer to a question from before does not change what the server said.
    if (server.closedUntil <= this.#options.clock.ticks()) server.closedUntil = 0
  }
}

const LEFT_ALONE = 'the server is not asked for a while'

/** In ticks; 0 if the server may be asked. A time that is over means that one question tries it. */
function closedUntil(server: Server, who: string): number {
  return Math.max(server.closedUntil, server.failures.get(who)?.closedUntil ?? 0)
}

function refuse(waiters: readonly Waiter[], message: string, retryMs: number): void {
  for (const waiter of waiters) waiter.refuse(new ServerClosed(message, retryMs))
}
