import { afterAll, beforeAll, expect, it } from 'vitest'
import { KEY_SCOPE_NAMES } from '../../src/access/scopes.ts'
import { SECOND_MS, systemClock } from '../../src/lib/clock.ts'
import { sha256Hex } from '../../src/lib/hashing.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { API_OPERATIONS } from '../support/openapi.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Every list, the name its cursors are bound to, and a position as it makes them. */
const LISTS: Record<string, { readonly name: readonly unknown[]; readonly position: readonly unknown[] }> = {
  '/v1/billing/ledger': { name: ['ledger', null, null, null, null], position: [1] },
  '/v1/billing/usage?granularity=day': {
    name: ['usage', null, null, 'day', null, null, null],
    position: [1, 'payment-risk', 'key_1'],
  },
  '/v1/billing/usage?granularity=month&group_by=credential': {
    name: ['usage', null, null, 'month', 'credential', null, null],
    position: [1, '', 'key_1'],
  },
  '/v1/billing/invoices': { name: ['invoices', null, null], position: [1, 'bil_1'] },
  '/v1/checks': { name: ['checks', null, {}], position: ['chk_1'] },
  '/v1/counterparties': { name: ['counterparties', null], position: [1, 'cpy_1'] },
  '/v1/counterparties?search=acme': { name: ['counterparties', 'acme'], position: [0, 'acme cpy_1'] },
  '/v1/counterparties/imports': { name: ['imports'], position: [1, 'imp_1'] },
  '/v1/counterparties/imports/{import_id}/differences': {
    name: ['differences', '{import_id}', 'new'],
    position: [0, 'cpy_1'],
  },
  '/v1/counterparties/imports/{import_id}/remarks': { name: ['remarks', '{import_id}'], position: [1] },
  '/v1/organisation/audit': { name: ['audit', null, null, null, null], position: [1, 'aud_1'] },
  '/v1/decision-rules/versions': { name: ['listDecisionRulesVersions'], position: [1, 'dec_1'] },
  '/v1/own-lists/{list}': { name: ['own-lists', 'block', null, null], position: [1, 'own_1'] },
  '/v1/organisation/domains': { name: ['listDomains'], position: [1, 'dom_1'] },
  '/v1/organisation/clients': { name: ['listClients'], position: [1, 'cli_1'] },
  '/v1/organisation/consents': { name: ['listConsents'], position: [1, 'usr_1.cli_1.org_1'] },
  '/v1/organisation/invitations': { name: ['listInvitations'], position: [1, 'inv_1'] },
  '/v1/organisation/keys': { name: ['listKeys'], position: [1, 'key_1'] },
  '/v1/webhooks': { name: ['listWebhooks'], position: [1, 'whk_1'] },
  '/v1/webhooks/{webhook_id}/deliveries': { name: ['deliveries', '{webhook_id}'], position: [1, 'msg_1'] },
  '/v1/organisation/members': { name: ['listMembers'], position: [1, 'usr_1'] },
}

const ODD_POSITIONS = [
  'null',
  '[',
  '{}',
  '[]',
  '[null]',
  '["1"]',
  '[1,2]',
  '[1,"a","b","c"]',
  ...['-1', '1.5', '1e300', '9007199254740991', '9223372036854775808', '"1"', 'null'].flatMap((number) => [
    `[${number}]`,
    `[${number},"x"]`,
    `[${number},"x","y"]`,
  ]),
  ...['"\\u0000"', '"\\ud800"', '"é"', 'null', '{}'].flatMap((text) => [`[1,${text}]`, `[1,${text},${text}]`]),
]

it('the lists of this file are those of the API', () => {
  const paths = API_OPERATIONS.filter(({ parameters }) => parameters?.some(({ name }) => name === 'cursor'))
  expect(new Set(paths.map(({ path }) => path))).toEqual(new Set(Object.keys(LISTS).map((list) => list.split('?')[0])))
})

describeRules('forged cursors', (open) => {
  // The rate limit of resources is not what is tried here.
  const clock = new ManualClock(systemClock.now())
  let server: TestServer
  let organisation: { id: string; apiKey: string }
  let importId: string
  let webhookId: string
  beforeAll(async () => {
    server = await startTestServer({ sql: await open(), engine: createTestEngine(), clock })
    organisation = await server.organisation({ scopes: KEY_SCOPE_NAMES })
    importId = (await server.post('/v1/counterparties/imports', { rows: 1 }, organisation.apiKey)).json.id
    const hook = { url: 'https://hooks.company.example/', events: ['member.left'] }
    webhookId = (await server.post('/v1/webhooks', hook, organisation.apiKey)).json.id
  })
  afterAll(() => server.close())

  const ring = ringOf(TEST_SECRET)
  const signedText = (name: readonly unknown[], position: string) =>
    `${organisation.id}\n${JSON.stringify(name).replace('{import_id}', importId).replace('{webhook_id}', webhookId)}\n${position}`
  const signed = (name: readonly unknown[], position: string) =>
    base64url(`${ring.mac('cursor', signedText(name, position))} ${position}`)

  async function ask(list: string, cursor: string): Promise<number> {
    const place = list.replace('{import_id}', importId).replace('{webhook_id}', webhookId).replace('{list}', 'block')
    const path = `${place}${list.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
    clock.advance(SECOND_MS)
    const answer = await server.send(path, { headers: { 'x-api-key': organisation.apiKey } })
    if (answer.status !== 200) expect(answer.json.errors?.[0]?.pointer, `${path} ${answer.text}`).toBe('/cursor')
    return answer.status
  }

  it.each(Object.entries(LISTS))('get 422 from %s, whatever they hold', async (list, { name, position }) => {
    const good = JSON.stringify(position)
    expect(await ask(list, signed(name, good))).toBe(200)
    const otherRing = ringOf('a secret that somebody made up')
    const forged = [
      base64url(`${otherRing.mac('cursor', signedText(name, good))} ${good}`),
      base64url(`1. ${good}`),
      base64url(`99.${'A'.repeat(43)} ${good}`),
      base64url(`${'A'.repeat(43)} ${good}`),
      base64url(`${ring.mac('another purpose', signedText(name, good))} ${good}`),
      // As they were before they were signed: anybody could make one.
      ...['x', 'x y', '1e400 y', '1.5 y', '9223372036854775808', '1 \u0000'].map((old) =>
        base64url(`${sha256Hex(signedText(name, old)).slice(0, 20)}${old}`),
      ),
    ]
    for (const cursor of forged) expect(await ask(list, cursor), Buffer.from(cursor, 'base64url').toString()).toBe(422)
    // A list of checks goes by ids alone: any short text may be one.
    const odds = ODD_POSITIONS.filter((odd) => odd !== '["1"]' || typeof position[0] === 'number')
    for (const odd of odds) expect(await ask(list, signed(name, odd)), `a signed ${odd}`).toBe(422)
  })
})

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
