import { type Indicator, indicatorKey } from './indicator.ts'
import { endsLikeFile } from './other-things.ts'
import { narrow, peel, readToken, refang, standsOut } from './token.ts'

/** Texts are read up to this length; mail.ts reads a mail with its attachments. */
const TEXT_MAX = 1_000_000
const FOUND_MAX = 1000

export function findIndicators(text: string): Indicator[] {
  const found = new Map<string, Indicator>()
  // `<` and quotation marks separate words like blanks, because they surround addresses and links.
  for (const word of narrow(text.slice(0, TEXT_MAX)).split(/[\s<>"“”„«»‹›「」『』【】《》、]+/)) {
    if (found.size >= FOUND_MAX) break
    // Within a link these characters belong to the link; elsewhere they separate words.
    const parts = /:\/\//.test(word) ? [word] : refang(word).split(/[,;|()]+/)
    for (const part of parts) {
      const indicator = readWord(part)
      if (indicator && !found.has(indicatorKey(indicator))) found.set(indicatorKey(indicator), indicator)
    }
  }
  return [...found.values()]
}

function readWord(word: string): Indicator | undefined {
  if (!/[.:@]/.test(word) || word.length > 4096) return undefined
  const peeled = refang(peel(word))
  if (endsLikeFile(peeled) && !/[@/]/.test(peeled)) return undefined
  const read = readToken(peeled)
  if (!read || 'problem' in read || !standsOut(peeled, read)) return undefined
  return { ...read, readFrom: word }
}
