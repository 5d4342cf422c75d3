/**
 * A gate in front of a payment. Prints what to do with it, and why.
 *
 *     node examples/approve-payment.js accounts@paypa1-login.com
 */
import { Assay, AssayError, ValidationError } from '@assay/sdk'

const DECISIONS = {
  low: { decision: 'pay', exitCode: 0 },
  medium: { decision: 'review', exitCode: 10 },
  high: { decision: 'stop', exitCode: 20 },
}

const [payee] = process.argv.slice(2)
if (!payee) {
  console.error('Usage: node examples/approve-payment.js EMAIL')
  process.exit(1)
}

const assay = new Assay({
  baseUrl: process.env.ASSAY_URL ?? 'http://localhost:8080',
  apiKey: process.env.ASSAY_API_KEY,
})
try {
  const { risk, risk_score, coverage, recommended_action, signals } = await assay.payment.explain(payee)
  // A name that nobody can register has a low score, because nothing is known about it: a person has to look.
  const isKnown = coverage.known !== 'not_public'
  const { decision, exitCode } = DECISIONS[isKnown ? risk : 'medium']
  console.log(`${decision}: ${isKnown ? `risk ${risk} (${risk_score}); ${recommended_action}` : coverage.summary}`)
  for (const { description, effect } of signals) console.log(`  ${effect > 0 ? '+' : ''}${effect} ${description}`)
  process.exitCode = exitCode
} catch (error) {
  if (!(error instanceof AssayError)) throw error
  // A gate that cannot ask must not open.
  const why = error instanceof ValidationError ? (error.errors[0]?.detail ?? error.message) : error.message
  console.log(`stop: not checked; ${why}`)
  process.exitCode = 1
}
