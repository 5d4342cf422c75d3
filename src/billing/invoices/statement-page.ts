import { escapeHtml } from '../../lib/html.ts'
import type { EntryKind } from '../ledger/ledger.ts'
import { pounds, printedPage, printedTable } from './printing.ts'
import type { Balances, Statement } from './statements.ts'

/** A statement as a page to print, and as rows for a spreadsheet. Pure. */

export const STATEMENT_FIELDS = [
  'section',
  'item',
  'units',
  'unit_price_pence',
  'included_pence',
  'prepaid_pence',
  'overage_pence',
  'total_pence',
]

export function statementRows(statement: Statement): (string | number | null)[][] {
  const balance = (item: string, one: Balances) => [
    'balance',
    item,
    null,
    null,
    one.included_credit_pence,
    one.prepaid_credit_pence,
    one.overage_owed_pence,
    null,
  ]
  return [
    balance('opening', statement.opening),
    ...statement.movements.map((row) => [
      'movement',
      row.kind,
      row.entries,
      null,
      row.included_delta_pence,
      row.prepaid_delta_pence,
      row.overage_delta_pence,
      row.included_delta_pence + row.prepaid_delta_pence - row.overage_delta_pence,
    ]),
    balance('closing', statement.closing),
    ...statement.usage.map((row) => [
      'usage',
      row.family,
      row.units,
      row.unit_price_pence,
      null,
      null,
      row.overage_pence,
      row.total_price_pence,
    ]),
    ...statement.invoiced.map((line) => [
      'invoiced',
      line.description,
      null,
      null,
      null,
      null,
      null,
      line.amount_pence,
    ]),
    ['due', 'plan and overage', null, null, null, null, statement.overage_pence, statement.total_due_pence],
  ]
}

const TITLES: Readonly<Record<EntryKind, string>> = {
  grant: 'Included credit of the month',
  expire: 'Included credit expired',
  charge: 'Checks',
  credit: 'Credit added',
  plan: 'Change of plan',
  refund: 'Refunds',
  settle: 'Overage settled',
  reversal: 'Payments that went back',
}

export function statementPage(
  statement: Statement,
  organisation: { readonly id: string; readonly name: string },
): string {
  const balance = (name: string, one: Balances) => [
    name,
    pounds(one.included_credit_pence),
    pounds(one.prepaid_credit_pence),
    pounds(one.overage_owed_pence),
  ]
  const checks = printedTable(
    ['Endpoint', 'Records', 'Free', 'Unit price', 'From credit', 'Overage'],
    statement.usage.map((row) => [
      row.family,
      row.units,
      row.free_units,
      pounds(row.unit_price_pence),
      pounds(row.charged_from_credit_pence),
      pounds(row.overage_pence),
    ]),
  )
  const credit = printedTable(
    ['', 'Included credit', 'Prepaid credit', 'Overage owed'],
    [
      balance('Opening', statement.opening),
      ...statement.movements.map((row) => [
        TITLES[row.kind],
        pounds(row.included_delta_pence),
        pounds(row.prepaid_delta_pence),
        pounds(row.overage_delta_pence),
      ]),
      balance('Closing', statement.closing),
    ],
  )
  const invoiced = printedTable(
    ['Item', 'Invoice', 'State', 'Amount'],
    statement.invoiced.map((line) => [line.description, line.number, line.state, pounds(line.amount_pence)]),
  )
  return printedPage({
    title: `Statement ${statement.month}, ${organisation.name}`,
    content: `<h1>Statement for ${statement.month}</h1>
<p>${escapeHtml(organisation.name)} (${escapeHtml(organisation.id)})${statement.state === 'open' ? '. The month goes on: these are the figures so far.' : ''}</p>
<h2>Checks</h2>
${checks}
<h2>Credit and overage</h2>
${credit}
<h2>Invoiced</h2>
${invoiced}
<p><strong>Plan ${pounds(statement.plan_price_pence)}, overage ${pounds(statement.overage_pence)}, together ${pounds(statement.total_due_pence)}.</strong></p>`,
  })
}
