import type { MxRecord, RecordWithTtl, SoaRecord } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { type Clock, MINUTE_MS, SECOND_MS, systemClock } from '../../lib/clock.ts'
import type { HeldBack, Observation, ObserveOptions } from '../facts.ts'
import { ServerClosed, ServerGate, type ServerState, type Verdict } from '../server-gate.ts'
import { ZoneShares, zoneOf } from './zone-shares.ts'

// Questions to DNS servers, in the order of the list: the next server is asked when a server is silent, refuses,
// answers SERVFAIL or nonsense, or is closed by the gate. A server's failure is a value, never an exception.
// Organisations share the questions to a server (server-gate.ts) and about a zone (zone-shares.ts).
export interface DnsResolver {
  ask<T extends QuestionType>(type: T, name: string, options: ObserveOptions): Promise<DnsAnswer<DnsRecords[T]>>
  /** True if any server answers; SERVFAIL and REFUSED do not count as answers. */
  answers(): Promise<boolean>
  state(): ServerState[]
  /** Aborts the questions in progress; later ones fail. */
  close(): void
}

/** Records as Node gives them. Names are as the DNS wrote them: they are text from strangers. */
export interface DnsRecords {
  readonly A: RecordWithTtl
  readonly AAAA: RecordWithTtl
  readonly MX: MxRecord
  readonly NS: string
  readonly SOA: SoaRecord
  /** The strings of a record joined, as SPF and DMARC require. */
  readonly TXT: string
  readonly CNAME: string
  readonly PTR: string
}

export type QuestionType = keyof DnsRecords

export type DnsAnswer<R> =
  | { readonly kind: 'answer'; readonly records: readonly R[] }
  /** The name exists, without such a record (NODATA). */
  | { readonly kind: 'none' }
  | { readonly kind: 'no_such_name' }
  | DnsFailure

export interface DnsFailure {
  readonly kind: 'failed'
  /** For operators: `timeout`, `SERVFAIL`. */
  readonly why: string
  readonly retryMs: number
  readonly held?: HeldBack | undefined
}

export function recordsOf<R>(answer: DnsAnswer<R>): readonly R[] {
  return answer.kind === 'answer' ? answer.records : []
}

/** Asks for the addresses of both versions. `failure` if one question failed, `ended` if one said "no such name". */
export async function askAddresses(resolver: DnsResolver, name: string, options: ObserveOptions) {
  const both = await Promise.all([resolver.ask('A', name, options), resolver.ask('AAAA', name, options)])
  const failure = both.find((answer) => answer.kind === 'failed')
  return { records: both.flatMap(recordsOf), failure, ended: both.some(({ kind }) => kind === 'no_such_name') }
}

/** An observer's result when a question that it needed failed. */
export function notSeen({ why, retryMs, held }: DnsFailure): Observation<never> {
  return { outcome: 'failed', why, retryMs, held }
}

export interface DnsResolverOptions {
  /** `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:53`; empty: the system's servers. */
  readonly servers?: readonly string[]
  readonly timeoutMs?: number
  readonly concurrencyMax?: number
  /** Questions in the queue for one server; default 100,000: a list of 10,000 names makes 80,000. */
  readonly waitingMax?: number
  readonly clock?: Pick<Clock, 'ticks'>
}

const ASK: { readonly [T in QuestionType]: (resolver: Resolver, name: string) => Promise<readonly DnsRecords[T][]> } = {
  A: (resolver, name) => resolver.resolve4(name, { ttl: true }),
  AAAA: (resolver, name) => resolver.resolve6(name, { ttl: true }),
  MX: (resolver, name) => resolver.resolveMx(name),
  NS: (resolver, name) => resolver.resolveNs(name),
  SOA: async (resolver, name) => [await resolver.resolveSoa(name)],
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((strings) => strings.join('')),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  PTR: (resolver, name) => resolver.resolvePtr(name),
}

