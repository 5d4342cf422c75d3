import type { Command } from 'commander'
import { operatorIn } from '../../access/actor.ts'
import { STATE_REASONS } from '../../access/organisation-state.ts'
import { announcePersonChange } from '../../identity/announce.ts'
import { type Organisation, requireOrganisation } from '../../identity/organisation/organisations.ts'
import { setSecondFactorRequired } from '../../identity/organisation/second-factor.ts'
import { shown } from '../../lib/clock.ts'
import { invoiceName } from '../../lib/money-text.ts'
import type { VerbContext } from '../../verb/context.ts'
import { fieldLines, listAnswer } from '../../verb/output.ts'
import { flag, LIST_ROWS_MAX, optional, required, verbsOf, wholeNumber, withDefault } from '../../verb/verb.ts'
import { arrangeOrganisation } from '../checkout/sign-up.ts'
import { readAccount } from '../ledger/accounts.ts'
import type { Account } from '../ledger/ledger.ts'
import { type BillingStore, withBilling } from '../verbs.ts'
import { applyDueChanges } from './open-account.ts'
import { findOrganisations } from './overview.ts'
import { addCredit, type OperatorWord, setOperatorWord, setOverageLimit, setPlan } from './subscription.ts'

const PENCE_MAX = 1_000_000_000
const LISTED_MAX = 1000
const ONE = { id: required('--org <id>', 'its id') }

const WORDS: Record<OperatorWord, string> = {
  disable: 'disable an organisation: its credentials get 403 until it is enabled',
  enable: 'enable a disabled organisation, in its previous state',
  deactivate: 'end the subscription of an organisation; a new subscription or activate restores it',
  activate: 'undo deactivate',
  approve: 'approve an organisation that signed up, if sign-up needs approval',
}

