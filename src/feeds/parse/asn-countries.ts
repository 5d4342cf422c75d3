import type { Compiler } from '../../snapshot/compile.ts'

/** One line per country: `NZ 9,12-15` are its AS numbers. Returns the number of valid ones and of invalid parts. */
export function readAsnCountries(text: string, compiler: Compiler): { rows: number; junk: number } {
  let rows = 0
  let junk = 0
  for (const line of text.split('\n')) {
    const [country = '', runs = ''] = line.split(' ')
    if (line === '') continue
    for (const run of runs.split(',')) {
      const [first = Number.NaN, last = first] = run.split('-').map(Number)
      // No registry gives a country a hundred thousand numbers in a row.
      if (!(first >= 1 && last >= first && last - first < 100_000 && last <= 0xffffffff)) {
        junk++
        continue
      }
      for (let asn = first; asn <= last; asn++) compiler.addAsnCountry(asn, country)
      rows += last - first + 1
    }
  }
  return { rows, junk }
}