/** Node's error codes, and what each says about the server. Others are `failed` with Node's own code. */
const FAILURES: Readonly<Record<string, { readonly why: string; readonly verdict: Verdict }>> = {
  ETIMEOUT: { why: 'timeout', verdict: 'failed' },
  ECONNREFUSED: { why: 'no DNS server listens there', verdict: 'failed' },
  EREFUSED: { why: 'REFUSED', verdict: 'failed' },
  // The rest concern the name: a zone with broken servers must not close the resolver for other names.
  ESERVFAIL: { why: 'SERVFAIL', verdict: 'answered' },
  EFORMERR: { why: 'FORMERR', verdict: 'answered' },
  ENOTIMP: { why: 'NOTIMP', verdict: 'answered' },
  EBADRESP: { why: 'an answer that cannot be read', verdict: 'answered' },
}

/** The library's minimum timeout, to which it shortens any longer timeout where a server is fast. */
const SHARED_MS = 250
const FAILURES_TO_OPEN = 5
const OPEN_MS = 10 * SECOND_MS
const RETRY_MS = MINUTE_MS
const CLOSED: DnsFailure = { kind: 'failed', why: 'the resolver is closed', retryMs: SECOND_MS }
const TOO_MANY: DnsFailure = { kind: 'failed', why: 'too many questions for one look-up', retryMs: RETRY_MS }

interface Server {
  readonly address: string
  readonly shared: Resolver
  /** While the root is being asked, to check whether the server is alive. */
  sounding: Promise<boolean> | undefined
  /** When it last answered anything, in ticks. */
  heardAt: number
}

