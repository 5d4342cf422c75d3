import { asciiSkeleton, skeletonHash } from './confusables.ts'
import {
  createFlagTable,
  createHashTable,
  createStringSet,
  HASH_START,
  type HashTable,
  hashBetween,
  hashFinish,
  hashJoin,
  hashStep,
  hashText,
  prefixHashes,
} from './string-set.ts'

/**
 * The look-alike index. Every question costs the same whatever the number of brands: single edits are found by
 * hashing a label with each one of its characters left out (two strings one edit apart share such a remainder),
 * homoglyphs by a map of skeletons, brands inside longer names by a set probed with a running hash.
 */

/** In which way a name imitates a brand. */
export type Imitation =
  | 'official'
  | 'suffix_swap'
  | 'homoglyph'
  | 'hyphenation'
  | 'dotless'
  | 'combination'
  | 'affix'
  | 'typo'
  | 'contains'

export interface BrandMatch {
  readonly how: Imitation
  /** The brand's own name, such as `paypal`. */
  readonly brand: string
  /** Where the brand really lives, such as `paypal.com`; undefined for an alias without a site. */
  readonly site: string | undefined
  /** A household name, rather than one brand of many. */
  readonly household: boolean
  /** The brand is also an everyday word, so that others use it innocently. */
  readonly everyday: boolean
}

/** Whether a match means that somebody may want to be taken for the brand, rather than be it or merely mention it. */
export function isImitation(match: BrandMatch | undefined): boolean {
  return match !== undefined && match.how !== 'official' && match.how !== 'contains' && match.how !== 'affix'
}

export interface BrandIndex {
  readonly size: number
  /** How `label` under `suffix` relates to a known brand; the most telling relation first. */
  match(label: string, suffix: string): BrandMatch | undefined
  /** The same for a label written with other than ASCII letters, given as the reader takes it in. */
  matchReading(reading: string, suffix: string): BrandMatch | undefined
  /** The brand with exactly this label. */
  named(label: string): BrandMatch | undefined
  isOfficialSuffix(label: string, suffix: string): boolean
}

/** Words fraud puts beside a brand, and that brands put beside their own names only on their own domains. */
export const LURES: ReadonlySet<string> = new Set(
  (
    'login logins signin signon logon log sign secure secured security verify verified verification verif ' +
    'validate validation confirm confirmation auth authenticate authentication authorize account accounts acct user ' +
    'customer customers client clients member members billing bill bills invoice invoices invoicing payment payments ' +
    'pay payroll paid payout refund refunds claim claims reward rewards bonus gift giftcard prize promo airdrop ' +
    'support supports help helpdesk helpcenter desk service services servicing care center centre contact team ' +
    'update updates upgrade renew renewal restore recovery recover reset unlock unblock locked suspended alert alerts ' +
    'notice notification notifications info mail email webmail mailbox office online web portal access connect ' +
    'manage management admin finance financial bank banking wallet wallets card cards credit transfer transfers ' +
    'delivery deliver deliveries parcel package packages tracking track shipment shipping redelivery post customs ' +
    'remittance accounting order orders purchase checkout shop store app apps download install my hr ceo ' +
    'document documents doc docs file files share shared drive id identity session token otp code pin password pwd ' +
    'live now new official real mobile net www com org global international usa us uk eu de fr es it group inc ltd corp ' +
    // German, French, Spanish, Portuguese, Italian, Dutch, Polish: the same tale in the language of its readers.
    'sicherheit anmeldung anmelden kundenservice kundencenter kundenkonto kunden konto rechnung zahlung bestaetigung ' +
    'verifizierung aktualisierung sperrung entsperren paket sendung lieferung zustellung ' +
    'connexion securite facture paiement colis livraison remboursement compte espaceclient suivi authentification ' +
    'seguridad acceso cuenta factura pago pagos verificar cliente clientes entrega envio paquete ingresar reembolso ' +
    'seguranca acesso fatura conta pagamento encomenda atualizacao ' +
    'accesso sicurezza conto fattura clienti spedizione consegna pacco verifica aggiornamento rimborso ' +
    'inloggen beveiliging betaling rekening klant klanten pakket bezorging verificatie ' +
    'logowanie platnosc platnosci faktura paczka przesylka weryfikacja bezpieczenstwo'
  ).split(' '),
)

