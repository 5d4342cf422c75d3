/** Characters that nobody sees, or that turn the direction of writing, by their numbers. */
export function visible(text: string): string {
  return text.replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
