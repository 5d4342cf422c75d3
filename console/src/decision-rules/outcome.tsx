import type { DecisionRule } from '../api/organisation.ts'
import { State } from '../shell/page.tsx'
import { OUTCOMES } from './words.ts'

const LOOKS = { approve: 'active', review: 'open', stop: 'disabled' } as const

export function Outcome({ of }: { of: DecisionRule['outcome'] }) {
  return <State name={LOOKS[of]}>{OUTCOMES[of]}</State>
}
