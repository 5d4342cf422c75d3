import type { BrandIndex } from './brands.ts'
import type { Confusables } from './confusables.ts'
import { cutAt, isDigit, wordsOf } from './local-words.ts'
import { NAMES } from './people.ts'
import { createStringSet, HASH_START, hashStep, hashText, type StringSet } from './string-set.ts'
import { TextMap } from './text-map.ts'
import type { Lexicon } from './words.ts'

/**
 * Whom the part before the @ claims to be. A claim is made of words: a company or an authority, an officer's title, a
 * department, and the words between them. Words that are none of these are names: of people and of small firms.
 */
export type Word =
  | 'chief' // an officer's title that nobody bears by chance
  | 'title' // an officer's title that may also be a name or an honorary post
  | 'money' // what fraud asks for: payments, accounts, security, parcels
  | 'service' // what a company does for its customers and staff
  | 'trade' // what an honest dealer adds too
  | 'bank'
  | 'department'
  | 'authority' // unmistakable
  | 'agency' // an authority whose short name may mean something else
  | 'brand'
  | 'thing' // a brand everybody knows whose name is also a thing
  | 'ambiguous' // a brand that is also a word or a surname
  | 'honorary' // beside it a title is one of a club or of an art
  | 'branch' // which part of a company: its country, its legal form
  | 'filler'

export interface Claim {
  /** The first word of each sort, as it was written: `bank of america` where dots stood between the parts. */
  readonly words: Readonly<Partial<Record<Word, string>>>
  /** How many words of each sort. */
  readonly counts: Readonly<Partial<Record<Word, number>>>
  /** Words that are none of the above. */
  readonly others: number
  /** Whether dealers use the brand honestly. */
  readonly dealt: boolean
  /** Whether the brand is among those that fraud imitates most. */
  readonly isOftenImitated: boolean
}

export interface LocalReading {
  /** Undefined where nothing in the local part is more than a name. */
  readonly claim: Claim | undefined
  /** The alphabets of a word written to be misread. */
  readonly disguise: readonly string[] | undefined
  readonly isOneScript: boolean
}

