/** Country codes sold to the world as if they were generic, or taken up by programs that make names up. */
const OPEN_COUNTRY_CODES: ReadonlySet<string> = new Set(
  'co cc tv me io ws pw tk ml ga cf gq ai la to su cm om ru cn in eu us co.uk'.split(' '),
)

/** Whether names under this suffix are mostly those of one country's own people and firms. */
export function isCountrySuffix(suffix: string): boolean {
  const last = suffix.slice(suffix.lastIndexOf('.') + 1)
  return last.length === 2 && !OPEN_COUNTRY_CODES.has(suffix)
}
