import { LURES } from '../model/brands.ts'
import type { Models } from '../model/models.ts'
import { type Finding, isFreeMail, NOTHING, type Signal } from '../signal.ts'

const OFFICERS = new Set(
  'ceo cfo coo cto cio md chairman chairwoman chairperson chair president director directors managingdirector vicepresident vp treasurer controller founder headoffice boss executive officer ceooffice officeceo presidentoffice'.split(
    ' ',
  ),
)
const OFFICE_WORDS = new Set(
  'office mail email the desk private direct from exec executive company ltd inc group secretary urgent'.split(' '),
)

/** A free mailbox whose name claims a company or an officer: paypal.security@gmail.com, ceo.office@yahoo.com. */
export const emailImpersonation = {
  code: 'email.impersonation',
  description: 'A free mailbox that speaks in the name of a company or its officers',
  group: 'person',
  detect: ({ local, host, models }): readonly Finding[] => {
    if (!isFreeMail(host.own)) return NOTHING
    const tokens = local.split(/[._+\-\d]+/).filter((token) => token !== '')
    const brand = claimedBrand(tokens, models, host.label)
    if (brand !== undefined) {
      return [
        {
          source: 'rules',
          confidence: 1,
          variant: 'brand',
          sentence: `A free mailbox that speaks in the name of ${brand}`,
        },
      ]
    }
    if (
      tokens.some((token) => OFFICERS.has(token)) &&
      tokens.every((token) => OFFICERS.has(token) || OFFICE_WORDS.has(token) || LURES.has(token))
    ) {
      return [
        {
          source: 'rules',
          confidence: 1,
          variant: 'officer',
          sentence: 'A free mailbox that claims to be a company officer',
        },
      ]
    }
    return NOTHING
  },
} satisfies Signal<'email'>

function claimedBrand(tokens: readonly string[], models: Models, provider: string): string | undefined {
  let brand: string | undefined
  let lures = 0
  for (const token of tokens) {
    if (LURES.has(token) || OFFICERS.has(token)) {
      lures++
      continue
    }
    const named = models.brands.named(token)
    if (named?.household && token.length >= 3) brand ??= token
    else if (named && token.length >= 6 && !named.everyday) brand ??= token
    else {
      const inner = token.length >= 6 ? models.brands.match(token, '') : undefined
      if (inner?.household && (inner.how === 'combination' || inner.how === 'affix')) return inner.brand
      if (
        inner?.household &&
        (inner.how === 'homoglyph' || inner.how === 'typo') &&
        token.length >= 6 &&
        tokens.length > 1
      )
        brand ??= inner.brand
    }
  }
  // Two words that only together name the brand: wells.fargo, bank.of.america.
  if (brand === undefined && tokens.length > 1) {
    const joined = tokens.filter((token) => !LURES.has(token)).join('')
    const named = joined.length >= 6 ? models.brands.named(joined) : undefined
    if (named?.household && !named.everyday) brand = joined
  }
  if (brand === undefined || brand === provider) return undefined
  const named = models.brands.named(brand)
  // A person may be called Ford or Chase; a function beside the name tells a company from a person.
  if (lures > 0) return brand
  return tokens.length === 1 && named?.household && !named.everyday && brand.length >= 6 ? brand : undefined
}
