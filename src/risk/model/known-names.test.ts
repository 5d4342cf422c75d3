import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memorySnapshot } from '../../../test/support/memory-snapshot.ts'
import { looksOf } from '../../snapshot/looks.ts'
import { matchKnown, matchKnownReading, withMistakenSuffix } from './known-names.ts'
import { loadModels } from './load.ts'
import { wordSet } from './word-lists.ts'

const models = loadModels()
const { lexicon } = models

/** Sites that are shipped as popular, as a test needs them. */
const POPULAR = readFileSync(join(import.meta.dirname, '../../feeds/popular-names.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ') as [label: string, suffixes: string])
const names = looksOf(
  new Set(POPULAR.flatMap(([label, suffixes]) => suffixes.split(',').map((suffix) => `${label}.${suffix}`))),
)
const match = (label: string) => matchKnown(label, names, lexicon)
const brandAt = (site: string) => {
  const dot = site.indexOf('.')
  return { brand: { label: site.slice(0, dot), suffixes: [site.slice(dot + 1)] } }
}

test('a name that looks the same as a known one is found, with the characters that differ', () => {
  expect(match('prysrnian')).toMatchObject({
    how: 'homoglyph',
    ...brandAt('prysmian.com'),
    differences: [{ seen: 'rn', meant: 'm' }],
  })
  for (const [label, known] of [
    ['phoenlxcontact', 'phoenixcontact'],
    ['vvartsila', 'wartsila'],
    ['wartsi1a', 'wartsila'],
    ['grundf0s', 'grundfos'],
    ['weldmue11er', 'weidmueller'],
    ['prysrnian-group', 'prysmian'],
    ['phoenlx-contact', 'phoenixcontact'],
    ['grund-f0s', 'grundfos'],
    ['vvartsilagroup', 'wartsila'],
  ] as const) {
    expect(match(label)?.brand.label, label).toBe(known)
  }
  expect(match('cali-sign'), 'a firm of signs, and not callsign').toBeUndefined()
})

/** The ways in which one character is written to look like another. */
const SWAPS: readonly (readonly [string, string])[] = [
  ['m', 'rn'],
  ['w', 'vv'],
  ['d', 'cl'],
  ['o', '0'],
  ['l', '1'],
  ['i', '1'],
  ['i', 'l'],
  ['l', 'i'],
]

test('every popular name of six letters or more is found behind a swapped glyph, unless the result is itself popular', () => {
  const labels = new Set(POPULAR.map(([label]) => label))
  const people = wordSet('names')
  const swappable = POPULAR.map(([label]) => label).filter((label) => /^[a-z]{6,39}$/.test(label) && !people.has(label))
  fc.assert(
    fc.property(fc.constantFrom(...swappable), fc.constantFrom(...SWAPS), fc.nat(), (label, [from, to], nth) => {
      const places = [...label].flatMap((letter, at) => (letter === from ? [at] : []))
      fc.pre(places.length > 0)
      const at = places[nth % places.length] as number
      const swapped = label.slice(0, at) + to + label.slice(at + 1)
      fc.pre(!labels.has(swapped))
      const { covered, words } = lexicon.cover(swapped)
      // `mall` for `mail`: words of their own.
      fc.pre(!lexicon.isWord(swapped) && !(covered === swapped.length && words <= 2))
      expect(match(swapped)?.how, `${swapped} for ${label}`).toBe('homoglyph')
    }),
    { numRuns: 2000 },
  )
})

test('a name one edit from a long known one is found, wherever the edit is', () => {
  // With letters that make a pair with another one: `va` may become `vw` or `vv`, `cu` may become `cl`.
  const name = 'zalvantrixocuzh'
  const own = looksOf(new Set([`${name}.com`]))
  for (let at = 0; at < name.length; at++) {
    const [before, behind] = [name.slice(0, at), name.slice(at)]
    const turned = before + behind.slice(1, 2) + behind.slice(0, 1) + behind.slice(2)
    const edited = [...'bcfghjklmnpqrtuvwxz'].flatMap((letter) => [
      before + letter + behind,
      before + letter + behind.slice(1),
    ])
    for (const label of new Set([turned, before + behind.slice(1), ...edited])) {
      // A name without its first letter is another name.
      if (label === name || label === name.slice(1)) continue
      expect(matchKnown(label, own, lexicon)?.brand.label, label).toBe(name)
    }
  }
})

