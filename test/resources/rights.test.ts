import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import type { Role } from '../../src/access/roles.ts'
import type { Scope } from '../../src/access/scopes.ts'
import { changeIn, type Sql, type Tx } from '../../src/db/sql.ts'
import { createClient } from '../../src/identity/clients/clients.ts'
import { disablePerson } from '../../src/identity/people/changes.ts'
import { findPerson } from '../../src/identity/people/people.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { Browser } from '../oauth/support/browser.ts'
import { authorize, exchange, tokenRequest } from '../oauth/support/flow.ts'
import { createTestEngine } from '../support/engine.ts'
import { FULL } from '../support/full.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { memberOf, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { assayd } from '../support/process.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Nobody, by any path, hands out a right that they do not hold, or keeps one that was taken. */

type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

const CLIMBING: Scope[] = ['organisation:read', 'organisation:write']
const ANY = { 'if-match': '*' }
const KEYS = '/v1/organisation/keys'
const CLIENTS = '/v1/organisation/clients'
const MEMBERS = '/v1/organisation/members'
const INVITATIONS = '/v1/organisation/invitations'

describeRules('rights', (open) => {
  let sql: Sql
  let server: TestServer

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), oauth: true, port: await freePort() })
  })
  afterAll(() => server.close())

  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, systemClock, work)
  const withKey = (apiKey: string): Send => {
    return (method, path, body, headers = {}) =>
      server.send(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      })
  }
  async function organisation(scopes?: readonly Scope[]) {
    const made = await server.organisation(scopes ? { scopes } : {})
    const person = (role: Role): Promise<SignedIn> =>
      memberOf(server, sql, { organisationId: made.id, role, nowMs: Date.now() })
    return { ...made, send: withKey(made.apiKey), person }
  }
  const refused = (answer: Answer) => expect([answer.status, answer.json?.code]).toEqual([403, 'forbidden'])
  const tokenOf = (invitation: Answer) => new URL(invitation.json.link).hash.slice(1)
  const accept = (who: Pick<SignedIn, 'send'>, token: string) => who.send('POST', '/v1/invitations/accept', { token })
  const stranger = (token: string, email: string) =>
    server.post('/v1/invitations/accept', { token, email, name: 'New', password: 'a long pass phrase' })

  describe('a key that may change members but lacks billing', () => {
    it('403 for inviting anybody with a role beyond it, giving such a role, or removing who has one', async () => {
      const { send, person } = await organisation(CLIMBING)
      await person('owner')
      const [admin, checker] = [await person('admin'), await person('checker')]
      for (const role of ['owner', 'admin', 'developer', 'checker', 'viewer']) {
        refused(await send('POST', INVITATIONS, { role }))
      }
      refused(await send('PATCH', `${MEMBERS}/${checker.id}`, { role: 'admin' }, ANY))
      refused(await send('PATCH', `${MEMBERS}/${admin.id}`, { role: 'viewer' }, ANY))
      refused(await send('DELETE', `${MEMBERS}/${admin.id}`))
      const roles = (await send('GET', MEMBERS)).json.data.map((member: { role: Role }) => member.role)
      expect(roles.sort()).toEqual(['admin', 'checker', 'owner'])
      expect((await send('GET', INVITATIONS)).json.data).toEqual([])
    })

    it('may do so as far as its scopes go', async () => {
      const { send, person } = await organisation([...CLIMBING, 'billing:read'])
      const viewer = await person('viewer')
      const invited = await send('POST', INVITATIONS, { role: 'viewer' })
      expect(invited.status).toBe(201)
      refused(await send('POST', INVITATIONS, { role: 'checker' }))
      expect((await send('DELETE', `${MEMBERS}/${viewer.id}`)).status).toBe(204)
    })
  })

  describe('an invitation', () => {
    const ENDED = expect.stringMatching(
      /^This invitation to .+ ended because its creator lost the right to invite\. Ask .+ for another\.$/,
    )

    async function expectEnded(owner: SignedIn, token: string, who: Pick<SignedIn, 'send'>) {
      const seen = await server.post('/v1/invitations/lookup', { token })
      expect([seen.status, seen.json.detail]).toEqual([409, ENDED])
      const accepted = await accept(who, token)
      expect([accepted.status, accepted.json.detail]).toEqual([409, ENDED])
      expect((await owner.send('GET', INVITATIONS)).json.data[0].state).toBe('revoked')
    }

    it('of a removed admin does not let them in again, nor anybody else', async () => {
      const { person } = await organisation()
      const [owner, admin] = [await person('owner'), await person('admin')]
      const token = tokenOf(await admin.send('POST', INVITATIONS, { role: 'admin' }))
      expect((await server.post('/v1/invitations/lookup', { token })).status).toBe(200)
      expect((await owner.send('DELETE', `${MEMBERS}/${admin.id}`)).status).toBe(204)
      await expectEnded(owner, token, admin)
      expect((await stranger(token, 'friend@company.example')).status).toBe(409)
      expect((await owner.send('GET', MEMBERS)).json.data).toHaveLength(1)
    })

    it.each(['demoted', 'disabled'] as const)('of an admin who was %s is worth nothing', async (what) => {
      const { person } = await organisation()
      const [owner, admin] = [await person('owner'), await person('admin')]
      const token = tokenOf(await admin.send('POST', INVITATIONS, { role: 'viewer' }))
      if (what === 'demoted') await owner.send('PATCH', `${MEMBERS}/${admin.id}`, { role: 'viewer' }, ANY)
      else await change((tx) => disablePerson(tx, admin.id))
      const other = await organisation()
      await expectEnded(owner, token, await other.person('viewer'))
    })

    it('of a key or application is worth nothing once that has ended or lost the scope', async () => {
      const { id, person } = await organisation()
      const [owner, guest] = [await person('owner'), await (await organisation()).person('viewer')]
      const scopes: Scope[] = [...CLIMBING, 'billing:read']
      const key = (await owner.send('POST', KEYS, { name: 'hr', scopes })).json
      const byKey = tokenOf(await withKey(key.api_key)('POST', INVITATIONS, { role: 'viewer' }))
      await owner.send('PATCH', `${KEYS}/${key.id}`, { scopes: ['organisation:write'] }, ANY)
      await expectEnded(owner, byKey, guest)
      const { client, secret } = await change((tx) =>
        createClient(tx, operatorIn(id), { kind: 'service', name: 'hr', scopes }, { production: true }),
      )
      const { json } = await tokenRequest(
        server,
        { client, secret: secret ?? '' },
        { grant_type: 'client_credentials', scope: scopes.join(' ') },
      )
      const invited = await server.post(INVITATIONS, { role: 'viewer' }, undefined, {
        authorization: `Bearer ${json.access_token}`,
      })
      await owner.send('DELETE', `${INVITATIONS}/${(await owner.send('GET', INVITATIONS)).json.data[0].id}`)
      expect((await server.post('/v1/invitations/lookup', { token: tokenOf(invited) })).status).toBe(200)
      await owner.send('PATCH', `${CLIENTS}/${client.id}`, { state: 'disabled' }, ANY)
      const seen = await server.post('/v1/invitations/lookup', { token: tokenOf(invited) })
      expect([seen.status, seen.json.detail]).toEqual([409, ENDED])
    })
  })

  describe('a developer', () => {
    it('403 for changing, replacing or ending keys and applications beyond their own rights, narrowing included', async () => {
      const { person } = await organisation()
      const [owner, developer] = [await person('owner'), await person('developer')]
      const strong = (await owner.send('POST', KEYS, { name: 's', scopes: ['risk:bulk', 'billing:write'] })).json
      const app = { kind: 'service', name: 's', scopes: ['risk:bulk', 'billing:write'] }
      const client = (await owner.send('POST', CLIENTS, app)).json
      refused(await developer.send('PATCH', `${KEYS}/${strong.id}`, { scopes: ['risk:bulk'] }, ANY))
      refused(await developer.send('PATCH', `${KEYS}/${strong.id}`, { name: 'mine' }, ANY))
      refused(await developer.send('POST', `${KEYS}/${strong.id}/rotate`, {}))
      refused(await developer.send('DELETE', `${KEYS}/${strong.id}`))
      refused(await developer.send('PATCH', `${CLIENTS}/${client.id}`, { scopes: ['risk:bulk'] }, ANY))
      refused(await developer.send('PATCH', `${CLIENTS}/${client.id}`, { state: 'disabled' }, ANY))
      refused(await developer.send('POST', `${CLIENTS}/${client.id}/rotate-secret`))
      refused(await developer.send('DELETE', `${CLIENTS}/${client.id}/former-secret`))
      refused(await developer.send('DELETE', `${CLIENTS}/${client.id}`))
      expect((await withKey(strong.api_key)('POST', '/v1/infrastructure-risk', { ip: '192.0.2.1' })).status).toBe(403)
      const own = (await developer.send('POST', KEYS, { name: 'own' })).json
      expect((await developer.send('DELETE', `${KEYS}/${own.id}`)).status).toBe(204)
      const signIn = { kind: 'native', name: 'cli', scopes: ['openid', 'offline_access', 'risk:payment'] }
      expect((await developer.send('POST', CLIENTS, signIn)).status).toBe(201)
    })

    it('a checker makes checks and reads usage, and makes no key', async () => {
      const { person } = await organisation()
      const checker = await person('checker')
      expect((await checker.send('POST', '/v1/payment-risk', { email: 'a@b.example' })).status).toBe(200)
      expect((await checker.send('GET', '/v1/billing')).status).toBe(200)
      expect((await checker.send('POST', KEYS, { name: 'x' })).status).toBe(403)
      expect((await checker.send('GET', KEYS)).status).toBe(403)
      expect((await checker.send('GET', MEMBERS)).status).toBe(403)
    })
  })

  it('a person who was removed by the API loses tokens for good; a viewer’s token names what works', async () => {
    const { id, person } = await organisation()
    const [owner, developer, viewer] = [await person('owner'), await person('developer'), await person('viewer')]
    const request = {
      kind: 'web',
      name: 'Shop',
      scopes: ['openid', 'offline_access', 'risk:payment'],
      redirect_uris: ['https://shop.example/callback'],
    }
    const made = await change((tx) => createClient(tx, operatorIn(id), request, { production: true }))
    const app = { client: made.client, secret: made.secret ?? '' }
    const scope = 'openid offline_access risk:payment'
    const tokensOf = async (who: SignedIn) => {
      const found = (await findPerson(sql, who.id))!
      return (await exchange(server, app, await authorize(server, app, found, new Browser(server.url), { scope }))).json
    }
    const check = async (token: string) =>
      (await server.post('/v1/payment-risk', { email: 'a@b.example' }, undefined, { authorization: `Bearer ${token}` }))
        .status
    const tokens = await tokensOf(developer)
    expect(await check(tokens.access_token)).toBe(200)
    expect((await owner.send('DELETE', `${MEMBERS}/${developer.id}`)).status).toBe(204)
    expect(await check(tokens.access_token)).toBe(401)
    const again = tokenOf(await owner.send('POST', INVITATIONS, { role: 'developer' }))
    expect((await accept(developer, again)).status).toBe(200)
    expect(await check(tokens.access_token)).toBe(401)
    const refreshing = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await tokenRequest(server, app, refreshing)).json.error).toBe('invalid_grant')
    expect((await tokensOf(viewer)).scope.split(' ').sort()).toEqual(['offline_access', 'openid'])
  })
})

