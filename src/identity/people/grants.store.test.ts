import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { describeEachStore } from '../../../test/support/stores.ts'
import { operatorIn } from '../../access/actor.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { systemClock } from '../../lib/clock.ts'
import { addMember, removeMember } from '../members/members.ts'
import { createOrganisation } from '../organisation/organisations.ts'
import { disablePerson, enablePerson } from './changes.ts'
import { bindGrant } from './grants.ts'
import { createPerson } from './people.ts'

describeEachStore('a consent at the moment at which rights are taken', (open) => {
  let sql: Sql
  beforeAll(async () => {
    sql = await open()
  })
  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, systemClock, work)

  it.each(['removed', 'disabled'] as const)('is worth nothing, whichever came first (%s)', async (how) => {
    const { organisationId, personId } = await change(async (tx) => {
      const { id } = await createOrganisation(tx, { name: 'Example Ltd', awaitingApproval: false })
      const email = `${randomUUID()}@company.example`
      const person = await createPerson(tx, { email, emailVerified: true, name: 'Somebody', passwordHash: 'none' })
      return { organisationId: id, personId: person.id }
    })
    const operator = operatorIn(organisationId)
    const role = 'developer'
    for (let i = 0; i < 20; i++) {
      await change(async (tx) =>
        i === 0 || how === 'removed' ? addMember(tx, operator, { personId, role }) : undefined,
      )
      const grantDigest = randomUUID()
      await sql.query(
        `insert into oauth_record (digest, kind, payload, person_id, issued_at, expires_at, purge_at)
         values ($1, 'Grant', '{}', $2, 0, $3, $3)`,
        [grantDigest, personId, Date.now() + 3_600_000],
      )
      const consent = change((tx) =>
        bindGrant(tx, grantDigest, { personId, organisationId, role, clientId: 'cli_test' }),
      )
      const take = change<unknown>((tx) =>
        how === 'removed' ? removeMember(tx, operator, personId) : disablePerson(tx, personId),
      )
      await Promise.allSettled(i % 2 === 0 ? [consent, take] : [take, consent])
      await take
      if (how === 'disabled') await change((tx) => enablePerson(tx, personId))
      const alive = await sql.query(
        `select digest from oauth_record where kind = 'Grant' and person_id = $1 and organisation_id is not null
         and consumed_at is null`,
        [personId],
      )
      expect(alive).toEqual([])
    }
  })
})
