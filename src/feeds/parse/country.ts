/** Registries write these codes where a network belongs to no single country. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['AP', 'EU', 'XX', 'ZZ'])

/** A country code in capitals; undefined for anything else (`None`, `Unknown`, `EU`). */
export function countryCode(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) ? code : undefined
}
