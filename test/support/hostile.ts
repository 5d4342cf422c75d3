import { operatorIn } from '../../src/access/actor.ts'
import { SCOPE_NAMES, SCOPES } from '../../src/access/scopes.ts'
import { arrangeOrganisation } from '../../src/billing/checkout/sign-up.ts'
import { issueInvoice } from '../../src/billing/invoices/invoices.ts'
import { setDetails } from '../../src/billing/invoices/terms.ts'
import type { Plans } from '../../src/billing/plans.ts'
import { changeIn, type Sql, type Tx } from '../../src/db/sql.ts'
import { audit } from '../../src/identity/audit.ts'
import { createClient } from '../../src/identity/clients/clients.ts'
import { createInvitation } from '../../src/identity/invitations/invitations.ts'
import { createKey } from '../../src/identity/keys/keys.ts'
import { addMember } from '../../src/identity/members/members.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { createPerson, findPersonByEmail } from '../../src/identity/people/people.ts'
import { openSession } from '../../src/identity/people/sessions.ts'
import { DAY_MS, systemClock } from '../../src/lib/clock.ts'
import { FAMILIES } from '../../src/lib/kinds.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { LIMITS } from '../../src/limits.ts'
import { createCounterparty } from '../../src/own/counterparties/counterparties.ts'
import { beginImport } from '../../src/own/counterparties/imports.ts'
import { saveRules } from '../../src/own/decisions/rules.ts'
import { claimDomain } from '../../src/own/domains/domains.ts'
import { importEntries, listEntries } from '../../src/own/lists/entries.ts'
import { SIGNAL_CODES } from '../../src/risk/decide.ts'
import { TEST_SECRET, testAccounts, testMeter } from './accounts.ts'
import { ManualClock } from './clock.ts'
import { PASSWORD_HASH } from './passwords.ts'
import { A_SESSION } from './session.ts'

/** How much a hostile organisation stores. */
export interface HostileSizes {
  readonly auditEntries: number
  readonly ledgerEntries: number
  readonly invoices: number
  /** Keys, applications, members, invitations and sessions, each at most as many as its limit allows. */
  readonly things: number
  readonly counterparties: number
}

export const WORST: HostileSizes = {
  auditEntries: 100_000,
  ledgerEntries: 20_000,
  invoices: 300,
  things: 500,
  counterparties: 3000,
}

export interface Hostile {
  readonly organisationId: string
  /** With every scope a key can have. */
  readonly key: string
  /** Of an owner who is also an operator. */
  readonly cookie: string
  /** Ids of its things by the name of the path parameter. */
  readonly ids: Readonly<Record<string, string>>
}

const LETTERS = [...'AЖΩ北한ไहعשあ€ßñკა中글𝄞ขभمיウ']

/** Text whose every letter is of another script than the one before: the worst there is to set in type. */
function mixedScripts(length: number): string {
  let text = ''
  for (let i = 0; text.length < length - 1; i++) text += LETTERS[i % LETTERS.length]
  return text
}

const NAME = mixedScripts(200)
const LONG_ADDRESS = `https://hostile.example/${'a'.repeat(970)}`
const ROWS_AT_ONCE = 500

