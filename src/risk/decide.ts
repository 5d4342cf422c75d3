import { type Family, KINDS, type Kind } from '../lib/kinds.ts'
import { type Decision, LEVEL_FLOORS, type Level, levelOf } from './engine.ts'
import type { KnownCounterparty } from './own/knowledge.ts'
import type { OwnIndex } from './own/own-index.ts'
import { ALL_SIGNALS } from './signals/all.ts'

/**
 * An organisation's decision about an answer: the first of its rules that matches. Pure: an answer of last year can be
 * decided again by the rules of today.
 */

export const LEVELS = Object.keys(LEVEL_FLOORS) as Level[]
export const OWN_LIST_RELATIONS = ['allow', 'block', 'review', 'none'] as const
/** A code that no answer can have makes a rule that never matches. */
export const SIGNAL_CODES: ReadonlySet<string> = new Set(ALL_SIGNALS.map(({ code }) => code))
export const COUNTERPARTY_RELATIONS = ['known', 'former', 'blocked', 'lookalike', 'none'] as const

type CounterpartyState = KnownCounterparty['state']
type OwnListRelation = (typeof OWN_LIST_RELATIONS)[number]
type CounterpartyRelation = (typeof COUNTERPARTY_RELATIONS)[number]

/** Every given condition must hold; of a list, one of its words. Without any condition a rule matches every answer. */
export interface DecisionConditions {
  readonly families?: readonly Family[] | undefined
  readonly levels?: readonly Level[] | undefined
  /** Codes of signals of the answer. */
  readonly signals?: readonly string[] | undefined
  readonly own_lists?: readonly OwnListRelation[] | undefined
  readonly counterparties?: readonly CounterpartyRelation[] | undefined
  /** The bank account on the invoice is, or is not, another than those of the counterparty. */
  readonly account_differs?: boolean | undefined
}

export interface DecisionRule {
  readonly name: string
  readonly when: DecisionConditions
  readonly outcome: Decision['outcome']
  /** For the clerk. */
  readonly text: string
}

/** The parts of a finished answer that rules look at. */
export interface Decidable {
  readonly kind: Kind
  /** Undefined if nothing was scored: then no rule about levels matches. */
  readonly score?: number | undefined
  readonly signals: readonly { readonly code: string }[]
  /** Undefined if no account was compared: then no rule about accounts matches. */
  readonly accountDiffers?: boolean | undefined
}

/** Undefined if no rule matches. */
export type Decide = (answer: Decidable) => Decision | undefined

/** The signals of an organisation's own knowledge. A possible look-alike is told apart by its level or its code. */
const OWN_LISTS: Readonly<Record<string, OwnListRelation>> = {
  'own.allow_list': 'allow',
  'own.block_list': 'block',
  'own.review_list': 'review',
}
const COUNTERPARTIES: Readonly<Record<string, CounterpartyRelation>> = {
  'own.counterparty': 'known',
  'own.new_mailbox': 'known',
  'own.new_address': 'known',
  'own.counterparty_former': 'former',
  'own.counterparty_blocked': 'blocked',
  'own.lookalike': 'lookalike',
  'own.possible_lookalike': 'lookalike',
  'own.claimed_name': 'lookalike',
}

function factsOf({ kind, score, signals, accountDiffers }: Decidable) {
  const codes = new Set(signals.map(({ code }) => code))
  const related = <R extends string>(table: Readonly<Record<string, R>>) =>
    new Set<R | 'none'>([...codes].flatMap((code) => table[code] ?? []))
  const ownLists = related(OWN_LISTS)
  const counterparties = related(COUNTERPARTIES)
  if (ownLists.size === 0) ownLists.add('none')
  if (counterparties.size === 0) counterparties.add('none')
  const level = score === undefined ? undefined : levelOf(score)
  return { family: KINDS[kind].family, level, codes, ownLists, counterparties, accountDiffers }
}

function matches(when: DecisionConditions, facts: ReturnType<typeof factsOf>): boolean {
  const { families, levels, signals, own_lists, counterparties, account_differs } = when
  return (
    (families?.includes(facts.family) ?? true) &&
    (levels === undefined || (facts.level !== undefined && levels.includes(facts.level))) &&
    (signals?.some((code) => facts.codes.has(code)) ?? true) &&
    (own_lists?.some((one) => facts.ownLists.has(one)) ?? true) &&
    (counterparties?.some((one) => facts.counterparties.has(one)) ?? true) &&
    (account_differs === undefined || account_differs === facts.accountDiffers)
  )
}

export function decideBy(rules: readonly DecisionRule[]): Decide {
  const decisions = rules.map(({ name: rule, outcome, text }): Decision => ({ outcome, rule, text }))
  return (answer) => {
    const facts = factsOf(answer)
    return decisions[rules.findIndex(({ when }) => matches(when, facts))]
  }
}

/** For an account that was compared, without a check: by the rules about accounts alone. */
export function decideOnAccount(
  rules: readonly DecisionRule[],
  { differs, states }: { readonly differs: boolean; readonly states: readonly CounterpartyState[] },
): Decision | undefined {
  const aboutAccounts = rules.filter(({ when }) => when.account_differs !== undefined && when.own_lists === undefined)
  const signals = states.map((state) => ({
    code: state === 'active' ? 'own.counterparty' : `own.counterparty_${state}`,
  }))
  return decideBy(aboutAccounts)({ kind: 'email', signals, accountDiffers: differs })
}

const decided = new WeakMap<OwnIndex, Decide | 'none'>()

/** By the rules in the index of an organisation's knowledge, which are parsed once; undefined if it has none. */
export function decideOf(own: OwnIndex): Decide | undefined {
  let decide = decided.get(own)
  if (decide === undefined) {
    const rules = own.rules()
    decide = rules === undefined ? 'none' : decideBy(JSON.parse(rules) as DecisionRule[])
    decided.set(own, decide)
  }
  return decide === 'none' ? undefined : decide
}
