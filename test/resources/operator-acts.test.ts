import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { listInvoices } from '../../src/billing/invoices/invoices.ts'
import { readEntryPage } from '../../src/billing/ledger/accounts.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { receivePayment } from '../../src/billing/payments/payments.ts'
import { followPayment } from '../../src/billing/payments/refunds-and-disputes.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { OPERATOR_WORD_NAMES, requestTopUp } from '../../src/billing/subscription/subscription.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openStore } from '../../src/db/open.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { readAudit } from '../../src/identity/audit.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf, type SignedIn } from '../support/people.ts'
import { assayd } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

const ORGANISATIONS = '/api/operator/organisations'
let keys = 0
/** A click: a request under a key of its own. */
const click = (person: SignedIn, path: string, body: unknown = {}, key = `click-${++keys}`) =>
  person.send('POST', path, body, { 'idempotency-key': key })

const member = (server: TestServer, sql: Sql, organisationId: string) =>
  memberOf(server, sql, { organisationId, role: 'owner', nowMs: Date.now() })

async function operatorOf(server: TestServer, sql: Sql): Promise<SignedIn> {
  const own = await server.organisation({ name: 'The house' })
  const person = await member(server, sql, own.id)
  await changeIn(sql, systemClock, (tx) => setOperator(tx, person.id, true))
  return person
}

const topUp = (server: TestServer, sql: Sql, organisationId: string, amountPence: number) =>
  changeIn(sql, systemClock, (tx) =>
    requestTopUp(tx, server.accounts.rules, operatorIn(organisationId), { amountPence }),
  )

