import { createElement, Fragment } from 'react'

/** Passed as separate arguments: the parts of a sentence have no React keys. */
export function Said({ of }: { of: Words }) {
  if (typeof of === 'string') return of
  const shown = of.map((part) => (typeof part === 'string' ? part : createElement('bdi', null, part.name)))
  return createElement(Fragment, null, ...shown)
}

/** Our words, or a name. Names are untrusted text, so each is a separate part and is isolated in the page. */
export type Part = string | { readonly name: string }

export type Words = string | readonly Part[]

/** Text with names in it: each name is isolated. */
export function say(words: TemplateStringsArray, ...names: readonly string[]): Part[] {
  return words.flatMap((word, i) => {
    const name = names[i]
    return name === undefined ? [word] : [word, { name }]
  })
}

/** Plain text for places without markup: the title of a tab, or text for a screen reader. */
export function plainWords(words: Words): string {
  if (typeof words === 'string') return words
  return words.map((part) => (typeof part === 'string' ? part : part.name)).join('')
}