const WORDS: Readonly<Partial<Record<Word, string>>> = {
  chief:
    'ceo cfo theceo thecfo chairman chairwoman chairperson chiefexecutive chiefexecutiveofficer ' +
    'chieffinancialofficer chieffinanceofficer chiefoperatingofficer chiefofficer managingdirector ' +
    'executivedirector financedirector financialdirector directoroffinance directorgeneral generaldirector ' +
    'directorfinance directorfinanciero directorejecutivo directorgerente gerentegeneral gerentefinanciero ' +
    'consejerodelegado presidenteejecutivo geschaeftsfuehrer geschaftsfuhrer geschaeftsfuehrung geschaeftsleitung ' +
    'vorstand vorstandsvorsitzender finanzvorstand generaldirektor finanzdirektor prokurist pdg directeurgeneral ' +
    'directricegenerale directeurfinancier directionfinanciere directiongenerale directeurexecutif ' +
    'presidentdirecteurgeneral amministratoredelegato direttoregenerale direttorefinanziario amministratoreunico ' +
    'diretorgeral diretorfinanceiro diretorexecutivo algemeendirecteur financieeldirecteur bestuursvoorzitter ' +
    'prezes prezeszarzadu dyrektorgeneralny dyrektorfinansowy generalnireditel financnireditel jednatel ' +
    'verkstallandedirektor toimitusjohtaja genelmudur vezerigazgato гендиректор генеральныйдиректор ' +
    'генеральнийдиректор финансовыйдиректор исполнительныйдиректор главбух главныйбухгалтер председательправления',
  title:
    'director directors president vicepresident md vp svp evp coo cto cio treasurer executive gerente directeur ' +
    'directrice direttore direktor direktoer diretor dyrektor presidente cxo generalmanager директор президент',
  money:
    'ap ar award awards winning winner renewal subscription promo promotion signature statement statements ' +
    'billpay einvoice mobilebanking onlinebanking helpdesk invoice invoices invoicing billing payment payments ' +
    'paymentdept payroll payout payouts refund refunds remittance remittances remit account accounts acct ' +
    'accounting accountant accountspayable accountpayable accountsreceivable payable payables receivable ' +
    'receivables transfer transfers wire wiretransfer treasury finance finances financial fraud antifraud ' +
    'fraudprevention fraudalert fraudteam security secure alert alerts verify verification verified validation ' +
    'confirm confirmation unlock unblock suspended suspension recovery recover restore reset login signin ' +
    'password otp claim claims compensation compensations beneficiary inheritance lottery prize reward rewards ' +
    'giftcard giftcards grants customs clearance clearing parcel parcels package redelivery delivery shipment shipping ' +
    'tracking procurement purchasing tender tenders vendor vendors supplier suppliers collections loan loans tax ' +
    'taxes taxrefund wallet kyc compliance audit settlement escrow fund funds funding deposit withdrawal ' +
    'withdrawals benefit benefits rechnung rechnungen zahlung zahlungen buchhaltung gebuehr gebuehren erstattung ' +
    'rueckerstattung steuer steuererstattung steuern mahnung inkasso konto sicherheit verifizierung bestaetigung ' +
    'sendung paket zustellung facture factures facturation paiement paiements remboursement remboursements ' +
    'comptabilite securite amende impot colis livraison virement fraude factura facturas facturacion pago pagos ' +
    'reembolso reembolsos devolucion contabilidad cuentas seguridad multa multas impuestos envio envios ' +
    'transferencia transferencias fattura fatture fatturazione pagamento pagamenti rimborso rimborsi contabilita ' +
    'sicurezza tasse spedizione spedizioni bonifico fatura faturas cobranca seguranca encomenda betaling ' +
    'betalingen factuur facturen rekening beveiliging terugbetaling platnosc platnosci faktura faktury ksiegowosc ' +
    'zwrot pakket levering bolletta bezpieczenstwo przesylka paczka безопасность оплата платеж платёж платежи бухгалтерия ' +
    'возврат выплата выплаты компенсация штраф посылка',
  service:
    'support supports techsupport help helpcenter helpline hotline service services customer customers ' +
    'customerservice customerservices customercare customersupport clientservices care hr humanresources ' +
    'recruitment recruiting recruiter careers career jobs hiring admin administrator notification notifications ' +
    'notice noreply official copyright appeals investigation investigations legal update updates access upgrade ' +
    'kundenservice kundendienst kundencenter kundenbetreuung serviceclient assistance assistenza soporte atencion ' +
    'atencionalcliente suporte klantenservice postmaster itsupport itdesk itdept webmaster appointments ' +
    'immigration lawyer attorney agent document documents поддержка служба',
  trade: 'orders order sales seller sellers purchase shop store',
  department:
    'dept department depart division unit section bureau abteilung departement departamento ufficio afdeling ' +
    'processing officer instructions direzione direction direccion direktion',
  bank: 'bank banking banque banca banco банк',
  // Names that mail fraud uses and that are no household names in the list of brands.
  brand:
    'appleid wix geeksquad lifelock aramco saudiaramco adnoc gazprom lukoil petrobras absa gtbank mbank enel ' +
    'inpost capitec nedbank stanbic ecobank zenithbank accessbank firstnationalbank netbank etransfer lloydsbank ' +
    'chasebank dhlexpress сбербанк тинькофф госуслуги',
  authority:
    'hmrc interpol europol finanzamt bundesfinanzministerium bundeszentralamt bundespolizei bundeskriminalamt ' +
    'agenziaentrate agenziadelleentrate agenciatributaria belastingdienst impotsgouv gendarmerie policenationale ' +
    'socialsecurityadministration socialsecurity socialsecurityoffice taxationoffice australiantaxationoffice ' +
    'taxoffice homelandsecurity unitednations worldbank federalreserve federalreservebank internalrevenueservice ' +
    'internalrevenue inlandrevenue hmrevenue treasurydepartment ministryoffinance financeministry ' +
    'europeancommission centralbank seguridadsocial uscis dvla urssaf dgfip bundesbank bafin europeancentralbank ' +
    'borderforce immigrationoffice carabinieri guardiadifinanza customsclearance customsoffice fbi ' +
    'efcc налоговая прокуратура роскомнадзор',
  agency:
    'irs cia ssa nhs dwp ato cra caf un imf ecb sars zoll skat inps afip aeat dgt dian dhs cbp dmv tsa ' +
    'rbi sebi gov gouv govt government embassy ministry polizei police impots ameli medicare medicaid centrelink ' +
    'mygov elster hacienda usps court tribunal',
  honorary:
    'school schule ecole escuela scuola food blood film art arts music casting choir choral funeral creative ' +
    'artistic athletic theatre theater stage photo camp club pta pto ptsa hoa rotary lions church parish village ' +
    'hall scouts scout fc afc rfc sc association assoc society league band union committee verein chapter lodge ' +
    'temple masjid mosque charity students student alumni sports football soccer cricket rugby tennis golf ' +
    'community neighbors residents condo strata coop museum gallery festival orchestra kita feuerwehr sv tsv tv ' +
    'ev asd asso chorale choeur conservatoire college lycee musee orchestre paroisse teatro coro museo colegio orquesta ' +
    'banda chor musikschule kindergarten teatr szkola muzeum школа школы школи гимназия гимназии лицей лицея театр ' +
    'театра хор хора музей музея клуб клуба сад садик детсад библиотека библиотеки',
  branch:
    'company corp corporate corporation inc ltd llc plc gmbh group holding holdings international global worldwide ' +
    'team teams headoffice hq uk us usa eu de fr es it ca au in america europe express operations',
  filler:
    'office offices theoffice desk frontdesk mail mails email emails the of and for from to my private personal ' +
    'direct exec secretary assistant urgent confidential online web info contact kontakt mailbox inbox main com net ' +
    'org co bankof customerid id mr mrs board general center centre manager new real',
}

