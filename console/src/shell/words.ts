import { createElement, Fragment } from 'react'

/** Handed over one by one: the parts of a sentence have no names of their own. */
export function Said({ of }: { of: Words }) {
  if (typeof of === 'string') return of
  const shown = of.map((part) => (typeof part === 'string' ? part : createElement('bdi', null, part.name)))
  return createElement(Fragment, null, ...shown)
}

/** Our words, or somebody's. Names are anybody's words, so each is a part of its own and is isolated where it is shown. */
export type Part = string | { readonly name: string }

export type Words = string | readonly Part[]

/** Text with names in it: each name is isolated. */
export function say(words: TemplateStringsArray, ...names: readonly string[]): Part[] {
  return words.flatMap((word, i) => {
    const name = names[i]
    return name === undefined ? [word] : [word, { name }]
  })
}

/** For where only plain text can stand: the title of a tab, or what a screen reader is told. */
export function plainWords(words: Words): string {
  if (typeof words === 'string') return words
  return words.map((part) => (typeof part === 'string' ? part : part.name)).join('')
}
