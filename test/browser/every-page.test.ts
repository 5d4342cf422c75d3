import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeIn } from '../../src/db/sql.ts'
import { readCatalogue } from '../../src/feeds/catalogue.ts'
import { createFeedStore } from '../../src/feeds/store.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { recordRun } from '../../src/jobs/runs.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { NodeFigures } from '../../src/status/figures.ts'
import { type Heartbeat, startHeartbeat } from '../../src/status/nodes.ts'
import { allFindings, seriousFindings } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { KNOWN } from '../support/engine.ts'
import { FULL } from '../support/full.ts'
import type { SignedIn } from '../support/people.ts'

/**
 * Every page that the router knows, by a person who may see all of them, with something in every table. The addresses
 * come from the router's own table, so that a new page is looked at from its first day.
 */

const ROUTER = readFileSync(join(import.meta.dirname, '../../console/src/routes.tsx'), 'utf8')
const PATHS = pathsIn(ROUTER)

/** The paths of a router's table, from its text: importing it would take a browser. */
function pathsIn(table: string): string[] {
  const paths: string[] = []
  const open: { path?: string; hasChildren?: boolean }[] = []
  for (const [found, path] of table.matchAll(/[{}]|path: '([^']*)'|index: true|children:/g)) {
    const route = open.at(-1)
    if (found === '{') open.push({})
    else if (found === '}') {
      const whole = open
        .map((one) => one.path ?? '')
        .reduce((above, own) => (own.startsWith('/') ? own : join(above, own)), '')
      if (route?.path !== undefined && !route.hasChildren) paths.push(whole.startsWith('/') ? whole : `/${whole}`)
      open.pop()
    } else if (route && found === 'children:') route.hasChildren = true
    else if (route) route.path = path ?? ''
  }
  return paths
}

/** Pages whose contrast is measured in `npm test`, too: together they have most of the colours. */
const WITH_CONTRAST = new Set(['/', '/console', '/console/status', '/console/billing/invoices'])

let test: ConsoleTest
let person: SignedIn
let page: Page
const elsewhere: string[] = []
/** Where a path with a gap in it leads. A new one has to be told here. */
const addresses: Record<string, readonly string[]> = {
  '/*': ['/nowhere'],
  '/console/*': ['/console/nowhere'],
  '/console/billing/:tab?': ['', '/invoices', '/plan', '/alerts'].map((tab) => `/console/billing${tab}`),
  '/console/bulk/:id': ['/console/bulk/unknown'],
  '/console/own-lists/:list?': (FULL ? ['/block', '/allow', '/review'] : ['/block']).map(
    (list) => `/console/own-lists${list}`,
  ),
  '/guides/:name': ['/guides/api'],
}

beforeAll(async () => {
  test = await startConsole()
  const organisation = await test.server.organisation({ name: 'The Analytical Engine Company of Great Britain' })
  person = await test.member(organisation.id)
  await changeIn(test.sql, systemClock, (tx) => setOperator(tx, person.id, true))
  addresses['/interaction/:uid'] = [await fillTables(organisation.id)]
  addresses['/console/organisations/:id'] = [`/console/organisations/${organisation.id}`]
  await test.server.post('/v1/payment-risk', { email: `a@${KNOWN.badDomain}` }, organisation.apiKey)
  await tellOfNodes()
  page = await test.open(person, '/console')
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(test.server.url))
      elsewhere.push(request.url())
  })
})
afterAll(async () => {
  for (const one of heartbeats) await one.close()
  await test?.close()
})

/** A node that runs and is in trouble, one that died, a job that fails, and a feed that does. */
async function tellOfNodes(): Promise<void> {
  const nowMs = systemClock.now()
  for (const [name, agoMs] of [
    ['assay-production-eu-west-2a.internal.example:4242', 0],
    ['assay-production-eu-west-2b.internal.example:4243', 3_600_000],
  ] as const) {
    const told = startHeartbeat({
      sql: test.sql,
      clock: { now: () => nowMs - agoMs },
      node: { id: `nod_${agoMs}`, name, role: 'server', version: '1.0.0', started_at: nowMs - 86_400_000 },
      figures: async () => BUSY_NODE,
      onTrouble: (error) => {
        throw error
      },
    })
    await told.beat()
    heartbeats.push(told)
  }
  await recordRun(test.sql, 'assay-production-eu-west-2a.internal.example:4242', {
    job: 'billing',
    startedAtMs: nowMs - 90_000,
    finishedAtMs: nowMs - 60_000,
    error: 'PostgreSQL: canceling statement due to statement timeout while bringing an organisation to the present',
  })
  const [feed] = readCatalogue('feeds.json')
  const store = createFeedStore(test.sql)
  await store.save([{ ...feed!, enabled: true }], undefined, nowMs)
  await store.recordFailure(feed!.id, 'HTTP 503 from https://feeds.example.com/a/rather/long/path/of/a/list.csv.gz', {
    nextDueAtMs: nowMs + 600_000,
    nowMs,
  })
}

