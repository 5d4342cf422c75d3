import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../src/access/roles.ts'
import type { Sql } from '../../src/db/sql.ts'
import type { RiskEngine } from '../../src/risk/engine.ts'
import { startBrowser, type Visit, visit } from './browser.ts'
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
  /** A new visitor who is signed in already. */
  open(person: Pick<SignedIn, 'email'>, path: string, options?: BrowserContextOptions): Promise<Page>
  /** A new visitor whom nobody knows. */
  stranger(path: string, options?: BrowserContextOptions): Promise<Page>
  /** Ends the visits and gives what their browsers complained about. */
  leave(): Promise<string[]>
  close(): Promise<void>
}

export async function startConsole(
  options: { readonly engine?: RiskEngine } & Pick<
    Parameters<typeof startTestServer>[0],
    'plans' | 'settings' | 'payments' | 'clock'
  > = {},
): Promise<ConsoleTest> {
  const { place, remove } = await createMigratedPlace('sqlite')
  const sql = await openPlace(place)
  const engine = interruptible(options.engine ?? createTestEngine())
  const port = await freePort()
  const [browser, server]: [Browser, TestServer] = await Promise.all([
    startBrowser(),
    startTestServer({ ...options, sql, engine, oauth: true, port }),
  ])
  const visits: Visit[] = []

  async function stranger(path: string, contextOptions: BrowserContextOptions = {}): Promise<Page> {
    const opened = await visit(browser, contextOptions)
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
    stranger,
    async open({ email }, path, contextOptions = {}) {
      const answer = await server.post('/api/session', { email, password: PASSWORD })
      const [name = '', value = ''] = (answer.headers.getSetCookie()[0]?.split(';')[0] ?? '').split('=')
      const cookie = { name, value, domain: 'localhost', path: '/', httpOnly: true }
      return stranger(path, {
        ...contextOptions,
        storageState: {
          cookies: [{ ...cookie, expires: -1, secure: false, sameSite: 'Lax' }],
          origins: [],
        },
      })
    },
    async leave() {
      // A test that takes the engine away gets such answers: the page shows them, and the test looks there.
      const complaints = visits.flatMap((each) => each.complaints).filter((text) => !/status of 50[23]/.test(text))
      await Promise.all(visits.splice(0).map((each) => each.close()))
      return complaints
    },
    async close() {
      await browser.close()
      await server.close()
      await sql.close()
      await remove()
    },
  }
}
