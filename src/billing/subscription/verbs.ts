import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { STATE_REASONS } from '../../access/organisation-state.ts'
import { announcePersonChange } from '../../identity/announce.ts'
import { type Organisation, requireOrganisation } from '../../identity/organisation/organisations.ts'
import { setSecondFactorRequired } from '../../identity/organisation/second-factor.ts'
import { isoOrNull } from '../../lib/time-text.ts'
import {
  LIST_ROWS_MAX,
  type OperatorContext,
  print,
  type Store,
  table,
  verb,
  wholeNumber,
  withStore,
} from '../../operator/context.ts'
import { arrangeOrganisation } from '../checkout/sign-up.ts'
import { readAccount } from '../ledger/accounts.ts'
import type { Account } from '../ledger/ledger.ts'
import { findOrganisations } from './overview.ts'
import { bringToPresent } from './present.ts'
import { addCredit, type OperatorWord, setOperatorWord, setOverageLimit, setPlan } from './subscription.ts'

const PENCE_MAX = 1_000_000_000
const LISTED_MAX = 1000

const WORDS: Record<OperatorWord, string> = {
  disable: 'stop an organisation: its credentials answer 403 until it is enabled',
  enable: 'let a disabled organisation go on, in the state it had before',
  deactivate: 'end the subscription of an organisation; a new one, or activate, brings it back',
  activate: 'take back that a subscription was ended by deactivate',
  approve: 'let an organisation that signed up begin, where sign-up is by approval',
}

