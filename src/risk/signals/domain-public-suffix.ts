import { displaySuffix } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const domainPublicSuffix = {
  code: 'domain.public_suffix',
  description: 'A suffix under which others register names',
  group: 'note',
  detect: ({ domain, parts }): readonly Finding[] => {
    if (parts.registrable !== undefined || !parts.isRegistered) return NOTHING
    const sentence = `A suffix under which others register names (such as example.${displaySuffix(domain)}): the answer is about the suffix itself`
    return [{ source: 'rules', confidence: 1, sentence }]
  },
} satisfies Signal<'domain'>

export const domainNotPublic = {
  code: 'domain.not_public',
  description: 'Nothing to check: not a name on the public internet',
  group: 'note',
  detect: ({ reserved }): readonly Finding[] =>
    reserved === undefined ? NOTHING : [{ source: 'rules', confidence: 1, sentence: `Nothing to check: ${reserved}` }],
} satisfies Signal<'domain'>
