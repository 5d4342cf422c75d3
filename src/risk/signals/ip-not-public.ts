import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const ipNotPublic = {
  code: 'ip.not_public',
  description: 'Not an address on the public internet',
  group: 'note',
  detect: ({ special }): readonly Finding[] =>
    special === undefined
      ? NOTHING
      : [{ source: 'rules', confidence: 1, sentence: `Not an address on the public internet: ${special}` }],
} satisfies Signal<'ip'>