// Beside a brand these alone prove little: paypal-uk.com may be anyone's.
const WEAK_LURES: ReadonlySet<string> = new Set(
  'info mail office online web my shop store app apps live now new real mobile net www com org global international usa us uk eu de fr es it group inc ltd corp team log post hr docs doc code sign drive care desk file files'.split(
    ' ',
  ),
)

// Suffixes that stand in a name as its last word: paypal-com.net.
const WRITTEN_SUFFIXES: ReadonlySet<string> = new Set(['com', 'net', 'org', 'co', 'io', 'gov', 'bank', 'app'])

const TYPO_LENGTH_MIN = { imitated: 4, household: 5, other: 7 }
const TYPO_LENGTH_MAX = 40
const PRESENCE_BITS = 22
const LABEL_LENGTH_MAX = 63
const CONTAINED_LENGTH_MIN = 5
const CONTAINED_LENGTH_MAX = 20

const LURE_SET = createStringSet(LURES)
const LURE_LENGTH_MAX = Math.max(...[...LURES].map((lure) => lure.length))

/** Shorter names look like too much else. */
const DISGUISED_LENGTH_MIN = 5

/** Hashes of the prefixes of the label in hand: written by prefixHashes, read at once. */
const PREFIXES = new Int32Array(256)

interface Brand {
  readonly label: string
  readonly household: boolean
  /** One that fraud is known to imitate, so that even three letters of it beside a lure are telling. */
  readonly imitated: boolean
  readonly everyday: boolean
  readonly suffixes: readonly string[]
}

