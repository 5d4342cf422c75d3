import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const domainBrandSubdomain = {
  code: 'domain.brand_subdomain',
  description: "Puts a known brand's address in front of somebody else's domain",
  group: 'name',
  detect: ({ domain, label, suffix, models }): readonly Finding[] => {
    const chosen = label.length + suffix.length + 1
    if (domain.length <= chosen + 1) return NOTHING
    const front = domain.slice(0, domain.length - chosen - 1).split('.')
    let found: Finding | undefined
    for (const [i, part] of front.entries()) {
      const brand = part.length < 2 ? undefined : models.brands.named(part)
      if (!brand || brand.brand === label) continue
      const next = front[i + 1]
      const two = next === undefined ? '' : `${next}.${front[i + 2] ?? ''}`
      const spelt =
        next !== undefined &&
        (models.brands.isOfficialSuffix(part, next) || models.brands.isOfficialSuffix(part, two) || next === 'com')
      if (spelt) {
        return [
          {
            source: 'rules',
            confidence: 1,
            variant: 'address',
            sentence: `Begins like the address of ${brand.site ?? part} but belongs to ${label}.${suffix}`,
          },
        ]
      }
      if (brand.household && !brand.everyday && part.length >= 5) {
        found ??= {
          source: 'rules',
          confidence: 1,
          variant: 'name',
          sentence: `Has ${part} in front, but belongs to ${label}.${suffix}`,
        }
      }
    }
    if (found) return [found]
    for (const part of front) {
      if (!part.includes('-') && part.length < 9) continue
      const match = models.brands.match(part, '')
      if (match?.household && match.how === 'combination' && match.brand !== label) {
        return [
          {
            source: 'rules',
            confidence: 1,
            variant: 'combination',
            sentence: `Puts ${match.brand} beside words such as login or pay, but belongs to ${label}.${suffix}`,
          },
        ]
      }
    }
    return NOTHING
  },
} satisfies Signal<'domain'>
