import Type, { type Static } from 'typebox'
import { oneOf } from '../../http/operation.ts'
import { Count, named, Pence, TextLike } from '../../http/schema.ts'
import { type CsvCell, toCsv } from '../../lib/csv.ts'
import { escapeHtml } from '../../lib/html.ts'
import { ENTRY_KINDS, type EntryKind } from '../ledger/ledger.ts'
import { FamilySchema, UsageAmountsSchema } from '../usage/http.ts'
import { pounds, printedPage, printedTable } from './printing.ts'

/** The statement of a month as JSON, as CSV, and as a page to print. Pure. */

const BalancesSchema = named('Balances', {
  included_credit_pence: Pence('Included credit.'),
  prepaid_credit_pence: Pence('Prepaid credit.'),
  overage_owed_pence: Pence('Overage not settled.'),
})
export type Balances = Static<typeof BalancesSchema>

const Delta = Type.Integer({ description: 'Sum of the movements.' })
const SAMPLE_MOVEMENTS = [
  { kind: 'charge', entries: 12, included_delta_pence: -240, prepaid_delta_pence: 0, overage_delta_pence: 0 },
  { kind: 'expire', entries: 1, included_delta_pence: -11760, prepaid_delta_pence: 0, overage_delta_pence: 0 },
  { kind: 'grant', entries: 1, included_delta_pence: 12000, prepaid_delta_pence: 0, overage_delta_pence: 0 },
]
const CountOrNull = (sample: number, about: object = {}) =>
  Type.Union([Type.Integer(), Type.Null()], { ...about, examples: [sample] })

export const StatementSchema = named('Statement', {
  month: TextLike('2026-03'),
  state: oneOf(['open', 'closed'], { description: '`open` until the month ends.', examples: ['closed'] }),
  first_entry: CountOrNull(40, { description: 'Number of the first ledger entry.' }),
  last_entry: CountOrNull(53),
  opening: BalancesSchema,
  usage: Type.Array(Type.Object({ family: FamilySchema, unit_price_pence: Pence('Price.', 2), ...UsageAmountsSchema })),
  movements: Type.Array(
    Type.Object({
      kind: oneOf(ENTRY_KINDS),
      entries: Type.Integer(),
      included_delta_pence: Delta,
      prepaid_delta_pence: Delta,
      overage_delta_pence: Delta,
    }),
    {
      description: 'The opening balance and the movements add up to the closing balance.',
      examples: [SAMPLE_MOVEMENTS],
    },
  ),
  closing: BalancesSchema,
  invoiced: Type.Array(
    Type.Object({
      invoice_id: TextLike('bil_1QwErTyUiOpAsDfGhJkL'),
      number: Count(3),
      state: TextLike('paid'),
      kind: TextLike('plan'),
      description: TextLike('Growth, 2026-03'),
      amount_pence: Count(9900),
    }),
  ),
  plan_price_pence: Pence('Price of the plan for the month.', 9900),
  overage_pence: Count(0, 'Overage of the month.'),
  total_due_pence: Count(9900, 'Sum of both.'),
})
export type Statement = Static<typeof StatementSchema>

const FIELDS = [
  ...['section', 'item', 'units', 'unit_price_pence'],
  ...['included_pence', 'prepaid_pence', 'overage_pence', 'total_pence'],
]

export function statementCsv({ opening, movements, closing, usage, invoiced, ...due }: Statement): string {
  const balance = (item: string, one: Balances): CsvCell[] => {
    const { included_credit_pence: included, prepaid_credit_pence: prepaid, overage_owed_pence: owed } = one
    return ['balance', item, null, null, included, prepaid, owed, null]
  }
  return toCsv(FIELDS, [
    balance('opening', opening),
    ...movements.map((row): CsvCell[] => {
      const { included_delta_pence: included, prepaid_delta_pence: prepaid, overage_delta_pence: overage } = row
      return ['movement', row.kind, row.entries, null, included, prepaid, overage, included + prepaid - overage]
    }),
    balance('closing', closing),
    ...usage.map((row): CsvCell[] => {
      const { family, units, unit_price_pence: price, overage_pence: overage, total_price_pence: total } = row
      return ['usage', family, units, price, null, null, overage, total]
    }),
    ...invoiced.map((one): CsvCell[] => ['invoiced', one.description, null, null, null, null, null, one.amount_pence]),
    ['due', 'plan and overage', null, null, null, null, due.overage_pence, due.total_due_pence],
  ])
}

const TITLES: Readonly<Record<EntryKind, string>> = {
  grant: 'Included credit of the month',
  expire: 'Included credit expired',
  charge: 'Checks',
  credit: 'Credit added',
  plan: 'Change of plan',
  refund: 'Refunds',
  settle: 'Overage settled',
  reversal: 'Returned payments',
}

export function statementPage(statement: Statement, organisation: { readonly id: string; readonly name: string }) {
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
<p>${escapeHtml(organisation.name)} (${escapeHtml(organisation.id)})${statement.state === 'open' ? '. The month has not ended: these are the figures so far.' : ''}</p>
<h2>Checks</h2>
${checks}
<h2>Credit and overage</h2>
${credit}
<h2>Invoiced</h2>
${invoiced}
<p><strong>Plan ${pounds(statement.plan_price_pence)}, overage ${pounds(statement.overage_pence)}, together ${pounds(statement.total_due_pence)}.</strong></p>`,
  })
}
