import { AssayError, type BillingSum, type Journal, type Outcome, type Signal } from '@assay/sdk'
import type { OrganisationApi } from '../api/organisation.ts'
import { capitalised, counted, money } from '../shell/format.ts'
import { type Answers, type Batch, codeOf, type Leg, type List, type RecordState } from './list.ts'
import { beginBatch, completeBatch, dropBatch } from './store.ts'

/** Sends on behalf of the owner. A list outlives its page and must not continue in the name of the next person. */
export type Sender = { readonly api: OrganisationApi; isSignedIn(): boolean }

/** The journal of the client library while it checks a leg. `onBatch` receives each new batch. */
export function journalOf(list: List, leg: Leg, sender: Sender, onBatch: (batch: Batch) => void): Journal {
  const { runId } = leg
  return {
    runId,
    async begin({ number, size, digest }) {
      if (!sender.isSignedIn()) throw new Error('You are signed out. Sign in, then continue.')
      const batch = { listId: list.id, runId, number, size, digest, begunAtMs: Date.now() }
      const known = await beginBatch(batch)
      if (!known) onBatch(batch)
      // The page reads the answers from the store; here only the number of outcomes counts.
      return (
        known && { outcomes: Array.from({ length: size }, () => NOT_SENT), billing: known.answers?.billing ?? FREE }
      )
    },
    async complete({ number, outcomes, billing }) {
      const answers = { ...packed(outcomes), billing }
      const checks = outcomes.map((outcome) => ('invalid' in outcome ? undefined : outcome.check_id))
      const kept = checks.some((id) => id !== undefined) ? { checks } : {}
      const signals = { listId: list.id, runId, number, ...signalsIn(outcomes), ...kept }
      const batch = await completeBatch({ runId, number, answers }, signals)
      if (batch) onBatch(batch)
      // The answers are stored. Stop here: nothing more may be sent for a price that nobody has agreed to.
      const agreedPence = outcomes.length * leg.unitPricePence
      if (billing.total_price_pence > agreedPence) throw chargedMore(outcomes.length, agreedPence, billing)
    },
    refused: ({ number }) => dropBatch(runId, number),
  }
}

function chargedMore(records: number, agreedPence: number, { total_price_pence }: BillingSum): AssayError {
  const agreed = agreedPence === 0 ? 'that were free' : `that cost ${money(agreedPence)} at most`
  const charged = `The service charged ${money(total_price_pence)} for ${counted(records, 'record')} ${agreed} when you agreed.`
  return new AssayError('price_changed', `${charged} Check the price, then continue.`)
}

const NOT_SENT: Outcome = { invalid: { code: 'not_sent', detail: '' } }
const FREE = {
  billable_units: 0,
  free_units: 0,
  total_price_pence: 0,
  charged_from_credit_pence: 0,
  overage_pence: 0,
  remaining_credit_pence: undefined,
}

function packed(outcomes: readonly Outcome[]): Omit<Answers, 'billing'> {
  const gists = outcomes.map(gist)
  const reasons = new Map<string, number>()
  for (const { reason } of gists) if (!reasons.has(reason)) reasons.set(reason, reasons.size)
  return {
    standings: Uint8Array.from(gists, ({ state }) => codeOf(state)),
    scores: Uint8Array.from(gists, ({ score }) => score),
    reasons: [...reasons.keys()],
    reasonOf: Uint16Array.from(gists, ({ reason }) => reasons.get(reason) ?? 0),
  }
}

/** Most signals of a batch are the same few: store each once. */
function signalsIn(outcomes: readonly Outcome[]) {
  const signals: Signal[] = []
  const places = new Map<string, number>()
  const of = outcomes.map((outcome) =>
    ('invalid' in outcome ? [] : (outcome.signals ?? [])).map((signal) => {
      const key = JSON.stringify(signal)
      const place = places.get(key) ?? signals.push(signal) - 1
      places.set(key, place)
      return place
    }),
  )
  return { signals, of }
}

/** An answer for one row of a table: its state, and the one most important reason. */
export function gist(outcome: Outcome): {
  readonly state: RecordState
  readonly score: number
  readonly reason: string
} {
  if ('invalid' in outcome) return { state: 'refused', score: 0, reason: outcome.invalid.detail }
  const { risk, risk_score: score, signals = [] } = outcome
  const notPublic = risk === 'low' ? signals.find(({ code }) => code.endsWith('.not_public')) : undefined
  if (notPublic) return { state: 'nothing', score, reason: withoutPrefix(notPublic.description) }
  return { state: risk, score, reason: mainReason(risk === 'low' ? -1 : 1, signals) }
}

/** The level already says this prefix. */
export const withoutPrefix = (description: string) => capitalised(description.replace(/^Nothing to check: /, ''))

/** The signal that moves the score most towards the level. A low score may have none, and little against it. */
function mainReason(side: 1 | -1, signals: readonly Signal[]): string {
  const most = strongest(signals.filter(({ effect }) => effect * side > 0))
  if (most) return most.description
  const against = strongest(signals.filter(({ effect }) => effect > 0))
  return against ? `Little against it. ${against.description}` : 'Nothing known against it'
}

function strongest(signals: readonly Signal[]): Signal | undefined {
  return signals.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect))[0]
}