/** Reads the committed artefact: `label tier suffix,suffix` a line. */
export function createBrandIndex(text: string, isEverydayWord: (word: string) => boolean): BrandIndex {
  const brands: Brand[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [label = '', tier, suffixes = ''] = line.split(' ')
    brands.push({
      label,
      household: tier !== '2',
      imitated: tier === '0',
      everyday: isEverydayWord(label) || /^\d+$/.test(label),
      suffixes: suffixes === '' ? [] : suffixes.split(','),
    })
  }
  const exact = new Map(brands.map((brand) => [brand.label, brand]))
  const skeletons = indexSkeletons(brands)
  const remainders = indexRemainders(brands)
  const contained = indexContained(brands)

  const found = (how: Imitation, brand: Brand): BrandMatch => ({
    how,
    brand: brand.label,
    site: brand.suffixes[0] === undefined ? undefined : `${brand.label}.${preferredSuffix(brand)}`,
    household: brand.household,
    everyday: brand.everyday,
  })

  function match(label: string, suffix: string): BrandMatch | undefined {
    const own = exact.get(label)
    if (own) {
      if (own.suffixes.includes(suffix)) return found('official', own)
      return own.household || label.length >= 6 ? found('suffix_swap', own) : undefined
    }
    return (
      (label.includes('-') ? matchHyphenated(label) : undefined) ??
      matchSkeleton(label) ??
      matchTypo(label, suffix) ??
      matchAffix(label) ??
      matchContained(label)
    )
  }

  function matchHyphenated(label: string): BrandMatch | undefined {
    const joined = label.replaceAll('-', '')
    const split = exact.get(joined)
    if (split && (split.household ? joined.length >= 4 : joined.length >= 7)) return found('hyphenation', split)
    const dash = label.lastIndexOf('-')
    const last = label.slice(dash + 1)
    const before = label.slice(0, dash)
    const whole = exact.get(before)
    if (whole && (WRITTEN_SUFFIXES.has(last) || whole.suffixes.includes(last))) {
      if (whole.household || before.length >= 6) return found('dotless', whole)
    }
    if (whole && LURES.has(last) && mayCombine(whole, before.length, last)) return found(combined(last), whole)
    return matchTokens(label)
  }

  /** `login-paypal`, `secure-paypal-verify`: a brand, and beside it nothing but lures and numbers. */
  function matchTokens(label: string): BrandMatch | undefined {
    const tokens = label.split('-')
    let brand: Brand | undefined
    let lures = 0
    let others = 0
    let lure = ''
    for (const token of tokens) {
      const named = LURES.has(token) ? undefined : (exact.get(token) ?? disguised(token))
      if (named && (!brand || (named.household && !brand.household))) {
        if (brand) others++
        brand = named
      } else if (LURES.has(token)) {
        lures++
        if (lure === '' || WEAK_LURES.has(lure)) lure = token
      } else if (!/^\d+$/.test(token)) others++
    }
    // A brand of two words: bank-of-america-login.
    if (!brand?.household) {
      const firstDash = label.indexOf('-')
      const rest = exact.get(label.slice(firstDash + 1).replaceAll('-', ''))
      const firstToken = tokens[0] ?? ''
      if (rest?.household && LURES.has(firstToken) && mayCombine(rest, rest.label.length, firstToken)) {
        return found(combined(firstToken), rest)
      }
    }
    if (!brand) {
      for (const token of tokens) {
        const inner = token.length >= 7 ? matchAffix(token) : undefined
        if (inner?.household) return { ...inner, how: lures > 0 ? 'combination' : inner.how }
      }
      return undefined
    }
    if (lures > 0 && others === 0 && mayCombine(brand, brand.label.length, lure)) return found(combined(lure), brand)
    if (brand.household && !brand.everyday && brand.label.length >= 4) {
      return found(lures > 0 && !WEAK_LURES.has(lure) ? 'combination' : 'contains', brand)
    }
    return undefined
  }

  /** `paypallogin`, `securepaypal`: a brand and a lure run together. */
  function matchAffix(label: string): BrandMatch | undefined {
    const length = label.length
    if (length > LABEL_LENGTH_MAX) return undefined
    prefixHashes(label, PREFIXES)
    const near = Math.min(length - 2, LURE_LENGTH_MAX)
    for (let size = 2; size <= near; size++) {
      if (LURE_SET.hasHash(hashBetween(PREFIXES, length - size, length))) {
        const match = affixed(label.slice(0, length - size), label.slice(length - size))
        if (match) return match
      }
      if (LURE_SET.hasHash(PREFIXES[size] as number)) {
        const match = affixed(label.slice(size), label.slice(0, size))
        if (match) return match
      }
    }
    return undefined
  }

  function affixed(name: string, lure: string): BrandMatch | undefined {
    const brand = name.length >= 3 && LURES.has(lure) ? (exact.get(name) ?? disguised(name)) : undefined
    if (name.length === 3 && !brand?.imitated) return undefined
    return brand && mayCombine(brand, name.length - 1, lure) ? found(combined(lure), brand) : undefined
  }

  /** `paypa1` beside a lure: a household name written with characters that look the same. */
  function disguised(name: string): Brand | undefined {
    if (name.length < DISGUISED_LENGTH_MIN) return undefined
    const brand = brands[skeletons.get(skeletonHash(name)) - 1]
    return brand && isTelling(brand) && asciiSkeleton(name) === asciiSkeleton(brand.label) ? brand : undefined
  }

  function matchSkeleton(label: string): BrandMatch | undefined {
    const brand = brands[skeletons.get(skeletonHash(label)) - 1]
    if (!brand || brand.label === label || asciiSkeleton(label) !== asciiSkeleton(brand.label)) return undefined
    return (brand.household ? label.length >= 3 : label.length >= 6) ? found('homoglyph', brand) : undefined
  }

  function matchTypo(label: string, suffix: string): BrandMatch | undefined {
    if (label.length < TYPO_LENGTH_MIN.imitated || label.length > TYPO_LENGTH_MAX) return undefined
    const best = remainders.nearest(label, suffix)
    return best && !isEverydayWord(label) ? found('typo', best) : undefined
  }

  function matchContained(label: string): BrandMatch | undefined {
    if (label.length <= CONTAINED_LENGTH_MIN) return undefined
    let longestStart = 0
    let longest = 0
    for (let start = 0; start + CONTAINED_LENGTH_MIN <= label.length; start++) {
      let hash = HASH_START
      const end = Math.min(label.length, start + CONTAINED_LENGTH_MAX)
      for (let i = start; i < end; i++) {
        hash = hashStep(hash, label.charCodeAt(i))
        const node = contained.get(hash)
        if (node === 0) break
        if (node === WHOLE && i + 1 - start > longest) {
          longestStart = start
          longest = i + 1 - start
        }
      }
    }
    const brand = longest === 0 ? undefined : exact.get(label.slice(longestStart, longestStart + longest))
    return brand ? found('contains', brand) : undefined
  }

  return {
    size: brands.length,
    match,
    matchReading(reading, suffix) {
      const own = exact.get(reading) ?? brands[skeletons.get(skeletonHash(reading)) - 1]
      if (own && (own.household || own.label.length >= 4)) return found('homoglyph', own)
      return reading.length >= 5 && /^[a-z0-9-]+$/.test(reading) ? match(reading, suffix) : undefined
    },
    named(label) {
      const brand = exact.get(label)
      return brand ? found('official', brand) : undefined
    },
    isOfficialSuffix: (label, suffix) => exact.get(label)?.suffixes.includes(suffix) ?? false,
  }
}

