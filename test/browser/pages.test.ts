import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  openAccountMenu,
  overflowPx,
  scriptBytesOf,
  seriousFindings,
  seriousFindingsOfState,
  spaceText,
  startBrowser,
  type Visit,
  visit,
  visitAgain,
} from '../support/browser.ts'
import { FULL } from '../support/full.ts'
import { PASSWORD, type PagesServer, startPagesServer } from '../support/pages-server.ts'

let browser: Browser
let server: PagesServer
const visits: Visit[] = []

beforeAll(async () => {
  ;[browser, server] = await Promise.all([startBrowser(), startPagesServer()])
})
afterAll(async () => {
  await server?.close()
})
afterEach(async () => {
  const complaints = visits.flatMap((each) => each.complaints)
  await Promise.all(visits.splice(0).map((each) => each.close()))
  server.sent.length = 0
  expect(complaints).toEqual([])
})

async function open(path: string, options: Parameters<typeof visitAgain>[1] = {}): Promise<Page> {
  const opened = await visitAgain(browser, options)
  visits.push(opened)
  await opened.page.goto(server.url + path)
  return opened.page
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const focusedName = (page: Page) => page.locator(':focus').getAttribute('name')

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

describe('signing in for an application', () => {
  it('says in plain words that the sign-in failed, with the request id, and asks for the password again', async () => {
    const page = await open('/interaction/login')
    await page.getByText('To continue to Invoice Desk').waitFor()
    expect(await focusedName(page)).toBe('email')
    await signIn(page, 'ada@example.com', 'wrong')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/The email address or the password is wrong\.Request req_test_/)
    expect(await focusedName(page)).toBe('password')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    expect(await page.getByLabel('Email address').inputValue()).toBe('ada@example.com')
    expect(await seriousFindingsOfState(page)).toEqual([])
  })

  it('goes where the server sends it, carrying the csrf value', async () => {
    const page = await open('/interaction/login')
    await signIn(page, ' ada@example.com ', PASSWORD)
    await page.waitForURL('**/interaction/many-organisations')
    expect(server.sent).toEqual([
      {
        path: '/api/interaction/login/login',
        body: { email: 'ada@example.com', password: PASSWORD },
        csrf: 'csrf-value',
      },
    ])
  })

  it.runIf(FULL)('fills in the address the application hinted at', async () => {
    const page = await open('/interaction/hinted')
    await page.getByLabel('Email address').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe('ada@example.com')
    expect(await focusedName(page)).toBe('password')
  })

  it('ties what is missing to its field and sends nothing', async () => {
    const page = await open('/interaction/login')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const email = page.getByLabel('Email address')
    await page.getByText('Enter your password.').waitFor()
    expect(await email.getAttribute('aria-invalid')).toBe('true')
    const describedBy = (await email.getAttribute('aria-describedby')) ?? ''
    expect(await page.locator(`[id="${describedBy}"]`).textContent()).toContain('Enter your email address')
    expect(await focusedName(page)).toBe('email')
    expect(server.sent).toEqual([])
    expect(await seriousFindingsOfState(page)).toEqual([])
  })

  it.runIf(FULL)('keeps the form shut for as long as the server asks', async () => {
    const page = await open('/interaction/login')
    await signIn(page, 'throttled@example.com', 'wrong')
    await page.getByRole('button', { name: /Try again in \d+ s/ }).waitFor()
    expect(await page.getByRole('button', { name: /Try again in/ }).isDisabled()).toBe(true)
    await page.getByLabel('Password', { exact: true }).fill('again')
    await page.keyboard.press('Enter')
    expect(server.sent).toHaveLength(1)
  })

  it('sends a form once, however often it is submitted', async () => {
    const page = await open('/interaction/login')
    const release = server.hold('/api/interaction/login/login')
    await signIn(page, 'ada@example.com', PASSWORD)
    await page.keyboard.press('Enter')
    await page.evaluate('for (const form of document.forms) { form.requestSubmit(); form.requestSubmit() }')
    release()
    await page.waitForURL('**/interaction/many-organisations')
    expect(server.sent).toHaveLength(1)
  })

  it.runIf(FULL)('says that a request has ended instead of showing a form', async () => {
    const page = await open('/interaction/unknown')
    await page.getByRole('heading', { name: 'This request has ended' }).waitFor()
    expect(await page.getByRole('alert').textContent()).toMatch(/Start again.*req_test_/)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await seriousFindingsOfState(page)).toEqual([])
  })

  it.runIf(FULL)('says when the server cannot be reached, and serves again when it can', async () => {
    const opened = await visit(browser)
    const { page } = opened
    await page.goto(`${server.url}/interaction/login`)
    await page.getByLabel('Email address').waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await signIn(page, 'ada@example.com', PASSWORD)
    await page.getByText('The server cannot be reached').waitFor()
    await page.unroute('**/api/**')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/interaction/many-organisations')
    await opened.close()
  })
})