/** `assayd org`: organisations and their entitlements. Other features add verbs to the returned group. */
export function registerOrgVerbs(program: Command, context: VerbContext): Command {
  const org = program.command('org').description('organisations: the customers who are charged')
  const add = verbsOf(org, context, withBilling)

  add('create', 'create an organisation and its first API key', {
    name: required('--name <name>', 'its name, for people'),
    planId: required('--plan <plan>', 'id of its plan ("assayd plan list")'),
    creditPence: withDefault(
      '--credit-pence <n>',
      'prepaid credit to start with',
      0,
      wholeNumber('--credit-pence', 0, PENCE_MAX),
    ),
  }).runs(async (store, { name, planId, creditPence }) => {
    const made = await store.change((tx) => arrangeOrganisation(tx, store, { name, planId, creditPence }))
    const { organisation, keyId: api_key_id, apiKey: api_key } = made
    const { organisation_id, plan, credit_pence } = await describe(store, organisation)
    return {
      value: { organisation_id, name: organisation.name, plan, credit_pence, api_key_id, api_key },
      text: [
        `Organisation ${organisation_id} (${organisation.name}) on plan ${plan}, credit ${credit_pence} pence.`,
        `API key, shown only once: ${api_key}`,
      ],
    }
  })

  add('list', 'show organisations, newest first', {
    search: withDefault('--search <text>', 'part of the name, id, email address of a member, or invoice: INV-1', ''),
    limit: withDefault('--limit <n>', 'maximum number of rows', LISTED_MAX, wholeNumber('--limit', 1, LIST_ROWS_MAX)),
    afterId: optional('--after <id>', 'continue after this organisation'),
  }).runs(async (store, { search, limit, afterId }) => {
    const after = afterId === undefined ? undefined : await requireOrganisation(store.sql, afterId)
    const found = await findOrganisations(store, { search, limit: limit + 1, after })
    const rows = found.slice(0, limit).map(({ organisation, account }) => view(organisation, account))
    const last = rows.at(-1)
    if (found.length > limit) context.writeError(`There are more: continue with --after ${last?.organisation_id}\n`)
    const none =
      search === ''
        ? 'There is no organisation yet: assayd org create --name NAME --plan PLAN'
        : 'There is no such organisation.'
    return listAnswer(rows, (row) => row, none, {
      ORGANISATION: (row) => row.organisation_id,
      NAME: (row) => row.name,
      STATE: (row) => (row.erased_at === null ? row.state : 'erased'),
      WHY: (row) => row.state_reason,
      PLAN: (row) => row.plan,
      // The ledger still has it, and nobody can use it any more.
      'CREDIT PENCE': (row) => (row.erased_at === null ? row.credit_pence : 'erased'),
      'OVERAGE PENCE': (row) => row.overage_pence,
    })
  })

  add('show', 'show one organisation', ONE).runs(async (store, { id }) => {
    const row = await current(store, id)
    return { value: row, text: fieldLines(row, 20) }
  })

  for (const [word, about] of Object.entries(WORDS) as [OperatorWord, string][]) {
    add(word, about, ONE).runs(async (store, { id }) => {
      await store.change((tx) => setOperatorWord(tx, store, operatorIn(id), word))
      await store.announceAccount(id)
      const row = await current(store, id)
      const why = row.state_reason === null ? '' : ` ${STATE_REASONS[row.state_reason]}`
      return { value: row, text: `Organisation ${id} is now ${row.state}.${why}` }
    })
  }

  add('credit', 'add prepaid credit', {
    ...ONE,
    pence: required('--pence <n>', 'how much', wholeNumber('--pence', 1, PENCE_MAX)),
    reason: required('--reason <text>', 'reason, shown in the ledger'),
  }).runs(async (store, { id, pence, reason }) => {
    await store.change((tx) => addCredit(tx, store, operatorIn(id), { pence, reason }))
    const row = await current(store, id)
    return { value: row, text: `Credit of ${id} is now ${row.credit_pence} pence.` }
  })

  add('plan', 'set the plan of an organisation; a subscriber gets an invoice for the higher price', {
    ...ONE,
    plan: required('--plan <plan>', 'id of the plan ("assayd plan list")'),
  }).runs(async (store, { id, plan }) => {
    const invoice = await store.change((tx) => setPlan(tx, store, operatorIn(id), plan))
    await store.announceAccount(id)
    const row = { ...(await current(store, id)), invoice_id: invoice?.id ?? null }
    return {
      value: row,
      text: [
        `Organisation ${id} is on plan ${row.plan}.`,
        ...(invoice ? [`Invoice ${invoiceName(invoice.number)}: ${invoice.total_pence} pence.`] : []),
      ],
    }
  })

  add('second-factor', 'require a second factor of the members; --off ends this', {
    ...ONE,
    off: flag('--off', 'no longer'),
  }).runs(async (store, { id, off }) => {
    await store.change((tx) => setSecondFactorRequired(tx, store, operatorIn(id), { required: !off }))
    await announcePersonChange(store.sql)
    return {
      value: { ...(await current(store, id)), requires_second_factor: !off },
      text: off ? `Members of ${id} need no second factor.` : `Members of ${id} need a second factor from now on.`,
    }
  })

  add('limit', 'limit the overage of an organisation; without --pence, the limit of its plan applies', {
    ...ONE,
    pence: optional('--pence <n>', 'the limit', wholeNumber('--pence', 0, PENCE_MAX)),
  }).runs(async (store, { id, pence = null }) => {
    await store.change((tx) => setOverageLimit(tx, store, operatorIn(id), pence))
    return {
      value: { ...(await current(store, id)), overage_limit_pence: pence },
      text:
        pence === null
          ? `The overage limit of ${id} is that of its plan.`
          : `The overage of ${id} is limited to ${pence} pence.`,
    }
  })
  return org
}

async function current(store: BillingStore, id: string) {
  await applyDueChanges(store, id)
  return describe(store, await requireOrganisation(store.sql, id))
}

async function describe(store: BillingStore, organisation: Organisation) {
  return view(organisation, await readAccount(store, organisation.id))
}

function view(organisation: Organisation, account: Account) {
  return {
    organisation_id: organisation.id,
    ...shown(organisation, 'name', 'state', 'state_reason', 'created_at', 'erased_at'),
    plan: account.planId,
    credit_pence: account.includedPence + account.prepaidPence,
    overage_pence: account.overagePence,
    free_units_used: account.freeUnitsUsed,
    period: account.period,
  }
}
