/**
 * A CSV of suppliers (name, domain) in; the same with risk and decision out.
 *
 *     node examples/onboard-suppliers.js examples/data/suppliers.csv > decided.csv
 */
import { readFileSync } from 'node:fs'
import { Assay } from '@assay/sdk'

const DECISIONS = { low: 'onboard', medium: 'review', high: 'due diligence' }

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node examples/onboard-suppliers.js FILE')
  process.exit(1)
}
const [header = '', ...rows] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
const column = header.split(',').indexOf('domain')
if (column < 0) {
  console.error(`${file} has no column "domain".`)
  process.exit(1)
}

const assay = new Assay({
  baseUrl: process.env.ASSAY_URL ?? 'http://localhost:8080',
  apiKey: process.env.ASSAY_API_KEY,
})
const run = assay.supplyChain.checkMany(rows.map((row) => row.split(',')[column] ?? ''))
console.log(`${header},risk,risk_score,decision`)
for await (const record of run) {
  const outcome = record.error
    ? `,,"not checked: ${record.error.message.replaceAll('"', "'")}"`
    : `${record.risk},${record.risk_score},${DECISIONS[record.risk]}`
  console.log(`${rows[record.index]},${outcome}`)
}
const { billable_units, total_price_pence } = run.billing
console.error(`${rows.length} suppliers, ${billable_units} billed, ${total_price_pence}p`)
