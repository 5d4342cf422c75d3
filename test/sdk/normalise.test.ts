import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KIND_NAMES, type Kind } from '../../sdk/src/kinds.ts'
import { dedupeKey } from '../../sdk/src/repeats.ts'
import { isProblem, parseIndicator } from '../../src/risk/indicator.ts'
import { anyText } from '../support/any-text.ts'
import { runs } from '../support/runs.ts'

const text: Record<Kind, readonly string[]> = {
  domain: [
    'Example.com',
    'MÜNCHEN.de',
    'mu\u0308nchen.de',
    'xn--mnchen-3ya.de',
    'ΟΔΟΣ.gr',
    'straße.de',
    'İstanbul.com',
  ],
  email: ['A.B@Example.com', 'Zoë@example.com', 'zoe\u0308@example.com', 'K@münchen.de'],
  ip: ['2001:DB8::1', '2001:db8::1', '1.2.3.4', '::FFFF:1.2.3.4'],
}

function variants(kind: Kind) {
  return fc
    .tuple(
      fc.constantFrom(...text[kind]),
      fc.constantFrom('', ' ', '\t', '\u00a0'),
      fc.constantFrom('', '.', '..', ' ', '. '),
      fc.constantFrom(
        (t: string) => t,
        (t: string) => t.toUpperCase(),
        (t: string) => t.toLowerCase(),
        (t: string) => t.normalize('NFD'),
        (t: string) => t.normalize('NFC'),
      ),
    )
    .map(([base, before, after, change]) => before + change(base) + after)
}

/** The server's reading of a record. It may refuse two records of one key for different reasons: they are refused. */
function taken(kind: Kind, record: string) {
  const indicator = parseIndicator(kind, record)
  return isProblem(indicator) ? 'refused' : indicator
}

describe('dedupeKey', () => {
  it.each(KIND_NAMES)('gives two %s records one key only when the server takes them as one', (kind) => {
    fc.assert(
      fc.property(
        fc.oneof({ arbitrary: variants(kind), weight: 4 }, anyText()),
        fc.oneof({ arbitrary: variants(kind), weight: 4 }, anyText()),
        (a, b) => {
          if (dedupeKey(kind, a) !== dedupeKey(kind, b)) return
          expect(taken(kind, a)).toEqual(taken(kind, b))
        },
      ),
      { numRuns: runs(500) },
    )
  })

  it('takes as one what differs in case, blanks, composition or a trailing dot', () => {
    expect(dedupeKey('domain', ' Example.COM. ')).toBe(dedupeKey('domain', 'example.com'))
    expect(dedupeKey('domain', 'mu\u0308nchen.de')).toBe(dedupeKey('domain', 'MÜNCHEN.de'))
    expect(dedupeKey('email', 'Zoe\u0308@Example.com ')).toBe(dedupeKey('email', 'zoë@example.com'))
    expect(dedupeKey('ip', ' 2001:DB8::1')).toBe(dedupeKey('ip', '2001:db8::1'))
  })
})
