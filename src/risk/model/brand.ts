import type { Trade } from './brand-lures.ts'

/** One line of brands.txt. */
export interface Brand {
  readonly label: string
  /** The label without its hyphens. */
  readonly joined: string
  /** One of the best known, which fraud is known to imitate. */
  readonly best: boolean
  /** A household name, the best known included. */
  readonly household: boolean
  /** Also a word, a surname, a place or common initials, so that others use it innocently. */
  readonly everyday: boolean
  /** Dealers, partners and fans use it honestly. */
  readonly dealers: boolean
  readonly trade: Trade
  readonly suffixes: readonly string[]
}

const TRADES = /[msbcptgi]/

/** Reads the committed artefact: `label tier+marks suffix,suffix` a line. */
export function parseBrands(text: string): Brand[] {
  const brands: Brand[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [label = '', marks = '', suffixes = ''] = line.split(' ')
    brands.push({
      label,
      joined: label.replaceAll('-', ''),
      best: marks.startsWith('0'),
      household: !marks.startsWith('2'),
      everyday: marks.includes('w'),
      dealers: marks.includes('d'),
      trade: (TRADES.exec(marks)?.[0] ?? '') as Trade,
      suffixes: suffixes === '' ? [] : suffixes.split(','),
    })
  }
  return brands
}
