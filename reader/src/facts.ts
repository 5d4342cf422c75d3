import type { Facts, Kind } from '@assay/sdk'

/** Facts about a name or an address in words, for the console and the command line alike. */
export interface FactRow {
  readonly term: string
  /** Names are chosen by strangers: each is a part of its own, so that a page can isolate it. */
  readonly words: readonly Part[]
  /** Names a fact that needs attention in one word. */
  readonly mark: string | undefined
  readonly seenAt: string
}

type Part = string | { readonly name: string }
type Said = { readonly words: readonly Part[]; readonly mark?: string | undefined }
type Value<K extends keyof Facts> = NonNullable<Facts[K]>['value']

const DAY_MS = 86_400_000
const VERY_NEW_DAYS = 30
const NEW_DAYS = 365
const EXPIRES_SOON_DAYS = 30
/** On hold, or about to expire or to be transferred. Other statuses are locks and periods that most names have. */
const UNUSUAL_STATUS = /hold|inactive|redemption|pending/i

export interface FactOptions {
  readonly kind: Kind | undefined
  readonly nowMs: number
  /** Writes a date. */
  readonly day: (iso: string) => string
}

export function factRows(facts: Facts, { kind, nowMs, day }: FactOptions): FactRow[] {
  const daysSince = (iso: string) => Math.trunc((nowMs - Date.parse(iso)) / DAY_MS)
  const isOver = (iso: string | null) => iso !== null && Date.parse(iso) < nowMs
  const rows = [
    row('Age', facts.registered, (iso) => {
      const days = daysSince(iso)
      const mark = days < VERY_NEW_DAYS ? 'Very new' : days < NEW_DAYS ? 'New' : undefined
      return { words: [`${span(days)} old, registered ${day(iso)}`], mark }
    }),
    row('Changed', facts.changed, (iso) => ({ words: [`${span(daysSince(iso))} ago, ${day(iso)}`] })),
    row('Expires', facts.expires, (iso) => {
      const days = -daysSince(iso)
      if (isOver(iso)) return { words: [`${span(-days)} ago, ${day(iso)}`], mark: 'Expired' }
      return { words: [`in ${span(days)}, ${day(iso)}`], mark: days < EXPIRES_SOON_DAYS ? 'Soon' : undefined }
    }),
    row('Registrar', facts.registrar, (name) => ({ words: [{ name }] })),
    row('Registry', facts.status, (all) => {
      const unusual = all.filter((status) => UNUSUAL_STATUS.test(status))
      return unusual.length === 0 ? undefined : { words: some(unusual), mark: 'Unusual' }
    }),
    row('Mail', facts.mail, mailWords),
    row('Website', facts.parked_by, (name) => ({ words: ['by ', { name }], mark: 'Parked' })),
    row('Name servers', facts.name_servers, (names) => ({ words: some(names) })),
    row(kind === 'ip' ? 'Network' : 'Hosted at', facts.networks, (networks) => ({
      words: networks.length === 0 ? ['It has no address'] : networkWords(networks, kind !== 'ip'),
    })),
    row('Reverse name', facts.reverse_dns, ({ names, confirmed }) => {
      if (names.length === 0) return { words: ['None'] }
      const all = confirmed.length === names.length ? 'confirmed' : `${confirmed.length} of ${names.length} confirmed`
      const none = 'not confirmed: no name leads back to the address'
      return { words: [...some(names), `, ${confirmed.length === 0 ? none : all}`] }
    }),
    row('Certificate', facts.certificate, ({ issuer, not_before, not_after, names }) => ({
      mark: isOver(not_after) ? 'Expired' : undefined,
      words: [
        'By ',
        issuer === null ? 'an unnamed authority' : { name: issuer },
        not_before === null ? '' : `, from ${day(not_before)}`,
        not_after === null ? '' : ` to ${day(not_after)}`,
        ...(names.length === 0 ? [] : [', for ', ...some(names)]),
      ],
    })),
  ]
  return rows.filter((one) => one !== undefined)
}

function row<T>(
  term: string,
  fact: { readonly value: T; readonly seen_at: string } | null,
  say: (value: T) => Said | undefined,
): FactRow | undefined {
  const said = fact && say(fact.value)
  return said ? { term, seenAt: fact.seen_at, mark: undefined, ...said } : undefined
}

function span(days: number): string {
  const counted = (value: number, unit: string) => `${value} ${unit}${value === 1 ? '' : 's'}`
  if (days < 1) return 'less than a day'
  if (days < 60) return counted(days, 'day')
  return days < 730 ? counted(Math.floor(days / 30.5), 'month') : counted(Math.floor(days / 365.25), 'year')
}

function mailWords({ mx, null_mx, spf, dmarc }: Value<'mail'>): Said {
  const protection = `${SPF_WORDS[spf]}, ${DMARC_WORDS[dmarc]}`
  if (mx.length > 0) return { words: ['Receives mail at ', ...some(mx), `; ${protection}`] }
  const why = null_mx ? 'declared in its DNS' : 'it names no mail server'
  return { words: [`Cannot receive mail: ${why}; ${protection}`], mark: 'No mail' }
}

const SPF_WORDS: Readonly<Record<Value<'mail'>['spf'], string>> = {
  absent: 'no SPF',
  pass: 'SPF that lets every server send',
  neutral: 'SPF without a rule for other servers',
  softfail: 'SPF that distrusts other servers',
  fail: 'SPF that refuses other servers',
  invalid: 'SPF that cannot be read',
  unknown: 'SPF not known',
}
const DMARC_WORDS: Readonly<Record<Value<'mail'>['dmarc'], string>> = {
  absent: 'no DMARC, so anybody can send mail in its name',
  none: 'DMARC none, which only reports',
  quarantine: 'DMARC quarantine',
  reject: 'DMARC reject',
  invalid: 'DMARC that cannot be read',
  unknown: 'DMARC not known',
}

const NAMES_SHOWN = 3

function some(names: readonly string[]): Part[] {
  const distinct = [...new Set(names)]
  if (distinct.length === 0) return ['None']
  const more = distinct.length - NAMES_SHOWN
  const shown = distinct.slice(0, NAMES_SHOWN).flatMap((name, at): Part[] => (at === 0 ? [{ name }] : [', ', { name }]))
  return more > 0 ? [...shown, ` and ${more} more`] : shown
}

function networkWords(networks: Value<'networks'>, withAddresses: boolean): Part[] {
  return [...new Set(networks.map(({ asn }) => asn))].flatMap((number, at) => {
    const members = networks.filter(({ asn }) => asn === number)
    const { asn, name, country } = members[0]!
    return [
      at === 0 ? '' : '; ',
      ...(asn === null ? ['Network unknown'] : name === null ? [`AS${asn}`] : [{ name }, ` (AS${asn})`]),
      asn === null || country === null ? '' : `, ${countryName(country)}`,
      ...(withAddresses ? [': ', ...some(members.map(({ address }) => address))] : []),
    ]
  })
}

const COUNTRIES = new Intl.DisplayNames('en-GB', { type: 'region' })

const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : code)
