import type { Command } from 'commander'
import type { OrganisationState } from '../access/organisation-state.ts'
import { DEFAULT_KEY_SCOPES } from '../access/scopes.ts'
import type { BillingStore } from '../billing/ledger/accounts.ts'
import type { Sql } from '../db/sql.ts'
import { createKey } from '../identity/key-store.ts'
import {
  createOrganisation,
  findOrganisation,
  listOrganisations,
  type Organisation,
  organisationNameProblem,
  setOrganisationState,
} from '../identity/organisation/organisations.ts'
import type { Clock } from '../lib/clock.ts'
import {
  isoOrNull,
  type OperatorContext,
  OperatorError,
  print,
  table,
  verb,
  wholeNumber,
  withStore,
} from './context.ts'

const PENCE_MAX = 1_000_000_000

/** Makes an organisation with its account and first key, all or nothing, then adds the opening credit. */
export async function provisionOrganisation(
  sql: Sql,
  accounts: BillingStore,
  input: { name: string; planId: string; creditPence: number; keyName: string; clock: Clock },
): Promise<{ organisation: Organisation; apiKey: string; keyId: string }> {
  const nowMs = input.clock.now()
  const made = await sql.transaction(async (tx) => {
    const organisation = await createOrganisation(tx, { name: input.name, nowMs })
    await accounts.openAccount(tx, { organisationId: organisation.id, planId: input.planId, nowMs })
    const { key, secret } = await createKey(tx, {
      organisationId: organisation.id,
      name: input.keyName,
      scopes: DEFAULT_KEY_SCOPES,
      expiresAtMs: null,
      nowMs,
    })
    return { organisation, apiKey: secret, keyId: key.id }
  })
  if (input.creditPence > 0) {
    await accounts.creditAccount({
      organisationId: made.organisation.id,
      pence: input.creditPence,
      reason: 'opening credit',
    })
  }
  return made
}

export async function requireOrganisation(sql: Sql, id: string): Promise<Organisation> {
  const organisation = await findOrganisation(sql, id)
  if (!organisation) throw new OperatorError(`There is no organisation ${id}. "assayd org list" shows them all.`)
  return organisation
}

export function registerOrg(program: Command, context: OperatorContext): void {
  const org = program.command('org').description('organisations: the customers who are charged')

  verb(org, 'create', 'make an organisation and its first API key')
    .requiredOption('--name <name>', 'its name, for people')
    .requiredOption('--plan <plan>', 'id of its plan ("assayd plan list")')
    .option('--credit-pence <n>', 'prepaid credit to start with', wholeNumber('--credit-pence', 0, PENCE_MAX), 0)
    .action(async (options: { name: string; plan: string; creditPence: number; json?: boolean }) => {
      const problem = organisationNameProblem(options.name)
      if (problem) throw new OperatorError(`--name: the name ${problem}.`)
      await withStore(context, async ({ sql, plans, accounts }) => {
        if (!plans.has(options.plan)) {
          throw new OperatorError(`--plan: there is no plan "${options.plan}". Plans: ${[...plans.keys()].join(', ')}.`)
        }
        const made = await provisionOrganisation(sql, accounts, {
          name: options.name,
          planId: options.plan,
          creditPence: options.creditPence,
          keyName: 'first key',
          clock: context.clock,
        })
        const account = await accounts.readAccount(made.organisation.id)
        const result = {
          organisation_id: made.organisation.id,
          name: made.organisation.name,
          plan: options.plan,
          credit_pence: creditOf(account),
          api_key_id: made.keyId,
          api_key: made.apiKey,
        }
        print(context, options.json, result, () =>
          [
            `Organisation ${result.organisation_id} (${result.name}) on plan ${result.plan}, credit ${result.credit_pence} pence.`,
            `API key, shown this once: ${result.api_key}`,
          ].join('\n'),
        )
      })
    })

  verb(org, 'list', 'show all organisations').action(async (options: { json?: boolean }) => {
    await withStore(context, async ({ sql, accounts }) => {
      const rows = await Promise.all(
        (await listOrganisations(sql)).map((organisation) => describe(accounts, organisation)),
      )
      print(context, options.json, rows, () =>
        table(
          ['ORGANISATION', 'NAME', 'STATE', 'PLAN', 'CREDIT PENCE', 'OVERAGE PENCE'],
          rows.map((row) => [
            row.organisation_id,
            row.name,
            row.state,
            row.plan ?? '-',
            String(row.credit_pence),
            String(row.overage_pence),
          ]),
          'There is no organisation yet: assayd org create --name NAME --plan PLAN',
        ),
      )
    })
  })

  verb(org, 'show', 'show one organisation')
    .requiredOption('--org <id>', 'its id')
    .action(async (options: { org: string; json?: boolean }) => {
      await withStore(context, async ({ sql, accounts }) => {
        const row = await describe(accounts, await requireOrganisation(sql, options.org))
        print(context, options.json, row, () =>
          Object.entries(row)
            .map(([name, value]) => `${`${name}:`.padEnd(20)}${value}`)
            .join('\n'),
        )
      })
    })

  const states: [name: string, state: OrganisationState, about: string][] = [
    ['disable', 'disabled', 'stop an organisation: its credentials answer 403 until it is enabled'],
    ['enable', 'active', 'let a disabled organisation go on'],
    ['deactivate', 'inactive', 'mark a subscription as ended or unpaid'],
    ['activate', 'active', 'mark a subscription as running again'],
  ]
  for (const [name, state, about] of states) {
    verb(org, name, about)
      .requiredOption('--org <id>', 'its id')
      .action(async (options: { org: string; json?: boolean }) => {
        await withStore(context, async ({ sql, accounts }) => {
          await requireOrganisation(sql, options.org)
          const changed = await setOrganisationState(sql, { id: options.org, state, nowMs: context.clock.now() })
          const row = await describe(accounts, changed!)
          print(context, options.json, row, () => `Organisation ${row.organisation_id} is now ${row.state}.`)
        })
      })
  }

  verb(org, 'credit', 'add prepaid credit')
    .requiredOption('--org <id>', 'its id')
    .requiredOption('--pence <n>', 'how much', wholeNumber('--pence', 1, PENCE_MAX))
    .requiredOption('--reason <text>', 'why; stands in the ledger')
    .action(async (options: { org: string; pence: number; reason: string; json?: boolean }) => {
      if (options.reason.trim() === '') throw new OperatorError('--reason: say why; it stands in the ledger.')
      await withStore(context, async ({ sql, accounts }) => {
        await requireOrganisation(sql, options.org)
        await accounts.creditAccount({
          organisationId: options.org,
          pence: options.pence,
          reason: options.reason,
        })
        const row = await describe(accounts, await requireOrganisation(sql, options.org))
        print(context, options.json, row, () => `Credit of ${row.organisation_id} is now ${row.credit_pence} pence.`)
      })
    })
}

async function describe(accounts: BillingStore, organisation: Organisation) {
  const account = await accounts.readAccount(organisation.id)
  return {
    organisation_id: organisation.id,
    name: organisation.name,
    state: organisation.state,
    plan: account?.planId ?? null,
    credit_pence: creditOf(account),
    overage_pence: account?.overagePence ?? 0,
    free_units_used: account?.freeUnitsUsed ?? 0,
    period: account?.period ?? null,
    created_at: isoOrNull(organisation.created_at),
  }
}

function creditOf(account: { includedPence: number; prepaidPence: number } | undefined): number {
  return account ? account.includedPence + account.prepaidPence : 0
}
