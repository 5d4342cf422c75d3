import { type Attack, attackOf, demand, type Family } from '../attack.ts'
import { OPERATIONS, operationOf } from '../document.ts'
import { learnId, prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import { type Answer, render, setHeader } from '../wire.ts'
import type { World } from '../world.ts'

/** Idempotency-Key and If-Match: odd ones, one used twice, and one used for something else. */
export const retries: Family = {
  name: 'retries',
  weight: 2,
  make: (random, world): Attack => random.pick([odd, odd, twice, twice, reused, unmatched])(random, world),
}

const KEYED = OPERATIONS.filter(
  (one) =>
    one.headers.some(({ name }) => name === 'idempotency-key') && !['checkOut', 'acceptInvitation'].includes(one.id),
)
const MATCHED = OPERATIONS.filter((one) => one.headers.some(({ name }) => name === 'if-match'))

function odd(random: Random, world: World): Attack {
  const { draft, caller, operation } = prepare(random, world, random.pick(KEYED))
  const key = random.pick([
    '',
    ' ',
    'a b',
    '\xff',
    'a'.repeat(256),
    'a'.repeat(5000),
    '"quoted"',
    '__proto__',
    '../..',
    "'",
    '\t',
    ',',
    'a, b',
    `${world.victim.organisationId} x`,
  ])
  return attackOf(
    { ...draft, headers: setHeader(draft.headers, 'Idempotency-Key', key) },
    { about: `Idempotency-Key: ${key.slice(0, 30)}`, target: operation, caller, learn: learnId(caller, operation) },
  )
}

/** The same request twice on one connection: one answer kept, and the same bytes given again. */
function twice(random: Random, world: World): Attack {
  const { draft, caller, operation } = prepare(random, world, random.pick(KEYED))
  const one = render({ ...draft, headers: setHeader(draft.headers, 'Idempotency-Key', random.letters(20)) })
  return {
    about: `${operation.id} twice under one key`,
    bytes: [Buffer.concat([one, one])],
    methods: [operation.method, operation.method],
    target: operation,
    caller,
    clear: true,
    judge: ([first, second]: readonly Answer[]) => {
      if (!first || !second || first.status >= 300 || [409, 429].includes(second.status)) return []
      const same = second.status === first.status && second.text === first.text
      // Either may have been done first: they are on their way at the same time.
      const repeated = [first, second].filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
      return same && repeated.length === 1
        ? []
        : [`${operation.id}: ${repeated.length} of two answers are a repetition`]
    },
    learn: learnId(caller, operation),
  }
}

function reused(random: Random, world: World): Attack {
  const { draft, caller } = prepare(random, world, operationOf('checkInfrastructureRisk'))
  const headers = [...setHeader(draft.headers, 'Idempotency-Key', random.letters(20))]
  const bodies = ['{"ip":"192.0.2.1"}', random.pick(['{"ip":"192.0.2.2"}', '{"ip":"192.0.2.1" }', '{"ip":"::1"}'])]
  return {
    about: 'one key for two requests',
    bytes: [Buffer.concat(bodies.map((body) => render({ ...draft, headers, body: Buffer.from(body) })))],
    methods: ['POST', 'POST'],
    target: operationOf('checkInfrastructureRisk'),
    caller,
    clear: true,
    judge: ([first, second]: readonly Answer[]) =>
      first?.status !== 200 || second === undefined || [409, 422, 429].includes(second.status)
        ? []
        : [`the second request was answered ${second.status}`],
  }
}

function unmatched(random: Random, world: World): Attack {
  const { draft, caller, operation } = prepare(random, world, random.pick(MATCHED))
  const tag = random.pick([
    undefined,
    '',
    '"',
    'x',
    '"x"',
    'W/"x"',
    '"x", "y"',
    ',',
    '"\xff"',
    '"'.repeat(3000),
    'null',
    '"*"',
    '**',
  ])
  return attackOf(
    { ...draft, headers: setHeader(draft.headers, 'If-Match', tag) },
    {
      about: `If-Match: ${tag?.slice(0, 30)}`,
      target: operation,
      caller,
      judge: demand('nothing changes without a match', ({ status }) => status >= 400),
    },
  )
}
