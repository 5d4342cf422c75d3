import { AUDIENCES, type Audience, GUIDES, type GuideEntry } from './catalogue.ts'
import type { GuideDocument } from './tree.ts'

/** The built guides: titles are loaded immediately, each document when a person opens it. */

const TITLES = import.meta.glob<string>(['../../../docs/**/*.md', '!../../../docs/decisions/*'], {
  query: '?guide-title',
  import: 'default',
  eager: true,
})
const DOCUMENTS = import.meta.glob<GuideDocument>(['../../../docs/**/*.md', '!../../../docs/decisions/*'], {
  query: '?guide',
  import: 'default',
})

export interface PublishedGuide extends GuideEntry {
  readonly title: string
  readonly shortTitle: string
  readonly load: () => Promise<GuideDocument>
}

const PUBLISHED: readonly PublishedGuide[] = GUIDES.map((entry) => {
  const load = DOCUMENTS[`../../../${entry.file}`]
  const title = TITLES[`../../../${entry.file}`]
  if (!load || title === undefined) throw new Error(`${entry.file} was not built`)
  return { ...entry, load, title, shortTitle: title.replace(/: .*/, '') }
})

export function findGuide(name: string | undefined): PublishedGuide | undefined {
  return PUBLISHED.find((guide) => guide.name === name)
}

export const LISTED = (Object.keys(AUDIENCES) as Audience[]).map((audience) => ({
  audience,
  words: AUDIENCES[audience],
  guides: PUBLISHED.filter((guide) => guide.audience === audience),
}))
