import { hashFinish } from '../../lib/hashing.ts'
import { compareIp, type Ip, parseCidr, prefixRange } from '../../lib/ip.ts'
import { HASH_START, hashStep, hashText } from '../../lib/text-index.ts'
import type { KnownCounterparty, OwnEntry } from './knowledge.ts'

/**
 * The knowledge of one organisation, compiled into one piece of memory that threads share and an engine apart receives
 * as it is: a hash table of item numbers, and the items as JSON. A miss reads one word of the table; only a hit reads an
 * item. A hash may be wrong, so callers compare the text of the item.
 *
 *     head | table: item number (24 bits) and a tag of its hash (8 bits) a slot | place of every item | items
 */

/** The tables by which items are found; they share one memory. */
export const SECTIONS = [
  'domain',
  'look',
  'typo',
  'email',
  'name',
  'network',
  'entry',
  'entry_network',
  'rules',
] as const
export type Section = (typeof SECTIONS)[number]

export type Counterparty = Pick<KnownCounterparty, 'id' | 'name' | 'reference' | 'since' | 'state' | 'networks'>

/** A domain of a counterparty, or of the organisation itself: then its counterparty is undefined. */
export interface KnownDomain {
  readonly domain: string
  /** The chosen name and its suffix or platform: `acme` and `com` of mail.acme.com. */
  readonly label: string
  readonly suffix: string
  /** The label without its hyphens. */
  readonly joined: string
  readonly counterparty: Counterparty | undefined
}

/** An item in its section's form; `of` is the number of the counterparty, 0 for the organisation itself. */
export type DomainItem = readonly [domain: string, label: string, suffix: string, of: number]
/** An address, a network or a name. */
export type TextItem = readonly [text: string, of: number]
export type EntryItem = readonly [
  kind: OwnEntry['kind'],
  indicator: string,
  list: OwnEntry['list'],
  reason: string | null,
  expiresAtMs: number | null,
]
/** Decision rules as JSON. */
export type RulesItem = readonly [rules: string]
export type CounterpartyItem = readonly [
  id: string,
  name: string,
  reference: string | null,
  since: string | null,
  state: KnownCounterparty['state'],
  networks: readonly string[],
]

const MAGIC = 0x6f776e31
/** Magic number, slots, items, bytes of the items, then one bit for every prefix length of a network, IPv4 first. */
const HEAD_WORDS = 16
const LENGTHS_AT = 6
const VERSION_AT = 4
const TAG_SHIFT = 24
const ITEM_MASK = (1 << TAG_SHIFT) - 1
export const ITEMS_MAX = ITEM_MASK
/** More items under one hash are left out: a register with one name under thousands of endings must stay quick. */
const UNDER_ONE_HASH_MAX = 8

const NONE: readonly number[] = []

export function bufferOf({ memory: { buffer, byteOffset, byteLength } }: OwnIndex): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

export class OwnIndex {
  readonly memory: Uint8Array
  readonly version: number
  readonly items: number
  readonly #table: Int32Array
  readonly #mask: number
  readonly #places: Int32Array
  readonly #texts: Buffer
  readonly #lengths: readonly { readonly version: 4 | 6; readonly length: number }[]

  constructor(memory: Uint8Array) {
    const { buffer, byteOffset, byteLength } = memory
    const words = new Int32Array(buffer, byteOffset, byteLength >> 2)
    const [magic, slots = 0, items = 0, bytes = 0] = words
    const textsAt = 4 * (HEAD_WORDS + slots + items + 1)
    if (magic !== MAGIC || slots < 1 || textsAt + bytes > byteLength)
      throw new RangeError('not an index of own knowledge')
    this.memory = memory
    this.version = (words[VERSION_AT] as number) + 2 ** 31 * (words[VERSION_AT + 1] as number)
    this.items = items
    this.#table = words.subarray(HEAD_WORDS, HEAD_WORDS + slots)
    this.#mask = slots - 1
    this.#places = words.subarray(HEAD_WORDS + slots, HEAD_WORDS + slots + items + 1)
    this.#texts = Buffer.from(buffer, byteOffset + textsAt, bytes)
    this.#lengths = lengthsIn(words)
  }

  /** The numbers of the items under a hash, and maybe of others. */
  find(section: Section, hash: number): readonly number[] {
    const mixed = mix(section, hash)
    const tag = mixed >>> TAG_SHIFT
    const table = this.#table
    let found: number[] | undefined
    for (let slot = mixed & this.#mask; table[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const word = table[slot] as number
      if (word >>> TAG_SHIFT !== tag) continue
      found ??= []
      found.push(word & ITEM_MASK)
    }
    return found ?? NONE
  }