const KINDS: ReadonlyMap<string, Word> = new Map(
  (Object.keys(WORDS) as Word[]).flatMap((kind) => (WORDS[kind] ?? '').split(' ').map((word) => [word, kind] as const)),
)

/** Words of a dictionary that, as the name of a company, everybody takes for the company. */
const UNMISTAKABLE: ReadonlySet<string> = new Set(
  (
    'adobe amazon amtrak boeing chevrolet chevron cisco disney google honda intel medicare nestle nike tesla toyota ' +
    'volkswagen xerox yahoo adp amd att blackrock blockchain caixa citi desjardins edf emirates ethereum msn ' +
    'prudential robinhood sabadell santander sfr tether tsb uber ubs ups zelle'
  ).split(' '),
)
const THINGS: ReadonlySet<string> = new Set('apple oracle outlook zoom telegram discord twitch'.split(' '))

/** Words and surnames that fraud does use as the company of that name. Others of their sort name honest firms. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  (
    'visa discover monday chase orange shell stripe square wise halifax nationwide booking steam ledger fidelity ' +
    'vanguard kraken gemini dell hotels meta gusto workday threads messenger norton schwab bosch bayer roche merck ' +
    'porsche renault peugeot hilton marriott ally anz dbs dnb ing uob td bt hp hm lg ge ee jcb jd op pg ' +
    'seb kia lego zara claro windows free allegro aib aws bae bcg bhp bmo bp dkb ey gsk jnj nab o2 pnc poste rbc sap ' +
    'sbi ssa tcs zurich generali interbank openbank royalbank sncf'
  ).split(' '),
)

const PEOPLE: ReadonlySet<string> = new Set(NAMES)

/** Places and first names that own famous sites: beside a function they name a town's firm or a person. */
const PLACES_AND_PEOPLE: ReadonlySet<string> = new Set(
  (
    'alabama alaska alberta amsterdam argentina arkansas auburn barcelona bayern belgium berkeley berlin boston ' +
    'brandenburg bremen buffalo cambridge canada chicago colorado columbia cornell delaware euskadi georgia hamburg ' +
    'harvard hawaii hessen idaho illinois india iowa italia karnataka kerala louisiana madrid maharashtra maine maryland ' +
    'michigan muenchen nebraska niedersachsen nrw nsw nyc ohio ontario oregon paris phoenix portland princeton ' +
    'providence quebec rochester sachsen seattle stanford surabaya texas tomsk toronto turkiye utah vancouver vermont ' +
    'virginia washington wisconsin emory tiffany mercedes'
  ).split(' '),
)

/** `riverdalefc`, `sunrisechoir`: a club by the end of its name. */
const CLUB = /[a-z]{2}(club|choir|church|rotary|scouts?|verein|association|society|league|pta|hoa|a?fc|rfc)$/

const WORDS_READ_MAX = 8
const SPAN_MAX = 4
const GLUED_LENGTH_MIN = 6
const GLUED_LENGTH_MAX = 32

// Words that other words may be glued to have these beginnings and ends; most names have neither and are not cut up.
const EDGE = 3
const BEGINNINGS = createStringSet(Array.from(KINDS.keys(), (word) => word.slice(0, EDGE)))
const ENDS = createStringSet(Array.from(KINDS.keys(), (word) => word.slice(-EDGE)))

