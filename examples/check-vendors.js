/**
 * A vendor list (one domain a line) checked in continuous integration: every finding becomes an annotation of its line,
 * and a high one fails the job. vendor-check.yml is the workflow.
 *
 *     node examples/check-vendors.js examples/data/vendors.txt
 */
import { readFileSync } from 'node:fs'
import { Assay, whyNothingToCheck } from '@assay/sdk'

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node examples/check-vendors.js FILE')
  process.exit(1)
}

/** The list comes from whoever opened the pull request: nothing in it may become a command of its own. */
/** @param {string} text */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
/** @param {'error' | 'warning'} level @param {number} line @param {string} text */
const annotate = (level, line, text) =>
  console.log(`::${level} file=${escaped(file).replaceAll(',', '%2C')},line=${line}::${escaped(text)}`)

const vendors = readFileSync(file, 'utf8')
  .split(/\r?\n/)
  .map((text, i) => ({ domain: text.trim(), line: i + 1 }))
  .filter(({ domain }) => domain !== '' && !domain.startsWith('#'))

const assay = new Assay({
  baseUrl: process.env.ASSAY_URL ?? 'http://localhost:8080',
  apiKey: process.env.ASSAY_API_KEY,
})
for await (const record of assay.supplyChain.checkMany(vendors.map(({ domain }) => domain))) {
  const line = vendors[record.index]?.line ?? 0
  if (record.error) {
    annotate('error', line, `${record.indicator} was not checked: ${record.error.message}`)
    process.exitCode ??= 1
  } else if (record.risk === 'high') {
    annotate('error', line, `${record.indicator} is of high risk (${record.risk_score})`)
    process.exitCode = 20
  } else if (whyNothingToCheck('domain', record.indicator)) {
    annotate('warning', line, `${record.indicator} says nothing: ${whyNothingToCheck('domain', record.indicator)}`)
  } else if (record.risk === 'medium') {
    annotate('warning', line, `${record.indicator} is of medium risk (${record.risk_score})`)
  }
}
