import { Problem } from '../errors.ts'
import { KIND_NAMES, type Kind } from '../lib/kinds.ts'
import { type Indicator, indicatorText, isProblem, parseIndicator } from '../risk/indicator.ts'
import type { IndicatorDigest } from './sealed.ts'

/** The indicator that a person means by this text; 400 if it is none. A text is of one kind only. */
export function indicatorOf(text: string, kind?: Kind): Indicator {
  const found = (kind ? [kind] : KIND_NAMES).map((one) => parseIndicator(one, text)).find((one) => !isProblem(one))
  if (found && !isProblem(found)) return found
  const expected = kind ? `of the kind ${kind}` : 'an email address, a domain or an IP address'
  throw new Problem('invalid_query', { detail: `indicator: the text is not ${expected}. Give the whole indicator.` })
}

export const digestOfIndicator = (digest: IndicatorDigest, indicator: Indicator): string =>
  digest(indicator.kind, indicatorText(indicator))

export const digestOfText = (digest: IndicatorDigest, text: string, kind?: Kind): string =>
  digestOfIndicator(digest, indicatorOf(text, kind))
