import { beforeAll, expect, it } from 'vitest'
import { PASSWORD_HASH } from '../../../test/support/passwords.ts'
import { describeRules } from '../../../test/support/stores.ts'
import { changeIn, type Sql } from '../../db/sql.ts'
import { ManualClock } from '../../lib/clock.ts'
import { createPerson, findPersonByEmail, listInvalidAddresses, requirePersonByEmail } from './people.ts'
import { checkStoredAddresses } from './stored-addresses.ts'

describeRules('addresses stored before the rule was strict', (open) => {
  let sql: Sql
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const OLD = {
    usr_comma: 'x,b5@victim.example',
    usr_colon: 'b8:b9@victim.example',
    usr_local: 'root@mailhost.',
    usr_idn: 'jane@b\u00fccher.example',
    usr_twice: 'ann@b\u00fccher.example',
    usr_fine: 'fine@company.example',
  }

  beforeAll(async () => {
    sql = await open()
    const insert = `insert into person (id, email, email_verified, name, password_hash, state, created_at, updated_at)
      values ($1, $2, 1, 'Old', $3, 'active', $4, $4)`
    let at = clock.now()
    for (const [id, email] of Object.entries(OLD)) await sql.query(insert, [id, email, PASSWORD_HASH, at++])
    const person = { email: 'ann@xn--bcher-kva.example', name: 'Ann', emailVerified: true, passwordHash: PASSWORD_HASH }
    await changeIn(sql, clock, (tx) => createPerson(tx, person))
  })

  it('are brought into normal form, or named for the operator and left as they are', async () => {
    const invalid = ['usr_comma', 'usr_colon', 'usr_local', 'usr_twice']
    expect((await checkStoredAddresses(sql)).sort()).toEqual([...invalid].sort())
    expect(await checkStoredAddresses(sql)).toEqual([])
    const named = await listInvalidAddresses(sql, 100)
    expect(named.map(({ id, email }) => [id, email])).toEqual(invalid.map((id) => [id, OLD[id as keyof typeof OLD]]))
    expect(named.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('a character or a dot that is not allowed'),
      expect.stringContaining('a character or a dot that is not allowed'),
      expect.stringContaining('a blank or a dot at its edge'),
      'Another account has the same mailbox.',
    ])
    expect((await requirePersonByEmail(sql, 'jane@xn--bcher-kva.example')).id).toBe('usr_idn')
  })

  it('still open their accounts, as they were typed', async () => {
    for (const [id, email] of Object.entries(OLD)) {
      expect((await findPersonByEmail(sql, email.toUpperCase()))?.person.id).toBe(id)
    }
    expect((await requirePersonByEmail(sql, 'ann@xn--bcher-kva.example')).name).toBe('Ann')
  })

  it('are not stored any more, in no form', async () => {
    for (const email of ['x,b5@victim.example', 'root@mailhost', '"a"@victim.example', 'JANE@b\u00fccher.example']) {
      const person = { email, name: 'New', emailVerified: false, passwordHash: PASSWORD_HASH }
      const code = email.startsWith('JANE') ? 'conflict' : 'validation_failed'
      await expect(changeIn(sql, clock, (tx) => createPerson(tx, person))).rejects.toMatchObject({ code })
    }
  })
})
