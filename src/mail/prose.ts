/**
 * Sentences of a mail, in plain text and in HTML.
 *
 *  1. A value in a sentence was chosen by somebody: it can add no line, no header, no markup and no link, and cannot
 *     change the direction of the words around it.
 *  2. Everything else is our own words.
 */
import { escapeHtml } from '../lib/html.ts'

export interface Prose {
  readonly text: string
  readonly html: string
}

const VALUE_LENGTH_MAX = 120
/** Invisible; keeps mail programs from turning a name such as `evil.example` into a link. */
const WORD_JOINER = '\u2060'

/** Rule 1: the value as one line without control characters. */
function plain(value: string | number): string {
  const line = String(value)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  const short = characters.length > VALUE_LENGTH_MAX ? `${characters.slice(0, VALUE_LENGTH_MAX).join('')}…` : line
  return short.replace(/\.(?=\p{L})|:(?=\/\/)|@(?=\S)/gu, (mark) => `${mark}${WORD_JOINER}`)
}

/** A sentence with values in it: say`${inviter} invites you.` */
export function say(words: TemplateStringsArray, ...values: readonly (string | number)[]): Prose {
  let text = words[0] ?? ''
  let html = escapeHtml(text)
  for (const [i, value] of values.entries()) {
    const after = words[i + 1] ?? ''
    const shown = plain(value)
    text += shown + after
    html += `<bdi>${escapeHtml(shown)}</bdi>${escapeHtml(after)}`
  }
  return { text, html }
}

/** A subject: one line without control characters, whatever its values are. */
export function subject(words: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return say(words, ...values).text
}
