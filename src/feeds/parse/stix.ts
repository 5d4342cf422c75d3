import { isRecord } from '../../lib/json-text.ts'
import type { Indicators, Parser, ValueKind } from './indicators.ts'
import { dateOf } from './list-date.ts'
import { FeedRefused } from './report.ts'
import { readJson } from './text.ts'

// STIX 2.1: indicators whose pattern compares one observable's value, or several such comparisons joined by OR. An AND,
// or a pattern over several observations, means that one value alone is not a sign, so such a pattern gives nothing.
export const parseStixBundle: Parser = async (input, indicators) => {
  const document = await readJson(input)
  const objects = isRecord(document) ? document.objects : undefined
  if (!Array.isArray(objects)) throw new FeedRefused('It is not a STIX bundle: it has no "objects".')
  takeStixObjects(objects, indicators)
}

const OBSERVABLES: Readonly<Record<string, ValueKind>> = {
  'domain-name:value': 'domain',
  'ipv4-addr:value': 'ip',
  'ipv6-addr:value': 'ip',
  'email-addr:value': 'email',
  'email-message:from_ref.value': 'email',
  'email-message:sender_ref.value': 'email',
  'url:value': 'url',
  'autonomous-system:number': 'asn',
}

function takeStixObjects(objects: readonly unknown[], indicators: Indicators): void {
  for (const object of objects) {
    if (!isRecord(object) || object.type !== 'indicator' || object.revoked === true) continue
    const { pattern, pattern_type: type } = object
    if (typeof pattern !== 'string' || (type ?? 'stix') !== 'stix') {
      indicators.report.reject('missing_field', JSON.stringify(object).slice(0, 200))
      continue
    }
    const values = readPattern(pattern)
    if (!values) {
      indicators.report.reject('not_an_indicator', pattern)
      continue
    }
    const firstSeenMs = dateOf(object.valid_from) ?? dateOf(object.created)
    const lastSeenMs = dateOf(object.modified) ?? firstSeenMs
    const share = typeof object.confidence === 'number' ? object.confidence / 100 : 0
    const confidence = share > 0 && share <= 1 ? share : undefined
    for (const { kind, value } of values) {
      indicators.take(kind, value, { firstSeenMs, lastSeenMs, confidence })
    }
  }
}

// Anchored and without nested repetition, so that a hostile pattern cannot make it slow.
const COMPARISON =
  /^\s*([a-z0-9-]+:[a-z0-9_.]+)\s*(=|IN)\s*(\(\s*(?:'(?:[^'\\]|\\.)*'|\d+)(?:\s*,\s*(?:'(?:[^'\\]|\\.)*'|\d+))*\s*\)|'(?:[^'\\]|\\.)*'|\d+)\s*/i

export function readPattern(pattern: string): { kind: ValueKind; value: string }[] | undefined {
  if (pattern.length > 65_536) return undefined
  const values: { kind: ValueKind; value: string }[] = []
  let rest = pattern.trim()
  while (rest !== '') {
    if (!rest.startsWith('[')) return undefined
    rest = rest.slice(1)
    for (;;) {
      const match = COMPARISON.exec(rest)
      if (!match) return undefined
      const kind = OBSERVABLES[match[1]!.toLowerCase()]
      if (!kind) return undefined
      for (const literal of match[3]!.match(/'(?:[^'\\]|\\.)*'|\d+/g) ?? []) {
        const value = literal.startsWith("'") ? literal.slice(1, -1).replace(/\\(.)/g, '$1') : literal
        values.push({ kind, value })
      }
      rest = rest.slice(match[0].length)
      if (rest.startsWith(']')) break
      const or = /^OR\s+/i.exec(rest)
      if (!or) return undefined
      rest = rest.slice(or[0].length)
    }
    rest = rest.slice(1).trim()
    if (rest === '') break
    const or = /^OR\s+/i.exec(rest)
    if (!or) return undefined
    rest = rest.slice(or[0].length)
  }
  return values.length > 0 ? values : undefined
}
