import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { MonthlyFigure } from './evaluate-sets.ts'

/**
 * The record of every look at July: looks.csv, one row a look. Weights are chosen on June; July shows if a finished
 * change also holds for names of a later month. People fit to a set that they look at often, so only the tool scores
 * July, and it writes down each time.
 */

/** A figure of both months, as one look saw them. */
export interface ComparedFigure {
  readonly name: string
  readonly june: number
  readonly july: number
}

export interface Look {
  readonly day: string
  readonly commit: string
  readonly reason: string
  readonly figures: readonly ComparedFigure[]
}

const FIXED = ['date', 'commit', 'reason']

/** The cells of the figures are `june july`. */
export function readLooks(file: string): Look[] {
  if (!existsSync(file)) return []
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const names = head.split(',').slice(FIXED.length)
  return lines.map((line) => {
    const [day = '', commit = '', reason = '', ...cells] = line.split(',')
    const figures = names.map((name, i) => {
      // Empty in looks from before the figure.
      const [june = Number.NaN, july = Number.NaN] = (cells[i] || 'NaN').split(' ').map(Number)
      return { name, june, july }
    })
    return { day, commit, reason, figures }
  })
}

export function writeLook(
  file: string,
  look: Omit<Look, 'figures'>,
  june: readonly MonthlyFigure[],
  july: readonly MonthlyFigure[],
): void {
  const head = [...FIXED, ...june.map(({ name }) => name)].join(',')
  if (!existsSync(file)) writeFileSync(file, `${head}\n`)
  const known = readFileSync(file, 'utf8').split('\n', 1)[0]
  if (known !== head) throw new Error(`${file} has other columns than today's figures: ${head}`)
  const cells = june.map(({ value }, i) => `${value.toFixed(4)} ${(july[i]?.value ?? Number.NaN).toFixed(4)}`)
  appendFileSync(file, `${[look.day, look.commit, look.reason.replaceAll(',', ';'), ...cells].join(',')}\n`)
}
