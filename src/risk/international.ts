import { domainToUnicode } from 'node:url'
import type { Indicator } from './indicator.ts'
import { lettersApart } from './model/confusables.ts'

/** Both forms of a name with other than ASCII letters, as `explain` shows them. */
export interface InternationalName {
  /** As the DNS has it: `xn--pypal-4ve.com`. */
  readonly ascii: string
  /** As a browser may show it. */
  readonly unicode: string
  /** Which letters of another alphabet stand among those of a word; null where no word mixes alphabets. */
  readonly mixed: string | null
}

/** For an email address, of its domain; undefined for a name in ASCII, and for one that does not decode. */
export function internationalName(indicator: Indicator): InternationalName | undefined {
  if (indicator.kind === 'ip' || !indicator.domain.includes('xn--')) return undefined
  const unicode = domainToUnicode(indicator.domain)
  if (unicode === '' || unicode === indicator.domain) return undefined
  const mixed = unicode.split(/[.-]/).map(lettersApart)
  return { ascii: indicator.domain, unicode, mixed: mixed.find((words) => words !== undefined) ?? null }
}
