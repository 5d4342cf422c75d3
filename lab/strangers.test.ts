import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { compileBundled } from '../src/feeds/bundled.ts'
import { KINDS } from '../src/lib/kinds.ts'
import { loadModels } from '../src/risk/model/load.ts'
import { createScorer } from '../src/risk/score.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { askStrangers, disagreementLine, disagreements, readStrangers, strangerFigures } from './evaluate-strangers.ts'

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'assay-strangers-'))
afterAll(() => rmSync(folder, { recursive: true }))

function bundledAnswers() {
  const file = join(folder, 'bundled.snapshot')
  compileBundled({ file, nowMs: Date.UTC(2026, 5, 1) })
  return askStrangers(
    readStrangers(join(ROOT, 'lab/evaluation/strangers.csv')),
    createScorer(openSnapshot(file), loadModels()),
  )
}

describe('asked as strangers would, of a fresh installation', () => {
  const answers = bundledAnswers()

  test('there are hundreds of questions, of every kind, of every audience, honest and bad', () => {
    expect(answers.length).toBeGreaterThanOrEqual(300)
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)))
    expect(new Set(answers.map(({ audience }) => audience)).size).toBeGreaterThanOrEqual(5)
    const { good, bad, high } = strangerFigures(answers)
    expect(Math.min(good, bad, high)).toBeGreaterThan(100)
  })

  test('every disagreement with the analyst stands in the known failures of the model card, and nothing else does', () => {
    const card = readFileSync(join(ROOT, 'docs/model-card.md'), 'utf8')
    const listed = card
      .slice(card.indexOf('### Disagreements with the analyst, bundled intelligence alone'))
      .split('\n')
      .filter((line) => line.startsWith('* '))
    expect(listed).toEqual(disagreements(answers).map((answer) => `* ${disagreementLine(answer)}`))
  })

  test('few honest ones are accused, few bad ones missed', () => {
    const { good, goodAccused, bad, badMissed, high, highFound } = strangerFigures(answers)
    expect(goodAccused / good).toBeLessThanOrEqual(0.03)
    expect(badMissed / bad).toBeLessThanOrEqual(0.15)
    expect(highFound / high).toBeGreaterThanOrEqual(0.75)
  })
})