/** Whether what stands in `text` at `at` is one of `edges`; seldom wrongly so. */
function isEdge(text: string, at: number, edges: StringSet): boolean {
  let hash = HASH_START
  for (let i = at; i < at + EDGE; i++) hash = hashStep(hash, text.charCodeAt(i))
  return edges.hasHash(hash)
}

// Words that only hold others together make no claim.
const SAYING_NOTHING: ReadonlySet<Word> = new Set(['filler', 'branch', 'honorary'])
const IMITATED: ReadonlySet<Word> = new Set(['brand', 'authority', 'chief'])

/** Every word that a claim can be made of. */
export interface ClaimWords {
  readonly kinds: TextMap<Word>
  /** Household names with a digit in them: `office365`. */
  readonly numbered: ReadonlySet<string>
}

export function createClaimWords(brands: BrandIndex, lexicon: Lexicon): ClaimWords {
  const { household, other } = brands.labels
  const kinds = new Map(KINDS)
  // Of the many brands that are no household names only banks are claimed.
  for (const label of [...household, ...other.filter((name) => name.endsWith(BANK))]) {
    const kind = brandKind(label, brands, lexicon)
    if (kind !== undefined) kinds.set(label, kind)
  }
  return { kinds: new TextMap(kinds), numbered: new Set(household.filter((label) => /\d/.test(label))) }
}

const BANK = 'bank'

/** What local parts are read by. */
interface ReadingModels {
  readonly claimWords: ClaimWords
  readonly brands: BrandIndex
  readonly lexicon: Lexicon
  readonly confusables: Confusables
}

/** What a local part says and how it is written. */
export function readLocal(local: string, models: ReadingModels): LocalReading {
  const isImitated = (word: string) => {
    const kind = models.claimWords.kinds.get(word)
    return kind !== undefined && IMITATED.has(kind)
  }
  const { words, withoutAccents, disguise, isOneScript } = wordsOf(local, models.confusables, isImitated)
  const claim = claimIn(words, models)
  const other = withoutAccents === undefined ? undefined : claimIn(withoutAccents, models)
  // The reading that understands more of the words.
  const isOtherBetter = other !== undefined && (claim === undefined || other.others < claim.others)
  return { claim: isOtherBetter ? other : claim, disguise, isOneScript }
}

function claimIn(pieces: readonly string[], { claimWords, brands, lexicon }: ReadingModels): Claim | undefined {
  const { kinds, numbered } = claimWords
  const tokens = tokensOf(pieces, numbered)
  const words: Partial<Record<Word, string>> = {}
  const counts: Partial<Record<Word, number>> = {}
  const unknown: string[] = []
  let known = 0
  const take = (kind: Word, word: string) => {
    words[kind] ??= word
    counts[kind] = (counts[kind] ?? 0) + 1
    if (!SAYING_NOTHING.has(kind)) known++
  }
  for (let at = 0; at < tokens.length; ) {
    const span = longestKnown(tokens, at, kinds, take)
    const token = tokens[at] as string
    if (span === 0 && !takeGlued(token, kinds, take)) unknown.push(token)
    at += Math.max(1, span)
  }
  if (known === 0) return undefined
  let others = 0
  for (const token of unknown) {
    if (CLUB.test(token)) take('honorary', token)
    else others++
  }
  if (words.brand === undefined && others > 0 && (words.money ?? words.service) !== undefined) {
    const disguised = disguisedBrand(pieces, brands, lexicon)
    if (disguised !== undefined) {
      take(disguised.kind, disguised.brand)
      others = Math.max(0, others - disguised.tokens)
    }
  }
  const brand = words.brand === undefined ? undefined : brands.named(words.brand.replaceAll(' ', ''))
  // Names listed here are those of fraud, whatever else is sold under them.
  const dealt = brand?.dealers === true && KINDS.get(brand.brand) === undefined
  return { words, counts, others, dealt, isOftenImitated: brand?.fame === 'best' }
}

/** Words with numbers left out; `office365` stays whole. */
function tokensOf(pieces: readonly string[], numbered: ReadonlySet<string>): readonly string[] {
  const tokens: string[] = []
  for (const piece of pieces) {
    const parts = cutAt(piece, isDigit)
    if (parts[0] === piece || numbered.has(piece)) tokens.push(piece)
    else tokens.push(...parts)
    if (tokens.length >= WORDS_READ_MAX) break
  }
  return tokens
}

type Kinds = ClaimWords['kinds']
type Take = (kind: Word, word: string) => void

