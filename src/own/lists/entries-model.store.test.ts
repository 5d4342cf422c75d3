/**
 * Own lists against a model of a few lines, under random histories of several people, a key and the operator: who may do
 * what, and which entries have an effect. An entry that needs two people never has one before two people agreed to it.
 */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { runs } from '../../../test/support/runs.ts'
import { describeRules } from '../../../test/support/stores.ts'
import { type Actor, operatorIn } from '../../access/actor.ts'
import { SCOPE_NAMES } from '../../access/scopes.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { Problem, type ProblemCode } from '../../errors.ts'
import { createOrganisation, setSecondPerson } from '../../identity/organisation/organisations.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { readVersion } from '../version.ts'
import {
  addEntry,
  approveEntry,
  changeEntry,
  entryState,
  importEntries,
  listEntries,
  readEntries,
  removeEntry,
} from './entries.ts'
import { LISTS, type ListName } from './listed.ts'

const INDICATORS = ['acme.com', 'jane@acme.com', '192.0.2.0/24']
const ACTORS = ['ada', 'ben', 'cyd', 'key', 'operator'] as const
type Who = (typeof ACTORS)[number]
const PEOPLE: readonly Who[] = ['ada', 'ben', 'cyd']

function actorOf(who: Who, organisationId: string): Actor {
  if (who === 'operator') return operatorIn(organisationId)
  const kind = who === 'key' ? 'api_key' : 'person'
  const rights = { scopes: new Set(SCOPE_NAMES), role: 'owner' as const, proved: true }
  return { kind, id: who, organisationId, ...rights, ip: null, requestId: null }
}

interface Known {
  id: string
  expiresAtMs: number
  /** The people who agreed to it; undefined if it needs none. */
  people: Set<Who> | undefined
}

type Step =
  | { do: 'add'; who: Who; list: ListName; indicator: string; days: number | null }
  | { do: 'import'; who: Who; list: ListName; indicator: string; days: number | null }
  | { do: 'expiry'; who: Who; list: ListName; indicator: string; days: number | null }
  | { do: 'approve'; who: Who; list: ListName; indicator: string }
  | { do: 'remove'; who: Who; list: ListName; indicator: string }
  | { do: 'ask'; needed: boolean }
  | { do: 'wait'; days: number }

const place = {
  who: fc.constantFrom(...ACTORS),
  // Mostly the list with rules.
  list: fc.constantFrom<ListName>('allow', 'allow', ...LISTS),
  indicator: fc.constantFrom(...INDICATORS),
}
const days = fc.constantFrom(null, 1, 10)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), ...place, days }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('import' as const), ...place, days }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expiry' as const), ...place, days }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('approve' as const), ...place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), ...place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const), needed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(1, 5) }) },
)

class Model {
  readonly entries = new Map<string, Known>()
  needed = false
  nowMs = 0

  isPending = ({ people }: Known) => people !== undefined && people.size < 2
  isExpired = ({ expiresAtMs }: Known) => expiresAtMs <= this.nowMs

  /** The code of the refusal, if there is one. */
  refusalOf(one: Step): ProblemCode | undefined {
    if (one.do === 'ask' || one.do === 'wait' || one.do === 'import') return undefined
    const known = this.entries.get(`${one.list} ${one.indicator}`)
    if (one.do === 'add') return known ? 'conflict' : undefined
    if (!known) return 'not_found'
    if (one.do !== 'approve') return undefined
    if (!PEOPLE.includes(one.who)) return 'forbidden'
    if (!this.isPending(known) || this.isExpired(known)) return 'conflict'
    return known.people?.has(one.who) ? 'forbidden' : undefined
  }

  asked(who: Who, list: ListName): Set<Who> | undefined {
    return this.needed && list === 'allow' ? new Set(PEOPLE.includes(who) ? [who] : []) : undefined
  }

  apply(one: Step, id: string | undefined): void {
    if (one.do === 'ask') this.needed = one.needed
    if (one.do === 'ask' || one.do === 'wait') return
    const key = `${one.list} ${one.indicator}`
    const known = this.entries.get(key)
    if (one.do === 'remove') this.entries.delete(key)
    else if (one.do === 'approve') known?.people?.add(one.who)
    else {
      const expiresAtMs = one.days === null ? Infinity : this.nowMs + one.days * DAY_MS
      if (!known) this.entries.set(key, { id: id!, expiresAtMs, people: this.asked(one.who, one.list) })
      else {
        if (expiresAtMs > known.expiresAtMs) known.people = this.asked(one.who, one.list) ?? known.people
        known.expiresAtMs = expiresAtMs
      }
    }
  }
}

