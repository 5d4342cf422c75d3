import { readFileSync, writeFileSync } from 'node:fs'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isAbout, verifyReceipt } from '../../sdk/src/receipt.ts'
import { SCOPE_NAMES, SCOPES } from '../../src/access/scopes.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { sha256Hex } from '../../src/lib/hashing.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { assay, createHome } from '../cli/assay.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { keepCheck } from '../support/kept-checks.ts'
import { storedOwn } from '../support/own.ts'
import { memberOf, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Decisions, reviews, feedback and receipts of checks on record, as the API answers them. */

const JSON_ONLY = { accept: 'application/json' }

describeRules('about a check on record', (open) => {
  const ring = ringOf(TEST_SECRET)
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  let sql: Sql
  let server: TestServer
  let knowledge: Awaited<ReturnType<typeof storedOwn>>
  let organisation: { id: string; apiKey: string }
  let owner: SignedIn
  let checker: SignedIn
  let viewer: SignedIn
  let id: string
  beforeAll(async () => {
    sql = await open()
    knowledge = await storedOwn(sql, clock)
    server = await startTestServer({ sql, engine: createTestEngine(knowledge.own, clock), clock, oauth: true })
    organisation = await server.organisation()
    const member = (role: 'owner' | 'checker' | 'viewer') =>
      memberOf(server, sql, { organisationId: organisation.id, role, nowMs: clock.now() })
    owner = await member('owner')
    checker = await member('checker')
    viewer = await member('viewer')
  })
  beforeEach(async () => {
    clock.advance(5000)
    id = await keep({})
  })
  afterAll(async () => {
    await server.close()
    await knowledge.close()
  })

  const keep = (more: Omit<Parameters<typeof keepCheck>[2], 'organisationId'>) =>
    keepCheck(sql, ring, { organisationId: organisation.id, createdAtMs: clock.now(), ...more })
  const put = (who: SignedIn, what: string, body: unknown, check = id) =>
    who.send('PUT', `/v1/checks/${check}/${what}`, body)
  const audited = async () =>
    (await owner.send('GET', '/v1/organisation/audit?limit=1')).json.data.map(
      ({ action, target_id }: { action: string; target_id: string }) => `${action} ${target_id}`,
    )

  describe('a decision', () => {
    it('is kept with its note, its steps and its author, and is in the audit log without the note', async () => {
      const body = { decision: 'approved', note: 'Called Jane', steps: ['Verified by telephone'] }
      const { status, json } = await put(owner, 'decision', body)
      expect(status).toBe(200)
      expect(json.decision).toMatchObject({ ...body, state: 'made', by: { id: owner.id }, second_by: null })
      expect((await owner.send('GET', `/v1/checks/${id}`)).json).toMatchObject({
        decision: json.decision,
        review: null,
      })
      expect((await owner.send('GET', '/v1/checks?decision=approved')).json.data[0].decision).toEqual(json.decision)
      expect(await audited()).toEqual([`check.decide ${id}`])
      const log = await owner.send('GET', '/v1/organisation/audit?limit=1')
      expect(log.text).not.toContain('Jane')
    })

    it('403 for those who only read, 404 for a check that one may not read, 422 for another word', async () => {
      expect((await put(viewer, 'decision', { decision: 'approved' })).status).toBe(403)
      expect((await put(checker, 'decision', { decision: 'approved' })).status).toBe(404)
      expect((await put(owner, 'decision', { decision: 'perhaps' })).status).toBe(422)
      expect((await put(owner, 'decision', { decision: 'approved', note: 'x'.repeat(2001) })).status).toBe(422)
      expect((await put(owner, 'decision', { decision: 'stopped' }, 'chk_none')).status).toBe(404)
    })

    it('waits for a second person where the organisation asks for it, and is on the work list meanwhile', async () => {
      const other = await memberOf(server, sql, { organisationId: organisation.id, role: 'admin', nowMs: clock.now() })
      const { headers } = await owner.send('GET', '/v1/organisation')
      const etag = { 'if-match': headers.get('etag') ?? '' }
      const set = await owner.send('PATCH', '/v1/organisation', { decisions_need_two: true }, etag)
      expect(set.status).toBe(200)
      expect((await put(owner, 'decision', { decision: 'approved' })).json).toMatchObject({
        decision: { state: 'waiting_for_second' },
        review: { state: 'open' },
      })
      const { json } = await put(other, 'decision', { decision: 'approved', note: 'agreed' })
      expect(json).toMatchObject({
        decision: { state: 'made', by: { id: owner.id }, second_by: { id: other.id }, note: 'agreed' },
        review: { state: 'done' },
      })
      expect((await put(owner, 'decision', { decision: 'approved' })).status).toBe(409)
      const again = { 'if-match': (await owner.send('GET', '/v1/organisation')).headers.get('etag') ?? '' }
      await owner.send('PATCH', '/v1/organisation', { decisions_need_two: false }, again)
    })
  })

  describe('a review', () => {
    const counts = async (who: SignedIn) => (await who.send('GET', '/v1/reviews')).json

    it('is assigned to a member who may read the check from then on, and counted for both', async () => {
      const before = await counts(owner)
      expect((await checker.send('GET', `/v1/checks/${id}`)).status).toBe(404)
      const { json } = await put(owner, 'review', { assigned_to: checker.id })
      expect(json.review).toMatchObject({ state: 'open', assigned_to: { id: checker.id } })
      expect((await checker.send('GET', `/v1/checks/${id}`)).status).toBe(200)
      expect(await counts(owner)).toEqual({ open: before.open + 1, assigned_to_me: before.assigned_to_me })
      expect(await counts(checker)).toEqual({ open: 1, assigned_to_me: 1 })
      expect((await put(checker, 'decision', { decision: 'stopped' })).json.review.state).toBe('done')
      expect(await counts(checker)).toEqual({ open: 0, assigned_to_me: 0 })
      expect((await owner.send('GET', '/v1/checks?review=done')).json.data[0].id).toBe(id)
    })

    it('may be handed on by somebody who cannot read it afterwards; 422 for a stranger', async () => {
      await put(owner, 'review', { assigned_to: checker.id })
      expect((await put(checker, 'review', { assigned_to: owner.id })).status).toBe(200)
      expect((await checker.send('GET', `/v1/checks/${id}`)).status).toBe(404)
      const stranger = await server.organisation()
      const outsider = await memberOf(server, sql, { organisationId: stranger.id, role: 'owner', nowMs: clock.now() })
      for (const assigned_to of ['usr_nobody', outsider.id]) {
        expect((await put(owner, 'review', { assigned_to })).status).toBe(422)
      }
      expect((await outsider.send('GET', `/v1/checks/${id}`)).status).toBe(404)
    })
  })

  describe('feedback', () => {
    it('acts at once through an own list, in the same transaction', async () => {
      const indicator = `block${clock.now()}.example`
      const check = await keep({ kind: 'domain', indicator })
      const body = { wrong: 'too_low', reason: 'Sent us a forged invoice', own_list: 'block' }
      const { status, json } = await put(owner, 'feedback', body, check)
      expect(status).toBe(200)
      expect(json.feedback).toMatchObject({ wrong: 'too_low', reason: body.reason, by: { id: owner.id } })
      const listed = await owner.send('GET', `/v1/own-lists/block?search=${indicator}`)
      expect(listed.json.data).toMatchObject([{ indicator, reason: body.reason, state: 'active' }])
      // It is on the list already: neither the entry nor the feedback is written.
      const again = await put(owner, 'feedback', { ...body, wrong: 'too_high' }, check)
      expect(again.status).toBe(409)
      expect((await owner.send('GET', `/v1/checks/${check}`)).json.feedback.wrong).toBe('too_low')
    })

    it('403 if it names an own list and the caller may not change one', async () => {
      await put(owner, 'review', { assigned_to: checker.id })
      const body = { wrong: 'too_high', reason: 'Our supplier' }
      expect((await put(checker, 'feedback', { ...body, own_list: 'allow' })).status).toBe(403)
      expect((await put(checker, 'feedback', body)).status).toBe(200)
    })

    it('is shown to the operator with the signals that decided, and to nobody else', async () => {
      await put(owner, 'feedback', { wrong: 'too_high', reason: '=our supplier' })
      expect((await owner.send('GET', '/api/operator/feedback')).status).toBe(404)
      await changeIn(sql, clock, (tx) => setOperator(tx, owner.id, true))
      const { json } = await owner.send('GET', '/api/operator/feedback')
      expect(json.data[0]).toMatchObject({
        id,
        indicator: 'accounts@acme.example',
        label: 'legitimate',
        reason: '=our supplier',
        signals: [{ code: 'email.free_mail', effect: 4 }],
      })
      await changeIn(sql, clock, (tx) => setOperator(tx, owner.id, false))
    })
  })

  describe('a receipt', () => {
    it('is verified with the published keys: by the service, by jose and by the client', async () => {
      await put(owner, 'decision', { decision: 'approved', note: 'Called Jane' })
      const { status, headers, text } = await owner.send('GET', `/v1/checks/${id}/receipt`, undefined, {
        accept: '*/*',
      })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/jose'])
      const { json: keys } = await server.send('/v1/receipts/keys')
      const { payload } = await jwtVerify(text, createLocalJWKSet(keys), { typ: 'assay-receipt+jwt' })
      expect(payload).toMatchObject({
        jti: id,
        sub: organisation.id,
        kind: 'email',
        decision: { decision: 'approved' },
      })
      expect(JSON.stringify(payload)).not.toMatch(/acme|Jane/)
      const { claims } = await verifyReceipt(text, keys)
      expect(claims).toEqual(payload)
      expect(await isAbout(claims!, ' Accounts@acme.example')).toBe(true)
      expect(await isAbout(claims!, 'other@acme.example')).toBe(false)
      const asked = await server.post('/api/receipts/verify', {
        receipt: `${text}\n`,
        indicator: 'ACCOUNTS@acme.example',
      })
      expect(asked.json).toMatchObject({ valid: true, about_indicator: true, claims: { jti: id } })
    })

    it('is of the answer that a person got in the console', async () => {
      const given = await checker.send('POST', '/v1/payment-risk?explain=true', { email: 'jane@acme.example' })
      const asked = given.json
      const { json } = await checker.send('GET', `/v1/checks/${asked.check_id}/receipt`, undefined, JSON_ONLY)
      expect(json.claims).toMatchObject({
        jti: asked.check_id,
        risk: asked.risk,
        risk_score: asked.risk_score,
        signals: asked.signals.map(({ code, effect }: { code: string; effect: number }) => ({ code, effect })),
        intelligence: asked.intelligence.version,
        price: { total_price_pence: asked.total_price_pence },
        question: sha256Hex('email:jane@acme.example'),
      })
    })

    it('is no credential, and a changed one is refused', async () => {
      const { text } = await owner.send('GET', `/v1/checks/${id}/receipt`, undefined, { accept: '*/*' })
      const asToken = await server.send('/v1/checks', { headers: { authorization: `Bearer ${text}` } })
      expect(asToken.status).toBe(401)
      const { json: tokens } = await server.send('/.well-known/jwks.json')
      await expect(jwtVerify(text, createLocalJWKSet(tokens))).rejects.toThrow('no applicable key')
      const changed = text.replace(/\.(.)/, (_all, letter: string) => `.${letter === 'e' ? 'f' : 'e'}`)
      const { json } = await server.post('/api/receipts/verify', { receipt: changed })
      expect(json).toMatchObject({ valid: false, claims: null })
      expect((await verifyReceipt(changed, (await server.send('/v1/receipts/keys')).json)).refused).toBeDefined()
      expect((await server.post('/api/receipts/verify', { receipt: 'no receipt' })).json.valid).toBe(false)
      expect((await checker.send('GET', `/v1/checks/${id}/receipt`)).status).toBe(404)
    })

    it('comes with a PDF of the evidence', async () => {
      const { status, headers, text } = await owner.send('GET', `/v1/checks/${id}/evidence.pdf`)
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
      expect(text.startsWith('%PDF-')).toBe(true)
      expect((await checker.send('GET', `/v1/checks/${id}/evidence.pdf`)).status).toBe(404)
    })
  })

  it('the command line decides, reports, proves and verifies, with the service and without it', async () => {
    const home = createHome()
    const scopes = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)
    const { apiKey, id: organisationId } = await server.organisation({ scopes })
    const check = await keepCheck(sql, ring, { organisationId })
    const env = { ASSAY_URL: server.url, ASSAY_API_KEY: apiKey }
    const run = (...args: string[]) => assay(args, { home, env })
    const receipt = home.path('receipt.jws')
    expect((await run('checks', 'decide', check, 'stopped', '--note', 'odd', '--step', 'asked')).stdout).toBe(
      'Decided: stopped.\n',
    )
    expect((await run('checks', 'review', check)).stdout).toContain('on the work list')
    expect((await run('checks', 'reviews')).stdout).toBe('1 open, 0 of them for you.\n')
    const feedback = await run(
      'checks',
      'feedback',
      check,
      'too_low',
      '--reason',
      'forged',
      '--list',
      'block',
      '--json',
    )
    expect(JSON.parse(feedback.stdout).feedback).toMatchObject({ wrong: 'too_low', reason: 'forged' })
    expect((await run('checks', 'show', check)).stdout).toMatch(
      /\nstopped \S+ by .+\n {2}odd\n {2}done: asked\nto review\nreported as too low: forged\n$/,
    )
    expect((await run('checks', 'evidence', check, home.path('evidence.pdf'))).code).toBe(0)
    expect((await run('checks', 'receipt', check, receipt)).code).toBe(0)

    const keys = home.path('keys.json')
    writeFileSync(keys, (await server.send('/v1/receipts/keys')).text)
    const offline = { ASSAY_URL: 'http://127.0.0.1:9' }
    const verify = (...args: string[]) => assay(['verify', ...args], { home, env: offline })
    expect((await run('verify', receipt)).stdout).toMatch(/^Genuine\.\n\nAnswered by/)
    const genuine = await verify(receipt, '--keys', keys, '--indicator', 'accounts@acme.example')
    expect([genuine.code, genuine.stdout]).toEqual([0, expect.stringContaining('It is about this indicator.')])
    expect((await verify(receipt, '--keys', keys, '--indicator', 'x@acme.example')).code).toBe(20)
    writeFileSync(receipt, readFileSync(receipt, 'utf8').replace(/.\./, '_.'))
    expect(await verify(receipt, '--keys', keys)).toMatchObject({
      code: 20,
      stdout: expect.stringMatching(/^Not verified\. /),
    })
    const ofErasure = Buffer.from('{"alg":"ES256","typ":"assay-erasure+jwt"}').toString('base64url')
    writeFileSync(receipt, `${ofErasure}.e30.AA`)
    expect((await verify(receipt, '--keys', keys)).stdout).toContain('the page /receipt of the service verifies it')
    expect((await verify(receipt)).stderr).toContain('cannot be reached')
    expect((await verify(receipt, '--keys', receipt)).stderr).toContain('is not JSON')
    const rules = home.path('rules.json')
    writeFileSync(rules, JSON.stringify([{ name: 'All', when: {}, outcome: 'review', text: '' }]))
    const tried = (await run('rules', 'try', rules)).stdout
    expect(tried).toContain('1 of 1 checks on record would be decided differently')
    expect(tried).toMatch(/BEFORE\s+AFTER\s+CHECKS/)
    home.remove()
  })

  it('decision rules are tried on what is on record', async () => {
    const other = await server.organisation()
    const who = await memberOf(server, sql, { organisationId: other.id, role: 'owner', nowMs: clock.now() })
    const mine = (more: object) => keepCheck(sql, ring, { organisationId: other.id, ...more })
    await mine({})
    await mine({ outcome: 'approve' })
    const high = await mine({
      outcome: 'approve',
      level: 'high',
      score: 90,
      signals: [{ code: 'own.lookalike', effect: 80 }],
    })
    const rules = [
      { name: 'Imitation', when: { counterparties: ['lookalike'] }, outcome: 'stop', text: '' },
      { name: 'Rest', when: { levels: ['low'] }, outcome: 'approve', text: '' },
    ]
    const { status, json } = await who.send('POST', '/v1/decision-rules/trial', { rules })
    expect(status).toBe(200)
    expect(json).toMatchObject({ tried: 3, would_change: 2 })
    expect(json.by).toEqual(
      expect.arrayContaining([
        { from: 'approve', to: 'stop', count: 1 },
        { from: null, to: 'approve', count: 1 },
      ]),
    )
    expect(json.examples[0]).toMatchObject({ check_id: high, from: 'approve', to: 'stop', rule: 'Imitation' })
    expect((await who.send('POST', '/v1/decision-rules/trial', { rules: [{}] })).status).toBe(422)
    const misspelt = [{ name: 'Imitation', when: { signals: ['own.look_alike'] }, outcome: 'stop', text: '' }]
    expect((await who.send('POST', '/v1/decision-rules/trial', { rules: misspelt })).json.detail).toContain('No signal')
  })
})
