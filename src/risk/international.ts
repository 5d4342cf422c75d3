import { domainToUnicode } from 'node:url'
import type { Indicator } from './indicator.ts'
import { lettersApart } from './model/confusables.ts'

/** Both forms of a name with non-ASCII letters, as `explain` shows them. */
export interface InternationalName {
  /** The DNS form: `xn--pypal-4ve.com`. */
  readonly ascii: string
  /** The form that a browser may show. */
  readonly unicode: string
  /** The letters of another alphabet in a word; null if no word mixes alphabets. */
  readonly mixed: string | null
}

/** For an email address, that of its domain; undefined for an ASCII name, and for one that does not decode. */
export function internationalName(indicator: Indicator): InternationalName | undefined {
  if (indicator.kind === 'ip' || !indicator.domain.includes('xn--')) return undefined
  const unicode = domainToUnicode(indicator.domain)
  if (unicode === '' || unicode === indicator.domain) return undefined
  const mixed = unicode.split(/[.-]/).map(lettersApart)
  return { ascii: indicator.domain, unicode, mixed: mixed.find((words) => words !== undefined) ?? null }
}
