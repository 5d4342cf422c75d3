import type { SnapshotInfo } from '../../snapshot/types.ts'
import { isVouchedFor } from '../look-up/domain.ts'
import { isFreeMail } from '../look-up/evidence.ts'
import type { EmailSubject } from '../look-up/look-up.ts'
import { bankChangeIn, type Claim, DEPARTMENTS, type LocalReading, readLocal, type Word } from '../model/claims.ts'
import { isAscii } from '../model/local-words.ts'
import { wordSet } from '../model/word-lists.ts'
import { type Finding, NOTHING, rule, type Signal, withoutPlus } from './signal.ts'

/** A free mailbox whose name claims a company or an officer: paypal.security@gmail.com, ceo.office@yahoo.com. */
export const emailImpersonation = {
  code: 'email.impersonation',
  description: 'A free mailbox that claims to be a company or its officers',
  group: 'person',
  detect: (subject): readonly Finding<Case>[] => {
    const isFree = isFreeMail(subject.host.own)
    // At a company's own domain a mailbox may name its function; only deceptive letters are reported.
    if (!isFree && isAscii(subject.local)) {
      const change = isVouchedFor(subject.host.own) ? undefined : bankChangeIn(subject.local)
      return change === undefined
        ? NOTHING
        : rule(`The part before the @ announces new bank details: “${change}”`, 'change_announced')
    }
    const { claim, disguise } = readingOf(subject)
    const verdict = claim === undefined || !isFree ? undefined : verdictOn(claim)
    if (disguise !== undefined) return inDisguise(disguise, claim, verdict, isFree)
    return verdict === undefined ? NOTHING : rule(verdict[1], verdict[0])
  },
} satisfies Signal<'email'>

/** True if a mailbox claims no particular identity: it contains only names, all in one alphabet. */
export function claimsNothing(subject: EmailSubject): boolean {
  const { claim, isOneScript } = readingOf(subject)
  if (!isOneScript) return false
  if (claim === undefined) return true
  // Chase Miller and Md Rahman are people; chase alone may be the bank.
  return claim.others > 0 && CLAIMS.every((kind) => (claim.words[kind] ?? 'md') === 'md')
}

const CLAIMS = 'brand authority agency chief title money service bank department'.split(' ') as readonly Word[]

// Caches the last result: the signal and the check for an ordinary customer ask about the same mailbox one after the
// other. The cache holds no subject, because a subject would keep its whole snapshot in memory.
let lastLocal: string | undefined
let lastModels: EmailSubject['models'] | undefined
let lastInfo: SnapshotInfo | undefined
let lastReading: LocalReading | undefined

function readingOf(subject: EmailSubject): LocalReading {
  const { local, models } = subject
  const { info } = subject.host.snapshot
  const isLast = lastLocal === local && lastModels === models && lastInfo === info
  if (lastReading !== undefined && isLast) return lastReading
  lastReading = readLocal(withoutPlus(local), subject)
  lastLocal = local
  lastModels = models
  lastInfo = info
  return lastReading
}

/** Two alphabets in one word need a second look; nobody writes a company's name that way except to deceive. */
function inDisguise(
  scripts: readonly string[],
  claim: Claim | undefined,
  verdict: Verdict | undefined,
  isFree: boolean,
): readonly Finding<Case>[] {
  const letters = `${scripts.join(' and ')} letters`
  // A company's own `info` or `sales` may be typed with the wrong keyboard.
  const imitated = isFree ? IMITATED_AT_FREE_MAIL : IMITATED
  const word = imitated.map((kind) => claim?.words[kind]).find((found) => found !== undefined)
  const saying = verdict?.[1] ?? (word === undefined ? undefined : `The part before the @ says ${word}`)
  return saying === undefined
    ? rule(`Mixes ${letters} in one word before the @`, 'mixed')
    : rule(`${saying}, with a word in ${letters}`, 'disguised')
}