describe.runIf(FULL)('consent', () => {
  it('shows the application, each scope in words, where it leads and who pays', async () => {
    const page = await open('/interaction/one-organisation')
    await page.getByRole('heading', { name: 'Allow Invoice Desk?' }).waitFor()
    expect(await page.getByRole('listitem').allTextContents()).toEqual([
      'Check email addresses before payments',
      'Check whole lists',
      'Know who you are',
      'See your email address',
    ])
    await page.getByRole('heading', { name: 'Stay connected for 90 days' }).waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).toMatch(/Organisation to be charged\s+Analytical Engines Ltd/)
    expect(text).toMatch(/Signed in as\s+Ada Lovelace \(ada@example\.com\)/)
    expect(text).toMatch(/Sends you to\s+desk\.example\.com/)
    expect(text).not.toContain('risk:')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL('**/done')
    expect(server.sent).toMatchObject([{ body: { decision: 'allow', organisation_id: 'org_1' }, csrf: 'csrf-value' }])
  })

  it('chooses no payer for the person, and never one that is disabled', async () => {
    const page = await open('/interaction/many-organisations')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Choose the organisation first.').waitFor()
    expect(server.sent).toEqual([])
    expect(await page.getByRole('radio', { name: 'Closed Accounts plc' }).isDisabled()).toBe(true)
    expect(await seriousFindingsOfState(page)).toEqual([])
    await page.getByRole('radio', { name: 'Difference & Sons' }).check()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL('**/done')
    expect(server.sent).toMatchObject([{ body: { decision: 'allow', organisation_id: 'org_2' } }])
  })

  it('can be refused without choosing anything', async () => {
    const page = await open('/interaction/many-organisations')
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.waitForURL('**/done')
    expect(server.sent).toMatchObject([{ body: { decision: 'deny' } }])
  })

  it.each(['no-organisation', 'no-organisation-free'])(
    'cannot be given by somebody of no organisation: %s',
    async (uid) => {
      const page = await open(`/interaction/${uid}`)
      await page.getByText('You are not a member of an organisation').waitFor()
      expect(await page.getByRole('button', { name: 'Allow' }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'Refuse' }).isEnabled()).toBe(true)
      expect(await seriousFindingsOfState(page)).toEqual([])
    },
  )

  it('is reached and given with the keyboard alone', async () => {
    const page = await open('/interaction/login')
    await page.getByLabel('Email address').waitFor()
    await page.keyboard.type('ada@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Allow Invoice Desk?' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Use another account')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Refuse')
    await page.keyboard.press('Tab')
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineWidth')
    expect(Number.parseInt(outline, 10)).toBeGreaterThanOrEqual(2)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/done')
    expect(server.sent.at(-1)).toMatchObject({ body: { decision: 'allow', organisation_id: 'org_1' } })
  })
})

