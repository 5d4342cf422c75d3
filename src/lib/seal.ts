/**
 * Sealed texts that only this service can read, and signatures that only this service can make.
 *
 *  1. Every purpose has its own key, derived from a key of the ring.
 *  2. A sealed text and a signature begin with the number of their key (`3.`), so any key in the ring opens its own
 *     texts. Texts without a number are older than the ring: their key is the server's secret itself, number 0.
 *  3. One key seals at a time. The others only open, until nothing is left under them.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto'

/** Text that only this service can read: AES-256-GCM. */
export interface Seal {
  /** `place` is authenticated, so that a sealed text cannot be moved elsewhere. */
  seal(plain: string, place: string): string
  /** Fails when the text was altered, moved, or sealed under a key that is not in the ring. */
  open(sealed: string, place: string): Promise<string>
}

export interface Ring {
  /** Seals under the current key; opens under any. */
  seal(purpose: string): Seal
  /** An unguessable text that belongs to `text`. */
  mac(purpose: string, text: string): string
  /** True if `mac` was made for `text` under any key of the ring. Await `know(mac)` first if another node made it. */
  isMac(purpose: string, text: string, mac: string): boolean
  /**
   * For a library that does its own signing: the current key first. The list is changed in place when the ring changes.
   */
  keys(purpose: string): string[]
  /** For a thread without a ring: the current key, and the beginning of every text sealed under it. */
  sealing(purpose: string): { readonly prefix: string; readonly key: string }
  /** Reads the ring again if the sealed text or signature names a key that this process does not know. */
  know(made: string): Promise<void>
}

/** A key of the ring: its number, and the secret that the keys of all purposes derive from. */
export interface RingKey {
  readonly id: number
  readonly material: Uint8Array
}

/** A ring whose keys can be exchanged while it is used. */
export interface ChangeableRing extends Ring {
  /** The number of the key that seals. */
  readonly current: number
  readonly ids: readonly number[]
  replace(keys: readonly RingKey[], current: number): void
}

/** The number for texts sealed directly under the server's secret, before there was a ring. */
export const FIRST_KEY = 0

const IV_BYTES = 12
const TAG_BYTES = 16

/** The number of the key under which something was sealed or signed. */
export function keyIdOf(made: string): number {
  const id = /^(\d{1,9})\./.exec(made)?.[1]
  return id === undefined ? FIRST_KEY : Number(id)
}

/** The beginning of every text sealed or signed under this key. */
export function prefixOf(keyId: number): string {
  return keyId === FIRST_KEY ? '' : `${keyId}.`
}

/** A KeyObject: creating a cipher from bare bytes takes five times as long. */
export function derivedKey(material: Uint8Array | string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', material, 'assay', purpose, 32)))
}

const ivs = Buffer.alloc(512 * IV_BYTES)
let ivsUsed = ivs.length

/** Random, each used once; read from the system many at a time. */
function newIv(): Buffer {
  if (ivsUsed === ivs.length) {
    randomFillSync(ivs)
    ivsUsed = 0
  }
  ivsUsed += IV_BYTES
  return ivs.subarray(ivsUsed - IV_BYTES, ivsUsed)
}

export function sealUnder(key: KeyObject, plain: string | Uint8Array, place: string): string {
  const iv = newIv()
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  const last = cipher.final()
  return Buffer.concat([iv, cipher.getAuthTag(), body, last]).toString('base64url')
}

export function openUnder(key: KeyObject, sealed: string, place: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}

/** A ring of one key, derived from a secret: for callers without a database that stores other keys. */
export function ringOf(secret: string, id = 1): ChangeableRing {
  return createRing([{ id, material: Buffer.from(secret) }], id)
}

/** `readAgain` updates the ring, for a key that this process does not know. */
export function createRing(
  first: readonly RingKey[],
  firstCurrent: number,
  readAgain: () => Promise<void> = async () => {},
): ChangeableRing {
  let current = firstCurrent
  let keys = new Map<number, { readonly material: Uint8Array; readonly derived: Map<string, KeyObject> }>()
  const lists = new Map<string, string[]>()

  function keyFor(id: number, purpose: string): KeyObject | undefined {
    const key = keys.get(id)
    if (!key) return undefined
    let derived = key.derived.get(purpose)
    if (!derived) {
      derived = derivedKey(key.material, purpose)
      key.derived.set(purpose, derived)
    }
    return derived
  }

  function currentKey(purpose: string): KeyObject {
    const key = keyFor(current, purpose)
    if (!key) throw new Error(`the sealing key ${current} is missing`)
    return key
  }

  function fill(purpose: string, list: string[]): void {
    const others = [...keys.keys()].filter((id) => id !== current).reverse()
    list.splice(
      0,
      list.length,
      ...[current, ...others].map((id) => keyFor(id, purpose)?.export().toString('base64url') ?? ''),
    )
  }

  const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest()

  const ring: ChangeableRing = {
    get current() {
      return current
    },
    get ids() {
      return [...keys.keys()]
    },
    replace(newKeys, newCurrent) {
      const before = keys
      keys = new Map(
        newKeys.map(({ id, material }) => [id, before.get(id) ?? { material, derived: new Map<string, KeyObject>() }]),
      )
      if (!keys.has(newCurrent)) throw new Error(`the sealing key ${newCurrent} is missing`)
      current = newCurrent
      for (const [purpose, list] of lists) fill(purpose, list)
    },
    seal(purpose) {
      return {
        seal: (plain, place) => `${prefixOf(current)}${sealUnder(currentKey(purpose), plain, place)}`,
        async open(sealed, place) {
          await ring.know(sealed)
          const id = keyIdOf(sealed)
          const key = keyFor(id, purpose)
          if (!key) throw new Error(`sealed with key ${id}, which is not in the ring`)
          return openUnder(key, sealed.slice(prefixOf(id).length), place).toString('utf8')
        },
      }
    },
    mac: (purpose, text) => `${prefixOf(current)}${hmac(currentKey(purpose), text).toString('base64url')}`,
    isMac(purpose, text, mac) {
      const id = keyIdOf(mac)
      const key = keyFor(id, purpose)
      if (!key) return false
      const expected = Buffer.from(`${prefixOf(id)}${hmac(key, text).toString('base64url')}`)
      const given = Buffer.from(mac)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
    keys(purpose) {
      const known = lists.get(purpose)
      if (known) return known
      const list: string[] = []
      fill(purpose, list)
      lists.set(purpose, list)
      return list
    },
    sealing: (purpose) => ({ prefix: prefixOf(current), key: ring.keys(purpose)[0] ?? '' }),
    async know(made) {
      // A text without a number could be anything; the first key is never added later.
      const id = keyIdOf(made)
      if (id !== FIRST_KEY && !keys.has(id)) await readAgain()
    },
  }
  ring.replace(first, firstCurrent)
  return ring
}