/** How many tokens from `at` make one known word together: `bank.of.america`, `managing.director`. */
function longestKnown(tokens: readonly string[], at: number, kinds: Kinds, take: Take): number {
  for (let span = Math.min(SPAN_MAX, tokens.length - at); span > 0; span--) {
    let hash = HASH_START
    for (let i = at; i < at + span; i++) hash = hashText(tokens[i] as string, hash)
    if (!kinds.mayHold(hash)) continue
    const parts = tokens.slice(at, at + span)
    const kind = kinds.get(parts.join(''))
    if (kind === undefined || (span > 1 && NEVER_IN_PARTS.has(kind))) continue
    take(kind, parts.join(' '))
    return span
  }
  return 0
}

const NEVER_IN_PARTS: ReadonlySet<Word> = new Set(['filler', 'branch', 'ambiguous', 'thing'])

function brandKind(word: string, brands: BrandIndex, lexicon: Lexicon): Word | undefined {
  if (word.length < 2 || PLACES_AND_PEOPLE.has(word) || KINDS.has(word)) return undefined
  const brand = brands.named(word)
  if (brand === undefined) return undefined
  if (!brand.household) return word.length >= 7 && word.endsWith(BANK) ? 'brand' : undefined
  if (UNMISTAKABLE.has(word)) return 'brand'
  if (THINGS.has(word)) return 'thing'
  if (AMBIGUOUS.has(word)) return 'ambiguous'
  return brand.everyday || lexicon.isWord(word) || PEOPLE.has(word) ? undefined : 'brand'
}

/** `paypalbillingteam`, `transferdept`: known words run together, with nothing left over and one brand at most. */
function takeGlued(token: string, kinds: Kinds, take: Take): boolean {
  if (token.length < GLUED_LENGTH_MIN || token.length > GLUED_LENGTH_MAX) return false
  if (!isEdge(token, 0, BEGINNINGS) && !isEdge(token, token.length - EDGE, ENDS)) return false
  const pieces = cut(token, 0, false, kinds)
  if (pieces === undefined) return false
  for (const [kind, word] of pieces) take(kind, word)
  return true
}

function cut(token: string, from: number, branded: boolean, kinds: Kinds): (readonly [Word, string])[] | undefined {
  if (from === token.length) return []
  for (let to = token.length; to >= from + 2; to--) {
    const word = token.slice(from, to)
    const known = kinds.get(word)
    if (known === undefined) continue
    const isBrand = !KINDS.has(word)
    // Shorter words turn up inside names by chance: Marceo, Cfoster.
    const isChance = word.length < 4 && known !== 'brand' && !GLUED_SHORT.has(word)
    if (isBrand ? branded : isChance) continue
    const rest = cut(token, to, branded || isBrand, kinds)
    // A brand alone is not glued to anything.
    if (rest === undefined || (isBrand && from === 0 && rest.length === 0)) continue
    // Three letters of a brand may as well be anybody's abbreviation.
    return [[isBrand && isAbbreviation(word) ? 'ambiguous' : known, word], ...rest]
  }
  return undefined
}

const ABBREVIATION_LENGTH_MAX = 3

function isAbbreviation(word: string): boolean {
  return word.length <= ABBREVIATION_LENGTH_MAX && word !== 'dhl'
}

const GLUED_SHORT: ReadonlySet<string> = new Set(['ceo', 'cfo', 'the', 'irs', 'fbi', 'tax', 'pay', 'of'])

const DISGUISED_LENGTH_MIN = 6
const TYPO_LENGTH_MIN = 8

interface Disguise {
  readonly brand: string
  readonly kind: Word
  /** How many tokens the name was taken for. */
  readonly tokens: number
}

/** `paypa1`, `micorsoft`: a household name written to be misread. One letter apart may also be somebody's surname. */
function disguisedBrand(pieces: readonly string[], brands: BrandIndex, lexicon: Lexicon): Disguise | undefined {
  for (const piece of pieces) {
    if (piece.length < DISGUISED_LENGTH_MIN || piece.length > GLUED_LENGTH_MAX) continue
    if (KINDS.has(piece) || PEOPLE.has(piece) || lexicon.isWord(piece)) continue
    const match = brands.match(piece, '')
    if (!match?.household || match.everyday) continue
    const isTypo = match.how === 'typo' && piece.length >= TYPO_LENGTH_MIN
    if (match.how !== 'homoglyph' && !isTypo) continue
    const tokens = piece.split(/\d+/).filter((part) => part !== '').length
    return { brand: match.brand, kind: isTypo ? 'ambiguous' : 'brand', tokens }
  }
  return undefined
}
