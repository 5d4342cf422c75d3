import { describe, expect, it } from 'vitest'
import { comparisonFindings, comparisonsOf } from './comparison.ts'

const acme = {
  id: 'cpy_1',
  name: 'Acme Ltd',
  reference: '4711',
  state: 'active',
  since: null,
  accounts: ['4417', '9920'].map((last4) => ({ kind: 'iban' as const, country: 'DE', last4 })),
} as const
const account = { kind: 'iban', country: 'DE', last4: '3000' } as const
const nothing = { result: 'unknown', account: null, counterparties: [], account_of: [], named: [] } as const
const said = (answer: Partial<Parameters<typeof comparisonFindings>[1]>) =>
  comparisonFindings('pay@x.example', { ...nothing, ...answer }).map(({ says, words }) => `${says}: ${words}`)

describe('the answer to a comparison in words', () => {
  it('warns about another account, an account of another one, and the name of a counterparty', () => {
    expect(
      said({ result: 'differs', account, counterparties: [acme], account_of: [{ ...acme, name: 'Beta' }] }),
    ).toEqual([
      'bad: The account …3000 is not one of Acme Ltd (4711): on record are …4417, …9920.',
      'bad: The account …3000 is on record for another one: Beta (4711).',
    ])
    expect(said({ named: [acme] })).toEqual([
      'bad: The sender bears the name of Acme Ltd (4711), but pay@x.example is none of its known addresses.',
    ])
  })

  it('says what is as on record, and what cannot be compared', () => {
    expect(said({ result: 'matches', account, counterparties: [acme] })).toEqual([
      'good: The account …3000 is a known account of Acme Ltd (4711).',
    ])
    expect(said({ account })).toEqual([
      'open: pay@x.example is none of your counterparties: the account …3000 cannot be compared.',
    ])
    expect(said({ account, counterparties: [{ ...acme, accounts: [] }] })).toEqual([
      'open: No account of Acme Ltd (4711) is on record: the account …3000 cannot be compared.',
    ])
    expect(said({})).toEqual([])
  })

  it('names a counterparty that is blocked or former, and warns about the known account of a blocked one', () => {
    const blocked = { ...acme, state: 'blocked' } as const
    expect(said({ result: 'matches', account, counterparties: [blocked] })).toEqual([
      'bad: The account …3000 is a known account of Acme Ltd (4711, blocked).',
    ])
    expect(
      said({ result: 'matches', account, counterparties: [{ ...acme, state: 'former', reference: null }] }),
    ).toEqual(['good: The account …3000 is a known account of Acme Ltd (former).'])
  })

  it("says what the organisation's own rule decides", () => {
    const rule = { rule: 'Other account', text: 'Call the supplier.' }
    expect(said({ decision: { outcome: 'stop', ...rule } })).toEqual([
      'bad: Your rule “Other account” says stop: Call the supplier.',
    ])
    expect(said({ decision: { outcome: 'approve', ...rule, text: '' } })).toEqual([
      'open: Your rule “Other account” says approve.',
    ])
  })

  it('compares each account with each sender, and a name alone; nothing else of a mail', () => {
    const senders = [
      { name: 'Acme', address: 'a@x.example' },
      { name: ' ', address: 'b@x.example' },
    ]
    expect(comparisonsOf({ senders, accounts: [] })).toEqual([{ email: 'a@x.example', name: 'Acme' }])
    expect(comparisonsOf({ senders, accounts: ['DE1'] })).toEqual([
      { email: 'a@x.example', name: 'Acme', account: 'DE1' },
      { email: 'b@x.example', account: 'DE1' },
    ])
    expect(comparisonsOf({ senders: [], accounts: ['DE1'] })).toEqual([])
  })
})
