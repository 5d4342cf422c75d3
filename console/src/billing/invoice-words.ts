import type { Invoice } from '../api/billing.ts'
import { fullDay, money } from '../shell/format.ts'

/** The invoice that a change created, as words after the confirmation; empty if there is none. */
export function dueWords(invoice: Invoice | null): string {
  return invoice
    ? ` Invoice ${invoice.number} of ${money(invoice.total_pence)} is due on ${fullDay(invoice.due_at)}.`
    : ''
}

export function paidWords({ kind, number, total_pence, in_advance, lines, due_at }: Invoice): string {
  if (kind === 'top_up') return `${money(total_pence)} is added to your credit when invoice ${number} is settled.`
  const what = lines.map(({ description }) => description).join(', ')
  return in_advance
    ? `${what} begins when invoice ${number} over ${money(total_pence)} is settled.`
    : `Invoice ${number} over ${money(total_pence)} is for ${what}. It is due on ${fullDay(due_at)}.`
}
