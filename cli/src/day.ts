/** The end of a day, or a time. JavaScript would read 01.02.2027 as the second of January, and 2027-02-31 as a day in March. */
export function endOf(text: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(T.+)?$/.exec(text) ?? []
  if (day === undefined || new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) return undefined
  return new Date(time === undefined ? `${day}T23:59:59Z` : text).toJSON() ?? undefined
}
