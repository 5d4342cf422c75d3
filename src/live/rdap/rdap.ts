import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { NOBODY } from '../../lib/fair-shares.ts'
import { readJsonText } from '../../lib/json-text.ts'
import { LIMITS } from '../../limits.ts'
import type { HeldBack, Observation, ObserveOptions, Observer, Registration } from '../facts.ts'
import { ServerClosed, ServerGate, type ServerState, type Verdict } from '../server-gate.ts'
import type { Bootstrap } from './bootstrap.ts'
import { Client, type ClientOptions, type Reply } from './client.ts'
import { keepMs, readRegistration } from './read.ts'

/** Asks registries about registrable names (RDAP, RFC 9082): when registered, by whom, until when. */
export interface RdapOptions extends Pick<ClientOptions, 'resolve' | 'allowLoopback'> {
  readonly clock: Clock
  /** Called for every name, because the list is refreshed while names are looked up. */
  readonly bootstrap: () => Bootstrap
  /** One base address that knows every name, instead of the list. */
  readonly ownBase?: string | undefined
  /** Timeout for one name, including redirects, without the wait for a turn. Default 4 seconds. */
  readonly timeoutMs?: number | undefined
}

const TIMEOUT_MS = 4 * SECOND_MS
const BYTES_MAX = 256 * 1024
const REDIRECTS_MAX = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const KEEP_UNREGISTERED_MS = HOUR_MS
const RETRY_FAULT_MS = MINUTE_MS
const RETRY_REFUSED_MS = 10 * MINUTE_MS
const RETRY_NO_SERVER_MS = DAY_MS

const BREAKER = { failuresToOpen: 5, openMs: MINUTE_MS }
/** Registries refuse greedy callers. */
const PUBLIC_LIMITS = {
  ...BREAKER,
  concurrencyMax: LIMITS.queues.registryQuestionsAtOnce,
  perSecondMax: LIMITS.rates.registryQuestionsPerSecond,
  waitingMax: LIMITS.queues.registryQuestionsWaiting,
}
/** An organisation alone gets 64. Room for twice the largest list of names. */
const OWN_LIMITS = { ...BREAKER, concurrencyMax: 96, perSecondMax: Number.POSITIVE_INFINITY, waitingMax: 20_000 }

/** Redirects may lead to any number of hosts: hosts that are not in the list share one gate. */
const ELSEWHERE = 'other servers'

const NOBODY_ANSWERS = 'no RDAP server answers'

type Step = { readonly observation: Observation<Registration> } | { readonly redirect: URL; readonly tookMs: number }

interface Judged {
  readonly verdict: Verdict
  readonly observation: Observation<Registration>
}

export class RdapObserver implements Observer<'registration'> {
  readonly sort = 'registration'
  /** Also fetches the list of servers. */
  readonly client: Client
  readonly #options: RdapOptions
  readonly #ownBase: string | undefined
  readonly #ownGate: ServerGate
  readonly #publicGate: ServerGate
  /** By organisation, since the last answer of any server: one may ask for names of dead registries only. */
  readonly #outages = new Map<string, Outage>()

  constructor(options: RdapOptions) {
    const { clock, ownBase, resolve, allowLoopback } = options
    this.#options = options
    this.#ownBase = ownBase?.replace(/\/*$/, '/')
    const ownOrigin = ownBase === undefined ? undefined : new URL(ownBase).origin
    this.client = new Client({ ownOrigin, resolve, allowLoopback })
    this.#ownGate = new ServerGate({ ...OWN_LIMITS, clock })
    this.#publicGate = new ServerGate({ ...PUBLIC_LIMITS, clock })
  }

