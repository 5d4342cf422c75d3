/**
 * Every 200 against the ledger, in both directions.
 *
 * Lost: a 200 without its entry. Double: two entries for one request, or an entry nobody had a 200 for that was neither
 * refunded nor kept for the retry under its Idempotency-Key. Unheard: an entry of a request without a key whose
 * connection broke before the answer arrived; only a node that is killed or paused may leave one, and only a key helps.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { assayd } from '../support/process.ts'
import { openPlace, type StorePlace } from '../support/stores.ts'
import type { Check, Load } from './load.ts'

export interface Comparison {
  readonly requests: number
  readonly answered: number
  readonly refunded: number
  readonly unheard: number
  readonly lost: number
  readonly double: number
  /** The exact difference, for the reader of the failure. */
  readonly findings: readonly string[]
}

interface EntryRow {
  readonly seq: number
  readonly kind: string
  readonly family: string
  readonly units: number
  readonly included_delta_pence: number
  readonly prepaid_delta_pence: number
  readonly overage_delta_pence: number
  readonly included_after_pence: number
  readonly prepaid_after_pence: number
  readonly request_id: string | null
  readonly credential_id: string | null
}

interface BillingFields {
  readonly billable_units: number
  readonly total_price_pence: number
  readonly charged_from_credit_pence: number
  readonly overage_pence: number
  readonly remaining_credit_pence: number
}

export async function compare(options: {
  readonly place: StorePlace
  readonly organisationId: string
  readonly load: Load
  readonly env: Record<string, string>
}): Promise<Comparison> {
  const { place, organisationId, load, env } = options
  const verified = await assayd(['ledger', 'verify', '--json'], env)
  const findings: string[] = verified.code === 0 ? [] : [`ledger verify: ${verified.stdout}${verified.stderr}`]
  const sql = await openPlace(place)
  try {
    const entries = await sql.query<EntryRow>(
      `select seq, kind, family, units, included_delta_pence, prepaid_delta_pence, overage_delta_pence,
         included_after_pence, prepaid_after_pence, request_id, credential_id
       from ledger_entry where organisation_id = $1 and kind in ('charge', 'refund') order by seq`,
      [organisationId],
    )
    const kept = await sql.query<{ key: string }>('select key from stored_response where organisation_id = $1', [
      organisationId,
    ])
    return judge(load, entries, new Set(kept.map(({ key }) => key)), findings)
  } finally {
    await sql.close()
  }
}

function judge(
  load: Load,
  entries: readonly EntryRow[],
  kept: ReadonlySet<string>,
  found: readonly string[],
): Comparison {
  const findings = [...found]
  let lost = 0
  let double = 0
  let unheard = 0
  const note = (problem: string, check: Check | undefined, entry?: EntryRow) =>
    findings.push(`${problem}: ${JSON.stringify({ check, entry })}`)

  const refunded = new Set(entries.filter(({ kind }) => kind === 'refund').map(({ request_id }) => request_id))
  const charges = new Map<string, EntryRow>()
  for (const entry of entries) {
    if (entry.kind !== 'charge') continue
    const id = entry.request_id ?? ''
    if (charges.has(id)) {
      double++
      note('two entries for one request', undefined, entry)
    }
    charges.set(id, entry)
  }

  /** Entries that belong to nobody's 200 yet. */
  const left = new Map(charges)
  for (const check of load.checks) {
    const { answer } = check
    if (!answer || answer.replayed) continue
    const entry = charges.get(answer.requestId)
    if (!entry || refunded.has(answer.requestId)) {
      lost++
      note(entry ? 'a 200 was refunded' : 'a 200 without its entry', check, entry)
      continue
    }
    left.delete(answer.requestId)
    const difference = differenceOf(check, answer.text, entry)
    if (difference) note(difference, check, entry)
  }
  for (const id of refunded) left.delete(id ?? '')

  /** Takes the entry of a request whose id nobody was told: same caller, same family, same number of records. */
  const takeLike = (check: Check): EntryRow | undefined => {
    for (const [id, entry] of left) {
      if (entry.credential_id !== check.credentialId || entry.family !== check.family) continue
      if (entry.units !== check.units) continue
      left.delete(id)
      return entry
    }
    return undefined
  }

  for (const check of load.checks) {
    if (check.key !== undefined && !check.answer) {
      lost++
      note('a request with a key was never answered', check)
    } else if (check.key !== undefined && !kept.has(check.key)) note('no answer is kept for a retry', check)
    // Also without a key of the caller: a balancer that repeats checks sends one of its own.
    if (!check.answer?.replayed) continue
    const entry = takeLike(check)
    if (!entry) {
      lost++
      note('an answer given again has no entry', check)
    } else {
      const difference = differenceOf(check, check.answer.text, entry)
      if (difference) note(difference, check, entry)
    }
  }
  for (const check of load.checks) {
    const [first] = check.attempts
    // A 502 without a request id is a balancer's: its connection to the node broke.
    const isCut = first?.outcome === 'cut' || (first?.outcome === 502 && first.requestId === undefined)
    if (check.key !== undefined || !isCut) continue
    if (takeLike(check)) unheard++
  }
  for (const check of load.otherwise) note('the answer to a retry is another', check)
  for (const entry of left.values()) {
    double++
    const of = load.checks.find(({ attempts }) => attempts.some(({ requestId }) => requestId === entry.request_id))
    note('an entry nobody had a 200 for', of, entry)
  }
  return {
    requests: load.checks.reduce((sum, { attempts }) => sum + attempts.length, 0),
    answered: load.answered,
    refunded: refunded.size,
    unheard,
    lost,
    double,
    findings,
  }
}

function differenceOf(check: Check, text: string, entry: EntryRow): string | undefined {
  const billing = JSON.parse(text) as BillingFields
  const creditPence = 0 - entry.included_delta_pence - entry.prepaid_delta_pence
  const same =
    entry.units === check.units &&
    billing.billable_units === check.units &&
    billing.charged_from_credit_pence === creditPence &&
    billing.overage_pence === entry.overage_delta_pence &&
    billing.total_price_pence === creditPence + entry.overage_delta_pence &&
    billing.remaining_credit_pence === entry.included_after_pence + entry.prepaid_after_pence
  return same ? undefined : 'the answer says other amounts than the entry'
}

const WAITS_MAX = 2400

/** How many files of charges a node keeps of which nobody knows whether they were committed. */
export function refundsOwed(dataDir: string): number {
  const folder = join(dataDir, 'refunds-owed')
  return existsSync(folder) ? readdirSync(folder).length : 0
}

/** Resolves when a node of this data folder owes no refund any more. */
export async function refundsPaid(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'refunds-owed')
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    if (refundsOwed(dataDir) === 0) return
    await delay(50)
  }
  throw new Error(`refunds are still owed: ${readdirSync(folder).join(', ')}`)
}
