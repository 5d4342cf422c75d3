import { hashFinish } from '../src/lib/hashing.ts'
import { hashText } from '../src/lib/text-index.ts'
import { type Level, levelOf } from '../src/risk/engine.ts'
import { isProblem, parseIndicator } from '../src/risk/indicator.ts'
import type { OwnIndex } from '../src/risk/own/own-index.ts'
import type { Scorer } from '../src/risk/score.ts'
import { ownIndex } from '../test/support/own.ts'
import type { LabelledRow } from './evaluate-sets.ts'

/** The effect of a register of counterparties: look-alikes of its firms that are found, and strangers that it accuses. */

const FIRMS = 50
const REGISTER = 10_000
const STRANGERS = 2000
const MID_SIZE: ReadonlySet<string> = new Set(['local_business', 'startup_yc', 'company_remote'])

export interface OwnFigures {
  readonly register: number
  readonly strangers: number
  /** Strangers whose level is higher because of the register, with both levels. */
  readonly accused: readonly { readonly name: string; readonly from: Level; readonly to: Level; readonly why: string }[]
  readonly ways: readonly {
    readonly way: string
    readonly made: number
    readonly without: Shares
    readonly with: Shares
  }[]
}

interface Shares {
  readonly high: number
  readonly medium: number
}

/** The same data gives the same choice: names are drawn by a hash, and `draw` gives another one. */
export function measureOwn(rows: readonly LabelledRow[], scorer: Scorer, draw = ''): OwnFigures {
  const drawn = (text: string) => hashFinish(hashText(`${draw}${text}`))
  const honest = rows
    .filter(({ kind, bad }) => kind === 'domain' && !bad)
    .filter(({ text }) => !isProblem(parseIndicator('domain', text)))
    .sort((a, b) => drawn(a.text) - drawn(b.text))
  const firms = honest.filter(({ stratum }) => MID_SIZE.has(stratum)).slice(0, FIRMS)
  const others = honest.filter((row) => !firms.includes(row))
  const strangers = others
    .filter(({ stratum }) => MID_SIZE.has(stratum) || stratum.startsWith('fresh_'))
    .slice(0, STRANGERS)
  const asked = new Set(strangers)
  const register = [...firms, ...others.filter((row) => !asked.has(row))].slice(0, REGISTER)
  const own = indexOf(register.map(({ text }) => text))
  const reasonsFor = (text: string, known?: OwnIndex) => {
    const indicator = parseIndicator('domain', text)
    if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
    const [answer] = scorer.evaluate('domain', [indicator], { explain: true, own: known })
    return { level: levelOf(answer?.score ?? 0), why: answer?.signals[0]?.description ?? '' }
  }
  const rank = { low: 0, medium: 1, high: 2 }
  const accused = strangers.flatMap(({ text: name }) => {
    const { level: from } = reasonsFor(name)
    const { level: to, why } = reasonsFor(name, own)
    return rank[to] > rank[from] ? [{ name, from, to, why }] : []
  })
  const registered = new Set(register.map(({ text }) => text))
  const ways = Object.entries(WAYS).map(([way, edit]) => {
    const made = firms.flatMap(({ text }) => {
      const [label = '', ...ending] = text.split('.')
      const name = edit(label, ending.join('.'), drawn(`${way} ${text}`))
      return registered.has(name) || name === text || isProblem(parseIndicator('domain', name)) ? [] : [name]
    })
    const shares = (known?: OwnIndex): Shares => {
      const levels = made.map((name) => reasonsFor(name, known).level)
      const share = (level: Level) => levels.filter((one) => one === level).length / Math.max(1, made.length)
      return { high: share('high'), medium: share('medium') }
    }
    return { way, made: made.length, without: shares(), with: shares(own) }
  })
  return { register: register.length, strangers: strangers.length, accused, ways }
}

