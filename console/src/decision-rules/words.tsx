import type { DecisionRule } from '../api/organisation.ts'
import { State } from '../shell/page.tsx'

type When = DecisionRule['when']
/** The conditions whose values are words. */
export const CHOICES = {
  families: {
    title: 'Checked',
    words: {
      'payment-risk': 'an email address',
      'supply-chain-risk': 'a domain',
      'infrastructure-risk': 'an IP address',
    },
  },
  levels: { title: 'Risk', words: { low: 'low', medium: 'medium', high: 'high' } },
  own_lists: {
    title: 'Own list',
    words: { allow: 'allow', block: 'block', review: 'review', none: 'none' },
  },
  counterparties: {
    title: 'Counterparty',
    words: {
      known: 'known',
      former: 'former',
      blocked: 'blocked',
      lookalike: 'imitated',
      none: 'none',
    },
  },
} as const satisfies { readonly [Name in keyof When]?: { readonly title: string; readonly words: object } }
export type Choice = keyof typeof CHOICES
export const CHOICE_NAMES = Object.keys(CHOICES) as Choice[]

export const OUTCOMES = { approve: 'Approve', review: 'Review', stop: 'Stop' } as const

/** The conditions of a rule in one line: `Risk: medium or high; counterparty: none`. */
export function whenWords(when: When): string {
  const chosen = CHOICE_NAMES.flatMap((name) => {
    const words: Readonly<Record<string, string>> = CHOICES[name].words
    const values = when[name]?.map((value) => words[value] ?? value) ?? []
    return values.length === 0 ? [] : [`${CHOICES[name].title.toLowerCase()}: ${values.join(' or ')}`]
  })
  const signals = when.signals?.length ? [`signal: ${when.signals.join(' or ')}`] : []
  const account =
    when.account_differs === undefined ? [] : [`bank account ${when.account_differs ? 'differs' : 'does not differ'}`]
  const all = [...chosen, ...signals, ...account].join('; ')
  return all === '' ? 'Always' : all.charAt(0).toUpperCase() + all.slice(1)
}

const LOOKS = { approve: 'active', review: 'open', stop: 'disabled' } as const

export function Outcome({ of }: { of: DecisionRule['outcome'] }) {
  return <State name={LOOKS[of]}>{OUTCOMES[of]}</State>
}
