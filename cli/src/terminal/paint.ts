import type { Context, Output } from '../context.ts'

export type Paint = ReturnType<typeof paintFor>

export function paintFor(output: Output, env: Context['env']) {
  // https://no-color.org: set and not empty, with any value.
  const colour = output.isTTY && !env.NO_COLOR && env.TERM !== 'dumb'
  const style = (open: number, close: number) => (text: string) =>
    colour ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return { red: style(31, 39), yellow: style(33, 39), green: style(32, 39), bold: style(1, 22), dim: style(2, 22) }
}

/** Removes escape sequences from foreign text, so that no file or server can control the terminal. */
export const harmless = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')

function wrap(text: string, width: number): string[] {
  const room = Math.max(8, width)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((one) => pieces(one, room))) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

function pieces(word: string, room: number): string[] {
  if (word.length <= room) return [word]
  return word.match(new RegExp(`.{1,${room}}`, 'gu')) ?? [word]
}

/** A block of wrapped lines: the first follows `head`, the others are indented to the same column. */
export function hanging(head: string, text: string, columns: number, headWidth = head.length): string {
  const [first = '', ...rest] = wrap(text, columns - headWidth)
  return [head + first, ...rest.map((line) => ' '.repeat(headWidth) + line)].join('\n')
}

export const pounds = (pence: number) => `£${(pence / 100).toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',')}`

export function priceText(price: { readonly total_price_pence: number; readonly overage_pence: number }): string {
  if (price.total_price_pence === 0) return 'free'
  const overage = price.overage_pence > 0 ? `, ${pounds(price.overage_pence)} of it overage` : ''
  return `${pounds(price.total_price_pence)}${overage}`
}

export const count = (number: number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

export const plural = (number: number, one: string, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`

/** Rows in aligned columns where they fit; otherwise one block per row with the header before each value. */
export function tabulate(header: readonly string[], rows: readonly (readonly string[])[], columns: number): string {
  const all = [header, ...rows]
  const widths = header.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  if (widths.reduce((sum, width) => sum + width + 2, -2) <= columns) {
    return all
      .map((row) =>
        row
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      .join('\n')
  }
  const widest = Math.max(...header.map((name) => name.length))
  return rows
    .map((row) => row.map((cell, i) => hanging(`${header[i]?.padEnd(widest)}  `, cell, columns)).join('\n'))
    .join('\n\n')
}
