/** Building blocks of printable pages: formatted amounts, escaped text, one style. Pure. */
import { escapeHtml } from '../../lib/html.ts'

export function pounds(pence: number): string {
  const whole = Math.abs(pence)
  return `${pence < 0 ? '−' : ''}£${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

/** A table: text in the first column, figures in the others. */
export function printedTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const side = (i: number) => (i > 0 ? ' class="n"' : '')
  const head = header.map((text, i) => `<th scope="col"${side(i)}>${escapeHtml(text)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell, i) => `<td${side(i)}>${escapeHtml(cell)}</td>`).join('')}</tr>`)
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`
}

/** A whole page. `title` is text; `content` is HTML, and `style` adds to the look that every page has. */
export function printedPage(input: {
  readonly title: string
  readonly content: string
  readonly style?: string
}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(input.title)}</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; color: #111; background: #fff; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid #ccc }
.n { text-align: right; font-variant-numeric: tabular-nums }
@page { size: A4; margin: 18mm }
@media print { body { margin: 0; padding: 0; max-width: none } thead { display: table-header-group } tr { break-inside: avoid } }
${input.style ?? ''}</style></head><body>
${input.content}
</body></html>
`
}