function indexOf(domains: readonly string[]): OwnIndex {
  return ownIndex({
    counterparties: domains.map((domain) => ({ name: domain.split('.')[0] ?? domain, domains: [domain] })),
  })
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const GLYPHS: Readonly<Record<string, string>> = {
  m: 'rn',
  w: 'vv',
  d: 'cl',
  o: '0',
  l: '1',
  i: 'l',
  e: '3',
  a: '4',
  s: '5',
}
const FOREIGN: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', c: 'с', p: 'р', i: 'і', s: 'ѕ' }
const ADDED = 'invoices payments billing accounts portal group online uk finance support'.split(' ')
const ENDINGS = 'com net org co biz info shop online eu'.split(' ')

const WAYS: Readonly<Record<string, (label: string, ending: string, seed: number) => string>> = {
  'a letter left out': (label, ending, seed) => spliced(label, seed, 1, '', ending),
  'a letter added': (label, ending, seed) => spliced(label, seed, 0, LETTERS[(seed >>> 8) % 26] as string, ending),
  'a letter replaced': (label, ending, seed) => spliced(label, seed, 1, LETTERS[(seed >>> 8) % 26] as string, ending),
  'two letters exchanged': (label, ending, seed) => {
    const at = seed % Math.max(1, label.length - 1)
    return `${label.slice(0, at)}${label[at + 1] ?? ''}${label[at]}${label.slice(at + 2)}.${ending}`
  },
  'letters that look alike': (label, ending, seed) => replaced(label, GLYPHS, seed, ending),
  'letters of another alphabet': (label, ending, seed) => replaced(label, FOREIGN, seed, ending),
  'another hyphen': (label, ending, seed) => {
    const at = 2 + (seed % Math.max(1, label.length - 3))
    return label.includes('-')
      ? `${label.replace('-', '')}.${ending}`
      : `${label.slice(0, at)}-${label.slice(at)}.${ending}`
  },
  'another ending': (label, ending, seed) => {
    const others = ENDINGS.filter((one) => one !== ending)
    return `${label}.${others[seed % others.length]}`
  },
  'an added word': (label, ending, seed) => `${label}${seed & 32 ? '-' : ''}${ADDED[seed % ADDED.length]}.${ending}`,
  'its address in front': (label, ending, seed) => `${label}.${ending}.secure-${ADDED[seed % ADDED.length]}.net`,
}

function spliced(label: string, seed: number, cut: number, letter: string, ending: string): string {
  const at = seed % label.length
  return `${label.slice(0, at)}${letter}${label.slice(at + cut)}.${ending}`
}

function replaced(label: string, table: Readonly<Record<string, string>>, seed: number, ending: string): string {
  const places = [...label].flatMap((letter, i) => (letter in table ? [i] : []))
  const at = places[seed % Math.max(1, places.length)]
  return at === undefined
    ? `${label}.${ending}`
    : `${label.slice(0, at)}${table[label[at] as string]}${label.slice(at + 1)}.${ending}`
}

const percent = (share: number, digits = 0) => `${(100 * share).toFixed(digits)} %`

export function ownTable({ ways }: OwnFigures): string {
  const made = ways.reduce((sum, way) => sum + way.made, 0)
  const whole = (side: 'with' | 'without', level: keyof Shares) =>
    ways.reduce((sum, way) => sum + way.made * way[side][level], 0) / Math.max(1, made)
  const row = (name: string, count: number, without: Shares, known: Shares) =>
    `| ${name} | ${count} | ${percent(without.high)} | ${percent(without.medium)} | ${percent(known.high)} | ${percent(known.medium)} |`
  const shares = (side: 'with' | 'without') => ({ high: whole(side, 'high'), medium: whole(side, 'medium') })
  return [
    '| Look-alikes of firms in the register | Made | high without | medium without | high with | medium with |',
    '|---|---:|---:|---:|---:|---:|',
    ...ways.map((one) => row(one.way, one.made, one.without, one.with)),
    row('**all**', made, shares('without'), shares('with')),
  ].join('\n')
}

/** The section of the model card. */
export function ownSection(figures: OwnFigures): string {
  const { register, strangers, accused } = figures
  const share = accused.length / Math.max(1, strangers)
  const list = accused.map(({ name, from, to, why }) => `* \`${name}\`: ${from} → ${to}. ${why}`)
  return `## With a register of counterparties

An organisation that keeps its counterparties has its own look-alikes found. Measured with the feeds: ${FIRMS} mid-size firms
(start-ups, local firms, companies with remote staff), with look-alikes made in ten ways; a register of ${register} honest names, those firms among them; and ${strangers} honest strangers
that are not in it (small firms and fresh names). Names are drawn by a hash.

${ownTable(figures)}

Strangers whose level is higher because of the register: **${accused.length} of ${strangers} (${percent(share, 2)})**; the limit is 0.2 %.
${list.length === 0 ? '' : `\n${list.join('\n')}\n`}`
}
