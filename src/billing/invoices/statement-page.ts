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

const TITLES: Readonly<Record<string, string>> = {
  grant: 'Included credit of the month',
  expire: 'Included credit expired',
  charge: 'Checks',
  credit: 'Credit added',
  plan: 'Change of plan',
  refund: 'Refunds',
  settle: 'Overage settled',
}

export function statementPage(
  statement: Statement,
  organisation: { readonly id: string; readonly name: string },
): string {
  const rows = (cells: readonly (string | number)[][]) =>
    cells
      .map(
        (row) =>
          `<tr>${row.map((cell, i) => `<td${i > 0 ? ' class="n"' : ''}>${escapeHtml(cell)}</td>`).join('')}</tr>`,
      )
      .join('\n')
  const table = (header: readonly string[], cells: readonly (string | number)[][]) =>
    `<table><thead><tr>${header.map((text, i) => `<th scope="col"${i > 0 ? ' class="n"' : ''}>${escapeHtml(text)}</th>`).join('')}</tr></thead><tbody>\n${rows(cells)}\n</tbody></table>`
  const balance = (name: string, one: Balances) => [
    name,
    pounds(one.included_credit_pence),
    pounds(one.prepaid_credit_pence),
    pounds(one.overage_owed_pence),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Statement ${statement.month}, ${escapeHtml(organisation.name)}</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; color: #111; background: #fff; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid #ccc }
.n { text-align: right; font-variant-numeric: tabular-nums }
@media print { body { margin: 0 } }
</style></head><body>
<h1>Statement for ${statement.month}</h1>
<p>${escapeHtml(organisation.name)} (${escapeHtml(organisation.id)})${statement.state === 'open' ? '. The month goes on: these are the figures so far.' : ''}</p>
<h2>Checks</h2>
${table(
  ['Endpoint', 'Records', 'Free', 'Unit price', 'From credit', 'Overage'],
  statement.usage.map((row) => [
    row.family,
    row.units,
    row.free_units,
    pounds(row.unit_price_pence),
    pounds(row.charged_from_credit_pence),
    pounds(row.overage_pence),
  ]),
)}
<h2>Credit and overage</h2>
${table(
  ['', 'Included credit', 'Prepaid credit', 'Overage owed'],
  [
    balance('Opening', statement.opening),
    ...statement.movements.map((row) => [
      TITLES[row.kind] ?? row.kind,
      pounds(row.included_delta_pence),
      pounds(row.prepaid_delta_pence),
      pounds(row.overage_delta_pence),
    ]),
    balance('Closing', statement.closing),
  ],
)}
<h2>Invoiced</h2>
${table(
  ['Item', 'Invoice', 'State', 'Amount'],
  statement.invoiced.map((line) => [line.description, line.number, line.state, pounds(line.amount_pence)]),
)}
<p><strong>Plan ${pounds(statement.plan_price_pence)}, overage ${pounds(statement.overage_pence)}, together ${pounds(statement.total_due_pence)}.</strong></p>
</body></html>
`
}

function pounds(pence: number): string {
  const whole = Math.abs(pence)
  return `${pence < 0 ? '−' : ''}£${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

function escapeHtml(value: string | number): string {
  return String(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
