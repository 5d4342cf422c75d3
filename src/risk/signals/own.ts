import type { Difference } from '../model/confusables.ts'
import { displaySuffix } from '../model/suffixes.ts'
import type { OwnSubject } from '../own/look-up.ts'
import type { Counterparty, EntryItem } from '../own/own-index.ts'
import type { Resemblance } from '../own/resemblance.ts'
import { differencesInWords } from './domain-brand.ts'
import { type Finding, type Group, NOTHING } from './signal.ts'

/** A signal of what the organisation itself knows. */
export interface OwnSignal {
  readonly code: `own.${string}`
  readonly description: string
  readonly group: Group
  detect(subject: OwnSubject): readonly Finding<string>[]
}

const listSignal = <L extends EntryItem[2]>(list: L, group: Group) => ({
  code: `own.${list}_list` as const,
  description: `On your own ${list} list`,
  group,
  detect: (subject: OwnSubject) => listed(subject, list),
})

/** In the order in which they decide (weights/groups.ts): an organisation's own lists first, then its counterparties. */
export const OWN_SIGNALS = [
  listSignal('block', 'own'),
  listSignal('allow', 'standing'),
  {
    code: 'own.counterparty_blocked',
    description: 'Belongs to a counterparty that you have blocked',
    group: 'own',
    detect: ({ relation, shown }) => {
      if (relation?.counterparty?.state !== 'blocked') return NOTHING
      const { how, counterparty } = relation
      return said(() => `${subjectOf(how, shown)} belongs to ${naming(counterparty)}, which you have blocked`)
    },
  },
  {
    code: 'own.lookalike',
    description: 'Easily mistaken for a domain of your counterparty, or for your own',
    group: 'own',
    detect: (subject) => resembling(subject, 'lookalike'),
  },
  listSignal('review', 'own'),
  {
    code: 'own.possible_lookalike',
    description: 'Close to a domain of your counterparty, or to your own',
    group: 'own',
    detect: (subject) => resembling(subject, 'possible'),
  },
  {
    code: 'own.claimed_name',
    description: 'A free mailbox that carries the name of your counterparty, or your own',
    group: 'own',
    detect: ({ claim }) => {
      if (!claim) return NOTHING
      const { counterparty } = claim
      return said(() => {
        const whose = counterparty ? supplier(counterparty) : 'your own organisation'
        return `A free mailbox that carries the name of ${whose}, and none of its known addresses`
      })
    },
  },
  {
    code: 'own.counterparty',
    description: 'Belongs to your counterparty, or to yourself',
    group: 'standing',
    detect: ({ relation, shown }) => {
      if (!relation || relation.how === 'mailbox') return NOTHING
      const { how, by, counterparty } = relation
      if (!counterparty) return said(() => `${shown} is your own domain`)
      if (counterparty.state !== 'active') return NOTHING
      return said(() => {
        const { since } = counterparty.details()
        const supplier = `your supplier ${naming(counterparty)}${since === null ? '' : `, known since ${since}`}`
        if (how === 'domain') return `${shown} is ${supplier}`
        if (how === 'email') return `This address is ${supplier}`
        return by === shown
          ? `${shown} is an address of ${supplier}`
          : `${shown} is inside ${by}, a network of ${supplier}`
      })
    },
  },
  {
    code: 'own.counterparty_former',
    description: 'Belongs to a former counterparty of yours',
    group: 'note',
    detect: ({ relation, shown }) => {
      if (relation?.counterparty?.state !== 'former') return NOTHING
      const { how, counterparty } = relation
      return said(() => `${subjectOf(how, shown)} belongs to your former supplier ${naming(counterparty)}`)
    },
  },
  {
    code: 'own.new_mailbox',
    description: 'A mailbox that is not in your register, on a domain of your counterparty',
    group: 'note',
    detect: ({ relation }) => {
      if (relation?.how !== 'mailbox' || relation.counterparty?.state !== 'active') return NOTHING
      const { by, counterparty } = relation
      return said(() => `A mailbox that is not in your register, on ${by} of your supplier ${naming(counterparty)}`)
    },
  },
  {
    code: 'own.new_address',
    description: 'An address that was never seen for your counterparty',
    group: 'note',
    detect: ({ relation, shown, outside }) => {
      const { counterparty, how, by } = relation ?? {}
      if (!counterparty) return NOTHING
      if (how === 'network' && by !== shown && !by?.startsWith(`${shown}/`)) {
        const { name } = counterparty.details()
        return said(() => `Your register has the network ${by} of ${name}, and not this single address`)
      }
      const [address] = outside
      if (address === undefined) return NOTHING
      const { name } = counterparty.details()
      return said(() => `${by || shown} resolves to ${address}, which is in none of the networks of ${name}`)
    },
  },
  {
    code: 'own.namesake',
    description: 'Has the name of your counterparty in it, which others may have too',
    group: 'note',
    detect: (subject) => resembling(subject, 'namesake'),
  },
] as const satisfies readonly OwnSignal[]

