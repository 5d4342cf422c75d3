import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeIn } from '../../src/db/sql.ts'
import { setOperator } from '../../src/identity/people/operators.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { allFindings, seriousFindings } from '../support/browser.ts'
import { type ConsoleTest, startConsole } from '../support/console.ts'
import { KNOWN } from '../support/engine.ts'
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
  page = await test.open(person, '/console')
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(test.server.url))
      elsewhere.push(request.url())
  })
})
afterAll(() => test?.close())

/** One row at least in every table, with long names. Gives the address at which an application asks for consent. */
async function fillTables(organisationId: string): Promise<string> {
  const make = async (path: string, body: object): Promise<Record<string, string>> => {
    const { status, text, json } = await person.send('POST', `/v1/${path}`, body, {
      'x-organisation-id': organisationId,
    })
    if (status >= 300) throw new Error(`${path}: ${text}`)
    return json
  }
  const redirect = 'http://127.0.0.1/callback'
  await make('organisation/keys', { name: 'Nightly reconciliation of accounts payable, Birmingham' })
  await make('organisation/invitations', { role: 'checker', email: 'augusta.ada.king.of.lovelace@company.example' })
  await make('billing/top-ups', { amount_pence: 2500 })
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

async function open(address: string): Promise<void> {
  expect(address, 'tell in this file where a path with a gap leads').not.toMatch(/[:*]/)
  await page.goto(test.server.url + address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const skeletons = page.locator('.mantine-Skeleton-root')
  while ((await skeletons.count()) > 0) await skeletons.first().waitFor({ state: 'detached' })
}

/** On a phone in the light, and on a desk in the dark. */
async function look(address: string): Promise<void> {
  await page.setViewportSize({ width: 380, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await open(address)
  expect(await page.title()).toBe(`${await page.getByRole('heading', { level: 1 }).textContent()} · Assay`)
  expect(await overflowPx(), address).toBeLessThanOrEqual(0)
  expect(await allFindings(page), address).toEqual([])
  await isInOrder()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  expect(await overflowPx(), address).toBeLessThanOrEqual(0)
  expect(await seriousFindings(page, 'color-contrast'), address).toEqual([])
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
    for (const address of addresses[path] ?? [path]) await look(address)
  })

  it('shows the rows of a table as cards on a phone, each line with the title of its column', async () => {
    await page.setViewportSize({ width: 380, height: 800 })
    await open('/console/keys')
    const cell = page.getByRole('table').first().locator('tbody td:nth-child(2)').first()
    const title = 'getComputedStyle(document.querySelector("tbody td:nth-child(2)"), "::before").content'
    expect(await page.evaluate(title)).toBe('"Begins with"')
    expect(await cell.isVisible()).toBe(true)
  })

  it('made the browser complain about nothing, and asked no other server for anything', async () => {
    expect(elsewhere).toEqual([])
    expect(await test.leave()).toEqual([])
  })
})
