const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })
const NUMBER = new Intl.NumberFormat('en-GB')

export const money = (pence: number) => POUNDS.format(pence / 100)

/** The one name of an invoice, as on its document. */
export const invoiceName = ({ number }: { readonly number: number | string }) => `INV-${number}`

export const count = (value: number) => NUMBER.format(value)

export const counted = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`

export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
]
const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

export function ago(iso: string, nowMs = Date.now()): string {
  const differenceMs = Date.parse(iso) - nowMs
  const step = STEPS.find(([, sizeMs]) => Math.abs(differenceMs) >= sizeMs)
  return step ? RELATIVE.format(Math.round(differenceMs / step[1]), step[0]) : 'just now'
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

const FULL_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

export const fullDay = (iso: string) => FULL_DAY.format(new Date(iso))

/** The last day before that moment: a period that ends with the first moment of December has 30 November. */
export const lastDay = (endsAt: string) => FULL_DAY.format(new Date(Date.parse(endsAt) - 1))

export function day(iso: string): string {
  return DAY.format(new Date(iso))
}

export const moment = (iso: string) => MOMENT.format(new Date(iso))