test('a slip of the finger in a known name of eight letters is found; any other edit may be another name', () => {
  for (const label of ['prysmiaan', 'prysmain', 'prysmien', 'wartzila', 'grundfoss', 'konecrranes']) {
    expect(match(label)?.how, label).toBe('typo')
  }
  // A name that begins with a word of payments itself.
  expect(match('billingsgzette')?.brand.label).toBe('billingsgazette')
  const rare = memorySnapshot({
    domains: { 'zalvanti.com': ['popular_1m'], 'prixuvel.com': ['popular_100k'] },
  }).knownNames
  const found = (label: string) => matchKnown(label, rare, lexicon)?.brand.label
  expect(['prixuvvel', 'prixuvek', 'prixuveg', 'pixuvel'].map(found)).toEqual([
    'prixuvel',
    'prixuvel',
    undefined,
    undefined,
  ])
  // Sites beyond the first hundred thousand are many.
  expect(found('zalvannti')).toBeUndefined()
})

test('a q in place of a g, and an l that nobody could speak, deceive; a q before a u, and an l that one can speak, may be another name', () => {
  expect(match('qrundfos')).toMatchObject({ how: 'homoglyph', differences: [{ seen: 'q', meant: 'g' }] })
  expect(match('kuehne-naqel')?.brand.label).toBe('kuehne-nagel')
  expect(match('evonlk')).toMatchObject({ ...brandAt('evonik.com'), brand: { everyday: false } })
  expect(match('barllla')).toMatchObject({ brand: { label: 'barilla', everyday: false } })
  expect(matchKnown('delara', looksOf(new Set(['deiara.com'])), lexicon)?.brand.everyday).toBe(true)
  expect(matchKnown('quellenhof', looksOf(new Set(['guellenhof.com'])), lexicon)).toBeUndefined()
})

test('a popular name of one word under an ending that is read as .com is found', () => {
  const under = (label: string, suffix: string) => withMistakenSuffix(label, suffix, names, lexicon)
  expect(under('konecranes', 'cam')).toMatchObject({
    ...brandAt('konecranes.com'),
    differences: [{ seen: '.cam', meant: '.com' }],
  })
  for (const [label, suffix] of [
    ['konecranes', 'co'],
    ['konecranes', 'de'],
    ['bluewater', 'cam'],
    ['tresckow', 'cm'],
  ] as const) {
    expect(under(label, suffix), label).toBeUndefined()
  }
})

test('a letter typed twice or two exchanged in a long popular name are found, whatever words they leave', () => {
  expect(match('phoenixcontcat')).toMatchObject({ how: 'typo', ...brandAt('phoenixcontact.com') })
  expect(match('hoffmnan-group')?.brand.label).toBe('hoffmann-group')
})

test('a letter typed twice in a popular name of seven letters is found, and nothing else is', () => {
  expect(match('danfosss')).toMatchObject({ how: 'typo', ...brandAt('danfoss.com') })
  expect(match('daanfoss')?.brand.label).toBe('danfoss')
  for (const label of ['danfose', 'danfosa', 'danfossa', 'dannfos', 'alphabett']) {
    expect(match(label), label).toBeUndefined()
  }
})

test('independent names one letter from a known one are left alone', () => {
  const own = looksOf(
    new Set(
      'channel4.com fstravel.com pdfleader.com restaurant.com fcc-group.eu danfoss.com analysis.fi airnet.com'.split(
        ' ',
      ),
    ),
  )
  for (const label of 'channel5 dstravel pdfreader restaurante restaurants acc-group danfos analyses airnets danfoss'.split(
    ' ',
  )) {
    expect(matchKnown(label, own, lexicon), label).toBeUndefined()
  }
  // Two popular names, one letter apart.
  const both = looksOf(new Set(['dailybot.com', 'dailydot.com', 'prysmian.com', 'prysrnian.com']))
  for (const label of ['dailybot', 'dailydot', 'prysmian', 'prysrnian']) {
    expect(matchKnown(label, both, lexicon), label).toBeUndefined()
  }
})

