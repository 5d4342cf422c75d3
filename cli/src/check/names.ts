import { compareNames, differencesInWords, seenName } from '@assay/reader/look-alike'
import type { CheckAnswer } from '@assay/sdk'

/** Both forms of a name with non-ASCII letters; then each name that it may be confused with, and where they differ. */
export function nameLines(indicator: string, { international, resembles = [] }: CheckAnswer): string[] {
  const name = seenName(indicator, international?.unicode)
  const written = international ? [`${international.unicode} is written ${international.ascii} in the DNS`] : []
  return [
    ...written.map((words) => (international?.mixed ? `${words}: ${international.mixed}` : words)),
    ...resembles.map((other) => {
      const words = differencesInWords(compareNames(name, other))
      return `${name} is not ${other}${words === '' ? '' : `: ${words}`}`
    }),
  ]
}