describe.runIf(FULL)('connecting a device', () => {
  it('takes the code in lower case and without its dash', async () => {
    const page = await open('/device')
    await page.getByLabel('Code').waitFor()
    expect(await focusedName(page)).toBe('user_code')
    await page.keyboard.type('bcdfghjk')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Is this your device?' }).waitFor()
    expect(await page.getByText('BCDF-GHJK').isVisible()).toBe(true)
    expect(server.sent).toMatchObject([{ body: { user_code: 'BCDF-GHJK' }, csrf: 'csrf-value' }])
  })

  it('fills in the code of a complete link, and still asks', async () => {
    const page = await open('/device?user_code=bcdfghjk')
    await page.getByText('Check that this is the code').waitFor()
    expect(await page.getByLabel('Code').inputValue()).toBe('BCDF-GHJK')
    expect(server.sent).toEqual([])
  })

  it('says what a code looks like, and what to do about one that is unknown', async () => {
    const page = await open('/device')
    await page.getByLabel('Code').fill('BCD')
    await page.keyboard.press('Enter')
    await page.getByText('The code has eight letters').waitFor()
    expect(server.sent).toEqual([])
    await page.getByLabel('Code').fill('ZZZZ-ZZZZ')
    await page.keyboard.press('Enter')
    await page.getByText('Ask your device for a new one').waitFor()
    expect(await seriousFindingsOfState(page)).toEqual([])
  })

  it('keeps the confirmation over a reload, and connects', async () => {
    const page = await open('/device?user_code=BCDF-GHJK')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Is this your device?' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Yes, continue' }).click()
    await page.getByRole('heading', { name: 'Your device is connected' }).waitFor()
    expect(server.sent.at(-1)).toMatchObject({ body: { user_code: 'BCDF-GHJK', decision: 'allow' } })
  })

  it('can be refused', async () => {
    const page = await open('/device?user_code=BCDF-GHJK')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByRole('heading', { name: 'Refused' }).waitFor()
    expect(server.sent.at(-1)).toMatchObject({ body: { user_code: 'BCDF-GHJK', decision: 'deny' } })
  })

  it('asks for the code when somebody comes straight to the confirmation', async () => {
    const page = await open('/device/confirm')
    await page.getByRole('heading', { name: 'Connect a device' }).waitFor()
  })
})

describe('the error page', () => {
  it('says what happened in plain words and runs nothing that came with the address', async () => {
    const hostile = '"><img src=x onerror=alert(1)><script>document.title="owned"</script>'
    const page = await open(`/oauth/authorize?redirect_uri=${encodeURIComponent(hostile)}`)
    await page.getByRole('heading', { name: 'This application is not set up right' }).waitFor()
    expect(await page.getByRole('main').innerText()).toContain(`redirect_uri ${hostile} is not registered`)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.title()).toBe('This application is not set up right · Assay')
    expect(await page.getByText(/^Request req-/).isVisible()).toBe(true)
  })
})

describe('the console', () => {
  it('lets nobody in without a session, goes on to the page asked for, and out again', async () => {
    const page = await open('/console/nowhere?x=1')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).search).toBe('?next=%2Fconsole%2Fnowhere%3Fx%3D1')
    await signIn(page, 'ada@example.com', PASSWORD)
    await page.waitForURL('**/console/nowhere?x=1')
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
    await page.getByRole('link', { name: 'Go to the start' }).click()
    await page.getByRole('heading', { name: 'Can I trust this?' }).waitFor()
    expect(await page.getByRole('link', { name: 'Check', exact: true }).getAttribute('aria-current')).toBe('page')
    expect(await page.getByText('Your role: owner').isVisible()).toBe(true)
    expect(await seriousFindingsOfState(page)).toEqual([])
    await (await openAccountMenu(page)).getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(server.sent.at(-1)).toMatchObject({ path: '/api/session', csrf: 'csrf-value' })
  })

  it('never leads to another site after signing in', async () => {
    const page = await open(`/sign-in?next=${encodeURIComponent('//evil.example/console')}`)
    await signIn(page, 'ada@example.com', PASSWORD)
    await (await openAccountMenu(page)).getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).origin).toBe(server.url)
  })
})