test('a known name beside words of payments is found, joined or between hyphens, in several languages', () => {
  for (const label of `prysmian-bankdetails prysmianinvoices legrand-factures danfoss-rechnung-2026 faktura-grundfos
    remittance-wartsila phoenixcontact-payments prysmian-accountspayable legrand-factures-impayees
    danfoss-coordinate-bancarie prysmian-pagos-pendientes`.split(/\s+/)) {
    expect(match(label), label).toMatchObject({ how: 'combination', company: 'payment', brand: { everyday: false } })
  }
  expect(match('stora-enso-invoices')).toMatchObject({ company: 'payment', ...brandAt('storaenso.com') })
  expect(match('prysrnian-invoices')).toMatchObject({ how: 'homoglyph', ...brandAt('prysmian.com'), word: 'invoices' })
  for (const label of [
    'green-field-billing',
    'summit-invoices',
    'thomas-billing',
    'harbour-invoices',
    'myinvoices',
    'uk-payments',
  ]) {
    expect(match(label), label).toBeUndefined()
  }
})

test('a department, a job, the legal form or the country behind the name of a firm that many know is found', () => {
  for (const [label, company] of Object.entries({
    'danfoss-group-finance': 'business',
    'prysmian-recruitment': 'department',
    'danfoss-vpn': 'department',
    'prysmian-login': 'secret',
    'danfoss-procurement': 'payment',
    'trelleborg-etender-registration': 'payment',
    'careers-apply-danfoss': 'business',
    'danfoss-intl': 'form',
    'wartsila-usa': 'country',
    'wartsila-valves': 'form',
    'geodis-transport': 'form',
  })) {
    expect(match(label), label).toMatchObject({ company })
  }
  expect(match('dachser-com')).toMatchObject({ how: 'dotless', ...brandAt('dachser.com') })
  expect(match('dachser-boleto-atualizado')).toMatchObject({ company: 'amid', word: 'boleto' })
  for (const label of [
    'danfoss-outlet',
    'danfoss-summer',
    'harbour-valves',
    'summit-recruitment',
    'green-field-support',
  ]) {
    expect(match(label), label).toBeUndefined()
  }
})

test('a popular name amid a demand and other words is found, a little known one is one of these words', () => {
  const beside = (tag: 'popular_100k' | 'popular_1m') =>
    matchKnown(
      'doctolib-termin-bestaetigen',
      memorySnapshot({ domains: { 'doctolib.com': [tag] } }).knownNames,
      lexicon,
    )
  expect(beside('popular_100k')).toMatchObject({ how: 'combination', company: 'amid' })
  expect(beside('popular_1m')).toBeUndefined()
})

test('a known name in the letters of another alphabet is found; accents and words of that alphabet are honest', () => {
  const reading = (text: string) => models.toAscii(text)
  expect(matchKnownReading(reading('prуsmian'), 'mixed', 'com', names)).toMatchObject({
    how: 'homoglyph',
    ...brandAt('prysmian.com'),
  })
  expect(matchKnownReading(reading('wärtsilä'), 'accented', 'com', names)).toBeUndefined()
  expect(matchKnownReading('yandex', 'foreign', 'xn--p1ai', names)).toBeUndefined()
})

test('one index of a million names, or of three of an organisation, is asked by the same code', () => {
  const { knownNames } = memorySnapshot({
    domains: { 'bekaert.com': ['popular_1m'], 'example-bank.com': ['bank'], 'evil.com': ['phishing'] },
  })
  expect(matchKnown('bekaert-bankdetails', knownNames, lexicon)).toMatchObject(brandAt('bekaert.com'))
  expect(matchKnown('exarnple-bank', knownNames, lexicon)).toMatchObject(brandAt('example-bank.com'))
})
