import { hashFinish } from '../../lib/hashing.ts'
import { compareIp, type Ip, parseCidr, prefixRange } from '../../lib/ip.ts'
import { HASH_START, hashStep, hashText } from '../../lib/text-index.ts'
import { GrowingWords } from '../../snapshot/radix.ts'
import type { KnownCounterparty, OwnEntry } from './knowledge.ts'
import { nameKeysOf } from './names.ts'

/**
 * The knowledge of one organisation, compiled into one piece of memory that threads share and an engine apart receives
 * as it is: a hash table of item numbers, and the items. A counterparty is two items: its domains, as bytes, under the
 * hashes of all its domains, addresses, networks and names, and behind them its details, as in its line. It has no more items,
 * because compiling them is most of what the first check of an organisation costs. Most look-ups find nothing, and random
 * memory is slow: a filter with a byte or two for every key ends nearly all of them. The parts of a stranger's name are
 * looked up together, in a filter of names, so that the waits for memory overlap. A hash may be wrong, so callers compare
 * the text of the item.
 *
 *     head | filter of names | filter of the rest | table: item number (24 bits) and a tag of its hash (8 bits) a slot |
 *     place of every item | items
 */

/**
 * The tables by which items are found share one memory: a number of its own changes the hashes of each. `first`
 * and `last`, the letters at the edges of a name, and `around` have no items: they say that a search is worth while.
 */
export const SECTIONS = {
  domain: 0x1e3779b1,
  look: 0x3c6ef362,
  typo: 0x5aa66d13,
  email: 0x78dde6c4,
  name: 0x17156075,
  network: 0x354cda26,
  entry: 0x538453d7,
  entryNetwork: 0x71bbcd88,
  rules: 0x4c623a9c,
  first: 0x0ff3473a,
  last: 0x2e2ac0eb,
  around: 0x6a99b44d,
} as const
export type Section = (typeof SECTIONS)[keyof typeof SECTIONS]

/** `details` are read when somebody asks for them: a score without an explanation needs no more than the state. */
export interface Counterparty {
  readonly state: KnownCounterparty['state']
  readonly details: () => CounterpartyDetails
}
export type CounterpartyDetails = Pick<KnownCounterparty, 'id' | 'name' | 'reference' | 'since' | 'networks' | 'emails'>

export interface KnownName {
  readonly domain: string
  /** The chosen name and its suffix or platform: `acme` and `com` of mail.acme.com. */
  readonly label: string
  readonly suffix: string
}

/** With the place of its bytes. */
export interface PlacedName extends KnownName {
  readonly at: number
}

/** A domain of a counterparty, or of the organisation itself: then its counterparty is undefined. */
export class KnownDomain implements KnownName {
  readonly domain: string
  readonly label: string
  readonly suffix: string
  readonly counterparty: Counterparty | undefined

  constructor(domain: string, label: string, suffix: string, counterparty: Counterparty | undefined) {
    this.domain = domain
    this.label = label
    this.suffix = suffix
    this.counterparty = counterparty
  }

  /** The label without its hyphens. */
  get joined(): string {
    return this.label.includes('-') ? this.label.replaceAll('-', '') : this.label
  }
}

/** By their number: the first byte of an item of domains. Other items begin with a character. */
export const OWNERS = ['own', 'active', 'former', 'blocked'] as const
/** A counterparty, or `own` for a proven domain of the organisation itself. */
type Owner = (typeof OWNERS)[number]

export type EntryItem = readonly [
  kind: OwnEntry['kind'],
  indicator: string,
  list: OwnEntry['list'],
  reason: string | null,
  expiresAtMs: number | null,
]
/** Decision rules as JSON. */
export type RulesItem = readonly [rules: string]
type Item = EntryItem | RulesItem

const isEntry = (item: Item | undefined): item is EntryItem => item?.length === 5

/** A part of a label is looked up only where a name of about its length begins, or ends, with as many of its letters. */
export const EDGE_LENGTHS = [5, 8, 11, 15] as const

const MAGIC = 0x6f776e37
/** Magic number, slots, items, bytes of the items, words of both filters, version, then one bit for every prefix length of a network, IPv4 first. */
const HEAD_WORDS = 16
const VERSION_AT = 6
const LENGTHS_AT = 8
/** 1 if there are entries of own lists: most organisations have none, and need no look-up for them. */
const HAS_ENTRIES_AT = 15
const TAG_SHIFT = 24
const TAG_MASK = 0xff
const ITEM_MASK = (1 << TAG_SHIFT) - 1
const ITEMS_MAX = ITEM_MASK
/** More items under one hash are left out: a register with one name under thousands of endings must stay quick. */
const UNDER_ONE_HASH_MAX = 8