describe('the operator’s verbs', () => {
  const folder = migratedFolder('rights')
  const env = { ASSAY_DATA_DIR: folder }
  const ids: Record<string, string> = {}
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (line: string) =>
    assayd(
      line.split(' ').map((word) => ids[word] ?? word),
      env,
    )
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
  async function json(line: string): Promise<any> {
    const result = await run(`${line} --json`)
    expect(result.code, `${line}: ${result.stderr}`).toBe(0)
    return JSON.parse(result.stdout)
  }

  beforeAll(async () => {
    ids.ORG = (await json('org create --name Acme --plan growth')).organisation_id
    await json('user create --email ann@example.com --name Ann --org ORG --role owner')
  })

  it.each(['user leave --org ORG', 'user join --org ORG --role viewer', 'user disable'])(
    '%s is refused for the last owner, in one line that says what to do',
    async (line) => {
      const result = await run(`${line} --email ann@example.com`)
      expect(result.code).toBe(1)
      expect(result.stderr).toMatch(
        /^Ann is the last owner of Acme who can sign in\. Make somebody else an owner first\.\n$/,
      )
      expect((await json('user list'))[0]).toMatchObject({ state: 'active', organisations: [{ role: 'owner' }] })
    },
  )

  it('obey the limits of the API', async () => {
    const key = await json('key create --org ORG --name limited')
    for (const line of ['--grace-hours 2161', '--grace-hours -1']) {
      expect((await run(`key rotate --key ${key.api_key_id} ${line}`)).code).toBe(1)
    }
    for (const line of ['--scope openid', '--scope nonsense']) {
      const result = await run(`key create --org ORG ${line}`)
      expect([result.code, result.stderr]).toEqual([1, expect.stringContaining('Scopes of keys: ')])
    }
    const empty = await assayd(['key', 'create', '--org', ids.ORG!, '--name', ' '], env)
    expect([empty.code, empty.stderr]).toEqual([1, 'The name is empty.\n'])
  })

  /** Each verb that changes something, in an order in which all of them can be done, and what it leaves in the log. */
  const CHANGES: readonly [line: string, action: string, remember?: (printed: Record<string, string>) => void][] = [
    ['org create --name Other --plan growth', 'organisation.create', (made) => (ids.OTHER = made.organisation_id!)],
    ['org credit --org OTHER --pence 5 --reason test', 'credit.add'],
    ['org plan --org OTHER --plan free', 'plan.set'],
    ['org limit --org OTHER --pence 5', 'limit.set'],
    ['org second-factor --org OTHER', 'organisation.second_factor'],
    ['org second-factor --org OTHER --off', 'organisation.second_factor'],
    ['org disable --org OTHER', 'organisation.disable'],
    ['org enable --org OTHER', 'organisation.enable'],
    ['org deactivate --org OTHER', 'organisation.deactivate'],
    ['org activate --org OTHER', 'organisation.activate'],
    ['org approve --org OTHER', 'organisation.approve'],
    ['org verify-domain --org OTHER --domain company-of-ours.com', 'domain.verify'],
    ['own-list add --org OTHER --list block --indicator acme.com', 'own_list.add', (made) => (ids.ENTRY = made.id!)],
    ['own-list change --org OTHER --list block --entry ENTRY --reason seen', 'own_list.update'],
    ['own-list remove --org OTHER --list block --entry ENTRY', 'own_list.remove'],
    ['key create --org OTHER', 'key.create', (made) => (ids.KEY = made.api_key_id!)],
    ['key rotate --key KEY', 'key.rotate'],
    ['key revoke --key KEY', 'key.revoke'],
    [
      'client create --org OTHER --kind service --name App --scope risk:bulk',
      'client.create',
      (made) => (ids.CLIENT = made.client_id!),
    ],
    ['client rotate-secret CLIENT', 'client.rotate_secret'],
    ['client end-former-secret CLIENT', 'client.update'],
    ['client set-links --client CLIENT --policy-uri https://app.example/policy', 'client.update'],
    ['client disable CLIENT', 'client.update'],
    ['client enable CLIENT', 'client.update'],
    ['client delete CLIENT', 'client.delete'],
    [
      'client create --org OTHER --kind service --name Keyed --scope risk:bulk --jwks-uri https://app.example/keys',
      'client.create',
      (made) => (ids.KEYED = made.client_id!),
    ],
    ['client set-keys KEYED --jwks-uri https://app.example/keys/two', 'client.update'],
    ['user create --email bob@example.com --name Bob --org OTHER', 'member.join'],
    ['user join --email bob@example.com --org OTHER --role viewer', 'member.update'],
    ['user reset-password --email bob@example.com', 'person.password'],
    ['user reset-factors --email bob@example.com', 'factor.remove'],
    ['user operator --email bob@example.com', 'person.operator'],
    ['user disable --email bob@example.com', 'person.disable'],
    ['user enable --email bob@example.com', 'person.enable'],
    ['user change-email --email bob@example.com --to rob@example.com', 'person.email'],
    ['user leave --email rob@example.com --org OTHER', 'member.remove'],
    ['user join --email rob@example.com --org OTHER --role viewer', 'member.join'],
    ['user delete --email rob@example.com', 'erasure.ask'],
    ['user delete --email rob@example.com --cancel', 'erasure.cancel'],
    ['org erase --org OTHER', 'erasure.ask'],
    ['org erase --org OTHER --cancel', 'erasure.cancel'],
  ]
  /** A verb runs through the whole program: in `npm test` some of every noun but `user`, which the test ends with. */
  const SHORT = /^(org (create|credit|disable|enable)|own-list add|key|client (create .* App|delete)) /
  const tried = FULL ? CHANGES : CHANGES.filter(([line]) => SHORT.test(line))
  const READING = new Set(['list', 'show', 'help', 'export'])
  /** Needs a consent by a person: src/identity/people/consents.store.test.ts has what it leaves. */
  const ELSEWHERE = 'user revoke-tokens'

  it('are all known to this test', async () => {
    const known = new Set(CHANGES.map(([line]) => line.split(' ').slice(0, 2).join(' ')))
    for (const noun of ['org', 'own-list', 'key', 'client', 'user']) {
      const { stdout } = await assayd([noun, '--help'], env)
      const verbs = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!)
      expect(verbs.length, stdout).toBeGreaterThan(3)
      for (const name of verbs) {
        const line = `${noun} ${name}`
        expect(READING.has(name) || line === ELSEWHERE || known.has(line), line).toBe(true)
      }
    }
  })

  it('leave a line in the audit log, in the name of the operator', async () => {
    const seen = new Map<unknown, unknown>()
    // Read from the file after each change: a verb begins a thread for its store, which takes longer than the change.
    const database = new DatabaseSync(join(folder, 'assay.db'), { readOnly: true })
    const entries = database.prepare('select id, action, actor_kind from audit_entry where organisation_id = ?')
    for (const [line, action, remember] of tried) {
      const printed = await json(line)
      remember?.(printed)
      const added = entries.all(ids.OTHER!).filter(({ id }) => !seen.has(id))
      expect(added, line).toContainEqual(expect.objectContaining({ action, actor_kind: 'operator' }))
      for (const { id, ...entry } of added) seen.set(id, entry)
    }
    database.close()
    const listed = (await json('audit list --org OTHER')) as { id: string; action: string; actor_kind: string }[]
    expect(new Map(listed.map(({ id, action, actor_kind }) => [id, { action, actor_kind }]))).toEqual(seen)
    const kept = await run('user delete --email ann@example.com')
    expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining('First end the subscription of Acme.')])
    // Somebody in no organisation: the change is recorded all the same.
    await json('user create --email bob@example.com --name Bob --org OTHER')
    await json('user leave --email bob@example.com --org OTHER')
    await json('user disable --email bob@example.com')
    expect((await json('audit list'))[0]).toMatchObject({ action: 'person.disable', organisation_id: '' })
    const table = (await run('audit list --org OTHER')).stdout
    expect(table).toMatch(/^WHEN +ORGANISATION +WHO +ACTION +TARGET +DETAIL\n/)
    expect(table.split('\n').length).toBeGreaterThan(tried.length)
  })
})
