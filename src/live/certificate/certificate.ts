import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../../lib/clock.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import { hostName, normalAddresses } from '../dns/records.ts'
import { askAddresses, type DnsResolver, notSeen } from '../dns/resolver.ts'
import type { Certificate, Observation, ObserveOptions, Observer } from '../facts.ts'
import { ServerClosed, ServerGate } from '../server-gate.ts'

export interface CertificateOptions {
  readonly resolver: DnsResolver
  readonly port?: number
  /** For all of a host's addresses together; default 3 s. */
  readonly timeoutMs?: number
  readonly concurrencyMax?: number
  /** Default: addresses on the public internet. A test allows its own machine. */
  readonly mayContact?: (address: string) => boolean
  /** Certificates of authorities in PEM; default: those of Node. */
  readonly authorities?: readonly string[]
  readonly clock?: Pick<Clock, 'ticks'>
}

const ADDRESSES_TRIED = 2
const WAITING_MAX = 10_000
const NAMES_MAX = 50
const ISSUER_LENGTH_MAX = 100
const RETRY_MS = 5 * MINUTE_MS
/** A server answered without TLS, or refused the connection. All other errors may be caused by the network between. */
const TURNED_AWAY = /^(ECONNREFUSED|ECONNRESET|EPIPE|EPROTO|ERR_SSL_.*)$/
const NOT_ANSWERED: Observation<Certificate> = { outcome: 'seen', value: { answered: false }, keepMs: HOUR_MS }

/** Looks at a host's certificate. A bad certificate is a fact too: none is refused, and nothing is sent. */
export function certificateObserver(options: CertificateOptions): Observer<'certificate'> {
  const { resolver, timeoutMs = 3 * SECOND_MS, concurrencyMax = 50, mayContact = isPublicAddress } = options
  const gate = new ServerGate({
    concurrencyMax,
    perSecondMax: Number.POSITIVE_INFINITY,
    waitingMax: WAITING_MAX,
    // Every host is a different server: the failure of some says nothing about the next.
    failuresToOpen: Number.POSITIVE_INFINITY,
    openMs: 0,
    clock: options.clock ?? systemClock,
  })

  async function observe(name: string, asking: ObserveOptions): Promise<Observation<Certificate>> {
    const { records, failure } = await askAddresses(resolver, name, asking)
    if (records.length === 0 && failure) return notSeen(failure)
    // Contact exactly the addresses that were checked: in one normal form, by number, so that the name is not resolved
    // again.
    const addresses = normalAddresses(records).filter(mayContact)
    if (addresses.length === 0) return NOT_ANSWERED
    try {
      return await gate.ask('hosts', asking, async () => ({
        verdict: 'answered',
        answer: await look(name, addresses.slice(0, ADDRESSES_TRIED)),
      }))
    } catch (error) {
      if (!(error instanceof ServerClosed)) throw error
      const { message: why, retryMs, held } = error
      return { outcome: 'failed', why, retryMs, held }
    }
  }

  async function look(name: string, addresses: readonly string[]): Promise<Observation<Certificate>> {
    const limit = AbortSignal.timeout(timeoutMs)
    let failure: string | undefined
    for (const address of addresses) {
      if (limit.aborted) break
      const found = await handshake(name, address, limit)
      if (typeof found === 'object') return { outcome: 'seen', value: found, keepMs: DAY_MS }
      if (!TURNED_AWAY.test(found)) failure ??= found
    }
    return failure === undefined ? NOT_ANSWERED : { outcome: 'failed', why: failure, retryMs: RETRY_MS }
  }

  function handshake(name: string, address: string, limit: AbortSignal): Promise<Certificate | string> {
    return new Promise((resolve) => {
      const socket = connect({
        host: address,
        port: options.port ?? 443,
        servername: name,
        rejectUnauthorized: false,
        ...(options.authorities ? { ca: [...options.authorities] } : {}),
      })
      const end = (found: Certificate | string) => {
        limit.removeEventListener('abort', expire)
        socket.destroy()
        resolve(found)
      }
      const expire = () => end('timeout')
      limit.addEventListener('abort', expire)
      socket.on('secureConnect', () => end(read(socket)))
      socket.on('error', (error) => end('code' in error ? String(error.code) : error.message))
    })
  }

  return { sort: 'certificate', observe }
}

function read(socket: TLSSocket): Certificate {
  const certificate = socket.getPeerCertificate()
  // Without a certificate the object is empty, in spite of its type.
  if (!certificate.valid_from) return { answered: false }
  const issuer = issuerOf(certificate)
  return {
    answered: true,
    ...(issuer === undefined ? {} : { issuer }),
    notBeforeMs: Date.parse(certificate.valid_from),
    notAfterMs: Date.parse(certificate.valid_to),
    names: namesOf(certificate),
    trusted: socket.authorized,
  }
}

/** Text from strangers: printable, on one line, and short. */
function issuerOf({ issuer }: PeerCertificate): string | undefined {
  const [text] = [issuer?.O, issuer?.CN].flat().filter((name) => typeof name === 'string' && name.trim() !== '')
  return (
    text
      ?.replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, ISSUER_LENGTH_MAX) || undefined
  )
}

function namesOf({ subjectaltname }: PeerCertificate): string[] {
  const names = (subjectaltname ?? '').split(', ').flatMap((entry) => {
    if (!entry.startsWith('DNS:')) return []
    const name = entry.slice('DNS:'.length)
    const wild = name.startsWith('*.')
    const host = hostName(wild ? name.slice(2) : name)
    return host === undefined ? [] : [wild ? `*.${host}` : host]
  })
  return [...new Set(names)].slice(0, NAMES_MAX)
}