describeRules('own lists', (open, engine) => {
  let sql: Sql
  beforeAll(async () => {
    sql = await open()
  })

  async function walk(steps: readonly Step[]): Promise<void> {
    const clock = new ManualClock('2026-03-01T00:00:00Z')
    const change = <T>(fn: (tx: Tx) => Promise<T>) => changeIn(sql, clock, fn)
    const { id: organisationId } = await change((tx) =>
      createOrganisation(tx, { name: 'Own', awaitingApproval: false }),
    )
    const model = new Model()
    for (const one of steps) {
      if (one.do === 'wait') clock.advance(one.days * DAY_MS)
      model.nowMs = clock.now()
      const expected = model.refusalOf(one)
      const before = await readVersion(sql, organisationId)
      const outcome = await change((tx) => take(tx, one)).catch((error: unknown) => {
        if (error instanceof Problem) return error
        throw error
      })
      expect(outcome instanceof Problem ? outcome.code : undefined, JSON.stringify(one)).toBe(expected)
      const changes = expected === undefined && one.do !== 'ask' && one.do !== 'wait'
      expect((await readVersion(sql, organisationId)) - before, 'the version').toBe(changes ? 1 : 0)
      if (expected === undefined) model.apply(one, typeof outcome === 'string' ? outcome : undefined)
      await compare()
    }

    /** Returns the id of the entry. */
    async function take(tx: Tx, one: Step): Promise<string | undefined> {
      if (one.do === 'wait') return undefined
      if (one.do === 'ask') {
        await setSecondPerson(tx, operatorIn(organisationId), 'allow_needs_approval', one.needed)
        return undefined
      }
      const actor = actorOf(one.who, organisationId)
      const { list, indicator } = one
      const id = model.entries.get(`${list} ${indicator}`)?.id ?? 'own_none'
      if (one.do === 'remove') await removeEntry(tx, actor, { list, id })
      if (one.do === 'approve') await approveEntry(tx, actor, { list, id })
      if (one.do === 'remove' || one.do === 'approve') return id
      const expiresAtMs = one.days === null ? null : tx.nowMs + one.days * DAY_MS
      const input = { indicator, reason: `step ${one.who}`, expiresAtMs }
      if (one.do === 'add') return (await addEntry(tx, actor, list, input)).entry.id
      if (one.do === 'expiry') return (await changeEntry(tx, actor, { list, id }, { expiresAtMs })).id
      await importEntries(tx, actor, list, [input])
      const query = { organisationId, list, search: indicator, nowMs: tx.nowMs }
      const { rows } = await listEntries(tx, query, { from: undefined, limit: 10 })
      return rows.find((row) => row.indicator === indicator)?.id
    }

    async function compare(): Promise<void> {
      const nowMs = clock.now()
      const found = await readEntries(sql, organisationId)
      const working = found.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs)
      const expected = [...model.entries].filter(([, one]) => !model.isPending(one) && !model.isExpired(one))
      expect(working.map(({ list, indicator }) => `${list} ${indicator}`).sort()).toEqual(
        expected.map(([key]) => key).sort(),
      )
      for (const list of LISTS) {
        const all = await listEntries(sql, { organisationId, list, nowMs }, { from: undefined, limit: 10 })
        const states = all.rows.map((row) => `${list} ${row.indicator} ${entryState(row, nowMs)}`)
        const wanted = [...model.entries]
          .filter(([key]) => key.startsWith(`${list} `))
          .map(
            ([key, one]) => `${key} ${model.isExpired(one) ? 'expired' : model.isPending(one) ? 'pending' : 'active'}`,
          )
        expect(states.sort()).toEqual(wanted.sort())
      }
    }
  }

  it('no history of adding, approving, expiring and removing differs from the model', async () => {
    const numRuns = runs(engine === 'sqlite' ? 100 : 30)
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), walk), { numRuns })
  })
})
