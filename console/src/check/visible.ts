/** Shows invisible characters, and those that change the writing direction, as their code points. */
export function visible(text: string): string {
  return text.replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
