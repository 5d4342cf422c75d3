import { lureOf, SUPPLIES } from './brand.ts'
import { BANK_DETAILS, withoutPayments } from './known-names.ts'
import { type Demand, isInstitutionName, isLureWord } from './lure-languages.ts'
import { wordSet } from './word-lists.ts'
import type { Lexicon } from './words.ts'

// `norvik-shipping-remittance.com`: words of invoices or bank details behind the name of a firm that no list has. Honest
// neighbours say what they do in words of a dictionary (`easy-invoice`), name a trade of money (`coastal-billing`), put
// more words behind (`acme-payroll-software`), or are at home under the ending of their country (`studio-paghe-fatture.it`).

const FIRM_LENGTH_MIN = 4
/** Shorter words end others by chance. */
const JOINED_LENGTH_MIN = 7
/** Services of payments have these in their names. */
const SERVICE = 'payments'
const PLAIN: ReadonlySet<string> = new Set(['payment', SERVICE])
const MONEY_TRADES = wordSet('trades of money')
const ADDED_TO_TRADES = wordSet('added to a trade')
/** `lohn-und-rechnung`: words joined by and are a subject. */
const JOINING: ReadonlySet<string> = new Set('and und et y e i og och en a of de'.split(' '))

/** The demand of a label that names an unknown firm before, or bank details beside, a word of payments. */
export function demandOfFirm(label: string, lexicon: Lexicon): Demand | undefined {
  const cut = withoutPayments(label)
  if (cut === undefined) return orderOf(label, lexicon)
  if (MONEY_TRADES.has(cut.word)) return undefined
  const { word, start, end } = cut
  const isBankDetails = BANK_DETAILS.has(word)
  const isJoined = label[end] !== '-'
  const isBehind = start === 0 && !(isJoined && (PLAIN.has(word) || word.length < JOINED_LENGTH_MIN))
  const isInFront = end === label.length && label[start - 1] === '-'
  if (!isBehind && !(isBankDetails && isInFront)) return undefined
  const pieces = label.slice(start, end).split('-')
  if (pieces.some((piece) => JOINING.has(piece))) return undefined
  // `bank-change-notification`: bank details, and nothing but what fraud says of them.
  if (isBankDetails && pieces.every((piece) => lureOf(piece) === 'pressing')) return demandFor('payment', word)
  if (isJoined && !isInFront) {
    const last = pieces.at(-1) ?? ''
    return isFirm(last, false, lexicon) && isFirm(last + word, false, lexicon) ? demandFor('payment', word) : undefined
  }
  // `leonardo-fornitori-pagamenti`: a firm of any name, and its suppliers.
  const isToSuppliers = pieces.length > 1 && pieces.some((piece) => SUPPLIES.has(piece))
  if (isToSuppliers || pieces.some((piece) => isFirm(piece, isBankDetails, lexicon))) {
    // `netopia-payments` may be a service of payments; `gebrueder-weiss-payments` is none.
    return demandFor(word === SERVICE && pieces.length === 1 ? 'payment' : 'firm', word)
  }
  // `arctic-paper-faktura`: a name of words. A program may be called `summit-invoices`, and who moves money `oak-hill-payments`.
  const mayBeTrade =
    (pieces.length === 1 && lexicon.isWord(label.slice(start, end))) ||
    PLAIN.has(word) ||
    pieces.some((piece) => lureOf(piece) !== undefined || ADDED_TO_TRADES.has(piece))
  return mayBeTrade ? undefined : demandFor('payment', word)
}

/** `galp-compras`: a firm's name before the word for its suppliers or its orders. */
function orderOf(label: string, lexicon: Lexicon): Demand | undefined {
  const at = label.lastIndexOf('-')
  const word = at < 0 ? '' : label.slice(at + 1)
  if (!SUPPLIES.has(word)) return undefined
  const pieces = label.slice(0, at).split('-')
  return pieces.some((piece) => isFirm(piece, false, lexicon)) ? demandFor('payment', word) : undefined
}

function demandFor(kind: Demand['kind'], word: string): Demand {
  return { kind, institution: undefined, site: undefined, words: [word] }
}

/** True for letters that are no word of any list. Words joined may be a firm's name too, beside bank details alone. */
function isFirm(piece: string, mayBeJoined: boolean, lexicon: Lexicon): boolean {
  if (piece.length < FIRM_LENGTH_MIN || !/^[a-z]+$/.test(piece)) return false
  if (lureOf(piece) !== undefined || ADDED_TO_TRADES.has(piece)) return false
  if (isLureWord(piece) && !isInstitutionName(piece)) return false
  return mayBeJoined ? !lexicon.isWord(piece) : lexicon.cover(piece).covered < piece.length
}
