import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { generatedFiles } from '../tools/generated-files.ts'

describe('generated files', () => {
  it('are up to date: else run npm run generate', async () => {
    for (const [name, text] of await generatedFiles()) {
      expect(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8') === text, `${name} is stale`).toBe(true)
    }
  })
})

describe('openapi.json', () => {
  it('passes the recommended rules of a public linter without an error', async () => {
    const source = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
    const config = await createConfig({ extends: ['recommended'] })
    const found = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
    const errors = found.filter((problem) => problem.severity === 'error')
    expect(errors.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([])
  })
})
