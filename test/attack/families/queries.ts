import { hash } from 'node:crypto'
import { type Attack, attackOf, type Family } from '../attack.ts'
import { OPERATIONS } from '../document.ts'
import { anyOperation, prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import type { Tenant } from '../world.ts'

/** Query strings: parameters of the wrong type, doubled, unknown, and cursors that were never given out. */
export const queries: Family = {
  name: 'queries',
  weight: 3,
  make(random, world): Attack {
    const lists = OPERATIONS.filter((one) => one.query.length > 1)
    const operation = random.chance(0.75) ? random.pick(lists) : anyOperation(random)
    const { draft, caller } = prepare(random, world, operation)
    const path = draft.target.split('?', 1)[0] ?? ''
    if (random.chance(0.35) && lists.includes(operation)) {
      const cursor = forgedCursor(random, operation.id, caller, world.victim)
      return attackOf(
        { ...draft, target: `${path}?cursor=${encodeURIComponent(cursor.toWellFormed())}` },
        { about: 'a forged cursor', target: operation, caller },
      )
    }
    const names = operation.query.map(({ name }) => name)
    const parts = Array.from({ length: random.int(1, 4) }, () => {
      const name = random.chance(0.7) && names.length > 0 ? random.pick(names) : random.pick(NAMES)
      return random.chance(0.1) ? name : `${name}=${random.pick(VALUES)}`
    })
    const query = random.chance(0.1) ? random.pick(WHOLE) : parts.join(random.pick(['&', '&', '&', ';', '&&']))
    return attackOf(
      { ...draft, target: `${path}?${query}` },
      { about: `the query ${query.slice(0, 60)}`, target: operation, caller },
    )
  },
}

const NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'limit[]',
  'limit[0]',
  'a.b',
  '',
  'LIMIT',
  'api_key',
  'access_token',
  'organisation_id',
  '_',
  'x%00',
  '%ff',
  'x'.repeat(2000),
]

const VALUES: readonly string[] = [
  '',
  '0',
  '1',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'null',
  'true',
  'false',
  'TRUE',
  '[]',
  '{}',
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%ff',
  '%ed%a0%80',
  '%F0%9F%92%A9',
  '+',
  '%2B',
  '%27%20or%201=1--',
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '9999-12-31',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:00%2B99:99',
  '2026-06-30T23:59:60Z',
  '99999999999999999999',
  'charge',
  'payment-risk',
  'hour',
  'family',
  'family,credential',
  'credential,family',
  'x'.repeat(65),
  'x'.repeat(5000),
  '__proto__',
  'key_x',
  'open',
  'void',
  '__proto__%5Ba%5D',
]

const WHOLE: readonly string[] = [
  '',
  '?',
  '&',
  '=',
  '==',
  '&&&&',
  '%',
  '%%%',
  '#',
  '?explain=true',
  'explain=true&explain=false',
  'explain[]=true',
  'a=b'.repeat(1500),
  '&'.repeat(3000),
  'a&'.repeat(2000),
  '\xff=\xfe',
  '{"limit":1}',
]

/** Cursors anybody could make up, those of another list or tenant, and good ones with odd positions in them. */
function forgedCursor(random: Random, list: string, caller: Tenant, victim: Tenant): string {
  const position = random.pick([
    '0 x',
    '',
    ' ',
    'NaN x',
    'Infinity x',
    '-1 ',
    '1e400 x',
    '9007199254740993 x',
    '1.5 x',
    '1 a\0b',
    '1',
    'x y z',
    '99999999999999999999',
    '1 \ud800',
    '0x10 y',
    '[]',
    '{}',
    '-0 ',
    '1790000000000 ledger',
  ])
  const organisationId = random.pick([caller.organisationId, victim.organisationId])
  return random.make([
    () => random.letters(random.int(1, 80)),
    () => Buffer.from(random.letters(40)).toString('base64url'),
    () => digested(organisationId, JSON.stringify([list]), position),
    () => digested(organisationId, JSON.stringify([list, null, null, null]), position),
    () => digested(organisationId, list, position),
    () => Buffer.from(JSON.stringify({ a: position })).toString('base64'),
    () => position,
    () => '%00',
    () => '\u{1f4a9}',
  ])
}

/** With a digest over what anybody knows: one that needs no secret would be taken for ours. */
function digested(organisationId: string, list: string, position: string): string {
  const digest = hash('sha256', `${organisationId}\n${list}\n${position}`, 'hex').slice(0, 20)
  return Buffer.from(`${digest}${position}`).toString('base64url')
}
