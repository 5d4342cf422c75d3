import { describe, expect, it } from 'vitest'
import { ownIndex } from '../../test/support/own.ts'
import {
  type Decidable,
  type DecisionConditions,
  type DecisionRule,
  decideBy,
  decideOf,
  decideOnAccount,
} from './decide.ts'

const rule = (name: string, when: DecisionConditions, outcome: DecisionRule['outcome'] = 'stop'): DecisionRule => ({
  name,
  when,
  outcome,
  text: `Because of ${name}`,
})
const answer = (kind: Decidable['kind'], score: number, ...codes: string[]): Decidable => ({
  kind,
  score,
  signals: codes.map((code) => ({ code })),
})
const decided = (rules: readonly DecisionRule[], one: Decidable) => decideBy(rules)(one)?.rule

describe('decision rules', () => {
  it('the first rule that matches decides, with its outcome and text', () => {
    const rules = [rule('high', { levels: ['high'] }), rule('any high payment', { levels: ['high'] }, 'review')]
    expect(decideBy(rules)(answer('email', 70))).toEqual({
      outcome: 'stop',
      rule: 'high',
      text: 'Because of high',
    })
  })

  it('without a match, and without rules, there is no decision', () => {
    expect(decided([rule('high', { levels: ['high'] })], answer('email', 69))).toBeUndefined()
    expect(decided([], answer('email', 99))).toBeUndefined()
  })

  it('a rule without conditions matches everything', () => {
    expect(decided([rule('else', {}, 'approve')], answer('ip', 0))).toBe('else')
  })

  it.each<[string, DecisionConditions, Decidable, boolean]>([
    ['family', { families: ['payment-risk'] }, answer('email', 1), true],
    ['another family', { families: ['payment-risk'] }, answer('domain', 1), false],
    ['one of two levels', { levels: ['low', 'medium'] }, answer('email', 30), true],
    ['a signal', { signals: ['domain.new', 'ip.tor_exit'] }, answer('ip', 5, 'ip.tor_exit'), true],
    ['another signal', { signals: ['domain.new'] }, answer('ip', 5, 'ip.tor_exit'), false],
    ['own block list', { own_lists: ['block'] }, answer('email', 99, 'own.block_list'), true],
    ['no own list', { own_lists: ['none'] }, answer('email', 99, 'own.block_list'), false],
    ['no own list, and none there', { own_lists: ['none'] }, answer('email', 99), true],
    ['a new mailbox of a counterparty', { counterparties: ['known'] }, answer('email', 3, 'own.new_mailbox'), true],
    ['a look-alike', { counterparties: ['lookalike'] }, answer('domain', 90, 'own.lookalike'), true],
    ['a namesake is no counterparty', { counterparties: ['none'] }, answer('domain', 3, 'own.namesake'), true],
    ['no counterparty', { counterparties: ['none'] }, answer('domain', 3), true],
    ['every condition must hold', { levels: ['low'], families: ['infrastructure-risk'] }, answer('email', 1), false],
    ['an account that differs', { account_differs: true }, { ...answer('email', 1), accountDiffers: true }, true],
    ['an account that matches', { account_differs: true }, { ...answer('email', 1), accountDiffers: false }, false],
    ['no account compared', { account_differs: false }, answer('email', 1), false],
  ])('%s', (_name, when, one, matches) => {
    expect(decided([rule('it', when)], one)).toBe(matches ? 'it' : undefined)
  })

  it('for an account that was compared only rules about accounts count, and those that ask for a score do not', () => {
    const rules = [
      rule('every', {}),
      rule('low and other account', { account_differs: true, levels: ['low'] }),
      rule('blocked', { account_differs: true, counterparties: ['blocked'] }),
      rule('other account', { account_differs: true, families: ['payment-risk'] }),
    ]
    expect(decideOnAccount(rules, { differs: true, states: ['active'] })?.rule).toBe('other account')
    expect(decideOnAccount(rules, { differs: true, states: ['blocked'] })?.rule).toBe('blocked')
    expect(decideOnAccount(rules, { differs: false, states: ['active'] })).toBeUndefined()
  })

  it('are part of the index of what an organisation knows; an index without rules decides nothing', () => {
    const decide = decideOf(ownIndex({ rules: [rule('first', {})], domains: ['mine.com'] }))
    expect(decide?.(answer('ip', 1))?.rule).toBe('first')
    expect(decideOf(ownIndex({ domains: ['mine.com'] }))).toBeUndefined()
  })
})