/** An organisation with the worst data that a customer may store: the most, the longest, in mixed scripts. */
export async function makeHostile(
  sql: Sql,
  { plans, planId, sizes }: { readonly plans: Plans; readonly planId: string; readonly sizes: HostileSizes },
): Promise<Hostile> {
  // Three weeks of usage: nothing of it is in the future.
  const clock = new ManualClock(systemClock.now() - 21 * DAY_MS)
  const { rules } = testAccounts({ sql, clock, plans })
  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  const scopes = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)
  const { organisationId, key } = await change(async (tx) => {
    const { organisation, actor } = await arrangeOrganisation(tx, rules, {
      name: NAME,
      planId,
      creditPence: 900_000_000,
    })
    await setDetails(tx, actor, { name: NAME, address: mixedScripts(1000), taxId: mixedScripts(64) })
    const { secret } = await createKey(tx, actor, { name: NAME, scopes, expiresAtMs: null })
    return { organisationId: organisation.id, key: secret }
  })
  const actor = operatorIn(organisationId)
  const several = async <T>(count: number, make: (tx: Tx, i: number) => Promise<T>): Promise<T[]> => {
    const made: T[] = []
    while (made.length < count) {
      await change(async (tx) => {
        const until = Math.min(count, made.length + ROWS_AT_ONCE)
        while (made.length < until) made.push(await make(tx, made.length))
      })
      clock.advance(1000)
    }
    return made
  }

  const keys = await several(sizes.things - 2, (tx) => createKey(tx, actor, { name: NAME, scopes, expiresAtMs: null }))
  const clients = await several(sizes.things, async (tx, i) => {
    const redirect_uris = Array.from({ length: 20 }, (_, n) => `${LONG_ADDRESS}${i}.${n}`)
    const request = { kind: 'web', name: NAME, scopes: ['openid', 'risk:payment'], redirect_uris }
    return (await createClient(tx, actor, request, { production: true })).client.id
  })
  const people = await several(sizes.things, async (tx, i) => {
    const email = `hostile${i}.${organisationId.toLowerCase()}@company.example`
    const person = await createPerson(tx, { email, emailVerified: true, name: NAME, passwordHash: PASSWORD_HASH })
    await addMember(tx, actor, { personId: person.id, role: 'owner' })
    return person
  })
  const invitations = await several(Math.min(100, sizes.things), async (tx) => {
    return (await createInvitation(tx, actor, { role: 'viewer' })).invitation.id
  })
  const counterparties = await several(sizes.counterparties, async (tx, i) => {
    const { counterpartyDomainsMax: domains, counterpartyEmailsMax: emails } = LIMITS.counts
    const given = {
      name: `${i} ${mixedScripts(190)}`,
      note: mixedScripts(500),
      domains: Array.from({ length: domains }, (_, n) => `${`${'a'.repeat(60)}.`.repeat(3)}a${n}.example`),
      emails: Array.from(
        { length: emails },
        (_, n) => `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(2)}b${n}.example`,
      ),
    }
    return (await createCounterparty(tx, actor, ringOf(TEST_SECRET), given)).counterparty.id
  })
  const begun = await change((tx) => beginImport(tx, actor, { rows: 1 }))
  const reason = mixedScripts(500)
  const imported = Math.min(LIMITS.requests.ownImportEntriesMax, sizes.things)
  await several(Math.min(LIMITS.counts.ownEntriesMax, 20 * sizes.things) / imported, (tx, i) => {
    const indicators = Array.from({ length: imported }, (_, n) => `hostile-${i}-${n}.example.com`)
    return importEntries(
      tx,
      actor,
      'block',
      indicators.map((indicator) => ({ indicator, reason, expiresAtMs: null })),
    )
  })
  const block = { organisationId, list: 'block', nowMs: clock.now() } as const
  const entryId = (await listEntries(sql, block, { from: undefined, limit: 1 })).rows[0]!.id
  await change((tx) => claimDomain(tx, actor, 'hostile-owner.com'))
  const longestCodes = [...SIGNAL_CODES].sort((a, b) => b.length - a.length).slice(0, 5)
  const rules100 = Array.from({ length: LIMITS.counts.decisionRulesMax }, (_, i) => ({
    name: `${i} ${mixedScripts(150)}`,
    when: { signals: longestCodes },
    outcome: 'stop' as const,
    text: mixedScripts(200),
  }))
  await change((tx) => saveRules(tx, actor, rules100))
  const line = { kind: 'top_up', month: '2026-01', plan_id: null, plan_price_pence: null, amount_pence: 100 } as const
  const invoices = await several(sizes.invoices, async (tx) => {
    clock.advance(1)
    const lines = Array.from({ length: 3 }, () => ({ ...line, description: mixedScripts(200) }))
    const issuedAtMs = clock.now()
    return (await issueInvoice(tx, { organisationId, kind: 'top_up', lines, inAdvance: true, issuedAtMs }))!.id
  })
  // No more are open than a customer may leave unpaid.
  await change((tx) =>
    tx.query(
      `update invoice set state = 'void' where organisation_id = $1 and id in (select id from invoice
         where organisation_id = $1 order by number limit ${Math.max(0, sizes.invoices - LIMITS.counts.topUpsOpenMax)})`,
      [organisationId],
    ),
  )
  // One in a hundred is as long as the change of an application with the longest addresses.
  await several(sizes.auditEntries, async (tx, i) => {
    const detail =
      i % 100 === 0
        ? { from: Array(20).fill(LONG_ADDRESS), to: Array(20).fill(LONG_ADDRESS) }
        : { name: NAME, grace_hours: 24 }
    await audit(tx, actor, 'client.update', clients[0]!, detail)
  })
  const meter = testMeter({ sql, rules, clock })
  const stepMs = Math.floor((systemClock.now() - clock.now() - DAY_MS) / (sizes.ledgerEntries / ROWS_AT_ONCE))
  for (let from = 0; from < sizes.ledgerEntries; from += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, sizes.ledgerEntries - from)
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        meter.charge({
          organisationId,
          family: FAMILIES[i % FAMILIES.length]!,
          units: 1,
          credentialId: keys[i % keys.length]!.key.id,
          requestId: `req_${organisationId.slice(4)}${from + i}`,
          answer: () => ({ before: '{', after: '}' }),
        }),
      ),
    )
    clock.advance(stepMs)
  }
  await meter.close()

  const sessions = await changeIn(sql, systemClock, async (tx) => {
    await setOperator(tx, people[0]!.id, true)
    const signedIn = await findPersonByEmail(tx, people[0]!.email)
    const tokens: string[] = []
    for (let i = 0; i < Math.min(100, sizes.things); i++) {
      const from = { ...A_SESSION.from, userAgent: mixedScripts(400) }
      tokens.push((await openSession(tx, signedIn!, { ...A_SESSION, from })).token)
    }
    return tokens
  })
  return {
    organisationId,
    key,
    cookie: `assay_session=${sessions.at(-1)}`,
    ids: {
      key_id: keys[0]!.key.id,
      client_id: clients[0]!,
      member_id: people[1]!.id,
      invitation_id: invitations[0]!,
      counterparty_id: counterparties[0]!,
      import_id: begun.id,
      reference: '4711',
      invoice_id: invoices.at(-1)!,
      organisation_id: organisationId,
      month: new Date().toISOString().slice(0, 7),
      list: 'block',
      entry_id: entryId,
      domain: 'hostile-owner.com',
      version: '1',
    },
  }
}
