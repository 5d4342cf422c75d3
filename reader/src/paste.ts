import { findAccounts } from './account.ts'
import { findIndicators } from './find.ts'
import { looksLikeMail } from './format.ts'
import { type Indicator, indicatorKey, isIndicator, type Recognised } from './indicator.ts'
import { findInLogLine, isLog } from './log.ts'
import type { MailReading } from './mail.ts'
import { findInside, recognise } from './recognise.ts'
import { WORDS_AROUND } from './token.ts'

/** The content of a paste: one thing, a mail, or a table or text with several indicators or with bank accounts. */
export type Paste =
  | { readonly form: 'one'; readonly found: Recognised }
  | { readonly form: 'mail'; readonly mail: MailReading }
  | { readonly form: 'several'; readonly indicators: readonly Indicator[]; readonly accounts: readonly string[] }

const CELLS_MAX = 10_000

export async function readPaste(text: string): Promise<Paste> {
  const found = recognise(text)
  const accounts = findAccounts(text)
  if (!/[\t\r\n]/.test(text.trim())) {
    return accounts.length === 0
      ? { form: 'one', found }
      : { form: 'several', indicators: findIndicators(text), accounts }
  }
  // The mail parser is loaded only for a mail.
  if (looksLikeMail(text)) return { form: 'mail', mail: await (await import('./mail.ts')).readMail(text) }
  const several = new Map<string, Indicator>()
  const isOfProgram = isLog(text)
  for (const cell of text.split(/[\t\r\n]+/, CELLS_MAX)) {
    const whole = recognise(cell)
    const isWhole = isIndicator(whole) && !whole.notes.includes(WORDS_AROUND)
    const inside = isOfProgram ? findInLogLine(cell).map(({ indicator }) => indicator) : findInside(cell)
    for (const one of isWhole ? [whole] : inside) {
      const key = indicatorKey(one)
      if (!several.has(key)) several.set(key, one)
    }
  }
  if (several.size === 0 && accounts.length === 0) return { form: 'one', found }
  return { form: 'several', indicators: [...several.values()], accounts }
}
