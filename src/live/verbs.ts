import type { Command } from 'commander'
import { iso, systemClock } from '../lib/clock.ts'
import { normaliseHost } from '../lib/domain.ts'
import { formatIp, parseIp } from '../lib/ip.ts'
import { textTable } from '../lib/text-table.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { liveSettingsOf } from '../verb/settings.ts'
import { withStore } from '../verb/store.ts'
import { flag, required, verbsOf } from '../verb/verb.ts'
import { readBootstrap } from './bootstrap-job.ts'
import { type FactRow, readFacts, writeFacts } from './fact-store.ts'
import type { Sort } from './facts.ts'
import { createObservers } from './local-observers.ts'
import type { Observers } from './observers.ts'
import { type Question, questionsAbout } from './questions.ts'
import type { ServerState } from './server-gate.ts'

/** `assayd live …`: what the service sees when it looks up a name, and the source of each fact. */

export interface Look extends Question {
  readonly from: 'database' | 'network'
  /** Absent for a fact from the database. */
  readonly took_ms?: number
  readonly seen_at?: string
  readonly expires_at?: string
  readonly fact?: unknown
  readonly failed?: string
}

export function registerLiveVerbs(program: Command, context: VerbContext): void {
  const live = program.command('live').description('live facts: registration, DNS and mail set-up of names')
  verbsOf(live, context, withStore)(
    'lookup',
    'look up a domain or an IP address as a check does; the facts are stored for checks',
    {
      text: required('<name>', 'a domain or an IP address'),
      fresh: flag('--fresh', 'look up again, even if facts are stored'),
    },
  ).runs(async ({ sql, clock }, { text, fresh }) => {
    const { kind, name } = readName(text)
    const config = context.config()
    const settings = liveSettingsOf(config)
    const questions = questionsAbout(kind, name, new Set(settings.sorts))
    if (questions.length === 0) {
      throw new VerbError(`${name}: there is nothing to look up; it is not public, or all look-ups are switched off.`)
    }
    const observers = createObservers(settings, systemClock)
    await using _ = { [Symbol.asyncDispose]: () => observers.close() }
    const registries = await readBootstrap(sql, clock.now())
    if (registries) observers.useBootstrap(registries.text)
    const known = fresh ? [] : await readFacts(sql, questions, clock.now())
    const { looks, rows } = await lookAt(questions, known, observers, clock.now())
    await writeFacts(sql, rows)
    const result = { name, live: config.live, looks, servers: await observers.servers() }
    const failed = looks.some((look) => look.failed !== undefined)
    return { value: result, text: textOf(result), exitCode: failed ? 2 : 0 }
  })
}

function readName(text: string): { readonly kind: 'domain' | 'ip'; readonly name: string } {
  const ip = parseIp(text.trim())
  if (ip) return { kind: 'ip', name: formatIp(ip) }
  const host = normaliseHost(text)
  if ('name' in host) return { kind: 'domain', name: host.name }
  throw new VerbError(`${JSON.stringify(text)} is neither a domain nor an IP address. For a mailbox, give its domain.`)
}

async function lookAt(questions: readonly Question[], known: readonly FactRow[], observers: Observers, nowMs: number) {
  const rows: FactRow[] = []
  const looks = await Promise.all(
    questions.map(async ({ sort, name }): Promise<Look> => {
      const row = known.find((one) => one.sort === sort && one.name === name)
      if (row) return shown(row, { sort, name, from: 'database' })
      const begun = performance.now()
      const seen = await observers.observe(sort, name, { urgent: true })
      const took_ms = Math.round(performance.now() - begun)
      if (seen.outcome === 'failed') return { sort, name, from: 'network', took_ms, failed: seen.why }
      const value = `{"seenMs":${nowMs},${seen.value.slice(1)}`
      const fresh = { sort, name, value, seenMs: nowMs, expiresMs: nowMs + seen.keepMs }
      rows.push(fresh)
      return shown(fresh, { sort, name, from: 'network', took_ms })
    }),
  )
  return { looks, rows }
}

function shown({ value, seenMs, expiresMs }: FactRow, how: Pick<Look, 'sort' | 'name' | 'from' | 'took_ms'>): Look {
  return { ...how, seen_at: iso(seenMs), expires_at: iso(expiresMs), fact: JSON.parse(value) as unknown }
}

const TITLES: Readonly<Record<Sort, string>> = {
  registration: 'Registration',
  zone: 'DNS zone',
  host: 'Addresses',
  certificate: 'Certificate',
  reverse: 'Reverse DNS',
}

function textOf({ name, live, looks, servers }: LookUp): string {
  const parts = looks.map((look) => {
    const how = look.from === 'database' ? `known since ${look.seen_at}` : `looked up in ${look.took_ms} ms`
    const head = `${TITLES[look.sort]} of ${look.name}: ${look.failed === undefined ? how : `no answer (${look.failed})`}`
    return [head, ...linesOf(look.fact)].join('\n  ')
  })
  if (servers.length > 0) parts.push(textTable(['Server', 'State'], servers.map(serverRow)))
  if (live === 'off') parts.push(`ASSAY_LIVE is off: checks of ${name} do not use these facts.`)
  return parts.join('\n\n')
}

interface LookUp {
  readonly name: string
  readonly live: string
  readonly looks: readonly Look[]
  readonly servers: readonly ServerState[]
}

const serverRow = ({ server, closedMs }: ServerState) => [
  server,
  closedMs > 0 ? `not asked for another ${Math.ceil(closedMs / 1000)} s` : 'asked',
]

/** `expiresMs` is a time; an empty list means that there is nothing. */
function linesOf(fact: unknown): string[] {
  if (typeof fact !== 'object' || fact === null) return []
  const rows = Object.entries(fact)
    .filter(([key]) => key !== 'seenMs')
    .map(([key, value]) => [wordsIn(key.replace(/Ms$/, '')), valueText(key, value)])
  return textTable(['', ''], rows).split('\n').slice(1)
}

function valueText(key: string, value: unknown): string {
  if (key.endsWith('Ms') && typeof value === 'number') return iso(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function wordsIn(key: string): string {
  return key.replace(/S$/, ' in seconds').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
