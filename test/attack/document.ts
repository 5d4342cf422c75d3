import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** What openapi.json says: the operations to call, and the form of every answer. */

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

interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly schema: JsonSchema
}

export interface Operation {
  readonly id: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly query: readonly Parameter[]
  readonly headers: readonly Parameter[]
  readonly body: JsonSchema | undefined
  /** False when anybody may call it. */
  readonly guarded: boolean
  /** A check, which is charged for. */
  readonly charged: boolean
  readonly bulk: boolean
}

interface DocumentedOperation {
  readonly operationId: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
}

const DOCUMENT: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
} = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'), (_key, value) =>
  // Fields nobody documented are refused here.
  value?.type === 'object' && value.properties && value.additionalProperties === undefined
    ? { ...value, additionalProperties: false }
    : value,
)

const ENTRIES = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, documented]) => ({ path, method: method.toUpperCase(), documented })),
)

export const OPERATIONS: readonly Operation[] = ENTRIES.map(({ path, method, documented }) => ({
  id: documented.operationId,
  method,
  path,
  query: (documented.parameters ?? []).filter((one) => one.in === 'query'),
  headers: (documented.parameters ?? []).filter((one) => one.in === 'header'),
  body: documented.requestBody?.content['application/json']?.schema,
  guarded: (documented.security ?? []).length > 0,
  charged: path.includes('-risk'),
  bulk: path.endsWith('/bulk'),
}))

export function operationOf(id: string): Operation {
  const found = OPERATIONS.find((one) => one.id === id)
  if (!found) throw new Error(`openapi.json has no operation ${id}`)
  return found
}

const ajv = new Ajv2020({ strict: false, allErrors: false })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
ajv.addSchema({ $id: 'openapi', components: DOCUMENT.components })
const validators = new Map<string, ValidateFunction>()

/** What openapi.json does not allow about an answer of this operation; undefined when all is as documented. */
export function undocumented(
  operation: Operation,
  answer: { readonly status: number; readonly type: string; readonly json: unknown },
): string | undefined {
  const entry = ENTRIES.find(({ documented }) => documented.operationId === operation.id)
  const response = entry?.documented.responses[answer.status]
  const name = `${operation.method} ${operation.path} ${answer.status}`
  if (!response) return `${name}: the status is not documented`
  if (answer.status === 204) return undefined
  const schema = response.content?.[answer.type]?.schema
  if (!schema) return `${name}: the content type ${answer.type || 'none'} is not documented`
  if (!answer.type.endsWith('json')) return undefined
  const key = `${name} ${answer.type}`
  let validate = validators.get(key)
  if (!validate) {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')
    validate = ajv.compile(JSON.parse(text))
    validators.set(key, validate)
  }
  if (validate(answer.json)) return undefined
  const [first] = validate.errors ?? []
  return `${name}: ${first?.instancePath ?? ''} ${first?.message ?? 'does not match'} ${JSON.stringify(first?.params ?? {})}`
}
