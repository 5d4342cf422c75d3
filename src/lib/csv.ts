/** RFC 4180, safe to open: a cell that a spreadsheet would read as a formula begins with an apostrophe. */
export type CsvCell = string | number | boolean | null

export function toCsv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  let text = csvLine(header)
  for (const row of rows) text += csvLine(row)
  return text
}

export function csvLine(cells: readonly CsvCell[], separator = ','): string {
  return `${cells.map((cell) => cellText(cell, separator)).join(separator)}\r\n`
}

function cellText(cell: CsvCell, separator: string): string {
  if (cell === null) return ''
  // Numbers are ours and may be negative; text may come from anybody.
  if (typeof cell !== 'string') return String(cell)
  const safe = /^[\s]*[=+\-@\t\r|]/.test(cell) ? `'${cell}` : cell
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe
}