const IMITATED: readonly Word[] = ['brand', 'authority', 'agency', 'chief', 'thing', 'ambiguous']
const IMITATED_AT_FREE_MAIL: readonly Word[] = [...IMITATED, 'money', 'service']

type Case =
  | 'name'
  | 'name_in_part'
  | 'name_alone'
  | 'officer_and_money'
  | 'officer'
  | 'officer_by_name'
  | 'department'
  | 'fraud_only'
  | 'change_announced'
  | 'mixed'
  | 'disguised'

type Verdict = readonly [variant: Case, sentence: string]

function verdictOn(claim: Claim): Verdict | undefined {
  return ofCompany(claim) ?? ofOfficer(claim) ?? ofFraud(claim) ?? ofDepartment(claim)
}

/** A company or an authority, and its supposed request. */
function ofCompany({ words, counts, others, dealt, isOftenImitated }: Claim): Verdict | undefined {
  const { authority, agency, ambiguous, bank, chief, title, money, service, department, trade } = words
  const strangers = others + (counts.honorary ?? 0)
  // Apple beside a bakery is a fruit.
  const brand = words.brand ?? (strangers === 0 ? words.thing : undefined)
  const firm = strangers === 0 ? words.firm : undefined
  const name = brand ?? authority ?? agency ?? firm ?? ambiguous
  if (name === undefined) {
    // Some bank, named by unknown words.
    return bank !== undefined && money !== undefined && others > 0 && counts.honorary === undefined
      ? ['name_in_part', `A free mailbox that claims to be a bank: it puts ${bank} beside ${money}`]
      : undefined
  }
  const claimedFor = name === brand || name === ambiguous ? (authority ?? agency) : undefined
  const serious = money ?? chief ?? claimedFor
  const director = title !== undefined && DIRECTORS.has(title) ? title : undefined
  const team = brand !== undefined && isOftenImitated && !dealt && words.branch === 'team' ? 'team' : undefined
  const beside = serious ?? director ?? service ?? department ?? team
  const speaks = `A free mailbox that claims to be ${name}`
  const unmistakable = brand ?? authority ?? firm ?? (bank === undefined ? undefined : ambiguous)
  if (beside === undefined && trade !== undefined) {
    if (words.brand === undefined || strangers > 0) return undefined
    return ['name_in_part', `${speaks}: it puts ${name} beside ${trade}`]
  }
  if (beside === undefined) {
    // Morgan Stanley and Ali Baba may be people; a name in one word is the company's.
    const whole = words.brand ?? ''
    const alone = whole.length >= BARE_LENGTH_MIN && !whole.includes(' ') && !counts.filler
    // A person's name beside a company's belongs to a fan or a dealer; beside an authority's it claims to be an
    // officer.
    if (strangers > 0) return isOfficial(words, counts, others) ? ['name_in_part', speaks] : undefined
    if (counts.branch && dealt) return undefined
    const bare = authority ?? (alone || (whole !== '' && bank !== undefined))
    return bare && title === undefined ? ['name_alone', speaks] : undefined
  }
  const sentence = `${speaks}: it puts ${name} beside ${beside}`
  // A person's name or a town beside the brand: a dealer or a fan, unless it claims to speak for the company.
  if (strangers > 0) {
    if (serious && unmistakable) return ['name_in_part', sentence]
    const mayRepair = service !== undefined && REPAIR.has(service) && !isOftenImitated
    // `hr.recruitment.infosys.offer`: a job centre says so once.
    const isJobCentre = service === words.hiring && (counts.hiring ?? 0) < 2
    const isGoBetween = service !== undefined && (isJobCentre || GO_BETWEENS.has(service))
    const speaksForIt = words.brand !== undefined && !dealt && service !== undefined && !mayRepair && !isGoBetween
    return speaksForIt || isOfficial(words, counts, others) ? ['name_in_part', sentence] : undefined
  }
  // Shops that repair or sell a brand call themselves its service.
  if (dealt && REPAIR.has(beside)) return undefined
  if (unmistakable) return [REPAIR.has(beside) && !isOftenImitated ? 'name_in_part' : 'name', sentence]
  if (agency !== undefined) return serious || department ? ['name', sentence] : ['name_in_part', sentence]
  const isStaff = beside === service && (beside === words.hiring || STAFF.has(beside)) && name !== VISA
  if (isStaff && words.branch !== undefined && WORLDWIDE.has(words.branch)) return ['name', sentence]
  return serious || isStaff ? ['name_in_part', sentence] : undefined
}

