import { MINUTE_MS } from '../../lib/clock.ts'
import { isRecord, readJsonText } from '../../lib/json-text.ts'
import bundled from './bootstrap.json' with { type: 'json' }
import type { Client } from './client.ts'

// The RDAP server for each suffix: IANA's list (RFC 9224). `bootstrap.json` is a copy of
// https://data.iana.org/rdap/dns.json in the compact form; `publication` is its date.
export interface CompactBootstrap {
  /** When IANA published it (RFC 3339). */
  readonly publication: string
  /** Base address of each server, and the suffixes it serves, separated by blanks. */
  readonly servers: Readonly<Record<string, string>>
}

export interface Refused {
  readonly problem: string
}

const IANA_URL = 'https://data.iana.org/rdap/dns.json'

const BYTES_MAX = 1024 * 1024
const TIMEOUT_MS = MINUTE_MS / 2
const SUFFIXES_MIN = 1000
const SUFFIXES_MAX = 20_000
const URL_LENGTH_MAX = 200
const SUFFIX = /^(?=.{1,100}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const PUBLICATION = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/

export class Bootstrap {
  readonly publication: string
  readonly #bases = new Map<string, string>()
  readonly #hosts = new Set<string>()

  constructor({ publication, servers }: CompactBootstrap) {
    this.publication = publication
    for (const [base, suffixes] of Object.entries(servers)) {
      this.#hosts.add(new URL(base).host)
      for (const suffix of suffixes.split(' ')) this.#bases.set(suffix, base)
    }
  }

  /** Base address of the server for `name`: the one with the longest matching suffix. */
  base(name: string): string | undefined {
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const base = this.#bases.get(name.slice(dot + 1))
      if (base !== undefined) return base
    }
    return undefined
  }

  hasHost(host: string): boolean {
    return this.#hosts.has(host)
  }
}

export function bundledBootstrap(): CompactBootstrap {
  return bundled
}

/** Downloads IANA's list. If it is refused, the caller keeps its current list. */
export async function refreshBootstrap(client: Pick<Client, 'get'>, url = IANA_URL) {
  const reply = await client.get(new URL(url), { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX })
  if ('failed' in reply) return { problem: reply.failed }
  if (reply.status !== 200) return { problem: `HTTP ${reply.status}` }
  return readIana(readJsonText(reply.body)?.value)
}

export function readIana(file: unknown): CompactBootstrap | Refused {
  if (!isRecord(file) || !Array.isArray(file.services)) return { problem: 'not a list of services' }
  const entries: [base: string, suffixes: string[]][] = []
  for (const service of file.services) {
    if (!Array.isArray(service) || service.length !== 2)
      return { problem: 'a service that is not suffixes and addresses' }
    const [suffixes, urls] = service
    if (!isTexts(suffixes) || !isTexts(urls)) return { problem: 'a service that is not suffixes and addresses' }
    // RFC 9224 §4: a server may have several addresses. Servers without TLS are left out.
    const base = urls.find(isBase)
    if (base !== undefined) entries.push([base.endsWith('/') ? base : `${base}/`, suffixes.map((s) => s.toLowerCase())])
  }
  return checked(file.publication, entries)
}

export function readCompactText(text: string): CompactBootstrap | Refused {
  const file = readJsonText(Buffer.from(text))?.value
  if (!isRecord(file) || !isRecord(file.servers)) return { problem: 'not a list of servers' }
  const entries: [base: string, suffixes: string[]][] = []
  for (const [base, suffixes] of Object.entries(file.servers)) {
    if (typeof suffixes !== 'string' || !isBase(base))
      return { problem: 'a server that is not an address and suffixes' }
    entries.push([base, suffixes.split(' ')])
  }
  return checked(file.publication, entries)
}

function checked(publication: unknown, entries: readonly (readonly [base: string, suffixes: readonly string[]])[]) {
  if (typeof publication !== 'string' || !PUBLICATION.test(publication)) return { problem: 'no date of publication' }
  const seen = new Set<string>()
  const byBase = new Map<string, string[]>()
  for (const [base, suffixes] of entries) {
    for (const suffix of suffixes) {
      if (!SUFFIX.test(suffix)) return { problem: 'a suffix that is not a name' }
      if (seen.has(suffix)) return { problem: `.${suffix} is listed twice` }
      seen.add(suffix)
    }
    if (suffixes.length > 0) byBase.set(base, [...(byBase.get(base) ?? []), ...suffixes])
    if (seen.size > SUFFIXES_MAX) return { problem: `more than ${SUFFIXES_MAX} suffixes` }
  }
  // Half a list would make names look as if they had no registry.
  if (seen.size < SUFFIXES_MIN || !seen.has('com')) return { problem: `only ${seen.size} suffixes, or .com is missing` }
  const servers = Object.fromEntries([...byBase].map(([base, suffixes]) => [base, suffixes.join(' ')]))
  return { publication, servers }
}

function isBase(text: string): boolean {
  if (text.length > URL_LENGTH_MAX || !text.startsWith('https://') || !URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username === '' && password === '' && search === '' && hash === ''
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
