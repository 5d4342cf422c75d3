import type { Invoice, Offer, Plan } from '../api/organisation.ts'
import { fullDay, lastDay, money } from '../shell/format.ts'

const MONTHS_OFFERED = 12

/** The months with a statement, the newest first: none from before the organisation existed. */
export function statementMonths(since: string, thisMonth: string): string[] {
  const newest = new Date(thisMonth)
  const months = Array.from({ length: MONTHS_OFFERED }, (_, back) =>
    new Date(Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
  return months.filter((month, back) => back === 0 || month >= since.slice(0, 7))
}

/** To be paid, owed or not: nobody owes the invoice of a plan that waits for its payment. */
export const openPence = (invoices: readonly Pick<Invoice, 'state' | 'total_pence'>[]) =>
  invoices.reduce((sum, { state, total_pence: pence }) => (state === 'open' ? sum + pence : sum), 0)

/** The price of subscribing today, and the day and amount of the next charge. */
export function chargeWords(plan: Plan, offer: Offer, creditPence: number): string {
  const [verb, how] = offer.by_card ? ['charged', ''] : ['invoiced', '; the next page says how to pay']
  if (plan.monthly_price_pence === 0) {
    const now = creditPence === 0 ? 'Nothing is' : `${money(creditPence)} is`
    return `${now} ${verb} today${creditPence === 0 ? '' : how}. There is no monthly fee.`
  }
  const price = money(plan.monthly_price_pence)
  const next = fullDay(offer.next_month_at)
  if (offer.by_card || offer.begins_unpaid) {
    return `${price} is ${verb} today, for the calendar month until ${lastDay(offer.next_month_at)}${how}. The next ${price} is ${verb} on ${next}, and on the first day of every month.`
  }
  return `${price} is invoiced today${how}. ${plan.name} begins when the money has arrived, and it pays for that calendar month. The next ${price} is invoiced on the first day of the month after that: on ${next}, if you pay before.`
}
