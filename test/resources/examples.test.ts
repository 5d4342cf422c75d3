import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { ALL_OPERATIONS, type Media } from '../support/openapi.ts'

/** Every operation of openapi.json shows what to send and what comes back, and both are valid by its own schemas. */

const operations = ALL_OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

function expectValid(media: Media, label: string): void {
  const examples = [
    ...(media.example === undefined ? [] : [media.example]),
    ...Object.values(media.examples ?? {}).map((one) => one.value),
  ]
  expect(examples.length, `${label} has no example`).toBeGreaterThan(0)
  for (const example of examples) {
    expect(
      Value.Errors(media.schema as never, example).map((error) => `${error.instancePath} ${error.message}`),
      label,
    ).toEqual([])
  }
}

describe('openapi.json', () => {
  it.each(operations)('%s has a name, words and valid examples', (label, operation) => {
    expect(operation.operationId, label).toBeTruthy()
    expect(operation.summary, label).toBeTruthy()
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {}))
      expectValid(media, `${label} body ${type}`)
    // A browser is sent on by 303.
    const good = Object.entries(operation.responses).filter(([status]) => /^2|303/.test(status))
    expect(good.length, label).toBeGreaterThan(0)
    for (const [status, response] of Object.entries(operation.responses)) {
      if (status === '204') continue
      for (const [type, media] of Object.entries(response.content ?? {}))
        expectValid(media, `${label} ${status} ${type}`)
    }
    if (!label.includes(' /v1/')) return
    for (const [status, response] of good) {
      if (status !== '204' && !/\.pdf$|\/export$/.test(label))
        expect(Object.keys(response.content ?? {}), label).toContain('application/json')
    }
  })

  it('gives every operation a name of its own', () => {
    const names = operations.map(([, operation]) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })
})
