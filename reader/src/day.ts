/** Nobody writes the month first with full stops. */
export const DOTTED_DAY = /^(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(\d{4})(?!\d)/

/** `2019-12-31` of `31.12.2019`. */
export function dayOfDotted(text: string): string | undefined {
  const [, day = '', month = '', year] = DOTTED_DAY.exec(text) ?? []
  return year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
