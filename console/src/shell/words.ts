import { createElement, Fragment } from 'react'

/** Passed as separate arguments: the parts of a sentence have no React keys. */
export function Said({ of }: { of: Words }) {
  if (typeof of === 'string') return of
  const shown = of.map((part) => {
    if (typeof part === 'string') return part
    const name = createElement('bdi', null, part.name)
    return part.strong ? createElement('strong', null, name) : name
  })
  return createElement(Fragment, null, ...shown)
}

/** Our words, or a name. Names are untrusted text, so each is a separate part and is isolated in the page. */
export type Part = string | { readonly name: string; readonly strong?: true }

export type Words = string | readonly Part[]

/** Text with names in it: each name is isolated. */
export function say(words: TemplateStringsArray, ...names: readonly Part[]): Part[] {
  return words.flatMap((word, i) => {
    const name = names[i]
    if (name === undefined) return [word]
    return [word, typeof name === 'string' ? { name } : name]
  })
}

export const strong = (name: string): Part => ({ name, strong: true })

/** Plain text for places without markup: the title of a tab, or text for a screen reader. */
export function plainWords(words: Words): string {
  if (typeof words === 'string') return words
  return words.map((part) => (typeof part === 'string' ? part : part.name)).join('')
}