const heartbeats: Heartbeat[] = []
const BUSY_NODE: NodeFigures = {
  address: '[2001:db8::1234:5678]:8080',
  pid: 4242,
  runtime: '24.21.0',
  ready: false,
  parts: [
    { part: 'server', ready: true },
    { part: 'store', ready: false },
    { part: 'engine', ready: false },
  ],
  snapshot: { version: '20261116-083000-0123abcd', built_at: '2026-11-16T08:30:00.000Z' },
  queues: { charges: 12_345, engine: 400, live: 199_999, store: 10_000 },
  uncertain_charges: 12,
  memory_bytes: 1_234_567_890,
  jobs: [
    { name: 'billing', period_seconds: 300 },
    { name: 'purge', period_seconds: 600 },
  ],
  log_lines_dropped: 1234,
  clock_offset_seconds: -61.2,
  statements: {
    count: 1_234_567,
    mean_ms: 12.3,
    slow_count: 1234,
    slow: [
      { text: 'commit', count: 1200, worst_ms: 5012, mean_ms: 312 },
      {
        text: 'insert into ledger_entry (organisation_id, seq, request_id, family, units, amount_pence) values (…), …',
        count: 34,
        worst_ms: 812,
        mean_ms: 345,
      },
    ],
  },
}

/** One row at least in every table, with long names. Gives the address at which an application asks for consent. */
async function fillTables(organisationId: string): Promise<string> {
  const make = async (path: string, body: object, method = 'POST'): Promise<Record<string, string>> => {
    const { status, text, json } = await person.send(method, `/v1/${path}`, body, {
      'x-organisation-id': organisationId,
    })
    if (status >= 300) throw new Error(`${path}: ${text}`)
    return json
  }
  const redirect = 'http://127.0.0.1/callback'
  await make('organisation/keys', { name: 'Nightly reconciliation of accounts payable, Birmingham' })
  await make('organisation/invitations', { role: 'checker', email: 'augusta.ada.king.of.lovelace@company.example' })
  await make('billing/top-ups', { amount_pence: 2500 })
  const supplier = await make('counterparties', {
    name: 'Müller & Söhne Papiergroßhandel und Kartonagenfabrik GmbH & Co. KG',
    reference: 'KRED-0000004711-BIRMINGHAM',
    emails: ['rechnungswesen.und.buchhaltung@mueller-und-soehne-papiergrosshandel.de'],
    accounts: ['DE89370400440532013000'],
  })
  addresses['/console/counterparties/:id'] = ['/console/counterparties/new', `/console/counterparties/${supplier.id}`]
  await make('own-lists/block', { indicator: 'invoices-of-a-forger.example', reason: 'Sent us a forged invoice' })
  const check = await make('payment-risk?explain=true', { email: `augusta.ada.king.of.lovelace@${KNOWN.badDomain}` })
  addresses['/console/checks/:id'] = [`/console/checks/${check.check_id}`]
  await make(`checks/${check.check_id}/decision`, { decision: 'review', note: 'They changed their bank' }, 'PUT')
  await make('organisation/domains', { domain: 'the-analytical-engine-company.com' })
  const url = 'https://hooks.the-analytical-engine-company.com/accounts-payable/events-of-assay'
  await make('webhooks', { url, events: ['invoice.issued', 'invoice.overdue', 'invoice.paid'] })
  const client = await make('organisation/clients', {
    kind: 'native',
    name: 'Invoice Desk for Accounts Payable',
    redirect_uris: [redirect],
    scopes: ['openid', 'risk:payment'],
  })
  const query = new URLSearchParams({
    client_id: client.id ?? '',
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'openid risk:payment',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return `/oauth/authorize?${query}`
}

/** A page of the router is opened as a link opens it: loading the program anew for each takes most of the time. */
async function open(address: string): Promise<void> {
  expect(address, 'tell in this file where a path with a gap leads').not.toMatch(/[:*]/)
  if (address.startsWith('/oauth/')) await page.goto(test.server.url + address)
  else {
    await page.evaluate(`(async () => {
      document.title = ''
      history.pushState(null, '', ${JSON.stringify(address)})
      dispatchEvent(new PopStateEvent('popstate'))
      while (document.title === '') await new Promise(requestAnimationFrame)
    })()`)
  }
  await page.getByRole('heading', { level: 1 }).waitFor()
  const skeletons = page.locator('.mantine-Skeleton-root')
  while ((await skeletons.count()) > 0) await skeletons.first().waitFor({ state: 'detached' })
}

/** On a phone, and on a desk; there in the dark in full form. */
async function look(address: string): Promise<void> {
  await page.setViewportSize({ width: 380, height: 800 })
  if (FULL) await page.emulateMedia({ colorScheme: 'light' })
  await open(address)
  expect(await page.title()).toBe(`${await page.getByRole('heading', { level: 1 }).textContent()} · Assay`)
  expect(await overflowPx(), address).toBeLessThanOrEqual(0)
  expect(await allFindings(page, { contrast: FULL || WITH_CONTRAST.has(address) }), address).toEqual([])
  await isInOrder()
  await page.setViewportSize({ width: 1440, height: 900 })
  if (FULL) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
    expect(await seriousFindings(page, 'color-contrast'), address).toEqual([])
  }
  expect(await overflowPx(), address).toBeLessThanOrEqual(0)
  await isInOrder()
}

/** By how much the page, or a table on it, is wider than there is room. */
const overflowPx = () =>
  page.evaluate<number>(`Math.max(...[document.documentElement, ...document.querySelectorAll('.scroll-x')]
    .map((part) => part.scrollWidth - part.clientWidth))`)

/** The levels of the headings that are seen, in order. */
const headings = () =>
  page.evaluate<number[]>(`[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
    .filter((heading) => heading.checkVisibility())
    .map(({ tagName }) => Number(tagName[1]))`)

async function isInOrder(): Promise<void> {
  const levels = await headings()
  expect(levels.filter((level) => level === 1)).toEqual([1])
  levels.forEach((level, index) => {
    expect(level, `headings ${levels.join(' ')}`).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1)
  })
}

