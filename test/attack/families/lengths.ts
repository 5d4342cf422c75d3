import { LIMITS } from '../../../src/limits.ts'
import type { JsonSchema } from '../../support/openapi.ts'
import { type Attack, attackOf, demand, type Family } from '../attack.ts'
import { OPERATIONS, type Operation, operationOf } from '../document.ts'
import { learnId, prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import { setHeader } from '../wire.ts'
import { MARK, type World } from '../world.ts'

/** One below, at and one above every limit, and far beyond. */
export const lengths: Family = {
  name: 'lengths',
  weight: 2,
  make(random, world) {
    // Large bodies take long to send and to read, so the small limits are tried far more often.
    return random.chance(0.04) ? random.pick(LARGE)(random, world) : random.pick(SMALL)(random, world)
  },
}

type Maker = (random: Random, world: World) => Attack

const around = (random: Random, limit: number): number => random.pick([limit - 1, limit, limit + 1])

interface Place {
  readonly operation: Operation
  readonly name: string
  readonly schema: JsonSchema
}

const PLACES: readonly Place[] = OPERATIONS.filter(
  (one) => one.body && one.id !== 'checkOut' && one.id !== 'acceptInvitation',
).flatMap((operation) =>
  Object.entries(operation.body?.properties ?? {}).map(([name, schema]) => ({ operation, name, schema })),
)

/** A field of a body at the edge of what its schema says. */
function edgeOf(random: Random, schema: JsonSchema): unknown {
  const inner = schema.anyOf?.find((one) => one.type !== 'null') ?? schema
  if (inner.type === 'integer') {
    return random.pick([inner.minimum ?? 0, inner.maximum ?? 2 ** 53]) + random.pick([-1, 0, 1])
  }
  if (inner.type === 'array') {
    const length = Math.max(
      0,
      random.pick([inner.minItems ?? 0, Math.min(inner.maxItems ?? 100, 100)]) + random.pick([-1, 0, 1]),
    )
    return Array.from({ length }, () => random.letters(5))
  }
  const length = Math.max(0, random.pick([inner.minLength ?? 0, inner.maxLength ?? 300]) + random.pick([-1, 0, 1]))
  return random.pick(['a', 'é', '𝒳']).repeat(length)
}

const check = (operation: Operation, random: Random, world: World, value: unknown, about: string): Attack => {
  const { draft, caller } = prepare(random, world, operation)
  return attackOf({ ...draft, body: Buffer.from(JSON.stringify(value)) }, { about, target: operation, caller })
}

const label = (random: Random, length: number) => random.letters(length, 'abcdefghij')

/** A host name of exactly that many characters. */
function host(random: Random, length: number): string {
  let name = '.example'
  while (length - name.length > 64) name = `.${label(random, 63)}${name}`
  return label(random, Math.max(1, length - name.length)) + name
}

const withHeader = (random: Random, world: World, id: string, name: string, value: string, about: string): Attack => {
  const operation = operationOf(id)
  const { draft, caller } = prepare(random, world, operation)
  return attackOf({ ...draft, headers: setHeader(draft.headers, name, value) }, { about, target: operation, caller })
}

const SMALL: readonly Maker[] = [
  (random, world) => {
    const { operation, name, schema } = random.pick(PLACES)
    const { draft, caller, value } = prepare(random, world, operation)
    const body = Buffer.from(JSON.stringify({ ...Object(value), [name]: edgeOf(random, schema) }))
    return attackOf(
      { ...draft, body },
      { about: `the edge of ${name}`, target: operation, caller, learn: learnId(caller, operation) },
    )
  },
  (random, world) => {
    const local = around(random, 64)
    return check(
      operationOf('checkPaymentRisk'),
      random,
      world,
      { email: `${MARK}${label(random, local - MARK.length)}@a.example` },
      `a local part of ${local}`,
    )
  },
  (random, world) => {
    const whole = around(random, 254)
    const email = `${MARK}@${host(random, whole - MARK.length - 1)}`
    return check(operationOf('checkPaymentRisk'), random, world, { email }, `an address of ${whole}`)
  },
  (random, world) => {
    const whole = around(random, 253)
    return check(
      operationOf('checkSupplyChainRisk'),
      random,
      world,
      { domain: host(random, whole) },
      `a domain of ${whole}`,
    )
  },
  (random, world) =>
    check(
      operationOf('checkSupplyChainRisk'),
      random,
      world,
      { domain: `${label(random, around(random, 63))}.example` },
      'a label of 63',
    ),
  (random, world) => {
    const length = around(random, 255)
    const id = random.pick(['checkPaymentRisk', 'createAlert', 'createInvitation'])
    return withHeader(random, world, id, 'Idempotency-Key', random.letters(length), `an Idempotency-Key of ${length}`)
  },
  (random, world) => {
    const operation = random.pick(OPERATIONS.filter((one) => one.query.some(({ name }) => name === 'cursor')))
    const { draft, caller } = prepare(random, world, operation)
    const query = new URLSearchParams({ cursor: random.letters(random.pick([0, 1, 999, 1000, 1001, 8000])) })
    return attackOf(
      { ...draft, target: `${operation.path}?${query}` },
      { about: 'the length of a cursor', target: operation, caller },
    )
  },
  (random, world) => {
    const operation = random.pick(OPERATIONS.filter((one) => one.query.some(({ name }) => name === 'limit')))
    const { draft, caller } = prepare(random, world, operation)
    const limit = random.pick([
      '0',
      '1',
      '-1',
      '199',
      '200',
      '201',
      '1000',
      '1001',
      '10000',
      '10001',
      '1.5',
      '1e2',
      '',
      '٣',
      '999999999999999',
      '9999999999999999',
    ])
    return attackOf(
      { ...draft, target: `${operation.path}?limit=${encodeURIComponent(limit)}` },
      { about: `limit=${limit}`, target: operation, caller },
    )
  },
  (random, world) => {
    const length = random.pick([99, 100, 101, 1000, 8000, 15_000])
    const operation = random.pick(OPERATIONS.filter((one) => one.path.includes('{')))
    const { draft, caller } = prepare(random, world, operation)
    const path = operation.path.replace(/\{\w+\}/, random.letters(length))
    return attackOf({ ...draft, target: path }, { about: `a parameter of ${length}`, target: operation, caller })
  },
  (random, world) => {
    // Where the whole head ends at 16 KiB; beyond, it is refused before it is read.
    const length = random.pick([15_000, 15_800, 16_384, 16_385, 17_000, 40_000])
    const made = withHeader(random, world, 'readBilling', 'X-Long', 'x'.repeat(length), `a head with ${length}`)
    return { ...made, clear: length < 15_500 }
  },
  (random, world) => {
    const { draft, caller, operation } = prepare(random, world, operationOf('readBilling'))
    const count = random.pick([50, 500, 1000, 1999, 2000, 2500])
    const more = Array.from({ length: count }, (_x, i) => [`X-${i}`, ''] as const)
    return attackOf(
      { ...draft, headers: [...draft.headers, ...more] },
      { about: `${count} headers`, target: operation, caller, clear: count < 1000 },
    )
  },
]

const sized =
  (limit: number, id: string): Maker =>
  (random, world) => {
    const size = around(random, limit)
    const { draft, caller, operation, value } = prepare(random, world, operationOf(id))
    const good = JSON.stringify(value)
    const body = Buffer.from(good + ' '.repeat(size - Buffer.byteLength(good)))
    return attackOf(
      { ...draft, body, framing: random.chance(0.4) ? 'chunked' : 'length' },
      {
        about: `a body of ${size}`,
        target: operation,
        caller,
        // Refused by its length before it is read: the rest of it may cross with the answer.
        clear: size <= limit,
        judge: demand(
          '413 above the limit and only there',
          ({ status }) => [401, 402, 403, 429].includes(status) || (status === 413) === size > limit,
        ),
      },
    )
  }

const counted: Maker = (random, world) => {
  const count = random.pick([0, LIMITS.requests.recordsMax, LIMITS.requests.recordsMax + 1])
  const id = random.pick(['checkSupplyChainRiskBulk', 'checkInfrastructureRiskBulk', 'checkPaymentRiskBulk'])
  const operation = operationOf(id)
  const [field = ''] = Object.keys(operation.body?.properties ?? {})
  const record = field === 'ips' ? '192.0.2.7' : field === 'emails' ? `${MARK}@a.example` : 'a.example'
  return check(operation, random, world, { [field]: Array(count).fill(record) }, `${count} records`)
}

const LARGE: readonly Maker[] = [
  sized(LIMITS.requests.bodyBytesMax, 'checkPaymentRisk'),
  sized(LIMITS.requests.bodyBytesMax, 'createAlert'),
  sized(LIMITS.requests.bodyBytesMax, 'quoteRecords'),
  sized(LIMITS.requests.bulkBodyBytesMax, 'checkInfrastructureRiskBulk'),
  counted,
  (random, world) => {
    const depth = random.pick([1_900_000, 600_000])
    const { draft, caller, operation } = prepare(random, world, operationOf('checkPaymentRiskBulk'))
    const body = Buffer.from(`{"emails":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    return attackOf({ ...draft, body }, { about: `a nest of ${body.length} bytes`, target: operation, caller })
  },
]
