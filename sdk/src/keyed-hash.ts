/** HalfSipHash-2-4 over UTF-16 units. Its key is secret, so that nobody can craft a name that collides with another. */
export interface KeyedHash {
  /** The result of the last `update`, in two words. */
  high: number
  low: number
  update(text: string): void
}

export function createKeyedHash(key: Uint32Array): KeyedHash {
  const k0 = key[0]! | 0
  const k1 = key[1]! | 0
  let v0 = 0
  let v1 = 0
  let v2 = 0
  let v3 = 0

  function rounds(count: number): void {
    for (let i = 0; i < count; i++) {
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
    }
  }

  function absorb(word: number): void {
    v3 ^= word
    rounds(2)
    v0 ^= word
  }

  return {
    high: 0,
    low: 0,
    update(text) {
      v0 = k0
      v1 = k1 ^ 0xee
      v2 = 0x6c796765 ^ k0
      v3 = 0x74656462 ^ k1
      const units = text.length
      for (let i = 0; i + 1 < units; i += 2) absorb(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16))
      // The last word holds the length, and the odd unit if there is one: no text is a prefix of another.
      absorb((units << 16) | (units % 2 === 1 ? text.charCodeAt(units - 1) : 0))
      v2 ^= 0xee
      rounds(4)
      this.low = (v1 ^ v3) >>> 0
      v1 ^= 0xdd
      rounds(4)
      this.high = (v1 ^ v3) >>> 0
    },
  }
}