describeRules('what the operator does in the console', (open) => {
  let sql: Sql
  let server: TestServer
  let operator: SignedIn
  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), oauth: true, plans: loadPlans() })
    operator = await operatorOf(server, sql)
  })
  afterAll(async () => {
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    await server.close()
  })

  it('is there for nobody else: 401, 404 or 403, whatever the body, and nothing happens', async () => {
    const { id } = await server.organisation()
    const owner = await member(server, sql, id)
    const invoice = await topUp(server, sql, id, 500)
    const acts = [
      ...OPERATOR_WORD_NAMES.map((word) => [`${ORGANISATIONS}/${id}/${word}`, {}] as const),
      [`${ORGANISATIONS}/${id}/credit`, { pence: 100, reason: 'a gift' }],
      [`${ORGANISATIONS}/${id}/credit`, { wrong: true }],
      [`/api/operator/invoices/${invoice.id}/settle`, {}],
      [`/api/operator/invoices/${invoice.id}/void`, {}],
      [`/api/operator/people/${owner.id}/reset-password`, {}],
    ] as const
    for (const [path, body] of acts) {
      expect((await server.post(path, body)).status, path).toBe(401)
      expect((await click(owner, path, body)).status, path).toBe(404)
      const forged = await operator.send('POST', path, body, { 'idempotency-key': 'x', 'x-csrf-token': 'wrong' })
      expect([forged.status, forged.json.code], path).toEqual([403, 'form_outdated'])
    }
    expect((await operator.send('POST', `${ORGANISATIONS}/${id}/disable`, {})).json.code).toBe('invalid_header')
    expect((await owner.send('GET', `${ORGANISATIONS}/${id}`)).status).toBe(404)
    expect((await server.accounts.read(id)).prepaidPence).toBe(10_000)
    const { rows } = await readAudit(sql, { organisationId: id, actor: operator.id, limit: 10 })
    expect(rows).toEqual([])
  })

  it('gives credit once however often it is clicked, on record in the name of who did', async () => {
    const { id } = await server.organisation({ creditPence: 0 })
    const path = `${ORGANISATIONS}/${id}/credit`
    const body = { pence: 2500, reason: 'An apology' }
    const [first, second] = await Promise.all([
      click(operator, path, body, 'once'),
      click(operator, path, body, 'once'),
    ])
    expect([first.status, second.status].sort()).toEqual([
      200,
      expect.toSatisfy((status) => [200, 409].includes(status)),
    ])
    const again = await click(operator, path, body, 'once')
    expect(again.json).toEqual({ credit_pence: 2500 })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await server.accounts.read(id)).prepaidPence).toBe(2500)
    const { rows } = await readAudit(sql, { organisationId: id, action: 'credit.add', limit: 10 })
    expect(rows).toMatchObject([
      {
        actor_kind: 'operator',
        actor_id: operator.id,
        actor_name: expect.stringMatching(/^Person/),
        detail: { pence: 2500, reason: 'An apology' },
        ip: expect.any(String),
        request_id: expect.any(String),
      },
    ])
    // The ledger cannot be erased: it shows the reason, which only the audit log has.
    expect(await sql.query('select detail from ledger_entry where organisation_id = $1', [id])).toEqual([
      { detail: null },
    ])
    const { entries } = await readEntryPage(sql, { organisationId: id, limit: 10 })
    expect(entries).toMatchObject([{ kind: 'credit', id: rows[0]?.target_id, detail: 'An apology' }])
    const shown = (await operator.send('GET', `${ORGANISATIONS}/${id}`)).json
    expect(shown).toMatchObject({
      id,
      acts: ['disable', 'deactivate'],
      billing: { credit_pence: 2500 },
      ledger: [{ kind: 'credit', prepaid_delta_pence: 2500, detail: 'An apology' }],
    })
    for (const [wrong, pointer] of [
      [{ pence: 0, reason: 'x' }, '/pence'],
      [{ pence: 1.5, reason: 'x' }, '/pence'],
      [{ pence: '5', reason: 'x' }, '/pence'],
      [{ pence: 5, reason: ' ' }, '/reason'],
      [{ pence: 5, reason: 'a\u0000b' }, '/reason'],
      [{ pence: 5, reason: 'x'.repeat(501) }, '/reason'],
      [{ pence: 2_000_000_000, reason: 'x' }, '/pence'],
      [{ pence: 5 }, ''],
      [{ pence: 5, reason: 'x', more: 1 }, ''],
    ] as const) {
      const refused = await click(operator, path, wrong)
      expect([refused.status, refused.json.code], JSON.stringify(wrong)).toEqual([422, 'validation_failed'])
      if (pointer) expect(refused.json.errors[0].pointer).toBe(pointer)
    }
    expect((await server.accounts.read(id)).prepaidPence).toBe(2500)
  })

  it('disables an organisation, whose members and keys are refused at once, and enables it again', async () => {
    const { id, apiKey } = await server.organisation()
    const owner = await member(server, sql, id)
    const check = async () => (await server.post('/v1/payment-risk', { email: 'a@company.example' }, apiKey)).json.code
    expect(await check()).toBeUndefined()
    expect((await click(operator, `${ORGANISATIONS}/${id}/disable`)).json).toMatchObject({ id, state: 'disabled' })
    expect(await check()).toBe('account_disabled')
    expect((await owner.send('GET', '/v1/billing')).json.code).toBe('account_disabled')
    const disabled = (await operator.send('GET', `${ORGANISATIONS}?state=disabled`)).json.data
    expect(disabled.map((row: { id: string }) => row.id)).toEqual([id])
    // A disabled organisation can still be managed.
    expect((await click(operator, `${ORGANISATIONS}/${id}/credit`, { pence: 5, reason: 'x' })).status).toBe(200)
    const shown = (await operator.send('GET', `${ORGANISATIONS}/${id}`)).json
    expect(shown.acts).toEqual(['enable', 'deactivate'])
    expect(shown.members).toMatchObject([{ id: owner.id, email: owner.email, role: 'owner', state: 'active' }])
    expect((await click(operator, `${ORGANISATIONS}/${id}/enable`)).json).toMatchObject({ state: 'active' })
    expect(await check()).toBeUndefined()
  })

  it('settles an invoice once, takes another back, and says what is owed', async () => {
    const { id } = await server.organisation({ creditPence: 0 })
    const [paid, mistaken] = [await topUp(server, sql, id, 700), await topUp(server, sql, id, 90_000)]
    const settle = `/api/operator/invoices/${paid.id}/settle`
    expect((await click(operator, settle, { reference: 'bank 42' })).json).toMatchObject({
      invoice: { id: paid.id, state: 'paid' },
      outcome: 'settled',
      repeated: false,
    })
    expect((await click(operator, settle)).json).toMatchObject({ repeated: true })
    const twice = await click(operator, settle, { reference: 'bank 43' })
    expect(twice.json).toMatchObject({ outcome: 'credited', amount_pence: 700 })
    expect((await server.accounts.read(id)).prepaidPence).toBe(1400)
    const taken = `/api/operator/invoices/${mistaken.id}/void`
    expect((await click(operator, taken)).json.invoice).toMatchObject({ id: mistaken.id, state: 'void' })
    expect((await click(operator, taken)).status).toBe(200)
    expect((await click(operator, `/api/operator/invoices/${paid.id}/void`)).json.code).toBe('conflict')
    expect((await listInvoices(sql, { organisationId: id, state: 'open', limit: 5 })).rows).toEqual([])
    expect((await click(operator, settle, { reference: '' })).json.code).toBe('validation_failed')
  })

  it('shows the payments of an organisation with their refunds and disputes', async () => {
    const { id } = await server.organisation({ creditPence: 0 })
    const invoice = await topUp(server, sql, id, 700)
    const { rules } = server.accounts
    const which = { provider: 'stripe', reference: `pi_${id}` }
    await changeIn(sql, systemClock, async (tx) => {
      await receivePayment(tx, rules, { ...which, invoiceId: invoice.id, amountPence: 700, currency: 'gbp' })
      await followPayment(tx, rules, which, { kind: 'refunded', refundedPence: 200 })
      await followPayment(tx, rules, which, { kind: 'disputed', id: `dp_${id}`, state: 'inquiry', amountPence: 500 })
    })
    const shown = (await operator.send('GET', `${ORGANISATIONS}/${id}`)).json
    expect(shown.state).toBe('active')
    expect(shown.payments).toMatchObject([
      {
        reference: which.reference,
        outcome: 'settled',
        amount_pence: 700,
        refunded_pence: 200,
        lost_pence: 0,
        disputes: [{ id: `dp_${id}`, state: 'inquiry' }],
      },
    ])
  })

  it('gives a person a new password, shown once; what the old one opened ends', async () => {
    const { id } = await server.organisation()
    const owner = await member(server, sql, id)
    const path = `/api/operator/people/${owner.id}/reset-password`
    const answer = await click(operator, path, {}, 'reset')
    const { password } = answer.json
    expect(answer.json).toEqual({ id: owner.id, email: owner.email, password: expect.stringMatching(/^\w{20}$/) })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await click(operator, path, {}, 'reset')).json.password).toBe(password)
    expect((await owner.send('GET', '/v1/billing')).json.code).toBe('session_missing')
    expect((await server.post('/api/session', { email: owner.email, password })).status).toBe(200)
    const { rows } = await readAudit(sql, { organisationId: id, action: 'person.password', limit: 10 })
    expect(rows).toMatchObject([{ actor_kind: 'operator', actor_id: operator.id, target_id: owner.id }])
    expect(JSON.stringify(rows)).not.toContain(password)
  })

  it('finds nothing under an id that is not there', async () => {
    const unknown = [
      ...OPERATOR_WORD_NAMES.map((word) => [`${ORGANISATIONS}/org_unknown/${word}`, {}] as const),
      [`${ORGANISATIONS}/org_unknown/credit`, { pence: 5, reason: 'x' }],
      ['/api/operator/invoices/bil_unknown/settle', {}],
      ['/api/operator/invoices/bil_unknown/void', {}],
      ['/api/operator/people/usr_unknown/reset-password', {}],
      ['/api/operator/people/%00/reset-password', {}],
    ] as const
    for (const [path, body] of unknown) expect((await click(operator, path, body)).status, path).toBe(404)
    expect((await operator.send('GET', `${ORGANISATIONS}/org_unknown`)).status).toBe(404)
    expect((await operator.send('GET', `${ORGANISATIONS}?state=lost`)).status).toBe(400)
  })
})