/** An officer of an authority: its name beside a person's, and no word of a club. */
function isOfficial({ authority, agency, service }: Claim['words'], counts: Claim['counts'], others: number): boolean {
  if (counts.honorary !== undefined) return false
  if (authority !== undefined) return true
  return agency !== undefined && CLEAR_AGENCIES.has(agency) && (others > 1 || service !== undefined)
}

// Other short names are also surnames, clubs or abbreviations.
const CLEAR_AGENCIES: ReadonlySet<string> = new Set(['irs', 'dhs', 'usps'])

const REPAIR = wordSet('claims: repair')
// People who sell or arrange a company's offers and say so beside their own name.
const GO_BETWEENS = wordSet('claims: go-betweens')
// Words that a repair shop of the brand does not use for itself.
const STAFF = wordSet('claims: staff')
// Shell Global is the company; a small firm is not worldwide.
const WORLDWIDE = wordSet('claims: worldwide')
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
  if (!named)
    return money !== undefined && DIRECTORS.has(rank)
      ? ['officer_and_money', `${sentence} beside ${money}`]
      : ['officer', sentence]
  // One name beside President may be a surname or a club; two are a person who claims to be one.
  if (rank === 'president' && others < 2) return undefined
  return DIRECTORS.has(rank) ? ['officer_by_name', sentence] : undefined
}

// Md and VP are names and initials of people too; a director is a director.
const DIRECTORS = wordSet('claims: directors')

const BARRISTER = 'barrister'
/** They write in the name of a lottery or of somebody who died. Lawyers for inheritance are honest. */
const OF_HEIRS: ReadonlySet<string | undefined> = new Set(['agent', BARRISTER])

/** Offices of fraud alone: of lotteries and heirs, of some bank, of new bank details, of money lost or lent. */
function ofFraud({ words, counts, others }: Claim): Verdict | undefined {
  const { bait, change, swindle, bank, money, department, service } = words
  const isOffice =
    (department ?? bank) !== undefined || OF_HEIRS.has(service) || (counts.money ?? 0) > (counts.bait ?? 0)
  const promise = isOffice ? bait : undefined
  const someBank = money !== undefined && department !== undefined ? bank : undefined
  // The barrister of fraud has a name.
  const isOnlyThat = others === 0 || service === BARRISTER
  const what = change ?? swindle ?? (isOnlyThat ? (promise ?? someBank) : undefined)
  if (what === undefined || words.honorary !== undefined) return undefined
  return ['fraud_only', `A free mailbox for what only fraud writes about: it says ${what}`]
}

/** A finance department without a company. Beside the name of a small firm it is that firm's own, unless it says so. */
function ofDepartment({ words, counts, others }: Claim): Verdict | undefined {
  const { money, service, system } = words
  const what = money ?? service
  if (what === undefined || words.honorary !== undefined) return undefined
  const whole = (money ?? '').replaceAll(' ', '')
  const functions = (counts.money ?? 0) + (counts.service ?? 0) + (counts.bank ?? 0)
  const saysSo = words.department !== undefined || DEPARTMENTS.has(whole)
  const isDepartment =
    saysSo ||
    system !== undefined ||
    (counts.hiring ?? 0) > 1 ||
    (money !== undefined && (functions > 1 || WHOLE.has(whole)))
  const othersMax = saysSo && money !== undefined ? 1 : 0
  return isDepartment && others <= othersMax
    ? ['department', `A free mailbox that claims to be the department of a company that is not named: it says ${what}`]
    : undefined
}

const WHOLE = wordSet('claims: finance departments')
