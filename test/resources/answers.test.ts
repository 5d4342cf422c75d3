import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SCOPE_NAMES, SCOPES } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { allowApplication, consentId } from '../support/consents.ts'
import { createTestEngine } from '../support/engine.ts'
import { HOST_ADDRESSES, oldFacts, reverseFacts, withFacts } from '../support/facts.ts'
import { keepCheck } from '../support/kept-checks.ts'
import { closed, type DocumentedOperation, operationsIn } from '../support/openapi.ts'
import { storedOwn } from '../support/own.ts'
import { memberOf, PASSWORD } from '../support/people.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeEachStore } from '../support/stores.ts'

/** The real answers of the resources match openapi.json: every field, and no other. */

describeEachStore('the answers of resources', (open) => {
  let sql: Sql
  let server: TestServer
  let operations: readonly DocumentedOperation[]
  let knowledge: Awaited<ReturnType<typeof storedOwn>>
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  beforeAll(async () => {
    sql = await open()
    const facts = { ...oldFacts(clock.now()), ...reverseFacts(clock.now()) }
    knowledge = await storedOwn(sql, clock)
    const engine = withFacts(createTestEngine(knowledge.own, clock), () => ({ facts, live: 'complete' }))
    server = await startTestServer({ sql, engine, clock, oauth: true })
    operations = operationsIn((await server.send('/openapi.json')).json).filter(({ path }) => path.startsWith('/v1/'))
  })
  afterAll(async () => {
    await server.close()
    await knowledge.close()
  })

  function expectDocumented(method: string, template: string, answer: Answer): void {
    const label = `${method} ${template} ${answer.status}`
    const operation = operations.find((one) => one.method === method && one.path === template)
    const response = operation?.responses[answer.status]
    expect(response, label).toBeDefined()
    if (answer.status === 204) return
    const schema = response?.content?.[answer.headers.get('content-type')?.split(';')[0] ?? '']?.schema
    expect(schema, label).toBeDefined()
    // A file is text to this test.
    const wrong = Value.Errors(closed(schema) as never, answer.json ?? answer.text).map(
      (error) => `${error.instancePath} ${error.message}`,
    )
    expect(wrong, `${label} ${answer.text.slice(0, 500)}`).toEqual([])
  }

  it('hold every documented field and no other', async () => {
    const begun = await server.post('/v1/checkout', {
      organisation_name: 'Answers Ltd',
      name: 'Owner',
      email: 'answers@company.example',
      password: PASSWORD,
      plan: 'growth',
      accept_terms: true,
    })
    expectDocumented('POST', '/v1/checkout', begun)
    const { id: checkoutId, claim_token, organisation_id: organisationId } = begun.json
    const { secret } = await server.accounts.key(
      organisationId,
      'all',
      SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey),
    )
    const member = await memberOf(server, sql, { organisationId, role: 'viewer', nowMs: clock.now() })
    const ids: Record<string, string> = {
      checkout_id: checkoutId,
      member_id: member.id,
      month: '2026-03',
      list: 'block',
      version: '1',
      domain: 'company-of-ours.com',
    }
    const call = async (method: string, template: string, body?: unknown, headers: Record<string, string> = {}) => {
      clock.advance(50)
      const answer = await server.send(
        template.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'missing'),
        {
          method,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          headers: {
            'x-api-key': secret,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
        },
      )
      expectDocumented(method, template.replace(/\?.*/, ''), answer)
      return answer
    }
    const any = { 'if-match': '*' }
    const token = { claim_token }
    await call('POST', '/v1/checkout/{checkout_id}/state', token)
    await call('POST', '/v1/checkout/{checkout_id}/claim', token)
    await call('POST', '/v1/checkout/{checkout_id}/claim', token)
    await call('POST', '/v1/payment-risk/bulk', { emails: Array(40).fill('a@b.example') })
    for (const [path, body] of [
      ['/v1/payment-risk', { email: 'a@old-supplier.com' }],
      ['/v1/supply-chain-risk', { domain: 'old-supplier.com' }],
      ['/v1/infrastructure-risk', { ip: HOST_ADDRESSES[0] }],
    ] as const) {
      await call('POST', path, body)
      await call('POST', `${path}?explain=true`, body)
    }
    const refused = await call('POST', '/v1/payment-risk', { email: 'no address' })
    ids.request_id = refused.headers.get('x-request-id') ?? ''
    await call('GET', '/v1/requests/{request_id}')
    const entry = { indicator: ids.domain, reason: 'why', expires_at: '2030-01-01T00:00:00Z' }
    await call('POST', '/v1/organisation/domains', { domain: ids.domain })
    ids.entry_id = (await call('POST', '/v1/own-lists/{list}', entry)).json.id
    await call('POST', '/v1/own-lists/{list}/imports', { entries: [entry, { indicator: 'other.com' }] })
    await call('PATCH', '/v1/own-lists/{list}/{entry_id}', { reason: null }, any)
    await call('POST', '/v1/own-lists/{list}/{entry_id}/approve')
    await call('POST', '/v1/organisation/domains/{domain}/verify')
    const rules = [{ name: 'All', when: {}, outcome: 'review', text: 'Look' }]
    await call('PUT', '/v1/decision-rules', { rules }, any)
    clock.advance(5000)
    const decided = await call('POST', '/v1/supply-chain-risk?explain=true', { domain: 'old-supplier.com' })
    expect(decided.json.decision).toBeDefined()
    await call('POST', '/v1/supply-chain-risk/bulk?explain=true', { domains: ['old-supplier.com'] })
    ids.key_id = (await call('POST', '/v1/organisation/keys', { name: 'one' })).json.id
    ids.client_id = (
      await call('POST', '/v1/organisation/clients', { kind: 'service', name: 'app', scopes: ['risk:bulk'] })
    ).json.id
    const invitation = (await call('POST', '/v1/organisation/invitations', { role: 'viewer' })).json
    ids.invitation_id = invitation.id
    await call('POST', '/v1/invitations/lookup', { token: new URL(invitation.link).hash.slice(1) })
    await call('POST', '/v1/invitations/accept', {
      token: new URL(invitation.link).hash.slice(1),
      email: 'joins@company.example',
      name: 'Joins',
      password: PASSWORD,
    })
    ids.invoice_id = (await call('POST', '/v1/billing/top-ups', { amount_pence: 100 })).json.id
    ids.alert_id = (await call('POST', '/v1/billing/alerts', { kind: 'credit_below', threshold_pence: 1 })).json.id
    const acme = { name: 'Acme', domains: ['acme.com'], accounts: ['DE89370400440532013000'] }
    ids.counterparty_id = (await call('POST', '/v1/counterparties', acme)).json.id
    await call('POST', '/v1/counterparties', { name: 'Acme Two', domains: ['acme.com'] })
    await call('PATCH', '/v1/counterparties/{counterparty_id}', { since: '2019' }, any)
    ids.reference = '4711'
    await call('PUT', '/v1/counterparties/by-reference/{reference}', { name: 'Beta' })
    await call('PUT', '/v1/counterparties/by-reference/{reference}', { name: 'Beta plc' })
    await call('POST', '/v1/payments/compare', { domain: 'acme.com', account: 'GB29NWBK60161331926819' })
    await call('POST', '/v1/payments/compare', { email: 'a@b.example', account: 'DE89370400440532013000' })
    const begin = async () => {
      ids.import_id = (await call('POST', '/v1/counterparties/imports', { rows: 3, invalid_rows: 'skip' })).json.id
    }
    await begin()
    await call('DELETE', '/v1/counterparties/imports/{import_id}')
    await begin()
    await call('POST', '/v1/counterparties/imports/{import_id}/rows', {
      rows: [
        { row: 1, name: 'New' },
        { row: 2, name: 'Beta', reference: '4711', domains: ['gmail.com'] },
        { row: 3, name: 'Beta', reference: '4711', domains: ['beta.example'] },
      ],
    })
    await call('POST', '/v1/counterparties/imports/{import_id}/apply')
    await call('POST', '/v1/billing/invoices/{invoice_id}/payment')
    await call('POST', '/v1/billing/quote', { family: 'payment-risk', records: 3 })
    await call('POST', '/v1/billing/subscription', { plan: 'prepaid' })
    await call('PATCH', '/v1/organisation', { name: 'Other' }, any)
    await call('PATCH', '/v1/organisation/keys/{key_id}', { name: 'two' }, any)
    await call('POST', '/v1/organisation/keys/{key_id}/rotate', {})
    await call('PATCH', '/v1/organisation/clients/{client_id}', { name: 'app two' }, any)
    await call('POST', '/v1/organisation/clients/{client_id}/rotate-secret')
    await call('DELETE', '/v1/organisation/clients/{client_id}/former-secret')
    await call('PATCH', '/v1/organisation/members/{member_id}', { role: 'developer' }, any)
    ids.check_id = await keepCheck(sql, ringOf(TEST_SECRET), { organisationId })
    const proved = await call('PUT', '/v1/checks/{check_id}/decision', {
      decision: 'stopped',
      note: 'odd',
      steps: ['a'],
    })
    expect(proved.json.decision.note).toBe('odd')
    await call('PUT', '/v1/checks/{check_id}/review', { assigned_to: member.id })
    const wrong = { wrong: 'too_low', reason: 'forged', own_list: 'block' }
    await call('PUT', '/v1/checks/{check_id}/feedback', wrong)
    await call('GET', '/v1/checks/{check_id}/receipt', undefined, { accept: 'application/json' })
    await call('POST', '/v1/decision-rules/trial', { rules: [] })
    const place = { personId: member.id, clientId: 'assay-cli', organisationId }
    await allowApplication(sql, clock, { ...place, role: 'developer' })
    ids.consent_id = consentId(place)
    for (const { method, path } of operations) if (method === 'GET') await call('GET', path)
    await call('GET', '/v1/counterparties/imports/{import_id}/differences?difference=changed')
    await call('GET', '/v1/organisation/members/{member_id}', undefined, { 'x-api-key': 'ask_wrong' })
    await call('POST', '/v1/counterparties/imports/{import_id}/undo', {})
    await call('DELETE', '/v1/counterparties/{counterparty_id}')
    await call('DELETE', '/v1/own-lists/{list}/{entry_id}')
    await call('DELETE', '/v1/organisation/domains/{domain}')
    await call('DELETE', '/v1/billing/alerts/{alert_id}')
    await call('DELETE', '/v1/organisation/keys/{key_id}')
    await call('DELETE', '/v1/organisation/clients/{client_id}')
    await call('DELETE', '/v1/organisation/consents/{consent_id}')
    await call('DELETE', '/v1/organisation/consents/{consent_id}')
    await call('DELETE', '/v1/organisation/members/{member_id}')
    await call('DELETE', '/v1/organisation/members/{member_id}')
    await call('POST', '/v1/billing/subscription', { end: 'now' })
  })
})