/** The id of the source of these findings. */
export const OWN_SOURCE = 'own'

function said(sentence: () => string, resembles?: string): readonly Finding[] {
  return [{ source: OWN_SOURCE, confidence: 1, sentence, resembles }]
}

function listed({ entries, shown }: OwnSubject, list: EntryItem[2]): readonly Finding[] {
  const entry = entries.find((one) => one[2] === list)
  if (!entry) return NOTHING
  const [kind, indicator, , reason] = entry
  const what = kind === 'email' ? 'this address' : indicator === shown ? shown : `${indicator}, and with it ${shown}`
  return said(() => `Your ${list} list has ${what}${reason === null || reason === '' ? '' : `: “${reason}”`}`)
}

function resembling({ resemblance, shown }: OwnSubject, degree: Resemblance['degree']): readonly Finding[] {
  if (resemblance?.degree !== degree) return NOTHING
  const { known } = resemblance
  // A namesake may be anybody: it is not shown as the real name behind this one.
  return said(() => SENTENCES[resemblance.how](resemblance, shown), degree === 'namesake' ? undefined : known.domain)
}

const SENTENCES: Record<Resemblance['how'], (resemblance: Resemblance, shown: string) => string> = {
  typo: ({ known }) => `One letter from ${whose(known)}`,
  glyphs: ({ known, differences }) =>
    `Looks the same as ${whose(known)}, to the eye${differencesInWords(differences ?? NO_DIFFERENCES)}`,
  hyphens: ({ known }) => `Spells ${whose(known)}, with other hyphens`,
  ending: ({ known }, shown) => `The name of ${whose(known)}, under .${displaySuffix(endingOf(shown, known.label))}`,
  word: ({ known, word }) => `Adds “${word}” to ${whose(known)}`,
  address: ({ known }, shown) => `Begins like ${whose(known)}, but belongs to ${shown.split('.').slice(-2).join('.')}`,
}

const NO_DIFFERENCES: readonly Difference[] = []

function endingOf(shown: string, label: string): string {
  const at = shown.lastIndexOf(`${label}.`)
  return shown.slice(at + label.length + 1)
}

/** `acme.com, your supplier Acme`. */
function whose({ domain, counterparty }: Resemblance['known']): string {
  if (!counterparty) return `${domain}, your own domain`
  return `${domain}, ${supplier(counterparty)}`
}

/** `your former supplier Acme`. */
const supplier = ({ state, details }: Counterparty): string =>
  `your ${state === 'active' ? '' : `${state} `}supplier ${details().name}`

/** `Acme (ref 4711)`. */
function naming({ details }: Counterparty): string {
  const { name, reference } = details()
  return reference === null || reference === '' ? name : `${name} (ref ${reference})`
}

function subjectOf(how: string, shown: string): string {
  return how === 'email' ? 'This address' : shown
}
