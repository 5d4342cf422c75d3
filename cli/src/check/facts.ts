import type { Coverage, Facts } from '@assay/sdk'
import { hanging, harmless, type Paint } from '../terminal/paint.ts'

export function factLines(
  { facts, coverage }: { readonly facts: Facts; readonly coverage: Coverage },
  { paint, columns, nowMs }: { readonly paint: Paint; readonly columns: number; readonly nowMs: number },
): string[] {
  const rows = rowsOf(facts, nowMs).filter((row) => row !== undefined)
  const lines = rows.map(([name, words]) => {
    const head = `  ${name.padEnd(NAME_WIDTH)}`
    return hanging(paint.dim(head), harmless(words), columns, head.length)
  })
  const note = LIVE_NOTES[coverage.live.status]
  return note === undefined ? lines : [...lines, hanging('  ', note, columns)]
}

const NAME_WIDTH = 14

const LIVE_NOTES: Readonly<Partial<Record<Coverage['live']['status'], string>>> = {
  partial: 'Some facts could not be had, or not in time; a new check may have them.',
  off: 'Live look-ups are off on this server.',
}

type Row = readonly [name: string, words: string]

function rowsOf(facts: Facts, nowMs: number): (Row | undefined)[] {
  const date = (iso: string) => `${day(iso)}, ${relative(iso, nowMs)}`
  return [
    row('Registered', facts.registered, date),
    row('Changed', facts.changed, date),
    row('Expires', facts.expires, date),
    row('Registrar', facts.registrar, (name) => name),
    row('Status', facts.status, some),
    row('Mail', facts.mail, mailWords),
    row('Parked by', facts.parked_by, (service) => service),
    row('Name servers', facts.name_servers, some),
    row('Network', facts.networks, networkWords),
    row('Reverse name', facts.reverse_dns, ({ names, confirmed }) =>
      names.length === 0 ? 'none' : `${some(names)}; ${confirmed.length} of ${names.length} confirmed`,
    ),
    row('Certificate', facts.certificate, ({ issuer, not_before, not_after }) =>
      [
        issuer ?? 'issuer unknown',
        ...(not_before === null ? [] : [`from ${day(not_before)}`]),
        ...(not_after === null ? [] : [`to ${day(not_after)}`]),
      ].join(', '),
    ),
    seenRow(facts),
  ]
}

function row<T>(name: string, fact: { readonly value: T } | null, say: (value: T) => string): Row | undefined {
  return fact === null ? undefined : [name, say(fact.value)]
}

function seenRow(facts: Facts): Row | undefined {
  const times = Object.values(facts).flatMap((fact) => (fact === null ? [] : minute(fact.seen_at)))
  const oldest = times.sort()[0]
  const newest = times.at(-1)
  if (oldest === undefined) return undefined
  return ['Seen', oldest === newest ? `${oldest} UTC` : `${oldest} to ${newest} UTC`]
}

type Value<K extends keyof Facts> = NonNullable<Facts[K]>['value']

function mailWords({ mx, null_mx, spf, dmarc }: Value<'mail'>): string {
  const hosts = mx.length > 0 ? some(mx) : null_mx ? 'cannot receive any: it says so' : 'cannot receive any: no MX'
  const sending = spf === 'absent' ? 'no SPF' : spf === 'pass' ? 'SPF open to all' : `SPF ${spf}`
  return `${hosts}; ${sending}, ${dmarc === 'absent' ? 'no DMARC' : `DMARC ${dmarc}`}`
}

function networkWords(networks: Value<'networks'>): string {
  const each = networks.map(({ address, asn, name, country }) => {
    const number = asn === null ? 'network unknown' : `AS${asn}`
    return `${address} ${[name === null ? number : `${number} ${name}`, country ?? []].flat().join(', ')}`
  })
  return each.length === 0 ? 'no address' : some(each, '; ')
}

const NAMES_SHOWN = 3

function some(names: readonly string[], between = ', '): string {
  if (names.length === 0) return 'none'
  const more = names.length - NAMES_SHOWN
  return names.slice(0, NAMES_SHOWN).join(between) + (more > 0 ? ` and ${more} more` : '')
}

function day(iso: string): string {
  return iso.slice(0, 10)
}

function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ')
}

const RELATIVE = new Intl.RelativeTimeFormat('en-GB')
const DAY_MS = 86_400_000

function relative(iso: string, nowMs: number): string {
  const days = Math.trunc((Date.parse(iso) - nowMs) / DAY_MS)
  if (days === 0) return 'within a day'
  if (Math.abs(days) < 60) return RELATIVE.format(days, 'day')
  if (Math.abs(days) < 730) return RELATIVE.format(Math.trunc(days / 30.5), 'month')
  return RELATIVE.format(Math.trunc(days / 365.25), 'year')
}
