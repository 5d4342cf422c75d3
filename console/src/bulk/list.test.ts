import { describe, expect, it } from 'vitest'
import { addedTitles } from './file.ts'
import { gist } from './journal.ts'
import { type Leg, placeIn, recordsOf, takeRanges } from './list.ts'

const leg: Leg = {
  runId: 'run',
  ranges: [
    [0, 3],
    [5, 6],
    [8, 13],
  ],
  batchSize: 4,
  unitPricePence: 3,
  closed: false,
}

describe('the records of a leg', () => {
  it('are cut into batches over the gaps between its ranges, and found again', () => {
    expect([0, 1, 2, 3].map((number) => recordsOf(leg, number))).toEqual([[0, 1, 2, 5], [8, 9, 10, 11], [12], []])
    for (const number of [0, 1, 2]) {
      for (const [at, record] of recordsOf(leg, number).entries()) expect(placeIn(leg, record)).toEqual({ number, at })
    }
    expect([3, 7, 13].map((record) => placeIn(leg, record))).toEqual([undefined, undefined, undefined])
  })

  it('are the first so many that wait', () => {
    const waits = (record: number) => record % 4 !== 0
    expect(takeRanges(10, waits, 4)).toEqual([
      [1, 4],
      [5, 6],
    ])
    expect(takeRanges(10, waits, 100, 6)).toEqual([
      [6, 8],
      [9, 10],
    ])
    expect(takeRanges(10, waits, 0)).toEqual([])
  })
})

describe('the gist of an answer', () => {
  const signal = (effect: number, description: string, code = 'domain.x') => ({
    code,
    description,
    effect,
    source: 'rules',
    first_seen: null,
    last_seen: null,
  })
  const reasonOf = (risk: 'low' | 'medium' | 'high', ...signals: ReturnType<typeof signal>[]) =>
    gist({ risk, risk_score: 0, signals })

  it('is the signal that pulls most to the side of the level', () => {
    const signals = [signal(5, 'new'), signal(-20, 'known good'), signal(40, 'listed'), signal(0, 'a note')]
    expect(reasonOf('high', ...signals).reason).toBe('listed')
    expect(reasonOf('low', ...signals).reason).toBe('known good')
  })

  it('a low score without a reassuring signal says how little is known', () => {
    expect(reasonOf('low').reason).toBe('Nothing known against it')
    expect(reasonOf('low', signal(0, 'a note')).reason).toBe('Nothing known against it')
    expect(reasonOf('low', signal(5, 'It is new')).reason).toBe('Little against it. It is new')
  })

  it('a low score of what is not public says nothing; a refused record says why', () => {
    const notPublic = signal(0, 'Nothing to check: private address', 'ip.not_public')
    expect(reasonOf('low', notPublic)).toMatchObject({ state: 'nothing', reason: 'Private address' })
    expect(reasonOf('high', notPublic, signal(80, 'listed')).state).toBe('high')
    const refused = gist({ invalid: { code: 'invalid_email', detail: 'Not an address.' } })
    expect(refused).toEqual({ state: 'refused', score: 0, reason: 'Not an address.' })
  })
})

it('added columns never take the title of a column of the list', () => {
  const added = ['Level', 'Score', 'Main reason', 'What to do', 'Note']
  expect(addedTitles(['Name'])).toEqual(added)
  expect(addedTitles([' level', 'NOTE'])).toEqual(['Level (Assay)', ...added.slice(1, 4), 'Note (Assay)'])
  expect(addedTitles([...added, 'Level (Assay)'])[0]).toBe('Level (Assay 2)')
})