export function createDnsResolver(options: DnsResolverOptions = {}): DnsResolver {
  const { timeoutMs = 2 * SECOND_MS, concurrencyMax = 200, waitingMax = 100_000, clock = systemClock } = options
  const gate = new ServerGate({
    concurrencyMax,
    perSecondMax: Number.POSITIVE_INFINITY,
    waitingMax,
    failuresToOpen: FAILURES_TO_OPEN,
    openMs: OPEN_MS,
    clock,
  })
  const zones = new ZoneShares(clock)
  const listed = options.servers ?? []
  let servers = (listed.length > 0 ? listed : systemServers()).map(serverAt)
  const apart = new Set<Resolver>()
  let open = true

  function serverAt(address: string): Server {
    return { address, shared: channel(address, SHARED_MS, timeoutMs), sounding: undefined, heardAt: -1 }
  }

  /** The system's servers may change while we run, or start after us. */
  function followSystem(): void {
    const now = listed.length > 0 ? listed : systemServers()
    if (now.join() === servers.map(({ address }) => address).join()) return
    for (const { shared } of servers) shared.cancel()
    servers = now.map(serverAt)
  }

  async function alone<T>({ address }: Server, question: (resolver: Resolver) => Promise<T>): Promise<T> {
    const resolver = channel(address, timeoutMs, timeoutMs)
    apart.add(resolver)
    try {
      return await question(resolver)
    } finally {
      apart.delete(resolver)
      resolver.cancel()
    }
  }

  /**
   * One question to one server; rejects as Node does. Most questions use a shared channel: a separate channel for each
   * costs four times as much. But a shared channel gives up early, whatever its timeout, where the server has been fast
   * so far; and bytes that it cannot parse end every question in progress. A question that fails there in such a way is
   * asked again on its own channel, within the same time limit.
   */
  async function put<T extends QuestionType>(server: Server, type: T, name: string) {
    let timer: NodeJS.Timeout | undefined
    let expired = false
    const limit = new Promise<never>((_, reject) => {
      const expire = () => {
        expired = true
        reject(Object.assign(new Error('timeout'), { code: 'ETIMEOUT' }))
      }
      timer = setTimeout(() => {
        void isAlive(server)
        timer = setTimeout(expire, timeoutMs / 2)
      }, timeoutMs / 2)
    })
    try {
      return await Promise.race([ASK[type](server.shared, name), limit])
    } catch (error) {
      const code = codeOf(error)
      if (!open || expired || (code !== 'ETIMEOUT' && code !== 'EBADRESP')) throw error
      return await alone(server, (resolver) => Promise.race([ASK[type](resolver, name), limit]))
    } finally {
      clearTimeout(timer)
    }
  }

  // Asks for the root, which every server knows. A server that is silent about a name may itself be waiting for the
  // name's servers: without this check, five names with broken servers would close the resolver for all others.
  function isAlive(server: Server): Promise<boolean> {
    if (!open) return Promise.resolve(false)
    const sound = async () => {
      const alive = await alone(server, (resolver) => resolver.resolveNs('.')).then(
        () => true,
        (error) => isNegative(codeOf(error)),
      )
      server.sounding = undefined
      if (alive) {
        server.heardAt = clock.ticks()
        gate.heard(server.address)
      }
      return alive
    }
    server.sounding ??= sound()
    return server.sounding
  }

  async function askServer<T extends QuestionType>(
    server: Server,
    type: T,
    name: string,
    options: ObserveOptions,
  ): Promise<DnsAnswer<DnsRecords[T]>> {
    try {
      return await gate.ask<DnsAnswer<DnsRecords[T]>>(server.address, options, async () => {
        const begunAt = clock.ticks()
        const judged = await answerOf(server, type, name)
        if (judged.verdict === 'answered') server.heardAt = clock.ticks()
        const zone = zoneOf(name)
        if (judged.answer.kind !== 'failed') zones.answered(zone)
        // A dead resolver says nothing about the zone.
        else if (open && server.heardAt >= begunAt) zones.failed(zone, type === 'NS' && name === zone)
        return judged
      })
    } catch (error) {
      if (!(error instanceof ServerClosed)) throw error
      const { message: why, retryMs, held } = error
      return { kind: 'failed', why, retryMs, held }
    }
  }

  async function answerOf<T extends QuestionType>(
    server: Server,
    type: T,
    name: string,
  ): Promise<{ readonly verdict: Verdict; readonly answer: DnsAnswer<DnsRecords[T]> }> {
    try {
      const records = await put(server, type, name)
      // A circular chain of CNAMEs is an answer without the requested records.
      return { verdict: 'answered', answer: records.length > 0 ? { kind: 'answer', records } : { kind: 'none' } }
    } catch (error) {
      const code = codeOf(error)
      const judged = read(code)
      // A server may refuse some names. A server that refuses us refuses the root too.
      return code === 'EREFUSED' && (await isAlive(server)) ? { ...judged, verdict: 'answered' } : judged
    }
  }

  async function ask<T extends QuestionType>(type: T, name: string, options: ObserveOptions) {
    if (options.questions && options.questions.left-- <= 0) return TOO_MANY
    const hold = zones.hold(zoneOf(name), options.organisationId)
    if (hold) return { kind: 'failed' as const, ...hold }
    let failure: DnsFailure | undefined
    for (const server of servers) {
      if (!open) return CLOSED
      const answer = await askServer(server, type, name, options)
      if (answer.kind !== 'failed') return answer
      failure ??= answer
    }
    return open ? (failure ?? CLOSED) : CLOSED
  }

  return {
    ask,
    answers() {
      followSystem()
      // The first server that answers decides: a dead server beside it costs no time.
      const heard = servers.map((server) =>
        put(server, 'NS', '.').catch((error) => {
          // Networks without internet access have resolvers that deny every name, the root too. A resolver that the
          // operator named may know only its own names.
          if (!isNegative(codeOf(error)) || listed.length === 0) throw error
        }),
      )
      return Promise.any(heard).then(
        () => open,
        () => false,
      )
    },
    state: () => gate.state(),
    close() {
      open = false
      gate.close()
      for (const resolver of [...servers.map(({ shared }) => shared), ...apart]) resolver.cancel()
    },
  }
}

/** The currently configured servers: a new Resolver reads them again. */
const systemServers = () => new Resolver().getServers()

/** The library's timeout is `firstMs`; after a first answer it is five times the server's usual answer time. */
function channel(address: string, firstMs: number, timeoutMs: number): Resolver {
  const resolver = new Resolver({ timeout: firstMs, maxTimeout: timeoutMs, tries: 1 })
  resolver.setServers([address])
  return resolver
}

function read(code: string): { verdict: Verdict; answer: DnsAnswer<never> } {
  if (code === 'ENODATA') return { verdict: 'answered', answer: { kind: 'none' } }
  // A name too long to be asked about, such as one with the prefix `_dmarc.`, cannot exist.
  if (code === 'ENOTFOUND' || code === 'EBADNAME') return { verdict: 'answered', answer: { kind: 'no_such_name' } }
  const { why, verdict } = FAILURES[code] ?? { why: code, verdict: 'answered' }
  return { verdict, answer: { kind: 'failed', why, retryMs: RETRY_MS } }
}

const isNegative = (code: string) => code === 'ENODATA' || code === 'ENOTFOUND'

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
