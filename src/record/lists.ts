/**
 * The records of a list on record. SQLite has one writer, and 10,000 rows at once would hold it for others. So the charge
 * writes one row for the list, and its records get rows of their own in short transactions. Each says how far it came, so
 * that any node continues after a crash.
 */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { type ChargedCheck, checksToInsert, type KeptList, keptLists, recordIdOf } from '../db/kept-checks.ts'
import { runStatements } from '../db/routine.ts'
import type { Sql } from '../db/sql.ts'
import { checkText } from '../lib/charge.ts'
import type { Kind } from '../lib/kinds.ts'
import { KINDS } from '../lib/kinds.ts'
import type { Ring } from '../lib/seal.ts'
import type { Level } from '../risk/engine.ts'
import { indicatorText, isProblem, parseIndicator, targetOf } from '../risk/indicator.ts'
import { type IndicatorDigest, indicatorDigest, placeOfList, sealingOfChecks, sealOfChecks } from './sealed.ts'

export interface ListContent {
  /** The results as JSON, with commas between them. */
  readonly results: string
  /** JSON of the fields that the results share. */
  readonly shared: string
}

/** JSON has no line break. */
export const listText = ({ results, shared }: ListContent): string => `${shared}\n${results}`

/** Sealed together, and written in a few milliseconds. */
const RECORDS_AT_ONCE = 50
const inflated = promisify(inflate)

interface RecordDependencies {
  readonly sql: Sql
  readonly ring: Ring
}

/**
 * Makes the rows of a list, and then deletes the list. Another node may do the same: each part is made once, and all are
 * there afterwards.
 */
export async function makeRecords(
  { sql, ring }: RecordDependencies,
  place: { readonly organisationId: string; readonly id: string },
): Promise<void> {
  const key = { organisation_id: place.organisationId, id: place.id }
  const list = await keptLists.find(sql, key)
  if (!list) return
  const packed = await sealOfChecks(ring).open(list.sealed, placeOfList(place.organisationId, place.id))
  const [shared = '{}', results = ''] = (await inflated(Buffer.from(packed, 'base64'))).toString('utf8').split('\n')
  const records = splitResults(list.kind, results)
  const digest = await indicatorDigest(sql, ring, place.organisationId)
  for (let from = list.made; from < records.length; ) {
    const place = from
    const upTo = Math.min(records.length, place + RECORDS_AT_ONCE)
    const rows = records
      .slice(place, upTo)
      .map((text, i) => rowOf(list, digest, { text, shared, place: place + i, length: records.length }))
    from = await sql.transaction(async (tx) => {
      const now = await keptLists.lock(tx, key)
      // Another node is at it: go on where it is. Or the list was finished, or erased.
      if (now?.made !== place) return now?.made ?? records.length
      await runStatements(tx, checksToInsert(tx, sealingOfChecks(ring), rows))
      if (upTo === records.length) await keptLists.delete(tx, key)
      else
        await tx.query('update kept_list set made = $3 where organisation_id = $1 and id = $2', [
          key.organisation_id,
          key.id,
          upTo,
        ])
      return upTo
    })
  }
}

/**
 * The records of a list's results, unparsed: parsing all at once would hold the thread. Every result begins with its kind,
 * which is no field of an inner object; inside a string the quotes would have backslashes.
 */
export function splitResults(kind: Kind, results: string): string[] {
  const start = `{"${kind}":`
  return results.split(`,${start}`).map((text, i) => (i === 0 ? text : `${start}${text}`))
}

interface Result {
  readonly risk: Level
  readonly risk_score: number
  readonly decision?: { readonly outcome: 'approve' | 'review' | 'stop' }
}

function rowOf(
  list: KeptList,
  digest: IndicatorDigest,
  record: { readonly text: string; readonly shared: string; readonly place: number; readonly length: number },
): ChargedCheck {
  const { kind } = list
  const { [kind]: submitted, ...result } = JSON.parse(record.text) as Result & Record<Kind, string>
  const indicator = parseIndicator(kind, submitted)
  if (isProblem(indicator)) throw new Error(`a list on record has an invalid ${kind}`)
  const { family, sourceType } = KINDS[kind]
  const { risk, risk_score, ...reasons } = result
  // The form of a single answer, so that one page shows both.
  const answer = { endpoint: family, risk, risk_score, source_type: sourceType, target: targetOf(indicator) }
  const more = { ...reasons, ...(JSON.parse(record.shared) as object) }
  return {
    organisationId: list.organisation_id,
    id: recordIdOf(list.id, record.place),
    credentialId: list.credential_id,
    repeatKey: list.repeat_key,
    billing: shareOf(list.billing, record.place, record.length),
    check: {
      kind,
      channel: list.channel,
      personId: list.person_id,
      intelligence: list.intelligence,
      level: risk,
      score: risk_score,
      digest: digest(kind, indicatorText(indicator)),
      outcome: result.decision?.outcome ?? null,
    },
    text: checkText(
      submitted,
      `${JSON.stringify(answer).slice(0, -1)},`,
      Object.keys(more).length === 0 ? '}' : `,${JSON.stringify(more).slice(1)}`,
    ),
  }
}

interface Billing {
  readonly unit_price_pence: number
  readonly total_price_pence: number
  readonly charged_from_credit_pence: number
  readonly remaining_credit_pence: number
}

/** The billing fields of one record. Free units come first, then credit, then overage: the shares add up to the list's. */
function shareOf(billing: string, place: number, length: number): string {
  const whole = JSON.parse(`{${billing}}`) as Billing
  const { unit_price_pence: unit, total_price_pence: total } = whole
  const paid = unit === 0 ? 0 : Math.round(total / unit)
  const before = Math.max(0, place - (length - paid))
  const price = place >= length - paid ? unit : 0
  const fromCredit = Math.min(price, Math.max(0, whole.charged_from_credit_pence - before * unit))
  const share = {
    charged: price > 0,
    is_free: price === 0,
    unit_price_pence: unit,
    billable_units: 1,
    total_price_pence: price,
    charged_from_credit_pence: fromCredit,
    overage_pence: price - fromCredit,
    remaining_credit_pence: whole.remaining_credit_pence,
  }
  return JSON.stringify(share).slice(1, -1)
}

/** Lists that a node left unfinished. One that cannot be opened does not stop the others. */
export async function makeWaitingRecords(deps: RecordDependencies, signal?: AbortSignal): Promise<void> {
  const lists = await deps.sql.query<{ organisation_id: string; id: string }>(
    'select organisation_id, id from kept_list order by organisation_id, id limit 1000',
  )
  const failures: unknown[] = []
  for (const { organisation_id, id } of lists) {
    if (signal?.aborted) return
    await makeRecords(deps, { organisationId: organisation_id, id }).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** Before an erasure: what it looks for may still be in a list. */
export async function makeRecordsOf(deps: RecordDependencies, organisationId: string): Promise<void> {
  const lists = await deps.sql.query<{ id: string }>('select id from kept_list where organisation_id = $1', [
    organisationId,
  ])
  for (const { id } of lists) await makeRecords(deps, { organisationId, id })
}
