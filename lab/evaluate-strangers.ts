import { readFileSync } from 'node:fs'
import type { Kind } from '../src/lib/kinds.ts'
import { type Level, levelOf } from '../src/risk/engine.ts'
import { isProblem, parseIndicator } from '../src/risk/indicator.ts'
import type { Scorer } from '../src/risk/score.ts'

/** Indicators as strangers of each audience would ask about them, with the level an analyst expects. */
export interface Stranger {
  readonly part: string
  readonly kind: Kind
  readonly text: string
  /** The levels an analyst would agree with. */
  readonly expected: readonly Level[]
  readonly audience: string
}

const EXPECTED: Readonly<Record<string, readonly Level[]>> = {
  low: ['low'],
  low_or_medium: ['low', 'medium'],
  medium: ['medium'],
  medium_or_high: ['medium', 'high'],
  high: ['high'],
}

export function readStrangers(path: string): Stranger[] {
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line, i) => {
    const [part = '', kind = '', text = '', expected = '', audience = ''] = line.split(',')
    const levels = EXPECTED[expected]
    if (levels === undefined || (kind !== 'email' && kind !== 'domain' && kind !== 'ip')) {
      throw new Error(`${path}, line ${i + 2}: cannot read "${line}"`)
    }
    return { part, kind, text, expected: levels, audience }
  })
}

export interface AnsweredStranger extends Stranger {
  readonly score: number
  readonly level: Level
}

export function askStrangers(strangers: readonly Stranger[], scorer: Scorer): AnsweredStranger[] {
  return strangers.map((stranger) => {
    const indicator = parseIndicator(stranger.kind, stranger.text)
    if (isProblem(indicator)) throw new Error(`${stranger.text} was refused: ${indicator.detail}`)
    const score = scorer.evaluate(stranger.kind, [indicator], { explain: false })[0]?.score ?? 0
    return { ...stranger, score, level: levelOf(score) }
  })
}

export interface StrangerFigures {
  readonly asked: number
  readonly good: number
  readonly goodAccused: number
  readonly bad: number
  readonly badMissed: number
  readonly high: number
  readonly highFound: number
}

export function strangerFigures(answers: readonly AnsweredStranger[]): StrangerFigures {
  const good = answers.filter(({ expected }) => expected.length === 1 && expected[0] === 'low')
  const bad = answers.filter(({ expected }) => !expected.includes('low'))
  const high = answers.filter(({ expected }) => expected.length === 1 && expected[0] === 'high')
  return {
    asked: answers.length,
    good: good.length,
    goodAccused: good.filter(({ level }) => level !== 'low').length,
    bad: bad.length,
    badMissed: bad.filter(({ level }) => level === 'low').length,
    high: high.length,
    highFound: high.filter(({ level }) => level === 'high').length,
  }
}

export function disagreements(answers: readonly AnsweredStranger[]): AnsweredStranger[] {
  return answers.filter(({ expected, level }) => !expected.includes(level))
}

/** One line of the known failures. */
export function disagreementLine({ kind, text, score, level, expected }: AnsweredStranger): string {
  return `${kind} \`${text}\`: ${score}, ${level}; expected ${expected.join(' or ')}`
}
