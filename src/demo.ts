import { arrangeOrganisation } from './billing/checkout/sign-up.ts'
import type { AccountDependencies } from './billing/subscription/open-account.ts'
import { changeIn } from './db/sql.ts'
import { organisations } from './identity/organisation/organisations.ts'
import { hashPassword, newPassword } from './identity/people/passwords.ts'

/** Shown once and stored nowhere. */
export interface Demo {
  readonly apiKey: string
  readonly email: string
  readonly password: string
}

/** Creates a demo organisation, only on an empty database. If several nodes start at the same time, one creates it. */
export function makeDemo(billing: AccountDependencies): Promise<Demo | undefined> {
  return billing.sql.tryLock('demo', async () => {
    if ((await organisations.list(billing.sql, {}, { order: 'id', limit: 1 })).length > 0) return undefined
    const password = newPassword()
    const email = 'demo@example.com'
    const passwordHash = await hashPassword(password)
    const { apiKey } = await changeIn(billing.sql, billing.clock, (tx) =>
      arrangeOrganisation(tx, billing, {
        name: 'Demo organisation',
        planId: 'growth',
        keyName: 'demo key',
        owner: { email, name: 'Demo', passwordHash },
      }),
    )
    return { apiKey, email, password }
  })
}
