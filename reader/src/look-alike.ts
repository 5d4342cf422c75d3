/** Aligns two names that are easily confused, so that the eye finds the differences. */

/** A section of both names. Where the two texts are equal, the names are equal. */
export type Stretch = { readonly seen: string; readonly real: string }

const LENGTH_MAX = 300

/** The name as the eye sees it: without the mailbox and `www.`, in its own letters where they are known. */
export function seenName(value: string, unicode?: string): string {
  return (unicode ?? value.slice(value.lastIndexOf('@') + 1)).toLowerCase().replace(/^www\./, '')
}

/** The sections of `seen` beside those of `real`, in order: joined, they give the two names. */
export function compareNames(seen: string, real: string): Stretch[] {
  const cut = (text: string) => [...text].slice(0, LENGTH_MAX)
  return compare(cut(seen), cut(real))
}

/** The longest common part is equal; the parts to its left and right are compared again. */
function compare(seen: readonly string[], real: readonly string[]): Stretch[] {
  if (seen.length === 0 && real.length === 0) return []
  const common = longestCommon(seen, real)
  if (common.length === 0) return splitAtSign(seen.join(''), real.join(''))
  const { i, j, length } = common
  const same = seen.slice(i, i + length).join('')
  return [
    ...compare(seen.slice(0, i), real.slice(0, j)),
    { seen: same, real: same },
    ...compare(seen.slice(i + length), real.slice(j + length)),
  ]
}

function longestCommon(seen: readonly string[], real: readonly string[]) {
  let best = { i: 0, j: 0, length: 0 }
  for (let i = 0; i < seen.length; i++) {
    for (let j = 0; j < real.length; j++) {
      let length = 0
      while (i + length < seen.length && seen[i + length] === real[j + length] && j + length < real.length) length++
      // A single common letter is chance, unless it is at the same index: the `g` of `00g1` and `oogl`.
      if (length > best.length && (length > 1 || i === j)) best = { i, j, length }
    }
  }
  return best
}

/** `1-login` in place of `l` becomes two sections: a 1 in place of an l, and `-login` added after it. */
function splitAtSign(seen: string, real: string): Stretch[] {
  const after = /^([^-.]+)([-.].*)$/.exec(seen)
  const before = /^(.*[-.])([^-.]+)$/.exec(seen)
  if (real === '' || /[-.]/.test(real) || (!after && !before)) return [{ seen, real }]
  const [, first = '', second = ''] = (after ?? before)!
  const replaced = { seen: after ? first : second, real }
  const added = { seen: after ? second : first, real: '' }
  return after ? [replaced, added] : [added, replaced]
}

const TOLD_MAX = 4

/** The differences in words: `“1” in place of “l”, “-login” added`. Empty when there are too many differences. */
export function differencesInWords(stretches: readonly Stretch[]): string {
  const told = stretches.filter(({ seen, real }) => seen !== real).map(inWords)
  return told.length > TOLD_MAX ? '' : told.join(', ')
}

function inWords({ seen, real }: Stretch): string {
  if (real === '') return `“${seen}” added`
  return seen === '' ? `“${real}” missing` : `${scriptOf(seen)}“${seen}” in place of “${real}”`
}

/** The alphabet, if it contains letters that look the same as Latin letters. */
function scriptOf(text: string): string {
  const script = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee'].find((name) =>
    new RegExp(`^\\p{Script=${name}}+$`, 'u').test(text),
  )
  return script === undefined ? '' : `${script} `
}
