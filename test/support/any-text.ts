import fc from 'fast-check'

const SURROGATES_FROM = 0xd800
const SURROGATES = 0x800

/**
 * Texts of any code points. `fc.string({ unit: 'binary' })` has the same, but keeps a table of all of them: it takes
 * more than a second to make, and every collection of garbage walks it afterwards.
 */
export const anyText = (constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> =>
  fc
    .array(fc.nat(0x10ffff - SURROGATES), constraints)
    .map((points) =>
      String.fromCodePoint(...points.map((point) => (point < SURROGATES_FROM ? point : point + SURROGATES))),
    )

const escapedText = (lengthMax: number) => anyText({ maxLength: lengthMax }).map(encodeURIComponent)

/** `fc.webQueryParameters()` and `fc.webUrl()` make the same table. */
export const anyQuery = (): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(escapedText(8), escapedText(8)), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

export const anyUrl = (): fc.Arbitrary<string> =>
  fc
    .record({
      scheme: fc.constantFrom('http', 'https'),
      host: fc.domain(),
      path: fc.array(escapedText(8), { maxLength: 4 }).map((parts) => parts.map((part) => `/${part}`).join('')),
      query: fc.option(
        anyQuery().map((query) => `?${query}`),
        { nil: '' },
      ),
      fragment: fc.option(
        escapedText(12).map((text) => `#${text}`),
        { nil: '' },
      ),
    })
    .map(({ scheme, host, path, query, fragment }) => `${scheme}://${host}${path}${query}${fragment}`)
