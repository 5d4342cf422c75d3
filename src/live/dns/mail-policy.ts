import type { Zone } from '../facts.ts'

/** Parses the text records of a name about its permitted mail senders: SPF (RFC 7208) and DMARC (RFC 7489). */

export type Spf = Zone['spf']

const SPF_RECORD = /^v=spf1( |$)/i
const MECHANISM = /^([+?~-]?)(all|include:.+|a([:/].+)?|mx([:/].+)?|ptr(:.+)?|ip4:.+|ip6:.+|exists:.+)$/i
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/i
const QUALIFIERS: Readonly<Record<string, Spf>> = {
  '': 'pass',
  '+': 'pass',
  '?': 'neutral',
  '~': 'softfail',
  '-': 'fail',
}

/** The policy in the text records of a name, or the name whose records contain it. */
export function readSpf(texts: readonly string[]): Spf | { readonly redirect: string } {
  const records = texts.filter((text) => SPF_RECORD.test(text))
  if (records.length === 0) return 'absent'
  // RFC 7208 §4.5: two records are an error, and neither accepts a server.
  if (records.length > 1) return 'invalid'
  let all: Spf | undefined
  let redirect: string | undefined
  for (const term of records[0]!.split(' ').slice(1)) {
    if (term === '') continue
    const [, qualifier = '', mechanism] = MECHANISM.exec(term) ?? []
    const [, modifier, value] = MODIFIER.exec(term) ?? []
    if (mechanism !== undefined) {
      // §5.1: text after the first `all` is ignored, and `all` makes a redirect void.
      if (mechanism.toLowerCase() === 'all') all ??= QUALIFIERS[qualifier]
    } else if (modifier === undefined) return 'invalid'
    else if (modifier.toLowerCase() === 'redirect') {
      if (redirect !== undefined || !value) return 'invalid'
      redirect = value
    }
  }
  if (all) return all
  // §4.7: a record without a rule for unnamed servers is neutral about them.
  return redirect === undefined ? 'neutral' : { redirect }
}

/** `invalid` for two records, or for one without a known policy. */
export function readDmarc(texts: readonly string[]): Zone['dmarc'] {
  const records = texts.map(tagsOf).filter(([first]) => first?.name === 'v' && first.value === 'dmarc1')
  if (records.length === 0) return 'absent'
  const policies = records.flat().filter(({ name }) => name === 'p')
  const [policy] = policies
  if (records.length > 1 || policies.length !== 1) return 'invalid'
  const value = policy?.value
  return value === 'none' || value === 'quarantine' || value === 'reject' ? value : 'invalid'
}

/** Parses `v=DMARC1; p=none` by hand: a pattern with spaces anywhere is slow for a text made of spaces. */
function tagsOf(text: string): { readonly name: string; readonly value: string }[] {
  return text.split(';').map((tag) => {
    const [name = '', ...rest] = tag.split('=')
    return { name: name.trim().toLowerCase(), value: rest.join('=').trim().toLowerCase() }
  })
}
