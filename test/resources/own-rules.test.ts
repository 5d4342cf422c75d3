import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SCOPE_NAMES, SCOPES } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { createDnsResolver, type DnsResolver } from '../../src/live/dns/resolver.ts'
import { readOwnKnowledge } from '../../src/own/source.ts'
import { ManualClock } from '../support/clock.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { createTestEngine, KNOWN } from '../support/engine.ts'
import { storedOwn } from '../support/own.ts'
import { memberOf, type SignedIn } from '../support/people.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Own lists, decision rules and own domains, as the API answers them. */

describeRules('what an organisation decides itself', (open) => {
  let sql: Sql
  let server: TestServer
  let dns: DnsServer
  let resolver: DnsResolver
  let knowledge: Awaited<ReturnType<typeof storedOwn>>
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const scopes = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)
  let organisation: { id: string; apiKey: string }
  beforeAll(async () => {
    sql = await open()
    dns = await startDnsServer({})
    resolver = createDnsResolver({ servers: [dns.address] })
    knowledge = await storedOwn(sql, clock)
    const engine = createTestEngine(knowledge.own, clock)
    server = await startTestServer({ sql, engine, clock, oauth: true, resolver })
  })
  beforeEach(async () => {
    organisation = await server.organisation({ scopes })
  })
  afterAll(async () => {
    await server.close()
    await knowledge.close()
    resolver.close()
    await dns.close()
  })

  function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    // Longer than any node uses an earlier version of what the organisation knows.
    clock.advance(5000)
    return server.send(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        'x-api-key': organisation.apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
  }
  const member = (role: 'owner' | 'admin' | 'checker' | 'viewer') =>
    memberOf(server, sql, { organisationId: organisation.id, role, nowMs: clock.now() })
  const audited = async () =>
    (await send('GET', '/v1/organisation/audit')).json.data.map(({ action }: { action: string }) => action)
  const known = () => readOwnKnowledge(sql, organisation.id)

  describe('own lists', () => {
    it('201 in normal form, with its author; then read, changed and removed, each recorded', async () => {
      const made = await send('POST', '/v1/own-lists/block', { indicator: '*.Acme-Invoices.example', reason: 'Forged' })
      expect(made.status).toBe(201)
      expect(made.json).toMatchObject({
        list: 'block',
        kind: 'domain',
        indicator: 'acme-invoices.example',
        state: 'active',
        approvals_missing: 0,
        author: { kind: 'api_key', name: 'narrow key' },
        warnings: [],
      })
      const path = `/v1/own-lists/block/${made.json.id}`
      const read = await send('GET', path)
      expect((await send('PATCH', path, { reason: 'Other' })).status).toBe(428)
      const etag = { 'if-match': read.headers.get('etag') ?? '' }
      const changed = await send('PATCH', path, { reason: 'Other', expires_at: '2026-03-11T00:00:00Z' }, etag)
      expect(changed.json).toMatchObject({ reason: 'Other', expires_at: '2026-03-11T00:00:00.000Z' })
      expect((await send('PATCH', path, { reason: null }, etag)).status).toBe(412)
      const found = async (search: string) =>
        (await send('GET', `/v1/own-lists/block?search=${encodeURIComponent(search)}`)).json.data.length
      const umlaut = { 'if-match': changed.headers.get('etag') ?? '' }
      await send('PATCH', path, { reason: 'Rechnung der Ökostrom AG' }, umlaut)
      expect([await found('Ökostrom'), await found('RECHNUNG'), await found('ACME-'), await found('%')]).toEqual([
        1, 1, 1, 0,
      ])
      expect((await known()).entries).toMatchObject([
        { indicator: 'acme-invoices.example', reason: expect.stringContaining('Öko') },
      ])
      // Some clients name the type of a body that they do not send.
      const json = { 'content-type': 'application/json' }
      expect((await send('DELETE', path, undefined, json)).status).toBe(204)
      expect((await send('GET', path)).status).toBe(404)
      expect((await known()).entries).toEqual([])
      expect((await audited()).slice(0, 3)).toEqual(['own_list.remove', 'own_list.update', 'own_list.update'])
    })

    it('404 for another list, and for an entry under the name of another list', async () => {
      expect((await send('GET', '/v1/own-lists/maybe')).status).toBe(404)
      const { id } = (await send('POST', '/v1/own-lists/review', { indicator: 'acme.com' })).json
      expect((await send('GET', `/v1/own-lists/block/${id}`)).status).toBe(404)
      expect((await send('DELETE', `/v1/own-lists/block/${id}`)).status).toBe(404)
    })

    it('409 for what the list has already; another list may have it, too', async () => {
      await send('POST', '/v1/own-lists/block', { indicator: 'acme.com' })
      const twin = await send('POST', '/v1/own-lists/block', { indicator: 'ACME.com.' })
      expect([twin.status, twin.json.detail]).toEqual([409, 'acme.com is on this list already. Change that entry.'])
      const allowed = await send('POST', '/v1/own-lists/allow', { indicator: 'acme.com' })
      expect(allowed.json.warnings).toMatchObject([{ code: 'also_blocked' }])
    })

    it.each([
      [{ indicator: 'no domain' }, '/indicator'],
      [{ indicator: 'acme.com', expires_at: '2026-03-01T00:00:00Z' }, '/expires_at'],
      [{ indicator: 'acme.com', reason: 'two\nlines' }, '/reason'],
      [{ indicator: 'acme.com', why: 'x' }, '/why'],
    ])('422 with the place: %j', async (body, pointer) => {
      const answer = await send('POST', '/v1/own-lists/block', body)
      expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer])
    })

    it('an expired entry has no effect and is shown as expired', async () => {
      await send('POST', '/v1/own-lists/block', { indicator: 'acme.com', expires_at: '2026-03-12T00:00:00Z' })
      const states = async () =>
        (await send('GET', '/v1/own-lists/block')).json.data.map((one: Answer['json']) => one.state)
      const begun = clock.now()
      expect(await states()).toEqual(['active'])
      clock.advance(3 * DAY_MS)
      expect(await states()).toEqual(['expired'])
      expect((await send('GET', '/v1/own-lists/block?state=active')).json.data).toEqual([])
      expect(clock.now()).toBeGreaterThan(begun)
    })

    it('decides an answer before feeds: block, then allow; nothing by an entry that expired, and nothing for others', async () => {
      const check = async (domain: string) => {
        const { json } = await send('POST', '/v1/supply-chain-risk?explain=true', { domain })
        return [
          json.risk,
          ...json.signals.map(({ code }: { code: string }) => code).filter((code: string) => code.startsWith('own.')),
        ]
      }
      const [bad, honest] = [KNOWN.badDomain, 'mail.honest-name.com']
      expect([await check(bad), await check(honest)]).toEqual([['high'], ['low']])
      await send('POST', '/v1/own-lists/allow', { indicator: bad })
      const in10Days = new Date(clock.now() + 10 * DAY_MS).toISOString()
      await send('POST', '/v1/own-lists/block', { indicator: 'honest-name.com', expires_at: in10Days })
      expect([await check(bad), await check(honest)]).toEqual([
        ['low', 'own.allow_list'],
        ['high', 'own.block_list'],
      ])
      await send('POST', '/v1/own-lists/block', { indicator: bad })
      expect((await check(bad))[0]).toBe('high')
      clock.advance(11 * DAY_MS)
      expect(await check(honest)).toEqual(['low'])
      organisation = await server.organisation({ scopes })
      expect([await check(bad), await check(honest)]).toEqual([['high'], ['low']])
    })

    it('searched in indicators and reasons, and page by page', async () => {
      for (const i of [1, 2, 3]) {
        await send('POST', '/v1/own-lists/review', {
          indicator: `firm${i}_x.example`.replace('_', '-'),
          reason: `100% no ${i}`,
        })
      }
      const found = async (query: string) =>
        (await send('GET', `/v1/own-lists/review?${query}`)).json.data.map((one: Answer['json']) => one.indicator)
      expect(await found('search=FIRM2')).toEqual(['firm2-x.example'])
      expect(await found('search=100%25%20no%203')).toEqual(['firm3-x.example'])
      expect(await found('search=firm_')).toEqual([])
      const first = await send('GET', '/v1/own-lists/review?limit=2')
      expect(first.json.data).toHaveLength(2)
      const rest = await send('GET', `/v1/own-lists/review?limit=2&cursor=${first.json.next_cursor}`)
      expect([rest.json.data.length, rest.json.next_cursor]).toEqual([1, null])
    })

    it('as CSV, safe to open, with the columns of an import first', async () => {
      const far = '2030-01-01T00:00:00.000Z'
      await send('POST', '/v1/own-lists/block', { indicator: 'acme.com', reason: '=cmd, "x"', expires_at: far })
      const csv = await send('GET', '/v1/own-lists/block', undefined, { accept: 'text/csv' })
      expect(csv.headers.get('content-type')).toContain('text/csv')
      expect(csv.text).toContain(`acme.com,"'=cmd, ""x""",${far},domain,active,api_key,`)
      expect(csv.text.split('\r\n')[0]).toMatch(/^indicator,reason,expires_at,/)
    })

    it.each(['2099-12-31T00:00:00Z[Europe/Berlin]', '2099-06-30T23:59:60Z'])('422 for the expiry %s', async (at) => {
      const { status, json } = await send('POST', '/v1/own-lists/block', { indicator: 'acme.com', expires_at: at })
      expect([status, json.errors[0].pointer]).toEqual([422, '/expires_at'])
    })

    it('imports all or nothing, and names every invalid row with its reason', async () => {
      await send('POST', '/v1/own-lists/block', { indicator: 'known.com', reason: 'old' })
      const rows = [
        { indicator: 'known.com', reason: 'new' },
        { indicator: 'fresh.com' },
        { indicator: '192.0.2.0/24' },
      ]
      const bad = await send('POST', '/v1/own-lists/block/imports', {
        entries: [
          ...rows,
          { indicator: 'nonsense', reason: '' },
          { indicator: 'FRESH.com', expires_at: '2020-01-01T00:00:00Z' },
          { indicator: '', reason: 'x'.repeat(501), expires_at: '2099-12-31T00:00:00Z[Europe/Berlin]' },
        ],
      })
      expect(bad.status).toBe(422)
      expect(bad.json.detail).toContain('Nothing was imported')
      expect(bad.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
        '/entries/3/reason',
        '/entries/3/indicator',
        '/entries/4/expires_at',
        '/entries/4/indicator',
        '/entries/5/reason',
        '/entries/5/expires_at',
        '/entries/5/indicator',
      ])
      expect((await known()).entries).toHaveLength(1)
      const good = await send('POST', '/v1/own-lists/block/imports', { entries: rows })
      expect(good.json).toEqual({ added: 2, changed: 1, unchanged: 0, pending: 0, warnings: [] })
      expect((await send('POST', '/v1/own-lists/block/imports', { entries: rows })).json).toMatchObject({
        unchanged: 3,
      })
      expect((await audited())[1]).toBe('own_list.import')
    })

    it('a file of the greatest length is imported, a longer one refused', async () => {
      const entries = Array.from({ length: 2001 }, (_, i) => ({
        indicator: `supplier-number-${i}.example.com`,
        reason: `A reason of a usual length, number ${i}`,
        expires_at: '2030-01-01T00:00:00Z',
      }))
      const long = await send('POST', '/v1/own-lists/allow/imports', { entries })
      expect(long.status).toBe(422)
      const fits = await send('POST', '/v1/own-lists/allow/imports', { entries: entries.slice(1) })
      expect([fits.status, fits.json.added]).toEqual([200, 2000])
      const huge = { entries: [{ indicator: 'acme.com', reason: 'x'.repeat(512 * 1024) }] }
      expect((await send('POST', '/v1/own-lists/allow/imports', huge)).status).toBe(413)
    })

    it('warns of the own domain blocked, of a public mail provider and of a whole ending allowed', async () => {
      await send('POST', '/v1/organisation/domains', { domain: 'mine-is-here.com' })
      const codes = async (list: string, indicator: string) => {
        const { status, json } = await send('POST', `/v1/own-lists/${list}`, { indicator })
        return [status, ...json.warnings.map((one: Answer['json']) => one.code)]
      }
      expect(await codes('block', 'mine-is-here.com')).toEqual([201, 'own_domain_blocked'])
      expect(await codes('allow', 'gmail.com')).toEqual([201, 'public_mail_allowed'])
      expect(await codes('allow', 'co.uk')).toEqual([201, 'ending_allowed'])
      expect(await codes('allow', 'honest-supplier.com')).toEqual([201])
      const imported = await send('POST', '/v1/own-lists/allow/imports', {
        entries: [{ indicator: 'supplier-two.com' }, { indicator: 'org.uk' }],
      })
      expect(imported.json.warnings).toMatchObject([{ entry: 1, code: 'ending_allowed' }])
    })

    it('403 without the scope; a checker reads and may not write', async () => {
      const checker = await member('checker')
      expect((await checker.send('GET', '/v1/own-lists/allow')).status).toBe(200)
      expect((await checker.send('POST', '/v1/own-lists/allow', { indicator: 'acme.com' })).status).toBe(403)
      const narrow = await server.organisation({ scopes: ['risk:payment'] })
      organisation = narrow
      expect((await send('GET', '/v1/own-lists/allow')).status).toBe(403)
      expect((await send('POST', '/v1/own-lists/allow', { indicator: 'acme.com' })).status).toBe(403)
    })

    describe('with a second person for allow entries', () => {
      let owner: SignedIn
      let admin: SignedIn
      beforeEach(async () => {
        owner = await member('owner')
        admin = await member('admin')
        const any = { 'if-match': '*' }
        expect((await admin.send('PATCH', '/v1/organisation', { allow_needs_approval: true }, any)).status).toBe(403)
        expect((await send('PATCH', '/v1/organisation', { allow_needs_approval: true }, any)).status).toBe(403)
        const asked = await owner.send('PATCH', '/v1/organisation', { allow_needs_approval: true }, any)
        expect([asked.status, asked.json.allow_needs_approval]).toEqual([200, true])
      })
      const approve = (who: SignedIn, id: string) => who.send('POST', `/v1/own-lists/allow/${id}/approve`)

      it('it has no effect until another person approves it, and never by its author or a key', async () => {
        const made = await owner.send('POST', '/v1/own-lists/allow', { indicator: 'acme.com' })
        expect(made.json).toMatchObject({ state: 'pending', approvals_missing: 1 })
        expect((await known()).entries).toEqual([])
        expect((await approve(owner, made.json.id)).status).toBe(403)
        expect((await send('POST', `/v1/own-lists/allow/${made.json.id}/approve`)).status).toBe(403)
        const viewer = await member('viewer')
        expect((await approve(viewer, made.json.id)).status).toBe(403)
        const approved = await approve(admin, made.json.id)
        expect(approved.json).toMatchObject({ state: 'active', approvals_missing: 0, approved_by: { id: admin.id } })
        expect((await known()).entries).toMatchObject([{ indicator: 'acme.com' }])
        expect((await approve(admin, made.json.id)).status).toBe(409)
      })

      it('an entry that a key added needs two people', async () => {
        const { json } = await send('POST', '/v1/own-lists/allow', { indicator: 'acme.com' })
        expect(json).toMatchObject({ state: 'pending', approvals_missing: 2 })
        expect((await approve(admin, json.id)).json).toMatchObject({ state: 'pending', approvals_missing: 1 })
        expect((await approve(admin, json.id)).status).toBe(403)
        expect((await approve(owner, json.id)).json.state).toBe('active')
      })

      it('a later expiry needs the second person again, an earlier one does not; other lists need nobody', async () => {
        const soon = '2099-01-01T00:00:00Z'
        const { json } = await owner.send('POST', '/v1/own-lists/allow', { indicator: 'acme.com', expires_at: soon })
        await approve(admin, json.id)
        const edit = (expires_at: string | null) =>
          admin.send('PATCH', `/v1/own-lists/allow/${json.id}`, { expires_at }, { 'if-match': '*' })
        expect((await edit('2098-01-01T00:00:00Z')).json.state).toBe('active')
        expect((await edit(null)).json).toMatchObject({ state: 'pending', approved_by: null })
        expect((await approve(admin, json.id)).status).toBe(403)
        expect((await approve(owner, json.id)).json.state).toBe('active')
        expect((await send('POST', '/v1/own-lists/block', { indicator: 'acme.com' })).json.state).toBe('active')
      })

      it('an import waits, too', async () => {
        const entries = [{ indicator: 'acme.com' }]
        expect((await send('POST', '/v1/own-lists/allow/imports', { entries })).json).toMatchObject({ pending: 1 })
        expect((await known()).entries).toEqual([])
      })
    })
  })

  describe('decision rules', () => {
    const STOP = { name: 'Listed', when: { levels: ['high'] }, outcome: 'stop', text: 'Do not pay.' }
    const ELSE = { name: 'Otherwise', when: {}, outcome: 'approve', text: '' }
    const put = async (rules: unknown, ifMatch = '*') =>
      send('PUT', '/v1/decision-rules', { rules }, { 'if-match': ifMatch })
    const check = (explain: boolean, domain: string = KNOWN.badDomain) =>
      send('POST', `/v1/supply-chain-risk${explain ? '?explain=true' : ''}`, { domain })

    it('no rules, no field; with rules the first that matches decides explained answers, and only those', async () => {
      expect((await check(true)).json).not.toHaveProperty('decision')
      expect((await put([STOP, ELSE])).status).toBe(200)
      expect((await check(true)).json.decision).toEqual({ outcome: 'stop', rule: 'Listed', text: 'Do not pay.' })
      expect((await check(true, 'honest-name.com')).json.decision).toMatchObject({
        outcome: 'approve',
        rule: 'Otherwise',
      })
      expect(Object.keys((await check(false)).json)).toHaveLength(13)
      await put([STOP])
      expect((await check(true, 'honest-name.com')).json).not.toHaveProperty('decision')
      await put([])
      expect((await check(true)).json).not.toHaveProperty('decision')
    })

    it('every record of an explained list carries its decision, and another organisation sees none', async () => {
      await put([STOP, { ...ELSE, when: { families: ['payment-risk'] } }])
      const bulk = (explain: boolean) =>
        send('POST', `/v1/supply-chain-risk/bulk?explain=${explain}`, { domains: [KNOWN.badDomain, 'honest-name.com'] })
      const [listed, honest] = (await bulk(true)).json.results
      expect(listed.decision).toEqual({ outcome: 'stop', rule: 'Listed', text: 'Do not pay.' })
      expect(honest).not.toHaveProperty('decision')
      expect((await bulk(false)).text).not.toContain('decision')
      organisation = await server.organisation({ scopes })
      expect((await bulk(true)).text).not.toContain('decision')
      expect((await check(true)).json).not.toHaveProperty('decision')
    })

    it('a bank account that differs is decided by the rules about accounts', async () => {
      const compare = async (account: string) =>
        (await send('POST', '/v1/payments/compare', { domain: 'acme-supplies.com', account })).json
      const [known, other] = ['DE89 3704 0044 0532 0130 00', 'GB33 BUKB 2020 1555 5555 55']
      await send('POST', '/v1/counterparties', { name: 'Acme', domains: ['acme-supplies.com'], accounts: [known] })
      expect(await compare(other)).not.toHaveProperty('decision')
      await put([ELSE, { name: 'Other account', when: { account_differs: true }, outcome: 'stop', text: 'Call Acme.' }])
      expect((await compare(other)).decision).toEqual({ outcome: 'stop', rule: 'Other account', text: 'Call Acme.' })
      expect(await compare(known)).not.toHaveProperty('decision')
    })

    it('412 when somebody saved others since, 428 without If-Match; versions say who and can be restored', async () => {
      const empty = await send('GET', '/v1/decision-rules')
      expect(empty.json).toEqual({ version: 0, rules: [], changed_by: null, changed_at: null })
      const etag = empty.headers.get('etag') ?? ''
      const first = await put([STOP], etag)
      expect(first.json).toMatchObject({ version: 1, rules: [STOP], changed_by: { kind: 'api_key' } })
      expect((await put([ELSE], etag)).status).toBe(412)
      expect((await put([ELSE, STOP, ELSE])).json.detail).toBe('The name is that of rule 1, too.')
      expect((await send('PUT', '/v1/decision-rules', { rules: [] })).status).toBe(428)
      const owner = await member('owner')
      const second = await owner.send(
        'PUT',
        '/v1/decision-rules',
        { rules: [ELSE] },
        { 'if-match': first.headers.get('etag')! },
      )
      expect(second.json.version).toBe(2)
      // Equal rules make no version.
      expect((await put([ELSE])).json.version).toBe(2)
      const { data } = (await send('GET', '/v1/decision-rules/versions')).json
      expect(data).toMatchObject([
        { version: 2, rules: 1, changed_by: { kind: 'person', id: owner.id } },
        { version: 1, rules: 1, changed_by: { kind: 'api_key' } },
      ])
      const { rules } = (await send('GET', '/v1/decision-rules/versions/1')).json
      expect((await put(rules)).json).toMatchObject({ version: 3, rules: [STOP] })
      expect((await send('GET', '/v1/decision-rules/versions/9')).status).toBe(404)
      expect((await send('GET', '/v1/decision-rules/versions/x')).status).toBe(404)
      expect((await audited())[0]).toBe('decision_rules.update')
    })

    it('keeps the last hundred versions', async () => {
      for (let i = 1; i <= 101; i++) await put([{ ...STOP, text: `Version ${i}` }])
      expect((await send('GET', '/v1/decision-rules/versions?limit=200')).json.data).toHaveLength(100)
      expect((await send('GET', '/v1/decision-rules/versions/1')).status).toBe(404)
      expect((await send('GET', '/v1/decision-rules')).json.version).toBe(101)
    })

    it.each([
      [[{ ...STOP, outcome: 'pay' }], '/rules/0/outcome'],
      [[{ ...STOP, when: { level: ['high'] } }], '/rules/0/when/level'],
      [[{ ...STOP, when: { signals: ['Robert'] } }], '/rules/0/when/signals/0'],
      [[{ ...STOP, when: { signals: ['own.lookalike', 'own.look_alike'] } }], '/rules/0/when/signals/1'],
      [[STOP, { ...ELSE, name: STOP.name }], '/rules/1/name'],
      [Array.from({ length: 101 }, (_, i) => ({ ...ELSE, name: `Rule ${i}` })), '/rules'],
    ])('422 with the place %#', async (rules, pointer) => {
      const answer = await put(rules)
      expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer])
    })

    it('a checker reads them and may not change them', async () => {
      const checker = await member('checker')
      expect((await checker.send('GET', '/v1/decision-rules')).status).toBe(200)
      expect((await checker.send('PUT', '/v1/decision-rules', { rules: [] }, { 'if-match': '*' })).status).toBe(403)
    })
  })

  describe('own domains', () => {
    const claim = (domain: string) => send('POST', '/v1/organisation/domains', { domain })
    const verify = (domain: string) => send('POST', `/v1/organisation/domains/${domain}/verify`)

    it('pending until its TXT record is seen; pending again when the record is gone; then removed', async () => {
      const claimed = await claim('Company-Of-Ours.com')
      expect([claimed.status, claimed.json.state]).toEqual([201, 'pending'])
      const { record } = claimed.json
      expect(record).toEqual({
        type: 'TXT',
        name: 'company-of-ours.com',
        value: expect.stringMatching(/^assay-verification=\w{32}$/),
      })
      // Claiming it again changes nothing.
      expect((await claim('company-of-ours.com')).json.record).toEqual(record)
      expect((await verify('company-of-ours.com')).json).toMatchObject({
        state: 'pending',
        finding: expect.stringContaining('does not exist'),
      })
      dns.names['company-of-ours.com'] = { TXT: ['v=spf1 -all', 'assay-verification=of-somebody-else'] }
      expect((await verify('company-of-ours.com')).json.finding).toContain('another value')
      dns.names['company-of-ours.com'] = { TXT: ['v=spf1 -all', record.value] }
      expect((await known()).domains).toEqual([])
      expect((await verify('company-of-ours.com')).json).toMatchObject({
        state: 'verified',
        verified_by: 'dns',
        finding: null,
      })
      expect((await known()).domains).toEqual(['company-of-ours.com'])
      dns.behave('company-of-ours.com', 'servfail')
      expect((await verify('company-of-ours.com')).json).toMatchObject({
        state: 'verified',
        finding: expect.stringContaining('did not answer'),
      })
      dns.behave('company-of-ours.com', undefined)
      dns.names['company-of-ours.com'] = { TXT: ['v=spf1 -all'] }
      expect((await verify('company-of-ours.com')).json).toMatchObject({ state: 'pending', verified_by: null })
      expect((await known()).domains).toEqual([])
      expect((await send('DELETE', '/v1/organisation/domains/company-of-ours.com')).status).toBe(204)
      expect((await send('GET', '/v1/organisation/domains')).json.data).toEqual([])
      expect(await audited()).toEqual(
        expect.arrayContaining(['domain.remove', 'domain.lose', 'domain.verify', 'domain.add']),
      )
    })

    it('a domain is found in any spelling in which it can be claimed', async () => {
      const { domain, record } = (await claim('Gießerei-Müller.de.')).json
      expect(domain).toMatch(/^xn--/)
      dns.names[domain] = { TXT: [record.value] }
      const path = encodeURIComponent('gießerei-müller.de')
      expect((await verify(path)).json).toMatchObject({ domain, state: 'verified' })
      expect((await send('GET', `/v1/organisation/domains/${path}.`)).json).toMatchObject({ domain })
      expect((await send('DELETE', `/v1/organisation/domains/${path}`)).status).toBe(204)
    })

    it('several organisations may prove the same domain, each by its own record', async () => {
      const one = (await claim('shared-by-two.com')).json
      const first = organisation
      organisation = await server.organisation({ scopes })
      const two = (await claim('shared-by-two.com')).json
      expect(two.record.value).not.toBe(one.record.value)
      dns.names['shared-by-two.com'] = { TXT: [one.record.value] }
      expect((await verify('shared-by-two.com')).json.state).toBe('pending')
      dns.names['shared-by-two.com'] = { TXT: [one.record.value, two.record.value] }
      expect((await verify('shared-by-two.com')).json.state).toBe('verified')
      organisation = first
      expect((await verify('shared-by-two.com')).json.state).toBe('verified')
    })

    it.each([
      ['co.uk', 'anyone can register'],
      ['github.io', 'anyone can register'],
      ['gmail.com', 'public mail provider'],
      ['server.internal', 'not a public ending'],
      ['https://acme.com', 'bare host name'],
    ])('422 for %s, with the reason', async (domain, words) => {
      const answer = await claim(domain)
      expect([answer.status, answer.json.detail]).toEqual([422, expect.stringContaining(words)])
    })

    it('404 to verify what was not claimed', async () => {
      expect((await verify('not-claimed.com')).status).toBe(404)
    })
  })
})
