import { peek } from './archive.ts'
import { dateOf } from './csv.ts'
import type { FeedRow } from './report.ts'

/**
 * The day of a list of newly registered names. A daily list has the day in its address or file name, and its names were
 * registered on that day. A list of the last days has a date in a comment at its head, and the date says when the list
 * was created.
 */
export type ListDates = Pick<FeedRow, 'firstSeenMs' | 'lastSeenMs'>

const HEAD_BYTES = 4096

export async function datesOfList(names: readonly string[], input: AsyncIterable<Uint8Array>) {
  for (const name of names) {
    const firstSeenMs = dayInName(name)
    if (firstSeenMs !== undefined) return { dates: { firstSeenMs }, input }
  }
  const { head, rest } = await peek(input, HEAD_BYTES)
  const lastSeenMs = dayInHead(Buffer.from(head).toString('latin1'))
  return { dates: lastSeenMs === undefined ? {} : { lastSeenMs }, input: rest }
}

/** A day such as `2026-11-14`, `2026_11_14` or `20261114`, first in the file's own name, then in that of its folder. */
function dayInName(name: string): number | undefined {
  for (const part of name.split(/[/\\?&]/).reverse()) {
    // WhoisDS writes `2026-11-14.zip` into its addresses as base64.
    const decoded = Buffer.from(part, 'base64').toString('latin1')
    const match = DAY.exec(part) ?? DAY.exec(/^[\d-]{10}\.zip$/.test(decoded) ? decoded : '')
    const day = match ? dateOf(`${match[1]}-${match[2]}-${match[3]}`) : undefined
    if (day !== undefined) return day
  }
  return undefined
}

const DAY = /(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?!\d)/

/** The date of the first comment that says when the list was created. */
function dayInHead(head: string): number | undefined {
  for (const line of head.split(/[\r\n]+/)) {
    if (!/^\s*[#;!]/.test(line) || !/updated?|modified|compil|generated|created|date/i.test(line)) continue
    const iso = /(20\d\d-\d\d-\d\d)/.exec(line)?.[1]
    const [, day, month = '', year] = /(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (20\d\d)/.exec(line) ?? []
    const found = dateOf(iso ?? `${year}-${MONTHS.indexOf(month) + 1}-${day}`)
    if (found !== undefined) return found
  }
  return undefined
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
