import { createSocket } from 'node:dgram'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import * as packet from 'dns-packet'

/**
 * A DNS server on loopback, over UDP and TCP, that answers like a recursive resolver: the whole CNAME chain with its
 * end, NXDOMAIN for a name that is not in the table, an empty answer for a type that the name does not have. A long
 * answer is truncated over UDP and complete over TCP.
 *
 *     const dns = await startDnsServer({
 *       'example.com': { A: ['192.0.2.1'], MX: [[10, 'mx.example.com']], TXT: ['v=spf1 -all', ['two ', 'strings']] },
 *       'www.example.com': { CNAME: 'example.com' },
 *     })
 *     const resolver = createDnsResolver({ servers: [dns.address] })
 *     dns.behave('slow.example', 'silent')
 *     const held = dns.hold('late.example')      // questions about it wait
 *     await held.arrived                         // resolves when the first has arrived
 *     held.release()                             // answers the waiting questions
 *     dns.asked('example.com', 'MX')             // the number of such questions
 *     dns.questions()                            // the distinct questions: ['example.com MX', …]
 */
export interface Records {
  readonly A?: readonly string[]
  readonly AAAA?: readonly string[]
  readonly CNAME?: string
  readonly MX?: readonly (readonly [preference: number, exchange: string])[]
  readonly NS?: readonly string[]
  readonly PTR?: readonly string[]
  /** A record of several strings is an array of them. */
  readonly TXT?: readonly (string | readonly string[])[]
  readonly SOA?: { readonly mname: string; readonly rname: string; readonly serial: number; readonly minimum: number }
  /** For all its records; default 300. */
  readonly ttlS?: number
}

export type Behaviour =
  | 'nxdomain'
  | 'servfail'
  | 'refused'
  /** The question is not understood (FORMERR). */
  | 'formerr'
  /** No answer at all. */
  | 'silent'
  /** Bytes that are not a DNS message. */
  | 'garbage'
  /** An answer that is cut off in the middle of a record. */
  | 'cut'
  /** The answer to another question, with the right id. */
  | 'other_question'
  /** Over UDP only the truncation flag; over TCP the answer. */
  | 'truncated'

type QuestionType = Exclude<keyof Records, 'ttlS'>

export interface DnsServer {
  /** `127.0.0.1:port`, in the form of a list of servers. */
  readonly address: string
  /** The table of names; `*.example.com` matches every name below. A test may change it. */
  readonly names: Record<string, Records>
  /** The delay of every answer. */
  latencyMs: number
  /**
   * Sets the behaviour for questions about the name, or of one type about it; undefined: the default. `*`: any name.
   */
  behave(name: string, behaviour: Behaviour | undefined, type?: QuestionType): void
  hold(name: string): { readonly arrived: Promise<void>; release(): void }
  /**
   * The number of questions about the name, or of one type about it; over UDP and TCP. `*`: any name. On a slow machine
   * a question may come twice: use questions() for the distinct questions.
   */
  asked(name: string, type?: QuestionType): number
  /** Every distinct question, in the order of its first arrival. */
  questions(): string[]
  /** The number of questions over TCP. */
  askedOverTcp(): number
  close(): Promise<void>
}

const RCODES = { nxdomain: 3, servfail: 2, refused: 5, formerr: 1 } as const
/** The root is asked to find out whether the server answers at all. */
const ROOT: Records = { NS: ['a.root-servers.net'] }
const CHAIN_MAX = 20
const UDP_BYTES_DEFAULT = 512

