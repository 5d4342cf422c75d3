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