describe('every page', () => {
  it('is in the table', () => {
    expect(PATHS).toEqual(expect.arrayContaining(['/sign-in', '/console', '/console/keys', '/interaction/:uid', '/*']))
    expect(new Set(PATHS).size).toBe(PATHS.length)
  })

  it.each(PATHS)('%s: no sideways scrolling, headings in order, nobody kept out', async (path) => {
    for (const [at, address] of (addresses[path] ?? [path]).entries()) {
      // A page sets its title once, and this address may be of the page that is shown.
      if (at > 0) await open('/done')
      await look(address)
    }
  })

  it('shows the rows of a table as cards on a phone, each line with the title of its column', async () => {
    await page.setViewportSize({ width: 380, height: 800 })
    await open('/console/keys')
    const cell = page.getByRole('table').first().locator('tbody td:nth-child(2)').first()
    const title = 'getComputedStyle(document.querySelector("tbody td:nth-child(2)"), "::before").content'
    expect(await page.evaluate(title)).toBe('"Begins with"')
    expect(await cell.isVisible()).toBe(true)
  })

  it('fits at once when a phone is turned, without waiting for an animation', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await open('/done')
    await open('/console/keys')
    const session = await page.context().newCDPSession(page)
    await session.send('Animation.enable')
    await session.send('Animation.setPlaybackRate', { playbackRate: 0 })
    await page.setViewportSize({ width: 380, height: 800 })
    expect(await overflowPx()).toBeLessThanOrEqual(0)
    const cut = `[...document.querySelectorAll('td button .mantine-Button-label')]
      .filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent)`
    expect(await page.evaluate(cut)).toEqual([])
    await session.send('Animation.setPlaybackRate', { playbackRate: 1 })
    await session.detach()
  })

  it('made the browser complain about nothing, and asked no other server for anything', async () => {
    expect(elsewhere).toEqual([])
    expect(await test.leave()).toEqual([])
  })
})
