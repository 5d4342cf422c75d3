import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { API_OPERATIONS, closed, type JsonSchema, type Parameter } from '../support/openapi.ts'

/** The content of openapi.json: the operations to call, and the form of every answer. */

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

export const OPERATIONS: readonly Operation[] = API_OPERATIONS.map(
  ({ operationId, method, path, parameters = [], requestBody, security = [] }) => ({
    id: operationId,
    method,
    path,
    query: parameters.filter((one) => one.in === 'query'),
    headers: parameters.filter((one) => one.in === 'header'),
    body: requestBody?.content['application/json']?.schema,
    guarded: security.length > 0,
    charged: path.includes('-risk'),
    bulk: path.endsWith('/bulk'),
  }),
)

export function operationOf(id: string): Operation {
  const found = OPERATIONS.find((one) => one.id === id)
  if (!found) throw new Error(`openapi.json has no operation ${id}`)
  return found
}

const ajv = new Ajv2020({ strict: false, allErrors: false })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
const validators = new Map<string, ValidateFunction>()

/** Returns the parts of an answer that openapi.json does not allow; undefined if all is as documented. */
export function undocumented(
  operation: Operation,
  answer: { readonly status: number; readonly type: string; readonly json: unknown },
): string | undefined {
  const response = API_OPERATIONS.find(({ operationId }) => operationId === operation.id)?.responses[answer.status]
  const name = `${operation.method} ${operation.path} ${answer.status}`
  if (!response) return `${name}: the status is not documented`
  if (answer.status === 204) return undefined
  const schema = response.content?.[answer.type]?.schema
  if (!schema) return `${name}: the content type ${answer.type || 'none'} is not documented`
  if (!answer.type.endsWith('json')) return undefined
  const key = `${name} ${answer.type}`
  let validate = validators.get(key)
  if (!validate) {
    validate = ajv.compile(closed(schema))
    validators.set(key, validate)
  }
  if (validate(answer.json)) return undefined
  const [first] = validate.errors ?? []
  return `${name}: ${first?.instancePath ?? ''} ${first?.message ?? 'does not match'} ${JSON.stringify(first?.params ?? {})}`
}
