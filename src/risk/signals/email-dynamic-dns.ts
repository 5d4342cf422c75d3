import { tagged } from '../look-up/evidence.ts'
import { type EvidenceSignal, type Finding, NOTHING } from './signal.ts'
import { platformElseOwn } from './tagged.ts'

// Less sure lists contain the domains of private people who give names to others.
const CONFIDENCE_MIN = 0.7

export const emailDynamicDns = {
  code: 'email.dynamic_dns',
  description: 'A mailbox under a dynamic-DNS name anyone can take in a minute',
  group: 'mailbox',
  detect: ({ host }): readonly Finding[] => {
    const found = tagged(platformElseOwn(host), 'dynamic_dns')
    return found.length === 0 ? NOTHING : found.filter(({ confidence }) => confidence >= CONFIDENCE_MIN)
  },
} satisfies EvidenceSignal
