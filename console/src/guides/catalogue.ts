import catalogue from './catalogue.json' with { type: 'json' }

/** All of docs/ in the listed order, without docs/decisions, which is for people who change the program. */

export const AUDIENCES = {
  people: 'Using the console',
  answers: 'Understanding an answer',
  integrators: 'Building on Assay',
  operators: 'Running the server',
} as const

export type Audience = keyof typeof AUDIENCES

export interface GuideEntry {
  readonly name: string
  readonly file: string
  readonly audience: Audience
  readonly about: string
}

export const GUIDES: readonly GuideEntry[] = catalogue.map(({ name, audience, about, folder = '' }) => {
  return { name, file: `docs/${folder}${name}.md`, audience: audience as Audience, about }
})