/** `assayd org`: organisations and what they are entitled to. */
export function registerOrgVerbs(program: Command, context: OperatorContext): void {
  const org = program.command('org').description('organisations: the customers who are charged')

  verb(org, 'create', 'make an organisation and its first API key')
    .requiredOption('--name <name>', 'its name, for people')
    .requiredOption('--plan <plan>', 'id of its plan ("assayd plan list")')
    .option('--credit-pence <n>', 'prepaid credit to start with', wholeNumber('--credit-pence', 0, PENCE_MAX), 0)
    .action(async (options: { name: string; plan: string; creditPence: number; json?: boolean }) => {
      await withStore(context, async (store) => {
        const made = await store.change((tx) =>
          arrangeOrganisation(tx, store, {
            name: options.name,
            planId: options.plan,
            creditPence: options.creditPence,
          }),
        )
        const { credit_pence } = await describe(store, made.organisation)
        const result = {
          organisation_id: made.organisation.id,
          name: made.organisation.name,
          plan: options.plan,
          credit_pence,
          api_key_id: made.keyId,
          api_key: made.apiKey,
        }
        print(context, options.json, result, () =>
          [
            `Organisation ${result.organisation_id} (${result.name}) on plan ${result.plan}, credit ${credit_pence} pence.`,
            `API key, shown this once: ${result.api_key}`,
          ].join('\n'),
        )
      })
    })

  verb(org, 'list', 'show organisations, newest first')
    .option('--search <text>', 'only those with this text in the name, or with this id', '')
    .option('--limit <n>', 'how many at most', wholeNumber('--limit', 1, LIST_ROWS_MAX), LISTED_MAX)
    .action((options: { search: string; limit: number; json?: boolean }) =>
      withStore(context, async (store) => {
        const { search, limit } = options
        const found = await findOrganisations(store, { search, limit: limit + 1 })
        const rows = found.slice(0, limit).map(({ organisation, account }) => view(organisation, account))
        if (found.length > limit) {
          context.writeError(`There are more than ${limit}: narrow them by --search, or raise --limit.\n`)
        }
        print(context, options.json, rows, () =>
          table(
            ['ORGANISATION', 'NAME', 'STATE', 'WHY', 'PLAN', 'CREDIT PENCE', 'OVERAGE PENCE'],
            rows.map((row) => [
              row.organisation_id,
              row.name,
              row.state,
              row.state_reason ?? '-',
              row.plan,
              String(row.credit_pence),
              String(row.overage_pence),
            ]),
            search === ''
              ? 'There is no organisation yet: assayd org create --name NAME --plan PLAN'
              : 'There is no such organisation.',
          ),
        )
      }),
    )

  verb(org, 'show', 'show one organisation')
    .requiredOption('--org <id>', 'its id')
    .action((options: { org: string; json?: boolean }) =>
      withStore(context, async (store) => {
        const row = await present(store, options.org)
        print(context, options.json, row, () =>
          Object.entries(row)
            .map(([name, value]) => `${`${name}:`.padEnd(20)}${value}`)
            .join('\n'),
        )
      }),
    )

  for (const [word, about] of Object.entries(WORDS) as [OperatorWord, string][]) {
    verb(org, word, about)
      .requiredOption('--org <id>', 'its id')
      .action((options: { org: string; json?: boolean }) =>
        withStore(context, async (store) => {
          await store.change((tx) => setOperatorWord(tx, store, operatorIn(options.org), word))
          await store.announceAccount(options.org)
          const row = await present(store, options.org)
          print(context, options.json, row, () => {
            const why = row.state_reason === null ? '' : ` ${STATE_REASONS[row.state_reason]}`
            return `Organisation ${row.organisation_id} is now ${row.state}.${why}`
          })
        }),
      )
  }

  verb(org, 'credit', 'add prepaid credit')
    .requiredOption('--org <id>', 'its id')
    .requiredOption('--pence <n>', 'how much', wholeNumber('--pence', 1, PENCE_MAX))
    .requiredOption('--reason <text>', 'why; stands in the ledger')
    .action((options: { org: string; pence: number; reason: string; json?: boolean }) =>
      withStore(context, async (store) => {
        const { pence, reason } = options
        await store.change((tx) => addCredit(tx, store, operatorIn(options.org), { pence, reason }))
        const row = await present(store, options.org)
        print(context, options.json, row, () => `Credit of ${row.organisation_id} is now ${row.credit_pence} pence.`)
      }),
    )

  verb(org, 'plan', 'put an organisation on a plan; a subscriber gets an invoice for what it costs more')
    .requiredOption('--org <id>', 'its id')
    .requiredOption('--plan <plan>', 'id of the plan ("assayd plan list")')
    .action((options: { org: string; plan: string; json?: boolean }) =>
      withStore(context, async (store) => {
        const invoice = await store.change((tx) => setPlan(tx, store, operatorIn(options.org), options.plan))
        await store.announceAccount(options.org)
        const row = { ...(await present(store, options.org)), invoice_id: invoice?.id ?? null }
        print(context, options.json, row, () =>
          [
            `Organisation ${row.organisation_id} is on plan ${row.plan}.`,
            ...(invoice ? [`Invoice ${invoice.number}: ${invoice.total_pence} pence.`] : []),
          ].join('\n'),
        )
      }),
    )

  verb(org, 'second-factor', 'require a second factor of the members; with --off, no longer')
    .requiredOption('--org <id>', 'its id')
    .option('--off', 'no longer')
    .action((options: { org: string; off?: boolean; json?: boolean }) =>
      withStore(context, async (store) => {
        const required = options.off !== true
        await store.change((tx) => setSecondFactorRequired(tx, operatorIn(options.org), required))
        await announcePersonChange(store.sql)
        const row = { ...(await present(store, options.org)), requires_second_factor: required }
        print(context, options.json, row, () =>
          required
            ? `Members of ${row.organisation_id} need a second factor from now on.`
            : `Members of ${row.organisation_id} need no second factor.`,
        )
      }),
    )

  verb(org, 'limit', 'limit how much an organisation may owe beyond its credit; without --pence, as its plan says')
    .requiredOption('--org <id>', 'its id')
    .option('--pence <n>', 'the limit', wholeNumber('--pence', 0, PENCE_MAX))
    .action((options: { org: string; pence?: number; json?: boolean }) =>
      withStore(context, async (store) => {
        const limit = options.pence ?? null
        await store.change((tx) => setOverageLimit(tx, store, operatorIn(options.org), limit))
        const row = { ...(await present(store, options.org)), overage_limit_pence: limit }
        print(context, options.json, row, () =>
          limit === null
            ? `The overage of ${row.organisation_id} is limited as its plan says.`
            : `The overage of ${row.organisation_id} is limited to ${limit} pence.`,
        )
      }),
    )
}

async function present(store: Store, id: string) {
  await bringToPresent(store, id)
  return describe(store, await requireOrganisation(store.sql, id))
}

async function describe(store: Store, organisation: Organisation) {
  return view(organisation, await readAccount(store, organisation.id))
}

function view(organisation: Organisation, account: Account) {
  return {
    organisation_id: organisation.id,
    name: organisation.name,
    state: organisation.state,
    state_reason: organisation.state_reason,
    plan: account.planId,
    credit_pence: account.includedPence + account.prepaidPence,
    overage_pence: account.overagePence,
    free_units_used: account.freeUnitsUsed,
    period: account.period,
    created_at: isoOrNull(organisation.created_at),
  }
}
