import { type Coverage, type Facts, type Kind, liveNote } from '@assay/sdk'
import type { ReactNode } from 'react'
import { ago, counted, DAY_MS, day, moment } from '../shell/format.ts'
import { Panel, Quiet } from '../shell/page.tsx'

/** Facts about a name or an address, each with its time. A mark names facts that need attention in one word. */
export function FactsPanel({ kind, facts, live }: { kind: Kind; facts: Facts; live: Coverage['live'] }) {
  const rows = rowsOf(facts, kind, Date.now()).filter((row) => row !== null)
  const note = liveNote(live) ?? (rows.length === 0 ? 'Nothing was found.' : undefined)
  return (
    <Panel title={kind === 'email' ? 'Facts about its domain' : 'Facts'}>
      {rows.length === 0 ? null : (
        <dl className="seen-facts lines-between">
          {rows.map(({ term, words, mark, seenAt }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>
                {mark ? <span className="fact-mark">{mark}</span> : null} {words}
              </dd>
              <dd className="fact-seen" title={moment(seenAt)}>
                seen {ago(seenAt)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {note ? <Quiet>{note}</Quiet> : null}
    </Panel>
  )
}

interface Row {
  readonly term: string
  readonly words: ReactNode
  readonly mark?: string | undefined
  readonly seenAt: string
}

const VERY_NEW_DAYS = 30
const NEW_DAYS = 365
const EXPIRES_SOON_DAYS = 30

function rowsOf(facts: Facts, kind: Kind, nowMs: number): readonly (Row | null)[] {
  const daysSince = (iso: string) => Math.trunc((nowMs - Date.parse(iso)) / DAY_MS)
  return [
    row('Age', facts.registered, (iso) => {
      const days = daysSince(iso)
      const mark = days < VERY_NEW_DAYS ? 'Very new' : days < NEW_DAYS ? 'New' : undefined
      return { words: `${span(days)} old, registered ${day(iso)}`, mark }
    }),
    row('Changed', facts.changed, (iso) => ({ words: `${span(daysSince(iso))} ago, ${day(iso)}` })),
    row('Expires', facts.expires, (iso) => {
      const days = -daysSince(iso)
      if (Date.parse(iso) < nowMs) return { words: `${span(-days)} ago, ${day(iso)}`, mark: 'Expired' }
      return { words: `in ${span(days)}, ${day(iso)}`, mark: days < EXPIRES_SOON_DAYS ? 'Soon' : undefined }
    }),
    row('Registrar', facts.registrar, (name) => ({ words: <bdi>{name}</bdi> })),
    row('Registry', facts.status, (all) => {
      const unusual = all.filter((status) => UNUSUAL_STATUS.test(status))
      return unusual.length === 0 ? null : { words: <Names names={unusual} />, mark: 'Unusual' }
    }),
    row('Mail', facts.mail, mailWords),
    row('Website', facts.parked_by, (service) => ({
      words: (
        <>
          by <bdi>{service}</bdi>
        </>
      ),
      mark: 'Parked',
    })),
    row('Name servers', facts.name_servers, (names) => ({
      words: names.length === 0 ? 'None' : <Names names={names} />,
    })),
    row(kind === 'ip' ? 'Network' : 'Hosted at', facts.networks, (networks) => ({
      words:
        networks.length === 0 ? 'It has no address' : <Networks networks={networks} withAddresses={kind !== 'ip'} />,
    })),
    row('Reverse name', facts.reverse_dns, reverseWords),
    row('Certificate', facts.certificate, (certificate) => certificateWords(certificate, nowMs)),
  ]
}

function row<T>(
  term: string,
  fact: { readonly value: T; readonly seen_at: string } | null,
  say: (value: T) => Pick<Row, 'words' | 'mark'> | null,
): Row | null {
  const said = fact && say(fact.value)
  return said && { term, seenAt: fact.seen_at, ...said }
}

/** On hold, or about to expire or to be transferred. Other statuses are locks and periods that most names have. */
const UNUSUAL_STATUS = /hold|inactive|redemption|pending/i

function span(days: number): string {
  if (days < 1) return 'less than a day'
  if (days < 60) return counted(days, 'day')
  return days < 730 ? counted(Math.floor(days / 30.5), 'month') : counted(Math.floor(days / 365.25), 'year')
}

type Value<K extends keyof Facts> = NonNullable<Facts[K]>['value']

function mailWords({ mx, null_mx, spf, dmarc }: Value<'mail'>) {
  const protection = `${SPF_WORDS[spf]}, ${DMARC_WORDS[dmarc]}`
  if (mx.length === 0) {
    const why = null_mx ? 'declared in its DNS' : 'it names no mail server'
    return { words: `Cannot receive mail: ${why}; ${protection}`, mark: 'No mail' }
  }
  return {
    words: (
      <>
        Receives mail at <Names names={mx} />; {protection}
      </>
    ),
  }
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

function reverseWords({ names, confirmed }: Value<'reverse_dns'>) {
  if (names.length === 0) return { words: 'None' }
  const leadBack =
    confirmed.length === 0
      ? 'not confirmed: no name leads back to the address'
      : confirmed.length === names.length
        ? 'confirmed'
        : `${confirmed.length} of ${names.length} confirmed`
  return {
    words: (
      <>
        <Names names={names} />, {leadBack}
      </>
    ),
  }
}

function certificateWords({ issuer, not_before, not_after, names }: Value<'certificate'>, nowMs: number) {
  const isOver = not_after !== null && Date.parse(not_after) < nowMs
  return {
    mark: isOver ? 'Expired' : undefined,
    words: (
      <>
        By {issuer === null ? 'an unnamed authority' : <bdi>{issuer}</bdi>}
        {not_before === null ? null : `, from ${day(not_before)}`}
        {not_after === null ? null : ` to ${day(not_after)}`}
        {names.length === 0 ? null : (
          <>
            , for <Names names={names} />
          </>
        )}
      </>
    ),
  }
}

const NAMES_SHOWN = 3

/** Names chosen by strangers: each is isolated, so that none can change the direction of the text around it. */
function Names({ names }: { names: readonly string[] }) {
  const distinct = [...new Set(names)]
  const more = distinct.length - NAMES_SHOWN
  return (
    <>
      {distinct.slice(0, NAMES_SHOWN).map((name, index) => (
        <span key={name}>
          {index === 0 ? null : ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : null}
    </>
  )
}

type Network = Value<'networks'>[number]

function Networks({ networks, withAddresses }: { networks: readonly Network[]; withAddresses: boolean }) {
  return [...new Set(networks.map(({ asn }) => asn))].map((number) => {
    const members = networks.filter(({ asn }) => asn === number)
    return (
      <div key={String(number)}>
        <NetworkName network={members[0]!} />
        {withAddresses ? (
          <>
            : <Names names={members.map(({ address }) => address)} />
          </>
        ) : null}
      </div>
    )
  })
}

function NetworkName({ network: { asn, name, country } }: { network: Network }) {
  if (asn === null) return 'Network unknown'
  return (
    <>
      {name === null ? `AS${asn}` : <bdi>{name}</bdi>}
      {name === null ? null : ` (AS${asn})`}
      {country === null ? null : `, ${countryName(country)}`}
    </>
  )
}

const COUNTRIES = new Intl.DisplayNames('en-GB', { type: 'region' })

const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : code)
