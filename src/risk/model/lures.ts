import { createStringSet, hashBetween, prefixHashes } from './string-set.ts'
import type { Lexicon } from './words.ts'

/**
 * Words that fraud puts into names because its victims look for them: to log in, to claim a reward, to pay a small fee for
 * a parcel. One of them says little, honest firms use them too; several together are seldom honest.
 */
const LURE_WORDS =
  // to log in, and what happens if not
  (
    'login logins signin signon logon auth auths oauth authenticate authentication secure secured verify verified verification verifica verificar ' +
    'validate validation confirm confirmation unlock unblock suspended suspension restricted account accounts update ' +
    'updates upgrade renewal recovery recover restore reset password webmail mailbox session identity ' +
    // to claim, and to connect a wallet
    'claim claims reward rewards airdrop giveaway bonus wallet wallets walletconnect connect migrate migration presale ' +
    'staking token tokens swap defi web3 usdt redeem prize winner winners lottery jackpot inheritance doubler seed phrase ' +
    'bitcoin ethereum crypto giftcard iphone generator mining dapp dapps mainnet whitelist rectify unclaimed drop drops ' +
    'stake mint vault nft protocol node sync bridge suite appeal ' +
    // to pay a small fee, or to get one back
    'refund refunds rebate redelivery redeliver reschedule parcel tracking track delivery customs postage toll tolls ' +
    'parking ticket tickets violation citation tollway ezpass dmv unpaid overdue awaiting pending urgent penalty fee fees fine fines invoice payment payments billing payout remittance taxrefund stimulus subsidy ' +
    // to find a lost telephone, and to get past a block
    'findmy lostdevice device devices detect locate location lost giris guncel resmi orjinal ' +
    // what is sold to whoever does not ask
    'viagra cialis casino replica pharmacy payday ' +
    // whom they claim to be
    'support helpdesk helpline helpcenter security safety bank banking ebanking netbanking gov govt gob com www official service services center ' +
    'notice alert alerts portal client customer online document documents sharefile voicemail ' +
    // German, French, Spanish, Portuguese, Italian, Dutch, Polish
    'anmeldung anmelden konto kunden sicherheit bestaetigung verifizierung paket sendung zustellung rechnung zahlung ' +
    'connexion securite compte colis livraison remboursement amende facture paiement ' +
    'seguridad acceso cuenta factura pago paquete envio multa reembolso cliente ' +
    'seguranca acesso conta fatura pagamento encomenda ' +
    'accesso sicurezza conto fattura pacco spedizione verifica rimborso ' +
    'inloggen betaling rekening pakket bezorging boete verificatie ' +
    'logowanie platnosc faktura paczka przesylka weryfikacja doplata'
  ).split(' ')

/** Words of offices and shops: beside another lure they count, alone they are everybody's. */
const WEAK_WORDS: ReadonlySet<string> = new Set(
  (
    'service services center official online client customer portal support connect update updates track tracking ' +
    'delivery fee fees fine fines bank banking security document documents account accounts payment payments billing ' +
    'invoice identity token tokens center prize winner recover recovery reset session confirm conto conta pago parking ticket tickets ' +
    'kunden rechnung zahlung compte facture factura paket colis multa toll tolls claim claims bonus cliente faktura ' +
    'secure login update upgrade renewal seed phrase bitcoin ethereum crypto generator mining pharmacy casino pending iphone ' +
    'dapp dapps drop drops stake mint vault nft protocol node sync bridge suite safety device devices detect locate ' +
    'location lost violation citation ' +
    'winners conto connexion wallet wallets swap delivery parcel webmail notice alert alerts'
  ).split(' '),
)

const WORDS: ReadonlySet<string> = new Set(LURE_WORDS)
const WORD_SET = createStringSet(WORDS)
const LENGTH_MIN = Math.min(...LURE_WORDS.map((word) => word.length))
const LENGTH_MAX = Math.max(...LURE_WORDS.map((word) => word.length))
/** Shorter words are parts of others by chance: `fee` of coffee. */
const INNER_LENGTH_MIN = 5
const LABEL_LENGTH_MAX = 63
const PREFIXES = new Int32Array(LABEL_LENGTH_MAX + 1)

const NONE: readonly string[] = []

/** Words that hardly anybody but a fraudster puts into a name count twice. */
const RARE_WORDS: ReadonlySet<string> = new Set(
  'gov govt gob airdrop walletconnect verification authentication unclaimed redelivery redeliver taxrefund rectify'.split(
    ' ',
  ),
)

/** The lure words of a label, in the order they stand in. */
export interface Lures {
  readonly words: readonly string[]
  /** How telling they are together: two words of offices and shops count as one. */
  readonly count: number
}

const NO_LURES: Lures = { words: NONE, count: 0 }

// Asked twice about each name: by the signal, and by whoever wants to know whether the name is of plain words.
let askedLast: string | undefined
let answeredLast = NO_LURES

export function luresIn(label: string, lexicon: Lexicon): Lures {
  if (label !== askedLast) {
    answeredLast = findLures(label, lexicon)
    askedLast = label
  }
  return answeredLast
}

/** Whole words between hyphens, or the beginning and the end of longer ones where words are left. */
function findLures(label: string, lexicon: Lexicon): Lures {
  if (label.length < LENGTH_MIN || label.length > LABEL_LENGTH_MAX) return NO_LURES
  prefixHashes(label, PREFIXES)
  let words: string[] | undefined
  let start = 0
  while (start < label.length) {
    let end = label.indexOf('-', start)
    if (end < 0) end = label.length
    let to = end
    while (to > start && isDigit(label.charCodeAt(to - 1))) to--
    while (to - start >= LENGTH_MIN) {
      const word = lureAt(label, start, to, lexicon)
      if (word === undefined) break
      words ??= []
      if (!words.includes(word)) words.push(word)
      if (label.startsWith(word, start)) start += word.length
      else to -= word.length
    }
    start = end + 1
  }
  if (words === undefined) return NO_LURES
  let count = 0
  for (const word of words) count += RARE_WORDS.has(word) ? 2 : WEAK_WORDS.has(word) ? 0.5 : 1
  return { words, count: Math.floor(count) }
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

/** The lure that the text from `start` to `end` is, begins with or ends with; the longest that leaves words. */
function lureAt(label: string, start: number, end: number, lexicon: Lexicon): string | undefined {
  const length = end - start
  for (let size = Math.min(LENGTH_MAX, length); size >= LENGTH_MIN; size--) {
    if (size < INNER_LENGTH_MIN && size < length) return undefined
    if (WORD_SET.hasHash(hashBetween(PREFIXES, start, start + size))) {
      const word = label.slice(start, start + size)
      if (WORDS.has(word) && leavesWords(label, start + size, end, start, end, lexicon)) return word
    }
    if (size < length && WORD_SET.hasHash(hashBetween(PREFIXES, end - size, end))) {
      const word = label.slice(end - size, end)
      if (WORDS.has(word) && leavesWords(label, start, end - size, start, end, lexicon)) return word
    }
  }
  return undefined
}

/** `customs` of customsigns leaves no word, and cambridge is a word of its own: neither holds a lure. */
function leavesWords(label: string, from: number, to: number, start: number, end: number, lexicon: Lexicon): boolean {
  if (from === to) return true
  if (lexicon.isWord(label.slice(start, end))) return false
  const rest = label.slice(from, to)
  return WORDS.has(rest) || lexicon.cover(rest).covered === rest.length
}
