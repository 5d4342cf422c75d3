import { researcherAt, researcherOfNetwork } from '../../lib/research-scanners.ts'
import { tagged } from '../look-up/evidence.ts'
import type { IpSubject } from '../look-up/subject.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

export const ipResearchScanner = {
  code: 'ip.research_scanner',
  description: 'A research scanner that names itself',
  group: 'standing',
  detect: (subject): readonly Finding[] => {
    const found = tagged(subject.own, 'research_scanner')
    if (found.length > 0) {
      const sentence = sentenceOf(subject, found[0]?.source)
      return found.map((item) => ({ ...item, sentence }))
    }
    const { asn } = subject
    if (!asn || researcherOfNetwork(asn.number) === undefined) return NOTHING
    return [{ source: 'rules', confidence: 1, sentence: sentenceOf(subject, undefined) }]
  },
} satisfies Signal<'ip'>

function sentenceOf({ ip, carried, asn }: IpSubject, source: string | undefined): string {
  const owner = researcherAt(carried?.ip ?? ip) ?? (asn && researcherOfNetwork(asn.number))
  if (owner !== undefined) return `A research scanner of ${owner}, which names itself: attack lists collect its visits`
  return `A research scanner that names itself, by ${source}: attack lists collect its visits`
}
