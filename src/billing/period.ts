/** Calendar months in UTC, by name (`2026-03`) and by their bounds. */
export function isPeriod(text: string): boolean {
  return /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/.test(text)
}

export function periodStartMs(period: string): number {
  // Asked for every charge, nearly always about the current month.
  if (period !== latest.period) latest = { period, startMs: Date.parse(`${period}-01T00:00:00Z`) }
  return latest.startMs
}

let latest = { period: '', startMs: Number.NaN }

export function nextPeriod(period: string): string {
  return addMonths(period, 1)
}

export function previousPeriod(period: string): string {
  return addMonths(period, -1)
}

export function periodEndMs(period: string): number {
  return periodStartMs(nextPeriod(period))
}

function addMonths(period: string, months: number): string {
  const date = new Date(periodStartMs(period))
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 7)
}
