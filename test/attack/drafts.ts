import { SCOPE_NAMES } from '../../src/access/scopes.ts'
import type { JsonSchema } from '../support/openapi.ts'
import { OPERATIONS, type Operation, operationOf } from './document.ts'
import type { Random } from './random.ts'
import type { Answer, Draft, Headers } from './wire.ts'
import { MARK, PLAN_IDS, plantedEmail, someAddress, type Tenant, type World } from './world.ts'

/** Good requests, made from openapi.json: every family starts from one. */

export interface Prepared {
  readonly operation: Operation
  readonly caller: Tenant
  readonly draft: Draft
  /** The body before it became bytes. */
  readonly value: unknown
}

const CHECKS = OPERATIONS.filter((one) => one.charged)
const SINGLE_CHECKS = CHECKS.filter((one) => !one.bulk)
/** Each of these costs the server a tenth of a second for a password. */
const SLOW = new Set(['checkOut', 'acceptInvitation'])
const QUICK = OPERATIONS.filter((one) => !SLOW.has(one.id))
const WITH_BODY = QUICK.filter((one) => one.body)

export const anyOperation = (random: Random): Operation =>
  random.chance(0.02)
    ? operationOf(random.pick([...SLOW]))
    : random.pick(random.chance(0.3) ? SINGLE_CHECKS : random.chance(0.2) ? CHECKS : QUICK)

export const operationWithBody = (random: Random): Operation =>
  random.chance(0.02) ? operationOf(random.pick([...SLOW])) : random.pick(random.chance(0.4) ? CHECKS : WITH_BODY)

export function prepare(random: Random, world: World, operation: Operation): Prepared {
  const caller =
    operation.id === 'changeSubscription' || operation.id === 'setOverageLimit'
      ? world.leaver
      : random.pick(world.attackers)
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    random.pick(caller.ids.get(name) ?? ['none']),
  )
  const query = new URLSearchParams()
  for (const { name, schema } of operation.query) {
    // Half of these exclude each other or narrow a list to nothing.
    if (random.chance(0.2) && name !== 'cursor') query.set(name, queryText(random, name, schema))
  }
  const value = operation.body ? someValue(random, operation.body, '') : undefined
  const body = value === undefined ? undefined : Buffer.from(JSON.stringify(value))
  const needsMatch = operation.headers.some(({ name }) => name === 'if-match')
  const draft: Draft = {
    method: operation.method,
    target: query.size > 0 ? `${path}?${query}` : path,
    headers: [
      ['Host', 'localhost'],
      ['X-Forwarded-For', someAddress(random)],
      ...(operation.guarded ? credential(random, caller, operation) : []),
      ...(body ? ([['Content-Type', 'application/json']] as const) : []),
      ...(needsMatch ? ([['If-Match', '*']] as const) : []),
    ],
    ...(body ? { body } : {}),
  }
  return { operation, caller, draft, value }
}

/** Mostly the key with every scope; sometimes a token, a session, or a key that may do little. */
function credential(random: Random, caller: Tenant, operation: Operation): Headers {
  if (random.chance(0.7)) return [['X-Api-Key', caller.key]]
  return random.make<Headers>([
    () => [['Authorization', `Bearer ${caller.bearer}`]],
    () => [['X-Api-Key', caller.narrowKey]],
    () => [
      ['Cookie', caller.session.cookie],
      ...(operation.method === 'GET' ? [] : ([['X-Csrf-Token', caller.session.csrf]] as const)),
    ],
  ])
}

function queryText(random: Random, name: string, schema: JsonSchema): string {
  if (name === 'from' || name === 'to') return random.pick(['2026-01-01', '2026-02-28T10:00:00Z', '2026-12-31'])
  return String(someValue(random, schema, name))
}

/** A value the schema allows; what the name says of its meaning is kept as well. */
function someValue(random: Random, schema: JsonSchema, name: string): unknown {
  if (schema.anyOf) return someValue(random, random.pick(schema.anyOf), name)
  if (schema.enum) return random.pick(schema.enum)
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).filter(
        ([key]) => (schema.required ?? []).includes(key) || random.chance(0.4),
      )
      const kept = schema.maxProperties === undefined ? entries : entries.slice(0, schema.maxProperties)
      return Object.fromEntries(kept.map(([key, inner]) => [key, someValue(random, inner, key)]))
    }
    case 'array': {
      const length = Math.min(schema.maxItems ?? 5, Math.max(schema.minItems ?? 0, random.int(1, 5)))
      return Array.from({ length }, () => someValue(random, schema.items ?? { type: 'string' }, name))
    }
    case 'integer':
      return random.pick([
        schema.minimum ?? 0,
        Math.min(schema.maximum ?? 1000, (schema.minimum ?? 0) + random.int(0, 500)),
        random.chance(0.2) ? (schema.maximum ?? 1000) : (schema.minimum ?? 1),
      ])
    case 'boolean':
      return random.chance(0.9)
    case 'null':
      return null
    default:
      return textOf(random, name, schema)
  }
}

function textOf(random: Random, name: string, schema: JsonSchema): string {
  switch (name) {
    case 'email':
    case 'emails':
      return plantedEmail(random)
    case 'domain':
    case 'domains':
      return `${random.letters(random.int(1, 12))}.${random.pick(['example', 'com', 'co.uk', 'xn--p1ai'])}`
    case 'ip':
    case 'ips':
      return random.chance(0.7)
        ? [0, 0, 0, 0].map(() => random.int(0, 255)).join('.')
        : `2001:db8::${random.int(0, 65_535).toString(16)}`
    case 'plan':
      return random.pick(PLAN_IDS)
    case 'scopes':
      return random.pick(SCOPE_NAMES)
    case 'redirect_uris':
    case 'logout_uris':
      return `https://${random.letters(6)}.example/back`
    case 'password':
      return `${MARK} pass phrase ${random.letters(6)}`
    default: {
      const shortest = Math.max(schema.minLength ?? 0, 1)
      return random.letters(Math.min(schema.maxLength ?? 40, random.int(shortest, shortest + 20)))
    }
  }
}

const KEPT_IDS = 12

/** Takes up ids of what was made, so that there is always something to read, change and delete. */
export function learnId(caller: Tenant, operation: Operation): (answer: Answer) => void {
  const name = MADE[operation.id]
  return ({ status, json }) => {
    if (name === undefined || status !== 201 || typeof json !== 'object' || json === null) return
    const { id } = json as { id?: unknown }
    const ids = caller.ids.get(name)
    if (typeof id !== 'string' || !ids) return
    ids.push(id)
    if (ids.length > KEPT_IDS) ids.shift()
  }
}

const MADE: Readonly<Record<string, string>> = {
  createKey: 'key_id',
  createClient: 'client_id',
  createInvitation: 'invitation_id',
  createAlert: 'alert_id',
  topUp: 'invoice_id',
}
