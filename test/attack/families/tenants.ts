import { type Attack, attackOf, type Family } from '../attack.ts'
import { OPERATIONS, operationOf } from '../document.ts'
import { prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import { type Headers, setHeader } from '../wire.ts'
import { someAddress, type World } from '../world.ts'

/** The ids of another organisation, with good credentials of one's own: nothing is shown, nothing is changed. */
export const tenants: Family = {
  name: 'tenants',
  weight: 3,
  make: (random, world): Attack => random.pick([byPath, byPath, byHeader, byBody, byQuery, byLink])(random, world),
}

/** A month and a reference are everybody's own: they name no thing of another. */
const ADDRESSED = OPERATIONS.filter((one) => /\{(?!month|reference)/.test(one.path) && one.guarded)

const hidden = (answers: readonly { status: number }[]) =>
  answers.flatMap(({ status }) => (status < 400 ? [`a thing of another tenant was answered ${status}`] : []))

function byPath(random: Random, world: World): Attack {
  const operation = random.pick(ADDRESSED)
  const { draft, caller } = prepare(random, world, operation)
  const target = operation.path.replace(/\{(\w+)\}/, (_all, name: string) =>
    random.pick(world.victim.ids.get(name) ?? ['x']),
  )
  return attackOf(
    { ...draft, target },
    { about: `${operation.id} of another tenant`, target: operation, caller, judge: hidden },
  )
}

/** Somebody signed in names an organisation that is not theirs. */
function byHeader(random: Random, world: World): Attack {
  const operation = random.pick(OPERATIONS.filter((one) => one.guarded))
  const { draft, caller } = prepare(random, world, operation)
  const own: Headers = [
    ['Cookie', caller.session.cookie],
    ['X-Csrf-Token', caller.session.csrf],
    ['X-Organisation-Id', world.victim.organisationId],
  ]
  const headers = [
    ...setHeader(
      setHeader(setHeader(draft.headers, 'X-Api-Key', undefined), 'Authorization', undefined),
      'Cookie',
      undefined,
    ),
    ...own,
  ]
  return attackOf(
    { ...draft, headers },
    { about: `${operation.id} in another organisation`, target: operation, caller, judge: hidden },
  )
}

/** Fields nobody has, with what would matter if somebody had them. */
function byBody(random: Random, world: World): Attack {
  const operation = random.pick(OPERATIONS.filter((one) => one.body && one.guarded))
  const { draft, caller, value } = prepare(random, world, operation)
  const { victim } = world
  const extra = random.pick([
    { organisation_id: victim.organisationId },
    { organisationId: victim.organisationId },
    { id: random.pick(victim.ids.get('key_id') ?? ['x']) },
    { client_id: victim.web.client.id },
    { member_id: victim.person.id },
  ])
  const body = Buffer.from(JSON.stringify({ ...Object(value), ...extra }))
  return attackOf(
    { ...draft, body },
    { about: `${operation.id} with ${Object.keys(extra)[0]}`, target: operation, caller, judge: hidden },
  )
}

function byQuery(random: Random, world: World): Attack {
  const operation = operationOf('readUsage')
  const { draft, caller } = prepare(random, world, operation)
  const query = random.pick([
    `credential_id=${random.pick(world.victim.ids.get('key_id') ?? ['x'])}`,
    `credential_id=${world.victim.person.id}`,
    `organisation_id=${world.victim.organisationId}`,
  ])
  return attackOf(
    { ...draft, target: `${operation.path}?${query}` },
    { about: query.split('=')[0] ?? '', target: operation, caller },
  )
}

/** Checkouts and invitations are opened by their token: a guess opens none. */
function byLink(random: Random, world: World): Attack {
  const operation = operationOf(
    random.pick(['readCheckout', 'claimKey', 'payCheckout', 'howToPayCheckout', 'lookUpInvitation']),
  )
  const { draft } = prepare(random, world, operation)
  const token = random.pick([
    random.letters(32),
    '',
    world.victim.ids.get('invitation_id')?.[0] ?? '',
    random.letters(43),
    'null',
    '\ud800',
  ])
  const field = operation.id === 'lookUpInvitation' ? 'token' : 'claim_token'
  const headers = setHeader(draft.headers, 'X-Forwarded-For', someAddress(random))
  const body = Buffer.from(JSON.stringify({ [field]: token }))
  return attackOf(
    { ...draft, headers, body },
    { about: `${operation.id} with a guess`, target: operation, judge: hidden },
  )
}
