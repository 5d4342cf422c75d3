import { type Claim, claimIn } from '../model/claims.ts'
import { type Finding, isFreeMail, NOTHING, type Signal, withoutPlus } from '../signal.ts'

/** A free mailbox whose name claims a company or an officer: paypal.security@gmail.com, ceo.office@yahoo.com. */
export const emailImpersonation = {
  code: 'email.impersonation',
  description: 'A free mailbox that speaks in the name of a company or its officers',
  group: 'person',
  detect: ({ local, host, models }): readonly Finding[] => {
    if (!isFreeMail(host.own)) return NOTHING
    const claim = claimIn(withoutPlus(local), models.brands, models.lexicon)
    if (claim === undefined) return NOTHING
    const dealt = models.brands.named(claim.words.brand ?? '')?.dealers ?? false
    const [variant, sentence] = ofCompany(claim, dealt) ?? ofOfficer(claim) ?? ofDepartment(claim) ?? []
    return variant === undefined || sentence === undefined
      ? NOTHING
      : [{ source: 'rules', confidence: 1, variant, sentence }]
  },
} satisfies Signal<'email'>

type Verdict = readonly [variant: string, sentence: string]

/** A company or an authority, and what it is said to want. `dealt` where dealers use the name honestly. */
function ofCompany({ words, counts, others }: Claim, dealt: boolean): Verdict | undefined {
  const { authority, agency, ambiguous, bank, chief, title, money, service, department, trade } = words
  const strangers = others + (counts.honorary ?? 0)
  // Apple beside a bakery is an apple.
  const brand = words.brand ?? (strangers === 0 ? words.thing : undefined)
  const name = brand ?? authority ?? agency ?? ambiguous
  if (name === undefined) {
    // Some bank by the name of the words that nobody knows.
    return bank !== undefined && money !== undefined && others > 0 && counts.honorary === undefined
      ? ['name_in_part', `A free mailbox that speaks in the name of a bank: it puts ${bank} beside ${money}`]
      : undefined
  }
  const claimedFor = name === brand || name === ambiguous ? (authority ?? agency) : undefined
  const serious = money ?? chief ?? claimedFor
  const beside = serious ?? (title !== undefined && DIRECTORS.has(title) ? title : undefined) ?? service ?? department
  const speaks = `A free mailbox that speaks in the name of ${name}`
  const unmistakable = brand ?? authority ?? (bank === undefined ? undefined : ambiguous)
  if (beside === undefined && trade !== undefined) {
    if (words.brand === undefined || strangers > 0) return undefined
    return ['name_in_part', `${speaks}: it puts ${name} beside ${trade}`]
  }
  if (beside === undefined) {
    // Morgan Stanley and Ali Baba may be people; a name in one word is the company's.
    const whole = words.brand ?? ''
    const alone = whole.length >= BARE_LENGTH_MIN && !whole.includes(' ') && !counts.filler
    const bare = authority ?? (alone || (whole !== '' && bank !== undefined))
    return bare && strangers === 0 && title === undefined ? ['name_alone', speaks] : undefined
  }
  const sentence = `${speaks}: it puts ${name} beside ${beside}`
  // A person's name or a town beside the brand: more often a dealer or a fan than a fraud.
  if (strangers > 0) return serious && unmistakable ? ['name_in_part', sentence] : undefined
  // Shops that repair or sell a make call themselves its service.
  if (dealt && REPAIR.has(beside)) return undefined
  if (unmistakable) return [REPAIR.has(beside) ? 'name_in_part' : 'name', sentence]
  if (agency !== undefined) return serious || department ? ['name', sentence] : ['name_in_part', sentence]
  return serious || (beside === service && STAFF.has(beside) && name !== VISA) ? ['name_in_part', sentence] : undefined
}

const REPAIR: ReadonlySet<string> = new Set('service services care help assistance assistenza'.split(' '))
// What a repair shop of the brand does not call itself.
const STAFF: ReadonlySet<string> = new Set(
  'support supports techsupport customersupport recruitment recruiting careers hr'.split(' '),
)
// Travel agents help with visas.
const VISA = 'visa'

const BARE_LENGTH_MIN = 6

function ofOfficer({ words, counts, others }: Claim): Verdict | undefined {
  const { chief, title, money, honorary } = words
  const rank = chief ?? title
  if (rank === undefined || honorary !== undefined) return undefined
  const named = others + (counts.ambiguous ?? 0) + (counts.brand ?? 0) + (counts.thing ?? 0) > 0
  const sentence = `A free mailbox that claims the office of a company officer: it says ${rank}`
  if (chief !== undefined) {
    if (money !== undefined) return ['officer_and_money', `${sentence} beside ${money}`]
    return named ? ['officer_by_name', sentence] : ['officer', sentence]
  }
  if (!named) return ['officer', sentence]
  // One name beside President may be a surname or a club; two are a person who claims to be one.
  if (rank === 'president' && others < 2) return undefined
  return DIRECTORS.has(rank) ? ['officer_by_name', sentence] : undefined
}

// Md and VP are names and initials of people too; a director is a director.
const DIRECTORS: ReadonlySet<string> = new Set(
  'director president directeur directrice direttore direktor diretor dyrektor gerente generalmanager'.split(' '),
)

/** A finance department of nobody in particular. Beside the name of a small firm it is that firm's own. */
function ofDepartment({ words, counts, others }: Claim): Verdict | undefined {
  const { money, service, department } = words
  if (others > 0 || words.honorary !== undefined) return undefined
  const what = money ?? service
  if (what === undefined) return undefined
  const functions = (counts.money ?? 0) + (counts.service ?? 0) + (counts.bank ?? 0)
  const isDepartment =
    department !== undefined || (money !== undefined && (functions > 1 || WHOLE.has(money.replaceAll(' ', ''))))
  return isDepartment
    ? ['department', `A free mailbox that claims to be the department of a company that is not named: it says ${what}`]
    : undefined
}

const WHOLE: ReadonlySet<string> = new Set(
  (
    'accountspayable accountpayable accountsreceivable payable payroll remittance treasury wiretransfer ' +
    'fraudprevention fraudteam'
  ).split(' '),
)
