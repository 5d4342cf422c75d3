import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { requestTopUp, setOperatorWord } from '../../src/billing/subscription/subscription.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { counted } from '../support/counted.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

describeRules('what the operator sees in the console', (open) => {
  let sql: Sql
  let work: ReturnType<typeof counted>
  let server: TestServer
  beforeAll(async () => {
    sql = await open()
    work = counted(sql)
    server = await startTestServer({ sql: work.store, engine: createTestEngine(), oauth: true })
  })
  afterAll(() => server.close())

  it('is every organisation with its money, found by name in any case, id, member or invoice; nothing for an owner who is not marked', async () => {
    const organisation = await server.organisation({ name: 'Eastern Branch', creditPence: 4200 })
    await server.organisation({ name: '100% Sure Ltd' })
    const person = await memberOf(server, sql, { organisationId: organisation.id, role: 'owner', nowMs: Date.now() })
    const find = (search: string) =>
      person.send('GET', `/api/operator/organisations?search=${encodeURIComponent(search)}`)
    expect((await server.send('/api/operator/organisations')).status).toBe(401)
    expect((await find('')).json.code).toBe('not_found')
    const mark = (on: boolean) => changeIn(sql, systemClock, (tx) => setOperator(tx, person.id, on))
    await mark(true)
    await mark(true)
    expect((await find('')).json.data).toHaveLength(2)
    expect((await find('EASTERN')).json).toMatchObject({
      data: [
        { id: organisation.id, state: 'active', plan: 'prepaid', credit_pence: 4200, overage_pence: 0, members: 1 },
      ],
      more: false,
    })
    expect((await find(organisation.id)).json.data).toHaveLength(1)
    expect((await find('nobody')).json.data).toEqual([])
    const other = await server.organisation({ name: 'Öztürk Makina' })
    const member = await memberOf(server, sql, { organisationId: other.id, role: 'viewer', nowMs: Date.now() })
    const { number } = await changeIn(sql, systemClock, (tx) =>
      requestTopUp(tx, server.accounts.rules, operatorIn(other.id), { amountPence: 500 }),
    )
    for (const search of ['öztürk', 'ÖZTÜRK', 'makina', ` ${member.email.toUpperCase()} `, `inv-${number}`]) {
      expect([search, (await find(search)).json.data]).toMatchObject([search, [{ id: other.id }]])
    }
    // The documents thread reads the names.
    const statements = await work.statementsOf(() => find('öztürk'))
    expect(statements.filter((text) => text.includes('owed_pence'))).toEqual([])
    expect((await find(`INV-${number + 1}`)).json.data).toEqual([])
    expect((await find('nobody@company.example')).json.data).toEqual([])
    expect((await person.send('GET', '/api/intelligence')).json).toMatchObject({ version: expect.any(String) })
    await changeIn(sql, systemClock, (tx) =>
      setOperatorWord(tx, server.accounts.rules, operatorIn(organisation.id), 'deactivate'),
    )
    expect((await find(organisation.id)).json.data).toMatchObject([{ state: 'inactive', state_reason: 'deactivated' }])
    await mark(false)
    expect((await find('')).status).toBe(404)
  })
})
