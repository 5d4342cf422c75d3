import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memorySnapshot } from '../../../test/support/memory-snapshot.ts'
import { testModels } from '../../../test/support/models.ts'
import { ownIndex } from '../../../test/support/own.ts'
import { runs } from '../../../test/support/runs.ts'
import { BASE_SCORE } from '../combine.ts'
import { levelOf } from '../engine.ts'
import { type Indicator, isProblem, parseIndicator } from '../indicator.ts'
import { createScorer } from '../score.ts'

const models = testModels()
const POPULAR = 'popular-example.com'
const snapshot = memorySnapshot({ domains: { [POPULAR]: ['popular_1k'], 'gmail.com': ['freemail'] } })

const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength, maxLength })
/** Long enough to be somebody's own name; shorter ones have honest neighbours (signals/own.test.ts). */
const label = fc.oneof(
  letters(7, 16),
  fc.tuple(letters(5, 9), letters(5, 9)).map((parts) => parts.join('-')),
)
const suffix = fc.constantFrom('com', 'de', 'co.uk', 'net', 'io')
/** Words have honest neighbours too, and fast-check knows some. */
const registered = fc.tuple(label, suffix).filter(([name]) => !models.lexicon.isWord(name.replaceAll('-', '')))
const register = fc.uniqueArray(registered, {
  minLength: 1,
  maxLength: 30,
  selector: ([name]) => name.replaceAll('-', ''),
})

const GLYPHS: Readonly<Record<string, string>> = {
  m: 'rn',
  w: 'vv',
  d: 'cl',
  o: '0',
  l: '1',
  e: 'е',
  a: 'а',
  c: 'с',
  p: 'р',
}

interface Edit {
  readonly how: number
  readonly at: number
  readonly letter: string
}
const edit: fc.Arbitrary<Edit> = fc.record({ how: fc.nat(9), at: fc.nat(100), letter: letters(1, 1) })

/** A domain that may be mistaken for label.suffix. */
function lookalikeOf(label: string, suffix: string, { how, at, letter }: Edit): string {
  const i = at % label.length
  const other = suffix === 'com' ? 'net' : 'com'
  const swapped = `${label.slice(0, i)}${label[i + 1] ?? ''}${label[i]}${label.slice(i + 2)}`
  const glyph = [...label].findIndex((one, k) => k >= i && one in GLYPHS)
  switch (how) {
    case 0:
      return `${label.slice(0, i)}${label.slice(i + 1)}.${suffix}`
    case 1:
      return `${label.slice(0, i)}${letter}${label.slice(i)}.${suffix}`
    case 2:
      return `${label.slice(0, i)}${letter}${label.slice(i + 1)}.${suffix}`
    case 3:
      return `${swapped}.${suffix}`
    case 4:
      return glyph < 0
        ? `${label}.${other}`
        : `${label.slice(0, glyph)}${GLYPHS[label[glyph] as string]}${label.slice(glyph + 1)}.${suffix}`
    case 5:
      return label.includes('-')
        ? `${label.replace('-', '')}.${suffix}`
        : `${label.slice(0, 4)}-${label.slice(4)}.${suffix}`
    case 6:
      return `${label}.${other}`
    case 7:
      return `${label}-invoices.${suffix}`
    case 8:
      return `${label}.${suffix}.secure-mail.net`
    default:
      return `${label}-${suffix.replace('.', '')}.${other}`
  }
}

function parsed(text: string): Indicator | undefined {
  const indicator = parseIndicator('domain', text)
  return isProblem(indicator) ? undefined : indicator
}

test('a look-alike of a registered domain is found, or is itself registered or popular', () => {
  fc.assert(
    fc.property(register, fc.nat(1000), edit, (known, which, how) => {
      const scorer = createScorer(snapshot, models)
      const [label, suffix] = known[which % known.length] as [string, string]
      const text = lookalikeOf(label, suffix, how)
      const indicator = parsed(text)
      // Some edits end in a hyphen or in two of them at the wrong place: no name.
      if (indicator?.kind !== 'domain') return
      const domains = known.map((one) => one.join('.'))
      if (domains.includes(indicator.domain) || indicator.domain === POPULAR) return
      const own = ownIndex({ counterparties: domains.map((domain) => ({ name: `Firm ${domain}`, domains: [domain] })) })
      const [found] = scorer.evaluate('domain', [indicator], { explain: true, own, nowMs: 1 })
      const codes = found?.signals.map(({ code }) => code) ?? []
      expect(
        codes.some((code) => code === 'own.lookalike' || code === 'own.possible_lookalike'),
        `${text} of ${label}.${suffix}`,
      ).toBe(true)
      expect(levelOf(found?.score ?? 0), text).not.toBe('low')
      expect(found?.resembles?.length).toBeGreaterThan(0)
      expect(found?.signals.reduce((sum, { effect }) => sum + effect, BASE_SCORE)).toBe(found?.score)
    }),
    {
      numRuns: runs(300),
      examples: [
        // Two letters around a hyphen look like one letter without it.
        [[['harborc-lights', 'com']], 0, { how: 7, at: 0, letter: 'a' }],
        // `vvv` may be `vw` or `wv`.
        [[['hafenvwerke', 'com']], 0, { how: 4, at: 6, letter: 'a' }],
        [[['hafenwverke', 'com']], 0, { how: 4, at: 5, letter: 'a' }],
      ],
    },
  )
})

test("another organisation's answer is byte for byte what it was before this one asked", () => {
  const scorer = createScorer(snapshot, models)
  const address = fc.tuple(label, suffix, edit, fc.constantFrom('domain', 'email') as fc.Arbitrary<'domain' | 'email'>)
  fc.assert(
    fc.property(register, fc.array(address, { minLength: 1, maxLength: 5 }), (known, asked) => {
      const own = ownIndex({
        domains: ['own-harbour.com'],
        counterparties: known.map(([name, ending]) => ({
          name,
          domains: [`${name}.${ending}`],
          emails: [`ap@${name}.${ending}`],
        })),
        entries: known.map(([name, ending]) => ({
          list: 'block',
          kind: 'domain',
          indicator: `${name}.${ending}`,
          reason: 'secret',
        })),
      })
      const texts = [
        ...known.map(([name, ending]) => ['domain', `${name}.${ending}`] as const),
        ...known.map(([name, ending]) => ['email', `ap@${name}.${ending}`] as const),
        ...asked.map(
          ([name, ending, how, kind]) =>
            [kind, `${kind === 'email' ? 'ap@' : ''}${lookalikeOf(name, ending, how)}`] as const,
        ),
      ]
      for (const [kind, text] of texts) {
        const indicator = parseIndicator(kind, text)
        if (isProblem(indicator)) continue
        const others = () => JSON.stringify(scorer.evaluate(kind, [indicator], { explain: true, nowMs: 1 }))
        const before = others()
        // Twice: the second time the domain of a mailbox comes from the cache.
        for (let i = 0; i < 2; i++) scorer.evaluate(kind, [indicator], { explain: true, own, nowMs: 1 })
        expect(others()).toBe(before)
        expect(before).not.toContain('own.')
      }
    }),
    { numRuns: runs(60) },
  )
})