describe('a verb and the page of the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-operator-'))
  let sql: Sql
  let server: TestServer
  beforeAll(async () => {
    sql = await openStore({ dataDir: folder })
    await migrate(sql)
    server = await startTestServer({ sql, engine: createTestEngine(), oauth: true, plans: loadPlans() })
  })
  afterAll(async () => {
    await server.close()
    await sql.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('leave the same in the audit log and in the ledger, but for who acted', async () => {
    const operator = await operatorOf(server, sql)
    const prepare = async () => {
      const { id } = await server.organisation({ creditPence: 0 })
      const owner = await member(server, sql, id)
      return { id, owner, paid: await topUp(server, sql, id, 500), taken: await topUp(server, sql, id, 900) }
    }
    const [byVerb, byPage] = [await prepare(), await prepare()]
    const steps = [
      ...OPERATOR_WORD_NAMES.map(
        (word) =>
          ({
            verb: ['org', word, '--org', byVerb.id],
            page: [`${ORGANISATIONS}/${byPage.id}/${word}`, {}],
          }) as const,
      ),
      {
        verb: ['org', 'credit', '--org', byVerb.id, '--pence', '2500', '--reason', 'An apology'],
        page: [`${ORGANISATIONS}/${byPage.id}/credit`, { pence: 2500, reason: 'An apology' }],
      },
      {
        verb: ['invoice', 'settle', '--invoice', byVerb.paid.id, '--reference', 'bank 42'],
        page: [`/api/operator/invoices/${byPage.paid.id}/settle`, { reference: 'bank 42' }],
      },
      {
        verb: ['invoice', 'void', '--invoice', byVerb.taken.id],
        page: [`/api/operator/invoices/${byPage.taken.id}/void`, {}],
      },
      {
        verb: ['user', 'reset-password', byVerb.owner.email],
        page: [`/api/operator/people/${byPage.owner.id}/reset-password`, {}],
      },
    ] as const
    for (const { verb, page } of steps) {
      const printed = await assayd(verb, { ASSAY_DATA_DIR: folder })
      expect([printed.code, printed.stderr], verb.join(' ')).toEqual([0, ''])
      expect((await click(operator, page[0], page[1])).status, page[0]).toBe(200)
    }
    /** Differences that stay when the things have the same names on both sides. */
    const left = async ({ id, owner, paid, taken }: typeof byVerb) => {
      const names = { [id]: 'ORG', [owner.id]: 'OWNER', [paid.id]: 'PAID', [taken.id]: 'TAKEN' }
      const entry = ({ target_id, detail, ...who }: Record<'target_id' | 'detail', string>) => {
        const { name: _, number: __, ...rest } = JSON.parse(detail)
        return { ...who, target: names[target_id] ?? 'another', rest }
      }
      // By number: entries of one moment have no other order.
      const rows = await sql.query<Record<'action' | 'actor_kind' | 'target_id' | 'detail', string>>(
        'select action, actor_kind, target_id, detail from audit_entry where organisation_id = $1 order by seq',
        [id],
      )
      const { prepaidPence, entrySeq } = await server.accounts.read(id)
      return { log: rows.map(entry), prepaidPence, entrySeq }
    }
    const [verbs, pages] = [await left(byVerb), await left(byPage)]
    expect(pages).toEqual(verbs)
    expect(pages.log.length).toBeGreaterThan(steps.length)
    expect(pages.prepaidPence).toBe(3000)
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
  })
})
