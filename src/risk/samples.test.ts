import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { interruptible } from '../../test/support/engine.ts'
import { memorySnapshot } from '../../test/support/memory-snapshot.ts'
import { testModels } from '../../test/support/models.ts'
import { KIND_NAMES } from '../lib/kinds.ts'
import type { FactSource } from '../live/facts.ts'
import { parseIndicator } from './indicator.ts'
import { createLocalEngine } from './local.ts'
import { createSamples, SAMPLE_INDICATORS } from './samples-http.ts'

const models = testModels()
const refusing: FactSource = {
  isOn: () => true,
  about: () => {
    throw new Error('something was looked up for a stranger')
  },
  aboutAll: () => {
    throw new Error('something was looked up for a stranger')
  },
}

function start() {
  let current = memorySnapshot()
  const engine = interruptible(createLocalEngine({ snapshots: { current: () => current }, models, facts: refusing }))
  const clock = new ManualClock(0)
  return {
    engine,
    clock,
    samples: createSamples(engine, clock),
    publish(version: string) {
      current = { ...current, info: { ...current.info, version } }
    },
  }
}

describe('the samples', () => {
  it('are one of each kind, and what the engine says without looking anything up', async () => {
    const { engine, samples } = start()
    const answered = await samples()
    expect(answered?.samples.map(({ kind }) => kind).sort()).toEqual([...KIND_NAMES].sort())
    for (const { kind, indicator, risk_score, signals, summary } of answered?.samples ?? []) {
      const parsed = parseIndicator(kind, indicator)
      if ('code' in parsed) throw new Error(parsed.detail)
      const { evaluations } = await engine.evaluate(kind, [parsed], { explain: true, lookUp: false })
      expect(evaluations[0]).toMatchObject({ score: risk_score, signals, summary })
    }
  })

  it('cost the engine nothing more, however many ask at once and later, until there is a new snapshot', async () => {
    const { engine, samples, clock, publish } = start()
    await Promise.all(Array.from({ length: 50 }, samples))
    clock.advance(60_000)
    await samples()
    expect(engine.asked).toBe(SAMPLE_INDICATORS.length)
    publish('the next one')
    clock.advance(60_000)
    expect((await samples())?.intelligence.version).toBe('the next one')
    expect(engine.asked).toBe(2 * SAMPLE_INDICATORS.length)
  })

  it('are not there while the engine is away, and are again when it is back', async () => {
    const { engine, samples, clock } = start()
    engine.down = true
    expect(await samples()).toBeUndefined()
    engine.down = false
    clock.advance(60_000)
    expect((await samples())?.samples).toHaveLength(SAMPLE_INDICATORS.length)
  })
})
