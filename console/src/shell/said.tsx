import { createElement, Fragment } from 'react'
import type { Words } from './words.ts'

/** Handed over one by one: the parts of a sentence have no names of their own. */
export function Said({ of }: { of: Words }) {
  if (typeof of === 'string') return of
  const shown = of.map((part) => (typeof part === 'string' ? part : createElement('bdi', null, part.name)))
  return createElement(Fragment, null, ...shown)
}
