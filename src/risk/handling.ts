import type { Family } from '../lib/kinds.ts'
import type { Level } from './engine.ts'

/** The action for a level, by family: the sentence `explain` gives as `recommended_action`. */
export const RECOMMENDED_ACTIONS: Readonly<Record<Family, Readonly<Record<Level, string>>>> = {
  'payment-risk': {
    high: 'escalate and verify independently before paying',
    medium: 'review payee and payment context',
    low: 'proceed under normal payment controls',
  },
  'supply-chain-risk': {
    high: 'escalate supplier for further due diligence',
    medium: 'review supplier before onboarding or transacting',
    low: 'proceed under normal supplier controls',
  },
  'infrastructure-risk': {
    high: 'escalate for investigation',
    medium: 'review infrastructure context and supporting evidence',
    low: 'proceed under normal infrastructure controls',
  },
}
