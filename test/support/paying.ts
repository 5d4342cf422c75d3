import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { listInvoices } from '../../src/billing/invoices/invoices.ts'
import { settleByHand } from '../../src/billing/payments/payments.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import type { BillingSettings } from '../../src/billing/settings.ts'
import { changeIn } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { type ConsoleTest, startConsole } from './console.ts'
import { PASSWORD } from './people.ts'

/** Steps of paying and signing up in a browser, for tests. */

export const PHONE = { viewport: { width: 390, height: 844 } }
export const BANK = {
  paymentInstructions: 'Example Bank\nSort code 00-00-00\nAccount 12345678',
  terms: { url: 'https://operator.example/terms', version: '2026-11' },
}

export const card = (page: Page, plan: string) => page.getByRole('article', { name: plan })
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
export const close = (open: Locator) => open.getByText('Close', { exact: true }).click()
export const overflowPx = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth')

/** The operator records the transfers for every open invoice. */
export async function settleAll({ sql, server }: ConsoleTest, organisationId: string): Promise<void> {
  const { rows } = await listInvoices(sql, { organisationId, state: 'open', limit: 10 })
  for (const invoice of rows) {
    await changeIn(sql, systemClock, (tx) =>
      settleByHand(tx, server.accounts.rules, operatorIn(organisationId), { invoice, reference: null }),
    )
  }
}

let subscribers = 0

/** A person who signed up by the API and has not paid. */
export async function subscriber(
  { server }: ConsoleTest,
  plan: string,
): Promise<{ organisationId: string; email: string }> {
  const email = `subscriber${++subscribers}@company.example`
  const begun = await server.post('/v1/checkout', {
    organisation_name: 'Western Branch',
    name: 'Ada Lovelace',
    email,
    password: PASSWORD,
    plan,
    accept_terms: true,
  })
  if (begun.status !== 201) throw new Error(`checkout: ${begun.status} ${begun.text}`)
  return { organisationId: begun.json.organisation_id, email }
}

export async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Organisation').fill('Northern Branch')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('I accept the terms of the service').check()
}

export async function organisationOf({ sql }: ConsoleTest, email: string): Promise<string> {
  const rows = await sql.query<{ organisation_id: string }>(
    'select m.organisation_id from membership m join person p on p.id = m.person_id where p.email = $1',
    [email],
  )
  return rows[0]?.organisation_id ?? ''
}

/** Returns a function that starts the whole product for a group of tests, with the sold plans and these settings. */
export function consoleDuring(use: (test: ConsoleTest) => void) {
  return (settings: Partial<BillingSettings>, payments?: Parameters<typeof startConsole>[0]): void => {
    let test: ConsoleTest | undefined
    beforeAll(async () => {
      test = await startConsole({ plans: loadPlans(), settings: { ...BANK, ...settings }, ...payments })
      use(test)
    })
    afterAll(() => test?.close())
    afterEach(async () => {
      expect(await test?.leave()).toEqual([])
    })
  }
}