  async observe(name: string, options: ObserveOptions): Promise<Observation<Registration>> {
    const base = this.#ownBase ?? this.#options.bootstrap().base(name)
    if (base === undefined) return failed(`no RDAP server for .${name.split('.').at(-1)}`, RETRY_NO_SERVER_MS)
    let url = new URL(`${base}domain/${name}`)
    let leftMs = this.#options.timeoutMs ?? TIMEOUT_MS
    try {
      for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
        // Every hop waits for its own turn: a question that kept its place at one server while it waits for another
        // could deadlock with itself.
        const step = await this.#ask(url, name, options, Math.max(1, leftMs))
        if ('observation' in step) return step.observation
        // Only the operator's own server may redirect to itself: other servers must not choose what it is asked for.
        if (!this.client.isOwn(url) && this.client.isOwn(step.redirect))
          return failed('a redirect back', RETRY_FAULT_MS)
        url = step.redirect
        leftMs -= step.tookMs
      }
    } catch (error) {
      if (error instanceof ServerClosed) return failed(error.message, error.retryMs, error.held)
      throw error
    }
    return failed(`more than ${REDIRECTS_MAX} redirects`, RETRY_FAULT_MS)
  }

  state(): ServerState[] {
    return [...this.#ownGate.state(), ...this.#publicGate.state()]
  }

  async close(): Promise<void> {
    this.#ownGate.close()
    this.#publicGate.close()
    await this.client.close()
  }

  async #ask(url: URL, name: string, options: ObserveOptions, timeoutMs: number): Promise<Step> {
    const question = async () => {
      const startedAt = this.#options.clock.ticks()
      const reply = await this.client.get(url, { timeoutMs, bytesMax: BYTES_MAX })
      return { reply, tookMs: this.#options.clock.ticks() - startedAt }
    }
    if (this.client.isOwn(url)) {
      return this.#ownGate.ask(url.host, options, async () => this.#step(url, name, await question()))
    }
    const outage = this.#outageOf(options.organisationId)
    const closedMs = outage.closedMs()
    if (closedMs > 0) throw new ServerClosed(NOBODY_ANSWERS, closedMs)
    const place = this.#options.bootstrap().hasHost(url.host) ? url.host : ELSEWHERE
    return this.#publicGate.ask(place, options, async () => {
      // An outage may have begun while this question waited for its turn; that is not a fault of this server.
      const closedMs = outage.closedMs()
      if (closedMs > 0)
        return { verdict: 'answered', answer: { observation: failed(NOBODY_ANSWERS, closedMs, 'server_silent') } }
      outage.began()
      const asked = await question()
      const answered = !('failed' in asked.reply) || asked.reply.answered
      outage.ended(url.host, answered)
      if (answered) this.#outages.clear()
      return this.#step(url, name, asked)
    })
  }

  #outageOf(organisationId = NOBODY): Outage {
    const outage = this.#outages.get(organisationId) ?? new Outage(this.#options.clock)
    this.#outages.set(organisationId, outage)
    return outage
  }

  #step(
    url: URL,
    name: string,
    { reply, tookMs }: { readonly reply: Reply; readonly tookMs: number },
  ): { readonly verdict: Verdict; readonly answer: Step } {
    if (!('failed' in reply) && REDIRECTS.has(reply.status)) {
      const location = reply.header('location') ?? ''
      if (location !== '' && URL.canParse(location, url.href)) {
        return { verdict: 'answered', answer: { redirect: new URL(location, url), tookMs } }
      }
    }
    const { verdict, observation } = judge(reply, name, url.host, this.#options.clock.now())
    return { verdict, answer: { observation } }
  }
}

function judge(reply: Reply, name: string, server: string, nowMs: number): Judged {
  if ('failed' in reply) return { verdict: 'failed', observation: failed(reply.failed, RETRY_FAULT_MS) }
  const { status, body } = reply
  if (status === 200) {
    const value = readRegistration(readJsonText(body)?.value, { name, server, nowMs })
    if (value) return { verdict: 'answered', observation: { outcome: 'seen', value, keepMs: keepMs(value, nowMs) } }
    return { verdict: 'failed', observation: failed('not an RDAP answer about the name', RETRY_FAULT_MS) }
  }
  if (status === 404) {
    const value: Registration = { found: false, statuses: [], server }
    return { verdict: 'answered', observation: { outcome: 'seen', value, keepMs: KEEP_UNREGISTERED_MS } }
  }
  const why = `HTTP ${status}`
  if (status === 429 || status === 503) {
    const leaveMs = retryAfterMs(reply.header('retry-after'), nowMs)
    return { verdict: { retryAfterMs: leaveMs }, observation: failed(why, leaveMs) }
  }
  // The server works; it will give the same answer about this name in a minute.
  if (status >= 400 && status < 500) return { verdict: 'answered', observation: failed(why, RETRY_REFUSED_MS) }
  return { verdict: 'failed', observation: failed(why, RETRY_FAULT_MS) }
}

function failed(why: string, retryMs: number, held?: HeldBack): Observation<Registration> {
  return { outcome: 'failed', why, retryMs, held }
}

const FAILURES_TO_OPEN = 8
const HOSTS_TO_OPEN = 2

// Detects that no server answers at all, as on a machine without internet access. Then no server is asked for a minute,
// after which one question tries again: such a machine must not wait at every check.
export class Outage {
  readonly #clock: Pick<Clock, 'ticks'>
  readonly #hosts = new Set<string>()
  #failures = 0
  #closedUntil = 0
  #trying = false

  constructor(clock: Pick<Clock, 'ticks'>) {
    this.#clock = clock
  }

  /** Milliseconds until the next question is allowed; 0 if it is allowed now. */
  closedMs(): number {
    if (this.#closedUntil === 0) return 0
    const leftMs = Math.max(0, this.#closedUntil - this.#clock.ticks())
    return leftMs === 0 && this.#trying ? SECOND_MS : leftMs
  }

  began(): void {
    this.#trying = this.#closedUntil > 0
  }

  ended(host: string, answered: boolean): void {
    this.#trying = false
    if (answered) {
      this.#failures = 0
      this.#closedUntil = 0
      this.#hosts.clear()
      return
    }
    this.#failures++
    if (this.#hosts.size < HOSTS_TO_OPEN) this.#hosts.add(host)
    if (this.#failures >= FAILURES_TO_OPEN && this.#hosts.size >= HOSTS_TO_OPEN) {
      this.#closedUntil = this.#clock.ticks() + MINUTE_MS
    }
  }
}

const UNSAID_MS = 10 * SECOND_MS

/** How long a server asks us to wait (RFC 9110 §10.2.3): seconds or a date; at most an hour. */
function retryAfterMs(header: string | undefined, nowMs: number): number {
  const written = header?.trim() ?? ''
  const untilMs = /^[a-z]{3,9},? /i.test(written) ? Date.parse(written) - nowMs : Number.NaN
  const waitMs = /^\d{1,9}$/.test(written) ? Number(written) * SECOND_MS : untilMs
  if (Number.isNaN(waitMs)) return UNSAID_MS
  return Math.min(Math.max(waitMs, SECOND_MS), HOUR_MS)
}
