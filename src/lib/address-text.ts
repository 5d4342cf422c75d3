/** More than any address of 254 characters has, even decomposed into letters and marks: at most four units each. */
const UNITS_MAX = 1024

/**
 * An email address in its form for comparison: trimmed, NFC, lower case. A text that is too long for an address is not
 * composed, because the time to compose a long run of marks grows with the square of its length.
 */
export function normaliseAddressText(text: string): string {
  const trimmed = text.trim()
  return (trimmed.length > UNITS_MAX ? trimmed : trimmed.normalize('NFC')).toLowerCase()
}