function isTelling(brand: Brand): boolean {
  return brand.household && !brand.everyday
}

function mayCombine(brand: Brand, weight: number, lure: string): boolean {
  const weak = WEAK_LURES.has(lure)
  if (brand.household) return weight >= 2 && !(weak && (brand.everyday || weight < 4))
  return !brand.everyday && !weak && weight >= 5
}

/** A lure proper, or only a word such as shop or online that an honest dealer may add too. */
function combined(lure: string): Imitation {
  return WEAK_LURES.has(lure) ? 'affix' : 'combination'
}

function preferredSuffix(brand: Brand): string {
  return brand.suffixes.includes('com') ? 'com' : (brand.suffixes[0] ?? '')
}

function rank(brand: Brand, suffix: string): number {
  return (brand.household ? 4 : 0) + (brand.suffixes.includes(suffix) ? 2 : 0) + (brand.everyday ? 0 : 1)
}

function fameOf({ imitated, household }: Brand): keyof typeof TYPO_LENGTH_MIN {
  return imitated ? 'imitated' : household ? 'household' : 'other'
}

/** A letter typed twice or two exchanged: of four letters, other edits make too many names of their own. */
function isSlip(label: string, brand: string): boolean {
  if (label.length === brand.length) return [...label].sort().join('') === [...brand].sort().join('')
  return label.length > brand.length && /(.)\1/.test(label)
}

/** `loans` beside `loan`, `acme1`: plurals and inflections are names in their own right more often than typing errors. */
function isInflection(label: string, brand: string): boolean {
  if (label === `${brand}s` || brand === `${label}s`) return brand.length < 6
  return false
}

/** One more than the brand's number under the hash of its skeleton; household names first. */
function indexSkeletons(brands: readonly Brand[]): HashTable {
  const entries = new Map<number, number>()
  brands.forEach((brand, i) => {
    const hash = skeletonHash(brand.label)
    const present = brands[(entries.get(hash) ?? 0) - 1]
    if (!present || (brand.household && !present.household)) entries.set(hash, i + 1)
  })
  return createHashTable(entries)
}

const BEGUN = 1
const WHOLE = 2

/** Every beginning of the labels worth finding inside longer names. */
function indexContained(brands: readonly Brand[]): HashTable {
  const nodes = new Map<number, number>()
  for (const brand of brands) {
    // Five letters turn up inside other words by chance; only brands known to be imitated are worth that.
    if (!isTelling(brand) || brand.label.length < CONTAINED_LENGTH_MIN + (brand.imitated ? 0 : 1)) continue
    let hash = HASH_START
    for (let i = 0; i < brand.label.length; i++) {
      hash = hashStep(hash, brand.label.charCodeAt(i))
      if (!nodes.has(hash)) nodes.set(hash, BEGUN)
    }
    nodes.set(hash, WHOLE)
  }
  return createFlagTable(nodes)
}

