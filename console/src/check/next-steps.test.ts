import { KIND_NAMES, KINDS } from '@assay/sdk'
import { describe, expect, test } from 'vitest'
import { RECOMMENDED_ACTIONS } from '../../../src/risk/engine.ts'
import { nextSteps } from './words.ts'

const LEVELS = ['low', 'medium', 'high'] as const

describe.each(KIND_NAMES)('what to do about an answer on %s', (kind) => {
  test.each(LEVELS)('%s says the verb of the recommended action, in at most four whole sentences', (level) => {
    const { short, steps } = nextSteps(kind, level)
    const [verb = ''] = RECOMMENDED_ACTIONS[KINDS[kind].family][level].split(' ')
    expect(short.toLowerCase()).toContain(verb)
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.length).toBeLessThanOrEqual(4)
    for (const sentence of [short, ...steps]) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })
})

test('only a payee with a high risk is not paid', () => {
  expect(nextSteps('email', 'high').steps[0]).toMatch(/^Do not pay/)
  expect(nextSteps('email', 'low').steps.join(' ')).not.toContain('not pay')
})
