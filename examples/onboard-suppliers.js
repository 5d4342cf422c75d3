/**
 * A list of suppliers in, as a spreadsheet saves it: CSV in any form, or a workbook. The same with risk and decision
 * out. The column with the domains is found by what it holds; links and names beside an address are read, too.
 *
 *     node examples/onboard-suppliers.js examples/data/suppliers.csv > decided.csv
 */
import { readFileSync } from 'node:fs'
import { csvRow } from '@assay/reader/csv'
import { isNothingToCheck } from '@assay/reader/indicator'
import { readList, readTable } from '@assay/reader/list'
import { Assay } from '@assay/sdk'

const DECISIONS = { low: 'onboard', medium: 'review', high: 'due diligence' }

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node examples/onboard-suppliers.js FILE')
  process.exit(1)
}
const table = await readTable(new Blob([readFileSync(file)]))
if (!table.guess) {
  console.error(`${file} has no column with domains: ${table.columns.join(', ')}.`)
  process.exit(1)
}
const { rows, distinct } = await readList(table, { column: table.guess.column, kind: 'domain' })

const assay = new Assay({
  baseUrl: process.env.ASSAY_URL ?? 'http://localhost:8080',
  apiKey: process.env.ASSAY_API_KEY,
})
const run = assay.supplyChain.checkMany(distinct.map(({ indicator }) => indicator.value))
/** @type {(string | number)[][]} */
const answers = []
for await (const record of run) {
  answers.push(
    record.error
      ? ['', '', `not checked: ${record.error.message}`]
      : [record.risk, record.risk_score, DECISIONS[record.risk]],
  )
}

process.stdout.write(csvRow([...table.columns, 'risk', 'risk_score', 'decision']))
for (const { row, place, problem } of rows) {
  const decision = isNothingToCheck(problem) ? 'review' : 'not checked'
  const outcome = place === undefined ? ['', '', `${decision}: ${problem}`] : answers[place]
  process.stdout.write(csvRow([...row.cells, ...(outcome ?? [])]))
}
const { billable_units, total_price_pence } = run.billing
console.error(`${rows.length} suppliers, ${billable_units} billed, £${(total_price_pence / 100).toFixed(2)}`)
