/**
 * The source addresses of a firewall log, the worst first, with how often each came.
 *
 *     node examples/triage-firewall-log.js examples/data/firewall.log
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Assay, whyNothingToCheck } from '@assay/sdk'

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node examples/triage-firewall-log.js FILE')
  process.exit(1)
}

/**
 * One address a line of the log: a million lines are read as they are checked, never all at once.
 * @param {string} path
 */
async function* sources(path) {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const source = /\bSRC=([0-9a-fA-F.:]+)/.exec(line)?.[1]
    // Private addresses have no reputation.
    if (source && !whyNothingToCheck('ip', source)) yield source
  }
}

const assay = new Assay({
  baseUrl: process.env.ASSAY_URL ?? 'http://localhost:8080',
  apiKey: process.env.ASSAY_API_KEY,
})
/** @type {Map<string, { score: number, times: number, reason: string }>} */
const suspects = new Map()
for await (const record of assay.infrastructure.checkMany(sources(file), { explain: true })) {
  if (record.error || record.risk === 'low') continue
  const known = suspects.get(record.indicator)
  if (known) known.times++
  else {
    const reason = record.signals?.[0]?.description ?? ''
    suspects.set(record.indicator, { score: record.risk_score, times: 1, reason })
  }
}
const worstFirst = [...suspects].sort(([, a], [, b]) => b.score - a.score || b.times - a.times)
for (const [ip, { score, times, reason }] of worstFirst) console.log(`${score}  ${ip}  ${times}×  ${reason}`)
if (suspects.size === 0) console.log('Nothing suspicious.')
