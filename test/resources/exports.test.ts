import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { audit } from '../../src/identity/audit.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Long pages and CSV files, which a thread of its own makes over its own connection to the store. */

describeRules('exports', (open) => {
  let sql: Sql
  let server: TestServer
  let apiKey: string
  let organisationId: string
  const clock = new ManualClock('2026-03-01T09:00:00Z')
  const scopes = ['billing:read', 'organisation:read', 'risk:payment', 'risk:bulk'] as const

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock })
    const made = await server.organisation({ scopes })
    apiKey = made.apiKey
    organisationId = made.id
    await write(450, { name: 'one, "two"\nthree' })
    for (let i = 0; i < 230; i++) await server.post('/v1/payment-risk', { email: `a${i}@company.example` }, apiKey)
  })
  afterAll(() => server.close())

  const write = (count: number, detail: object) =>
    changeIn(sql, clock, async (tx) => {
      for (let i = 0; i < count; i++)
        await audit(tx, operatorIn(organisationId), 'key.update', `key_${i}`, { ...detail })
    })

  async function read(path: string, accept = 'application/json') {
    // Each request in a second of its own: a share is not what is looked at here.
    clock.advance(1000)
    const answer = await server.send(path.replace(/^http:\/\/[^/]+/, ''), { headers: { accept, 'x-api-key': apiKey } })
    expect(answer.status, answer.text).toBe(200)
    return { ...answer, next: /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] }
  }

  /** Every row, page by page. */
  async function readAll(path: string): Promise<{ id: string }[]> {
    const rows: { id: string }[] = []
    for (let next: string | undefined = path; next; ) {
      const page: Awaited<ReturnType<typeof read>> = await read(next)
      rows.push(...page.json.data)
      next = page.next
    }
    return rows
  }

  describe.each([
    ['/v1/organisation/audit', 454],
    ['/v1/billing/ledger', 231],
  ])('%s', (path, count) => {
    it('has the same entries on long pages, on short ones and as CSV', async () => {
      const short = await readAll(`${path}?limit=60`)
      expect(short).toHaveLength(count)
      expect(await readAll(`${path}?limit=1000`)).toEqual(short)
      expect(await readAll(`${path}?limit=210`)).toEqual(short)
      const csv = await read(path, 'text/csv')
      expect(csv.headers.get('content-disposition')).toContain(organisationId)
      expect(csv.next).toBeUndefined()
      expect(idsIn(csv.text)).toEqual(short.map(({ id }) => id))
    })

    it('goes on in the next file where one ends', async () => {
      const whole = await read(path, 'text/csv')
      const first = await read(`${path}?limit=${count - 20}`, 'text/csv')
      const second = await read(first.next ?? '', 'text/csv')
      expect([...idsIn(first.text), ...idsIn(second.text)]).toEqual(idsIn(whole.text))
    })
  })

  it('a long answer counts as one request more for each 16 KiB', async () => {
    clock.advance(1000)
    const ask = () => server.send('/v1/organisation/audit?limit=200', { headers: { 'x-api-key': apiKey } })
    const counts = 1 + Math.floor((await ask()).text.length / 16_384)
    expect(counts).toBeGreaterThan(2)
    let answered = 1
    while (answered < 100 && (await ask()).status === 200) answered++
    expect(answered).toBeLessThanOrEqual(Math.ceil(100 / counts) + 1)
  })

  it('a page of long entries ends early, and the next one goes on', async () => {
    const before = (await readAll('/v1/organisation/audit?limit=200')).length
    await write(60, { to: 'x'.repeat(40_000) })
    const page = await read('/v1/organisation/audit?limit=200')
    expect(page.json.data.length).toBeLessThan(60)
    expect(page.json.next_cursor).not.toBeNull()
    const rows = await readAll('/v1/organisation/audit?limit=200')
    expect(rows).toHaveLength(before + 60)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  it('a CSV file counts as several requests; the refusal says which share is used up and how long to wait', async () => {
    clock.advance(1000)
    const ask = () => server.send('/v1/billing/ledger', { headers: { accept: 'text/csv', 'x-api-key': apiKey } })
    const answers = await Promise.all(Array.from({ length: 6 }, ask))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.json).toMatchObject({
      code: 'rate_limited',
      detail:
        'Billing and organisation resources answer 100 requests a second, and an export counts as 20 of them: this share is used up. Wait 1 s.',
    })
    expect(refused?.headers.get('ratelimit-policy')).toBe('"resources";q=100;w=1')
    // The plan's share, from which checks are taken, is another.
    expect((await server.post('/v1/payment-risk', { email: 'a@company.example' }, apiKey)).status).toBe(200)
  })

  it('422 for a cursor of another list, also on a long page', async () => {
    clock.advance(1000)
    const answer = await server.send('/v1/organisation/audit?limit=1000&cursor=x', { headers: { 'x-api-key': apiKey } })
    expect(answer.status).toBe(422)
  })
})

/** The first column; cells with line breaks are quoted. */
function idsIn(csv: string): string[] {
  return [...csv.matchAll(/^(aud_\w+|ent_\w+),/gm)].map(([, id]) => id!)
}