/** States of pages that every-page.test.ts does not come by. */
const PAGES = [
  '/interaction/login',
  '/interaction/many-organisations',
  ...(FULL
    ? [
        '/guides/none',
        '/oauth/authorize',
        '/device',
        '/device/done',
        '/device/done?outcome=denied',
        '/device/done?outcome=failed',
        '/done?what=signed-out',
        '/done?what=signed-in',
      ]
    : []),
] as const

describe('under the path of a proxy', () => {
  it('finds its files, its pages and its API there', async () => {
    const proxied = await startPagesServer('/assay')
    const opened = await visit(browser)
    try {
      await opened.page.goto(`${proxied.url}/assay/`)
      await opened.page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
      await signIn(opened.page, 'ada@example.com', PASSWORD)
      await opened.page.getByRole('heading', { name: 'Can I trust this?' }).waitFor()
      expect(opened.page.url()).toBe(`${proxied.url}/assay/console`)
      expect(proxied.sent).toMatchObject([{ path: '/assay/api/session' }])
      expect(opened.complaints).toEqual([])
    } finally {
      await opened.close()
      await proxied.close()
    }
  })
})

describe('every page', () => {
  let shared: Visit
  const elsewhere: string[] = []
  beforeAll(async () => {
    shared = await visit(browser)
    shared.page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) elsewhere.push(request.url())
    })
  })
  afterAll(() => shared?.close())

  it.each(PAGES)('%s: no serious finding dark and narrow, nor light and wide; nothing from elsewhere', async (path) => {
    const { page, complaints } = shared
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(server.url + path)
    await heading(page).waitFor()
    expect(await page.title()).toBe(`${await heading(page).textContent()} · Assay`)
    expect(await seriousFindings(page)).toEqual([])
    expect(await overflowPx(page)).toBeLessThanOrEqual(0)
    await spaceText(page)
    expect(await overflowPx(page)).toBeLessThanOrEqual(0)
    if (FULL) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
      expect(await seriousFindings(page, 'color-contrast')).toEqual([])
    }
    expect(complaints).toEqual([])
    expect(elsewhere).toEqual([])
  })

  it.runIf(FULL)('has its title, its focus and its empty field in the step in which it is seen', async () => {
    const opened = await visit(browser)
    visits.push(opened)
    const { page } = opened
    // Looks after every step in which the page changed, before anything else can happen.
    await page.addInitScript(`new MutationObserver(() => {
      const { activeElement: focused, title } = document
      if (document.querySelector('h1')) window.title_ ??= title
      if (document.querySelector('input')) window.focused_ ??= focused?.name
      if (document.querySelector('[role=alert]')) window.refused_ ??= [focused?.name, focused?.value]
    }).observe(document, { childList: true, subtree: true })`)
    await page.goto(`${server.url}/done`)
    await heading(page).waitFor()
    expect(await page.evaluate('window.title_')).toBe('Done · Assay')
    await page.goto(`${server.url}/console`)
    await signIn(page, 'ada@example.com', 'wrong')
    await page.getByRole('alert').waitFor()
    expect(await page.evaluate('[window.title_, window.focused_]')).toEqual(['Sign in · Assay', 'email'])
    expect(await page.evaluate('window.refused_')).toEqual(['password', ''])
  })

  it.runIf(FULL)('loads in under 300 KB of compressed script', async () => {
    const { page, close } = await visit(browser)
    const scriptBytes = await scriptBytesOf(page, async () => {
      await page.goto(`${server.url}/console`)
      await page.getByLabel('Email address').waitFor()
    })
    await close()
    console.log(`first load: ${Math.round(scriptBytes / 1024)} KiB of compressed script`)
    expect(scriptBytes).toBeGreaterThan(0)
    expect(scriptBytes).toBeLessThan(300_000)
  })
})
