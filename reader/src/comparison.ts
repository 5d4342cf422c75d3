import type { Operations } from '@assay/sdk'

/** Words for the answer to a comparison with the register of counterparties, one sentence for each finding. */

type Comparison = Operations['POST /v1/payments/compare']['response']
type Known = Comparison['counterparties'][number]

export interface Finding {
  readonly words: string
  /** `bad`: stop and ask; `good`: as on record; `open`: nothing to compare with. */
  readonly says: 'bad' | 'good' | 'open'
}

const FOUND_MAX = 3

function naming({ name, reference, state }: Known): string {
  const beside = [...(reference === null ? [] : [reference]), ...(state === 'active' ? [] : [state])]
  return beside.length === 0 ? name : `${name} (${beside.join(', ')})`
}

/** The organisation's own rule about the account. */
export const decisionWords = ({ outcome, rule, text }: NonNullable<Comparison['decision']>): string =>
  `Your rule “${rule}” says ${outcome}${text === '' ? '.' : `: ${text}`}`
const namesOf = (known: readonly Known[]) => known.slice(0, FOUND_MAX).map(naming).join(', ')
const endOf = ({ last4 }: { readonly last4: string }) => `…${last4}`

export function comparisonFindings(sender: string, answer: Comparison): Finding[] {
  const { result, account, counterparties, account_of, named, decision } = answer
  const found: Finding[] = []
  const say = (says: Finding['says'], words: string) => found.push({ says, words })
  if (named.length > 0) {
    say('bad', `The sender bears the name of ${namesOf(named)}, but ${sender} is none of its known addresses.`)
  }
  if (account) {
    const end = endOf(account)
    const whose = namesOf(counterparties)
    const known = counterparties.flatMap(({ accounts }) => accounts.map(endOf)).join(', ')
    const isBlocked = counterparties.some(({ state }) => state === 'blocked')
    if (result === 'matches') say(isBlocked ? 'bad' : 'good', `The account ${end} is a known account of ${whose}.`)
    else if (result === 'differs') say('bad', `The account ${end} is not one of ${whose}: on record are ${known}.`)
    else if (whose === '')
      say('open', `${sender} is none of your counterparties: the account ${end} cannot be compared.`)
    else say('open', `No account of ${whose} is on record: the account ${end} cannot be compared.`)
    if (account_of.length > 0) say('bad', `The account ${end} is on record for another one: ${namesOf(account_of)}.`)
  }
  if (decision) say(decision.outcome === 'stop' ? 'bad' : 'open', decisionWords(decision))
  return found
}

const SENDERS_MAX = 3
const ACCOUNTS_MAX = 3

/** The comparisons of a mail: each name and account that it shows, with the address it came from. */
export function comparisonsOf({
  senders,
  accounts,
}: {
  readonly senders: readonly { readonly name: string; readonly address: string }[]
  readonly accounts: readonly string[]
}): { readonly email: string; readonly name?: string; readonly account?: string }[] {
  return senders.slice(0, SENDERS_MAX).flatMap(({ name, address: email }) => {
    const who = { email, ...(name.trim() === '' ? {} : { name: name.trim().slice(0, 200) }) }
    if (accounts.length > 0) return accounts.slice(0, ACCOUNTS_MAX).map((account) => ({ ...who, account }))
    return 'name' in who ? [who] : []
  })
}