/** The place of a hash in a table of any length, by the upper bits of the hash. */
function slotOf(mixed: number, length: number): number {
  return ((mixed >>> 0) * (length / 2 ** 32)) | 0
}

/** A word for every so many keys. */
const KEYS_PER_WORD = 3

/** A filter has three bits of one word for every key: a miss reads that word alone. */
function mark(filter: Int32Array, mixed: number): void {
  const at = slotOf(mixed, filter.length)
  filter[at] = (filter[at] as number) | bitsOf(mixed)
}

function mayHold(filter: Int32Array, mixed: number): boolean {
  const bits = bitsOf(mixed)
  return ((filter[slotOf(mixed, filter.length)] as number) & bits) === bits
}

/** The sections of names and their parts, as of typos. The other filter is small: a domain is looked for in it alone. */
const isOfName = (section: Section): boolean =>
  section === SECTIONS.look ||
  section === SECTIONS.typo ||
  section === SECTIONS.first ||
  section === SECTIONS.last ||
  section === SECTIONS.around

function bitsOf(mixed: number): number {
  const more = Math.imul(mixed, 0x9e3779b1)
  return (1 << (more >>> 27)) | (1 << ((more >>> 22) & 31)) | (1 << ((more >>> 17) & 31))
}

const wordsOf = (text: string): string[] => (text === '' ? [] : text.split(' '))

const NONE: readonly number[] = []
const NONE_OF_THEM: readonly undefined[] = []
const NO_DOMAINS: readonly KnownDomain[] = []

export function bufferOf({ memory: { buffer, byteOffset, byteLength } }: OwnIndex): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

export class OwnIndex {
  readonly memory: Uint8Array
  readonly version: number
  readonly items: number
  readonly hasEntries: boolean
  #names: Int32Array
  #others: Int32Array
  #table: Int32Array
  #places: Int32Array
  readonly #texts: Buffer
  readonly #lengths: readonly { readonly version: 4 | 6; readonly length: number }[]

  constructor(memory: Uint8Array) {
    const { buffer, byteOffset, byteLength } = memory
    const words = new Int32Array(buffer, byteOffset, byteLength >> 2)
    const [magic, slots = 0, items = 0, bytes = 0, nameWords = 0, otherWords = 0] = words
    const othersAt = HEAD_WORDS + nameWords
    const tableAt = othersAt + otherWords
    const textsAt = 4 * (tableAt + slots + items + 1)
    if (magic !== MAGIC || slots < 16 || nameWords < 16 || otherWords < 16 || textsAt + bytes > byteLength)
      throw new RangeError('not an index of own knowledge')
    this.memory = memory
    this.version = (words[VERSION_AT] as number) + 2 ** 31 * (words[VERSION_AT + 1] as number)
    this.items = items
    this.hasEntries = words[HAS_ENTRIES_AT] === 1
    this.#names = words.subarray(HEAD_WORDS, othersAt)
    this.#others = words.subarray(othersAt, tableAt)
    this.#table = words.subarray(tableAt, tableAt + slots)
    this.#places = words.subarray(tableAt + slots, tableAt + slots + items + 1)
    this.#texts = Buffer.from(buffer, byteOffset + textsAt, bytes)
    this.#lengths = lengthsIn(words)
  }

  /**
   * Frees the memory at once; any later use throws. V8 counts memory outside its heap: left to V8, the indexes that leave
   * cause a collection of the whole heap for every 50 or 60 that come.
   */
  free(): void {
    const { buffer } = this.memory
    if (buffer instanceof ArrayBuffer) buffer.transfer(0)
    this.#names = this.#others = this.#table = this.#places = undefined as never
  }

