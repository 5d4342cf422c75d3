import type { Browser, BrowserContextOptions, Cookie, Page } from 'playwright-core'
import type { Role } from '../../src/access/roles.ts'
import type { Sql } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openOwnKnowledge } from '../../src/own/source.ts'
import type { RiskEngine } from '../../src/risk/engine.ts'
import { createOwnIndexes } from '../../src/risk/own/indexes.ts'
import { startBrowser, type Visit, visit, visitAgain } from './browser.ts'
import { createTestEngine, interruptible } from './engine.ts'
import { memberOf, PASSWORD, type SignedIn } from './people.ts'
import { freePort } from './ports.ts'
import { startTestServer, type TestServer } from './server.ts'
import { createMigratedPlace, openPlace } from './stores.ts'

/** The whole product in a browser: real pages, real server, real database, real engine. */
export interface ConsoleTest {
  readonly server: TestServer
  readonly sql: Sql
  readonly engine: ReturnType<typeof interruptible>
  readonly visits: Visit[]
  member(organisationId: string, role?: Role): Promise<SignedIn>
  /** A new visitor who is already signed in. */
  open(person: Pick<SignedIn, 'email'>, path: string, options?: VisitOptions): Promise<Page>
  /** A new visitor without a session. */
  stranger(path: string, options?: VisitOptions): Promise<Page>
  /** Ends the visits and returns the complaints of their browsers. */
  leave(): Promise<string[]>
  close(): Promise<void>
}

interface VisitOptions extends Omit<BrowserContextOptions, 'viewport' | 'storageState'> {
  readonly viewport?: { readonly width: number; readonly height: number }
  /** With empty caches; such a visitor may change the browser permanently. */
  readonly fresh?: true
}

export async function startConsole(
  options: { readonly engine?: RiskEngine } & Pick<
    Parameters<typeof startTestServer>[0],
    'plans' | 'settings' | 'payments' | 'clock' | 'sendsMail' | 'placeOf' | 'ring' | 'resolver'
  > = {},
): Promise<ConsoleTest> {
  const { place, remove } = await createMigratedPlace('sqlite')
  const sql = await openPlace(place)
  const knowledge = await openOwnKnowledge({ sql, clock: systemClock })
  const engine = interruptible(options.engine ?? createTestEngine(createOwnIndexes({ source: knowledge })))
  const port = await freePort()
  const [browser, server]: [Browser, TestServer] = await Promise.all([
    startBrowser(),
    startTestServer({ ...options, sql, engine, oauth: true, port }),
  ])
  const visits: Visit[] = []

  async function enter(path: string, options: VisitOptions, cookies: Cookie[] = []): Promise<Page> {
    const { viewport, colorScheme, fresh, ...others } = options
    const opened =
      fresh || Object.keys(others).length > 0
        ? await visit(browser, { ...options, storageState: { cookies, origins: [] } })
        : await visitAgain(browser, { cookies, viewport, colorScheme })
    visits.push(opened)
    await opened.page.goto(server.url + path)
    return opened.page
  }

  return {
    server,
    sql,
    engine,
    visits,
    member: (organisationId, role = 'owner') => memberOf(server, sql, { organisationId, role, nowMs: Date.now() }),
    stranger: (path, visitOptions = {}) => enter(path, visitOptions),
    async open({ email }, path, visitOptions = {}) {
      const answer = await server.post('/api/session', { email, password: PASSWORD })
      const [name = '', value = ''] = (answer.headers.getSetCookie()[0]?.split(';')[0] ?? '').split('=')
      const cookie = { name, value, domain: 'localhost', path: '/', httpOnly: true }
      return enter(path, visitOptions, [{ ...cookie, expires: -1, secure: false, sameSite: 'Lax' }])
    },
    async leave() {
      // A test that stops the engine gets such answers: the page shows them, and the test checks the page.
      const complaints = visits.flatMap((each) => each.complaints).filter((text) => !/status of 50[23]/.test(text))
      await Promise.all(visits.splice(0).map((each) => each.close()))
      return complaints
    },
    async close() {
      await Promise.all(visits.splice(0).map((each) => each.close()))
      await server.close()
      await knowledge.close()
      await sql.close()
      await remove()
    },
  }
}