/** `more`: for names that are in no table, such as the 10,000 of a benchmark. */
export async function startDnsServer(
  names: Record<string, Records> = {},
  more: (name: string) => Records | undefined = () => undefined,
): Promise<DnsServer> {
  const behaviours = new Map<string, Behaviour>()
  const counts = new Map<string, number>()
  const holds = new Map<string, { arrive: () => void; readonly released: Promise<void> }>()
  let overTcp = 0

  function recordsOf(name: string): Records | undefined {
    if (name === '.') return names['.'] ?? ROOT
    const exact = names[name] ?? more(name)
    if (exact) return exact
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const wild = names[`*${name.slice(dot)}`]
      if (wild) return wild
    }
    // A name with names below it exists, without records.
    return Object.keys(names).some((other) => other.endsWith(`.${name}`)) ? {} : undefined
  }

  function lookUp(question: packet.Question): { answers: packet.Answer[]; rcode: number } {
    const answers: packet.Answer[] = []
    let name = question.name.toLowerCase()
    for (let step = 0; step < CHAIN_MAX; step++) {
      const records = recordsOf(name)
      if (!records) return { answers, rcode: RCODES.nxdomain }
      const found = answersOf(name, records, question.type)
      if (found.length > 0 || records.CNAME === undefined) return { answers: [...answers, ...found], rcode: 0 }
      const target = records.CNAME
      if (answers.some((answer) => answer.name === name)) return { answers, rcode: 0 }
      answers.push({ type: 'CNAME', name, ttl: records.ttlS ?? 300, data: target })
      name = target.toLowerCase()
    }
    return { answers, rcode: 0 }
  }

  /** The bytes of the answer; undefined for no answer. */
  function respond(query: packet.DecodedPacket, question: packet.Question, tcp: boolean): Buffer | undefined {
    const name = question.name.toLowerCase()
    const behaviour =
      behaviours.get(`${name} ${question.type}`) ??
      behaviours.get(name) ??
      behaviours.get(`* ${question.type}`) ??
      behaviours.get('*')
    const reply = (rcode: number, answers: packet.Answer[], flags = 0, questions = [question]) =>
      packet.encode({
        type: 'response',
        id: query.id ?? 0,
        flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | flags | rcode,
        questions,
        answers,
      })
    switch (behaviour) {
      case 'silent':
        return undefined
      case 'garbage':
        return Buffer.from('this is not a DNS message, and longer than the head of one')
      case 'nxdomain':
      case 'servfail':
      case 'refused':
      case 'formerr':
        return reply(RCODES[behaviour], [])
      case 'other_question': {
        const other = { ...question, name: `other-than-${name}` }
        return reply(0, [{ type: 'A', name: other.name, ttl: 300, data: '192.0.2.99' }], 0, [other])
      }
    }
    const { answers, rcode } = lookUp(question)
    const whole = reply(rcode, answers)
    if (behaviour === 'cut') return whole.subarray(0, whole.length - 3)
    const opt = query.additionals?.find((additional) => additional.type === 'OPT')
    const udpBytesMax = opt?.type === 'OPT' ? opt.udpPayloadSize : UDP_BYTES_DEFAULT
    if (!tcp && (behaviour === 'truncated' || whole.length > udpBytesMax))
      return reply(rcode, [], packet.TRUNCATED_RESPONSE)
    return whole
  }

  async function receive(message: Buffer, tcp: boolean, send: (bytes: Buffer) => void): Promise<void> {
    let query: packet.DecodedPacket
    try {
      query = packet.decode(message)
    } catch {
      return
    }
    const question = query.questions?.[0]
    if (!question) return
    const name = question.name.toLowerCase()
    for (const key of [name, `${name} ${question.type}`, '*', `* ${question.type}`])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    if (tcp) overTcp++
    const held = holds.get(name)
    held?.arrive()
    await held?.released
    const bytes = respond(query, question, tcp)
    if (!bytes) return
    if (server.latencyMs > 0) setTimeout(send, server.latencyMs, bytes)
    else send(bytes)
  }

  const { udp, tcp, port } = await bindBoth()
  const connections = new Set<Socket>()
  let open = true
  udp.on('message', (message, from) => {
    void receive(message, false, (bytes) => {
      if (open) udp.send(bytes, from.port, from.address)
    })
  })
  tcp.on('connection', (socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    socket.on('error', () => {})
    let pending = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes])
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0)
        const message = pending.subarray(2, end)
        pending = pending.subarray(end)
        void receive(message, true, (answer) => {
          const length = Buffer.alloc(2)
          length.writeUInt16BE(answer.length)
          if (!socket.destroyed) socket.write(Buffer.concat([length, answer]))
        })
      }
    })
  })

  const server: DnsServer = {
    address: `127.0.0.1:${port}`,
    names,
    latencyMs: 0,
    behave(name, behaviour, type) {
      const key = type ? `${name} ${type}` : name
      if (behaviour) behaviours.set(key, behaviour)
      else behaviours.delete(key)
    },
    hold(name) {
      const arrival = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      holds.set(name, { arrive: arrival.resolve, released: release.promise })
      return {
        arrived: arrival.promise,
        release() {
          holds.delete(name)
          release.resolve()
        },
      }
    },
    asked: (name, type) => counts.get(type ? `${name} ${type}` : name) ?? 0,
    questions: () => [...counts.keys()].filter((key) => /^[^*].* /.test(key)),
    askedOverTcp: () => overTcp,
    async close() {
      open = false
      for (const socket of connections) socket.destroy()
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ])
    },
  }
  return server
}

function answersOf(name: string, records: Records, type: string): packet.Answer[] {
  const ttl = records.ttlS ?? 300
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'NS':
    case 'PTR':
      return (records[type] ?? []).map((data) => ({ type, name, ttl, data }))
    case 'CNAME':
      return records.CNAME === undefined ? [] : [{ type, name, ttl, data: records.CNAME }]
    case 'MX':
      return (records.MX ?? []).map(([preference, exchange]) => ({ type, name, ttl, data: { preference, exchange } }))
    case 'TXT':
      return (records.TXT ?? []).map((text) => ({ type, name, ttl, data: typeof text === 'string' ? text : [...text] }))
    case 'SOA':
      return records.SOA
        ? [{ type, name, ttl, data: { ...records.SOA, refresh: 7200, retry: 900, expire: 86_400 } }]
        : []
    default:
      return []
  }
}

/** One port for UDP and TCP. The port that the system picks for UDP may be in use for TCP. */
async function bindBoth() {
  for (let tries = 0; tries < 20; tries++) {
    const udp = createSocket({ type: 'udp4', recvBufferSize: 4_000_000 })
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
    const tcp = createServer()
    const port = (udp.address() as AddressInfo).port
    const bound = await new Promise<boolean>((resolve) => {
      tcp.once('error', () => resolve(false))
      tcp.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (bound) return { udp, tcp, port }
    udp.close()
  }
  throw new Error('found no port that is free for UDP and TCP')
}
