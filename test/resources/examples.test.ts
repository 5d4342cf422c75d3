import { readFileSync } from 'node:fs'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'

/** Every operation of openapi.json shows what to send and what comes back, and both are valid by its own schemas. */

interface Media {
  readonly schema?: object
  readonly example?: unknown
  readonly examples?: Record<string, { value: unknown }>
}
interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly requestBody?: { readonly content: Record<string, Media> }
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>
}
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
)

/** References put in place: the validator knows nothing of the document. */
function resolved(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = typeof value?.$ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec(value.$ref)?.[1] : undefined
    return name ? resolved(document.components.schemas[name]) : value
  })
}

function expectValid(media: Media, label: string): void {
  const examples = [
    ...(media.example === undefined ? [] : [media.example]),
    ...Object.values(media.examples ?? {}).map((one) => one.value),
  ]
  expect(examples.length, `${label} has no example`).toBeGreaterThan(0)
  for (const example of examples) {
    const schema = resolved(media.schema) as never
    expect(
      Value.Errors(schema, example).map((error) => `${error.instancePath} ${error.message}`),
      label,
    ).toEqual([])
  }
}

describe('openapi.json', () => {
  it.each(operations)('%s has a name, words and valid examples', (label, operation) => {
    expect(operation.operationId, label).toBeTruthy()
    expect(operation.summary, label).toBeTruthy()
    const body = operation.requestBody?.content['application/json']
    if (operation.requestBody) expectValid(body!, `${label} body`)
    const good = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
    expect(good.length, label).toBeGreaterThan(0)
    for (const [status, response] of Object.entries(operation.responses)) {
      if (status === '204') continue
      for (const [type, media] of Object.entries(response.content ?? {}))
        expectValid(media, `${label} ${status} ${type}`)
    }
    for (const [status, response] of good) {
      if (status !== '204') expect(Object.keys(response.content ?? {}), label).toContain('application/json')
    }
  })

  it('gives every operation a name of its own', () => {
    const names = operations.map(([, operation]) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })
})