  /** False is certain. */
  mayHold(section: Section, hash: number): boolean {
    return mayHold(this.#others, hashFinish(hash ^ section) | 0)
  }

  /** The same for a name, or the letters at its edges. */
  mayHoldName(section: Section, hash: number): boolean {
    return mayHold(this.#names, hashFinish(hash ^ section) | 0)
  }

  /**
   * Looks up to 32 hashes up at once: bit i of the result says if the filter may hold hash from + i.
   * The hashes of different sections have their section in them already.
   */
  mayHoldNames(section: Section | 0, hashes: Int32Array, from: number, count: number): number {
    const filter = this.#names
    let held = 0
    // The reads of memory overlap: neither a branch nor a place to write to waits for one of them.
    for (let i = 0; i < count; i++) {
      const mixed = hashFinish((hashes[from + i] as number) ^ section) | 0
      const missing = bitsOf(mixed) & ~(filter[slotOf(mixed, filter.length)] as number)
      held |= (((missing | -missing) >>> 31) ^ 1) << i
    }
    return held
  }

  /** The numbers of the items under a hash, and maybe of others. */
  #find(section: Section, hash: number): readonly number[] {
    const mixed = hashFinish(hash ^ section)
    const tag = mixed & TAG_MASK
    const table = this.#table
    let found: number[] | undefined
    for (let slot = slotOf(mixed, table.length); table[slot] !== 0; slot = next(slot, table)) {
      const word = table[slot] as number
      if (word >>> TAG_SHIFT !== tag) continue
      found ??= []
      found.push(word & ITEM_MASK)
    }
    return found ?? NONE
  }

  domains(section: Section, hash: number, isMeant: (domain: KnownDomain) => boolean): readonly KnownDomain[] {
    const numbers = this.#find(section, hash)
    if (numbers.length === 0) return NO_DOMAINS
    const found: KnownDomain[] = []
    for (const number of numbers) {
      for (const domain of this.#domainsOf(number)) if (isMeant(domain)) found.push(domain)
    }
    return found
  }

  /** The counterparties with an email address. */
  withEmail(address: string): readonly (Counterparty | undefined)[] {
    return this.#owners(SECTIONS.email, address, (_, owner) => owner?.details().emails.includes(address) === true)
  }

  /** The counterparties of a name; undefined stands for the organisation itself. */
  withName(name: string): readonly (Counterparty | undefined)[] {
    return this.#owners(
      SECTIONS.name,
      name,
      (number, owner) =>
        (owner !== undefined && nameKeysOf(owner.details().name).includes(name)) ||
        this.#domainsOf(number).some(({ joined }) => joined === name),
    )
  }

  #owners(
    section: Section,
    text: string,
    isMeant: (number: number, owner: Counterparty | undefined) => boolean,
  ): readonly (Counterparty | undefined)[] {
    const hash = hashText(text)
    if (!this.mayHold(section, hash)) return NONE_OF_THEM
    return this.#find(section, hash).flatMap((number) => {
      const owner = this.#counterparty(number)
      return isMeant(number, owner) ? [owner] : []
    })
  }

  /** `hash` is the hash of the text. */
  entries(text: string, hash: number): EntryItem[] {
    const items = this.#find(SECTIONS.entry, hash).map((number) => this.#read(number))
    return items.filter(isEntry).filter((item) => item[1] === text)
  }

  /** Decision rules as JSON; undefined if there are none. */
  rules(): string | undefined {
    const items = this.#find(SECTIONS.rules, 0).map((number) => this.#read(number))
    return items.find((item): item is RulesItem => item?.length === 1)?.[0]
  }

  /** Everything about networks that contain the address, the smallest network first. */
  networks(ip: Ip): { readonly entries: EntryItem[]; readonly owners: (readonly [network: string, Counterparty])[] } {
    const entries: EntryItem[] = []
    const owners: (readonly [string, Counterparty])[] = []
    for (const { version, length } of this.#lengths) {
      if (version !== ip.version) continue
      const { first } = prefixRange(ip, length)
      const hash = networkHash(first, length)
      const isMeant = (text: string) => isNetwork(text, first, length)
      for (const number of this.#find(SECTIONS.entryNetwork, hash)) {
        const item = this.#read(number)
        if (isEntry(item) && isMeant(item[1])) entries.push(item)
      }
      for (const number of this.#find(SECTIONS.network, hash)) {
        const owner = this.#counterparty(number)
        const network = owner?.details().networks.find(isMeant)
        if (owner && network !== undefined) owners.push([network, owner])
      }
    }
    return { entries, owners }
  }

  /** Undefined for an item of domains. */
  #read(number: number): Item | undefined {
    const start = this.#places[number - 1] as number
    if (this.#ownerAt(start) !== undefined) return undefined
    return JSON.parse(this.#texts.toString('utf8', start, this.#places[number])) as Item
  }

  #ownerAt(place: number): Owner | undefined {
    return OWNERS[this.#texts[place] as number]
  }

  #domainsOf(number: number): KnownDomain[] {
    const texts = this.#texts
    const counterparty = this.#counterparty(number)
    const domains: KnownDomain[] = []
    let at = this.#places[number - 1] as number
    if (this.#ownerAt(at++) === undefined) return domains
    for (const end = this.#places[number] as number; at < end; ) {
      const from = at + 3
      const to = from + (texts[at] as number)
      const suffixAt = to - (texts[at + 2] as number)
      const labelAt = Math.max(from, suffixAt - 1 - (texts[at + 1] as number))
      const domain = texts.toString('latin1', from, to)
      const label = domain.slice(labelAt - from, Math.max(0, suffixAt - 1 - from))
      domains.push(new KnownDomain(domain, label, domain.slice(suffixAt - from), counterparty))
      at = to
    }
    return domains
  }

  #counterparty(number: number): Counterparty | undefined {
    const state = this.#ownerAt(this.#places[number - 1] as number)
    if (state === undefined || state === 'own') return undefined
    const details = () => {
      const line = this.#texts.toString('utf8', this.#places[number], this.#places[number + 1])
      const [id = '', name = '', reference = '', since = '', networks = '', emails = ''] = line.split('\t')
      const words = { networks: wordsOf(networks), emails: wordsOf(emails) }
      return { id, name, reference: reference || null, since: since || null, ...words }
    }
    return { state, details }
  }
}