interface Remainders {
  /** The brand one edit from `label` that it most likely imitates. */
  nearest(label: string, suffix: string): Brand | undefined
}

/** Brands keyed by the hash of their label whole and with each one character left out. */
function indexRemainders(brands: readonly Brand[]): Remainders {
  const eligible = brands.filter(
    (brand) => brand.label.length >= TYPO_LENGTH_MIN[fameOf(brand)] && brand.label.length <= TYPO_LENGTH_MAX,
  )
  let count = 0
  for (const { label } of eligible) count += label.length + 1
  let capacity = 1024
  while (capacity < count * 2) capacity *= 2
  const mask = capacity - 1
  const hashes = new Int32Array(capacity)
  const owners = new Uint32Array(capacity)
  // Most remainders belong to no brand: one bit each, in memory small enough to stay near, turns them away.
  const present = new Uint32Array(2 ** PRESENCE_BITS / 32)
  const insert = (hash: number, owner: number) => {
    const mixed = hashFinish(hash)
    const bit = mixed >>> (32 - PRESENCE_BITS)
    present[bit >>> 5] = (present[bit >>> 5] as number) | (1 << (bit & 31))
    let slot = mixed & mask
    while (owners[slot] !== 0) slot = (slot + 1) & mask
    hashes[slot] = hash
    owners[slot] = owner + 1
  }
  eligible.forEach(({ label }, owner) => {
    insert(hashText(label), owner)
    prefixHashes(label, PREFIXES)
    for (let gap = 0; gap < label.length; gap++) {
      // A doubled letter gives the same remainder twice.
      if (gap > 0 && label[gap] === label[gap - 1]) continue
      insert(hashWithout(label.length, gap), owner)
    }
  })

  function better(best: Brand | undefined, hash: number, label: string, suffix: string): Brand | undefined {
    const mixed = hashFinish(hash)
    const bit = mixed >>> (32 - PRESENCE_BITS)
    if (((present[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return best
    let slot = mixed & mask
    let found = best
    for (;;) {
      const owner = owners[slot] as number
      if (owner === 0) return found
      if (hashes[slot] === hash) {
        const brand = eligible[owner - 1] as Brand
        if (
          (!found || rank(brand, suffix) > rank(found, suffix)) &&
          isOneEditApart(label, brand.label) &&
          (brand.label.length > 4 || isSlip(label, brand.label)) &&
          !isInflection(label, brand.label)
        ) {
          found = brand
        }
      }
      slot = (slot + 1) & mask
    }
  }

  return {
    nearest(label, suffix) {
      prefixHashes(label, PREFIXES)
      let best = better(undefined, PREFIXES[label.length] as number, label, suffix)
      for (let gap = 0; gap < label.length; gap++) {
        if (gap > 0 && label.charCodeAt(gap) === label.charCodeAt(gap - 1)) continue
        best = better(best, hashWithout(label.length, gap), label, suffix)
      }
      return best
    },
  }
}

/** The hash of the text in PREFIXES, of this length, with one character left out. */
function hashWithout(length: number, gap: number): number {
  return hashJoin(PREFIXES[gap] as number, hashBetween(PREFIXES, gap + 1, length), length - gap - 1)
}

/** Exactly one insertion, deletion, replacement or exchange of neighbours between two different strings. */
export function isOneEditApart(a: string, b: string): boolean {
  const difference = a.length - b.length
  if (difference < -1 || difference > 1) return false
  let start = 0
  const shorter = Math.min(a.length, b.length)
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const leftA = endA - start
  const leftB = endB - start
  if (leftA + leftB === 1 || (leftA === 1 && leftB === 1)) return true
  return leftA === 2 && leftB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}
