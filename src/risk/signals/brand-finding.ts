import type { BrandMatch, Fame } from '../model/brand-match.ts'
import type { Finding } from './signal.ts'

/** Two long names do not differ by one letter by chance. */
export const LONG_NAME = 9

export type BrandFame = Fame | 'long'

/** The case of the signal, the fame of the brand, and whether others use its name honestly. */
export type BrandVariant<Case extends string> = `${Case}.${BrandFame}${'' | '.everyday' | '.dealers'}`

export function brandFinding<Case extends string>(
  match: BrandMatch,
  what: Case,
  sentence: string,
): readonly Finding<BrandVariant<Case>>[] {
  const fame = match.fame === 'other' && match.brand.length >= LONG_NAME ? 'long' : match.fame
  const others = match.everyday ? '.everyday' : match.dealers ? '.dealers' : ''
  return [{ source: 'rules', confidence: 1, variant: `${what}.${fame}${others}`, sentence, resembles: match.site }]
}

/** `paypal (paypal.com)`. */
export function brandAndSite({ brand, site }: BrandMatch): string {
  return site ? `${brand} (${site})` : brand
}
