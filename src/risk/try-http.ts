import Type from 'typebox'
import { Problem } from '../errors.ts'
import { oneOf } from '../http/operation.ts'
import { closed, type PageOperation, pageOperation } from '../http/page-operation.ts'
import { KIND_NAMES } from '../lib/kinds.ts'
import type { RiskEngine } from './engine.ts'
import { readSingle } from './request.ts'
import { asking, singleAnswer } from './routes.ts'

export interface TryDependencies {
  readonly engine: RiskEngine
  /** Counts a free check from this address, or throws 429; returns how to give it back. Absent if there are none. */
  readonly takeFreeTry?: ((ip: string) => Promise<() => Promise<void>>) | undefined
}

const FREE = {
  charged: false,
  is_free: true,
  unit_price_pence: 0,
  billable_units: 1,
  total_price_pence: 0,
  charged_from_credit_pence: 0,
  overage_pence: 0,
  remaining_credit_pence: 0,
}

/** A stranger's check on the front page: nobody is charged, and it is kept nowhere. */
export function tryPages({ engine, takeFreeTry }: TryDependencies): PageOperation[] {
  return [
    pageOperation({
      name: 'POST /api/try',
      access: 'anybody',
      body: closed({ kind: oneOf(KIND_NAMES), indicator: Type.String({ minLength: 1, maxLength: 1000 }) }),
      // An explained answer of the public API: its types are those of the client.
      answer: Type.Object({}),
      async handle({ body: { kind, indicator: text }, request }) {
        if (!takeFreeTry) throw new Problem('not_found', { detail: 'This server gives no free checks.' })
        const submitted = readSingle(kind, { [kind]: text })
        const giveBack = await takeFreeTry(request.ip)
        const answer = async () => asking(() => engine.evaluate(kind, [submitted.indicator], { explain: true }))
        const set = await answer().catch(async (error: unknown) => {
          await giveBack()
          throw error
        })
        const { before, after } = singleAnswer(kind, submitted, set, { explain: true })
        return JSON.parse(`${before}${JSON.stringify(FREE).slice(1, -1)}${after}`)
      },
    }),
  ]
}