/**
 * Collects items and the hashes they are found by. Its memory is used again by the next builder: V8 counts memory outside
 * its heap, and a collection of the whole heap for every few indexes would be most of their cost.
 */
export class OwnIndexBuilder {
  readonly #head = new Int32Array(HEAD_WORDS)
  readonly #scratch = spare.pop() ?? {
    places: new GrowingWords(SPARE_BYTES_MAX / 4),
    keys: new GrowingWords(SPARE_BYTES_MAX / 4),
    texts: Buffer.allocUnsafe(SPARE_BYTES_MAX),
  }
  #bytes = 0
  #names = 0
  #marks = 0

  constructor() {
    const { places, keys } = this.#scratch
    places.length = 0
    places.push(0)
    keys.length = 0
  }

  /** Adds an item and returns its number; 0 if there is no room for more. */
  add(item: Item): number {
    const text = JSON.stringify(item)
    return this.#write(3 * text.length, (texts, at) => at + texts.write(text, at, 'utf8'))
  }

  /** Adds an item of bytes as they are. */
  addBytes(bytes: Buffer, from: number, to: number): number {
    return this.#write(to - from, (texts, at) => at + bytes.copy(texts, at, from, to))
  }

  /** The domains of one owner, each behind the lengths of itself, its chosen name and its suffix. */
  addDomains(owner: Owner, domains: readonly PlacedName[], bytes: Buffer): number {
    const length = domains.reduce((sum, { domain }) => sum + 3 + domain.length, 1)
    return this.#write(length, (texts, from) => {
      let to = from
      texts[to++] = OWNERS.indexOf(owner)
      for (const { domain, label, suffix, at } of domains) {
        texts[to++] = domain.length
        texts[to++] = label.length
        texts[to++] = suffix.length
        // A native copy of so few bytes takes several times as long.
        for (let i = 0; i < domain.length; i++) texts[to++] = bytes[at + i] as number
      }
      return to
    })
  }

  #write(lengthMax: number, write: (texts: Buffer, at: number) => number): number {
    const { places } = this.#scratch
    if (places.length > ITEMS_MAX) return 0
    const needed = this.#bytes + lengthMax
    if (needed > this.#scratch.texts.length) {
      const longer = Buffer.allocUnsafe(2 * needed)
      this.#scratch.texts.copy(longer, 0, 0, this.#bytes)
      this.#scratch.texts = longer
    }
    this.#bytes = write(this.#scratch.texts, this.#bytes)
    places.push(this.#bytes)
    return places.length - 1
  }

  key(section: Section, hash: number, item: number): void {
    if (item !== 0) this.#push(section, hash, item)
  }

  /** For a section without items. */
  mark(section: Section, hash: number): void {
    this.#marks++
    this.#push(section, hash, 0)
  }

  /** Mixed hash and item number, one after the other. */
  #push(section: Section, hash: number, item: number): void {
    const isName = isOfName(section)
    if (section === SECTIONS.entry) this.#head[HAS_ENTRIES_AT] = 1
    if (isName) this.#names++
    const { keys } = this.#scratch
    keys.push(hashFinish(hash ^ section))
    keys.push(isName ? item | OF_NAMES : item)
  }

  networkKey(section: Section, first: Ip, length: number, item: number): void {
    this.key(section, networkHash(first, length), item)
    const bit = (first.version === 4 ? 0 : 64) + length
    const at = LENGTHS_AT + (bit >>> 5)
    this.#head[at] = (this.#head[at] as number) | (1 << (bit & 31))
  }

  /** The memory of the index. Yields after a few thousand keys, so that the caller can let others work. */
  *finish(version: number): Generator<void, Uint8Array> {
    const { places, keys, texts } = this.#scratch
    const items = places.length - 1
    const count = keys.length / 2
    // Two slots of three are used.
    const slots = atLeast16((count - this.#marks) * 1.5)
    const nameWords = atLeast16(this.#names / KEYS_PER_WORD)
    const otherWords = atLeast16((count - this.#names) / KEYS_PER_WORD)
    const othersAt = HEAD_WORDS + nameWords
    const tableAt = othersAt + otherWords
    const textsAt = 4 * (tableAt + slots + items + 1)
    const memory = new Uint8Array(Math.ceil((textsAt + this.#bytes) / 4) * 4)
    const words = new Int32Array(memory.buffer)
    words.set(this.#head)
    words.set([MAGIC, slots, items, this.#bytes, nameWords, otherWords])
    words.set([version % 2 ** 31, Math.floor(version / 2 ** 31)], VERSION_AT)
    const names = words.subarray(HEAD_WORDS, othersAt)
    const others = words.subarray(othersAt, tableAt)
    const table = words.subarray(tableAt, tableAt + slots)
    const pairs = keys.view()
    for (let from = 0; from < pairs.length; from += 2 * KEYS_A_TURN) {
      insertAll(pairs.subarray(from, from + 2 * KEYS_A_TURN), names, others, table)
      yield
    }
    words.set(places.view(), tableAt + slots)
    memory.set(texts.subarray(0, this.#bytes), textsAt)
    if (spare.length < SPARES_MAX && texts.length <= SPARE_BYTES_MAX && keys.words.byteLength <= SPARE_BYTES_MAX) {
      spare.push(this.#scratch)
    }
    return memory
  }
}

interface Scratch {
  readonly places: GrowingWords
  readonly keys: GrowingWords
  texts: Buffer
}
/** Enough for a thousand counterparties; longer ones are not kept. */
const SPARE_BYTES_MAX = 512 * 1024
const SPARES_MAX = 2
const spare: Scratch[] = []

const KEYS_A_TURN = 4096
/** Marks a key of the filter of names. */
const OF_NAMES = 1 << 31

const atLeast16 = (count: number) => Math.max(16, Math.ceil(count))
const next = (slot: number, table: Int32Array) => (slot + 1 === table.length ? 0 : slot + 1)

/** No part of the generator: V8 optimises a loop there badly. */
function insertAll(pairs: Uint32Array, names: Int32Array, others: Int32Array, table: Int32Array): void {
  for (let i = 0; i < pairs.length; i += 2) {
    const mixed = pairs[i] as number
    const item = pairs[i + 1] as number
    mark(item & OF_NAMES ? names : others, mixed)
    if ((item & ITEM_MASK) !== 0) insert(table, mixed, item & ITEM_MASK)
  }
}

function insert(table: Int32Array, mixed: number, item: number): void {
  const tag = mixed & TAG_MASK
  const word = (tag << TAG_SHIFT) | item
  let others = 0
  let slot = slotOf(mixed, table.length)
  for (; table[slot] !== 0; slot = next(slot, table)) {
    // Two domains of one counterparty may have the same name.
    if (table[slot] === word) return
    if ((table[slot] as number) >>> TAG_SHIFT === tag && ++others === UNDER_ONE_HASH_MAX) return
  }
  table[slot] = word
}

function networkHash({ w0, w1, w2, w3 }: Ip, length: number): number {
  return [w0, w1, w2, w3].reduce(hashStep, hashStep(HASH_START, length))
}

function isNetwork(text: string, first: Ip, length: number): boolean {
  const range = parseCidr(text)
  return range !== undefined && range.prefix === length && compareIp(range.first, first) === 0
}

/** The prefix lengths of all networks, the longest first. */
function lengthsIn(words: Int32Array) {
  const lengths: { readonly version: 4 | 6; readonly length: number }[] = []
  for (let bit = 64 + 128; bit >= 0; bit--) {
    if (((words[LENGTHS_AT + (bit >>> 5)] as number) & (1 << (bit & 31))) === 0) continue
    lengths.push(bit < 64 ? { version: 4, length: bit } : { version: 6, length: bit - 64 })
  }
  return lengths
}
