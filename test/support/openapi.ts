import { readFileSync } from 'node:fs'

/** openapi.json in the form that tests need: every reference resolved, one entry for each operation. */

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly additionalProperties?: unknown
}

export interface Media {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly schema: JsonSchema
}

export interface DocumentedOperation {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}

export function operationsIn(document: object): DocumentedOperation[] {
  const { paths } = withoutReferences(document) as {
    paths: Record<string, Record<string, Omit<DocumentedOperation, 'method' | 'path'>>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )
}

/** References name components, and no component refers to itself. */
function withoutReferences(document: object): unknown {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return resolve(at(document, String(value.$ref)))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]))
  }
  return resolve(document)
}

function at(document: object, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document)
}

/** The schema with every object closed: an undocumented field is refused. */
export function closed<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.type === 'object' && value.properties && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value,
  )
}

/** The operations of the committed document. */
export const ALL_OPERATIONS: readonly DocumentedOperation[] = operationsIn(
  JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')),
)
/** The operations under /v1. */
export const API_OPERATIONS: readonly DocumentedOperation[] = ALL_OPERATIONS.filter(({ path }) =>
  path.startsWith('/v1/'),
)