  domains(section: 'domain' | 'look' | 'typo', hash: number, isMeant: (domain: KnownDomain) => boolean): KnownDomain[] {
    const found: KnownDomain[] = []
    for (const number of this.find(section, hash)) {
      const item = this.#read<DomainItem>(number)
      // Another section's item under the same tag.
      if (item.length !== 4) continue
      const [domain, label, suffix, of] = item
      const known = { domain, label, suffix, joined: label.replaceAll('-', ''), counterparty: this.#counterparty(of) }
      if (isMeant(known)) found.push(known)
    }
    return found
  }

  /** The counterparties whose address or name the text is; undefined stands for the organisation itself. */
  owners(section: 'email' | 'name', text: string): (Counterparty | undefined)[] {
    return this.find(section, hashText(text)).flatMap((number) => {
      const item = this.#read<TextItem>(number)
      return item.length === 2 && item[0] === text ? [this.#counterparty(item[1])] : []
    })
  }

  entries(text: string): EntryItem[] {
    return this.find('entry', hashText(text)).flatMap((number) => {
      const item = this.#read<EntryItem>(number)
      return item.length === 5 && item[1] === text ? [item] : []
    })
  }

  /** Decision rules as JSON; undefined if there are none. */
  rules(): string | undefined {
    const items = this.find('rules', 0).map((number) => this.#read<RulesItem>(number))
    return items.find((item) => item.length === 1)?.[0]
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
      for (const number of this.find('entry_network', hash)) {
        const item = this.#read<EntryItem>(number)
        if (item.length === 5 && isMeant(item[1])) entries.push(item)
      }
      for (const number of this.find('network', hash)) {
        const item = this.#read<TextItem>(number)
        const owner = item.length === 2 && isMeant(item[0]) ? this.#counterparty(item[1]) : undefined
        if (owner) owners.push([item[0], owner])
      }
    }
    return { entries, owners }
  }

  #counterparty(number: number): Counterparty | undefined {
    if (number === 0) return undefined
    const [id, name, reference, since, state, networks] = this.#read<CounterpartyItem>(number)
    return { id, name, reference, since, state, networks }
  }

  #read<Item>(number: number): Item {
    return JSON.parse(this.#texts.toString('utf8', this.#places[number - 1], this.#places[number])) as Item
  }
}

/** Collects items and the hashes they are found by. */
export class OwnIndexBuilder {
  readonly #lengths = new Int32Array(HEAD_WORDS)
  readonly #places: number[] = [0]
  #texts = Buffer.allocUnsafe(4096)
  #bytes = 0
  /** Mixed hash and item number, one after the other. */
  #keys = new Int32Array(1024)
  #keyWords = 0

  /** Adds an item and returns its number; 0 if there is no room for more. */
  add(item: DomainItem | TextItem | EntryItem | CounterpartyItem | RulesItem): number {
    if (this.#places.length > ITEMS_MAX) return 0
    const text = JSON.stringify(item)
    const needed = this.#bytes + 3 * text.length
    if (needed > this.#texts.length) {
      const longer = Buffer.allocUnsafe(2 * needed)
      this.#texts.copy(longer, 0, 0, this.#bytes)
      this.#texts = longer
    }
    this.#bytes += this.#texts.write(text, this.#bytes, 'utf8')
    return this.#places.push(this.#bytes) - 1
  }

  key(section: Section, hash: number, item: number): void {
    if (item === 0) return
    if (this.#keyWords === this.#keys.length) {
      const longer = new Int32Array(2 * this.#keys.length)
      longer.set(this.#keys)
      this.#keys = longer
    }
    this.#keys[this.#keyWords++] = mix(section, hash)
    this.#keys[this.#keyWords++] = item
  }

  networkKey(section: 'network' | 'entry_network', first: Ip, length: number, item: number): void {
    this.key(section, networkHash(first, length), item)
    const bit = (first.version === 4 ? 0 : 64) + length
    const at = LENGTHS_AT + (bit >>> 5)
    this.#lengths[at] = (this.#lengths[at] as number) | (1 << (bit & 31))
  }

  /** The memory of the index. Yields after a few thousand keys, so that the caller can let others work. */
  *finish(version: number): Generator<void, Uint8Array> {
    const items = this.#places.length - 1
    let slots = 16
    while (slots < (this.#keyWords * 3) / 4) slots *= 2
    const textsAt = 4 * (HEAD_WORDS + slots + items + 1)
    const memory = new Uint8Array(Math.ceil((textsAt + this.#bytes) / 4) * 4)
    const words = new Int32Array(memory.buffer)
    words.set(this.#lengths)
    words.set([MAGIC, slots, items, this.#bytes, version % 2 ** 31, Math.floor(version / 2 ** 31)])
    const table = words.subarray(HEAD_WORDS, HEAD_WORDS + slots)
    for (let i = 0; i < this.#keyWords; i += 2) {
      insert(table, (this.#keys[i] as number) >>> 0, this.#keys[i + 1] as number)
      if (i % KEYS_A_TURN === 0) yield
    }
    words.set(this.#places, HEAD_WORDS + slots)
    memory.set(this.#texts.subarray(0, this.#bytes), textsAt)
    return memory
  }
}

const KEYS_A_TURN = 8192

function insert(table: Int32Array, mixed: number, item: number): void {
  const tag = mixed >>> TAG_SHIFT
  const mask = table.length - 1
  let others = 0
  let slot = mixed & mask
  for (; table[slot] !== 0; slot = (slot + 1) & mask) {
    if ((table[slot] as number) >>> TAG_SHIFT === tag && ++others === UNDER_ONE_HASH_MAX) return
  }
  table[slot] = (tag << TAG_SHIFT) | item
}

const SALTS = Object.fromEntries(SECTIONS.map((section, i) => [section, Math.imul(i + 1, 0x9e3779b1)])) as Record<
  Section,
  number
>

function mix(section: Section, hash: number): number {
  return hashFinish(hash ^ SALTS[section])
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
