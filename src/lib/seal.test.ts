import { createCipheriv, createHmac, hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createRing, FIRST_KEY, keyIdOf, ringOf } from './seal.ts'

const key = (id: number) => ({ id, material: Buffer.alloc(32, id) })
const former = { id: FIRST_KEY, material: Buffer.from('a secret from before there was a ring') }

describe('a ring', () => {
  it('opens what any of its keys sealed, for the same purpose and place only', async () => {
    const one = createRing([key(1)], 1).seal('a')
    const sealed = one.seal('text', 'here')
    expect(sealed).toMatch(/^1\.[\w-]+$/)
    const both = createRing([key(1), key(2)], 2)
    expect(await both.seal('a').open(sealed, 'here')).toBe('text')
    expect(keyIdOf(both.seal('a').seal('text', 'here'))).toBe(2)
    await expect(both.seal('b').open(sealed, 'here')).rejects.toThrow()
    await expect(both.seal('a').open(sealed, 'there')).rejects.toThrow()
    await expect(both.seal('a').open(sealed.replace(/^1/, '2'), 'here')).rejects.toThrow()
    await expect(
      createRing([key(2)], 2)
        .seal('a')
        .open(sealed, 'here'),
    ).rejects.toThrow(/key 1/)
  })

  it('signs with the current key and accepts every living one', () => {
    const before = createRing([key(1)], 1)
    const mac = before.mac('a', 'text')
    const ring = createRing([key(1), key(2)], 2)
    expect(ring.isMac('a', 'text', mac)).toBe(true)
    expect(ring.isMac('a', 'text', ring.mac('a', 'text'))).toBe(true)
    expect(ring.mac('a', 'text')).not.toBe(mac)
    for (const wrong of [
      `${mac}A`,
      mac.slice(0, -1),
      mac.slice(2),
      mac.replace(/^1/, '2'),
      `01${mac.slice(1)}`,
      '',
      '1.',
    ]) {
      expect(ring.isMac('a', 'text', wrong), wrong).toBe(false)
    }
    expect(ring.isMac('b', 'text', mac)).toBe(false)
    expect(ring.isMac('a', 'other', mac)).toBe(false)
    expect(createRing([key(2)], 2).isMac('a', 'text', mac)).toBe(false)
  })

  it('reads the keys again when it meets one that it does not know, and only then', async () => {
    const elsewhere = createRing([key(1), key(2)], 2)
    let reads = 0
    const ring = createRing([key(1)], 1, async () => {
      reads++
      ring.replace([key(1), key(2)], 1)
    })
    expect(
      await ring.seal('a').open(
        createRing([key(1)], 1)
          .seal('a')
          .seal('old', 'here'),
        'here',
      ),
    ).toBe('old')
    expect(reads).toBe(0)
    expect(await ring.seal('a').open(elsewhere.seal('a').seal('new', 'here'), 'here')).toBe('new')
    expect(reads).toBe(1)
    // It knows the key now, and goes on sealing with its own until it is told.
    expect(keyIdOf(ring.seal('a').seal('text', 'here'))).toBe(1)
    await ring.know(elsewhere.mac('a', 'text'))
    expect(reads).toBe(1)
  })

  it('hands a library a list of keys that changes with it, the current one first', () => {
    const ring = createRing([key(1), key(2)], 1)
    const keys = ring.keys('cookies')
    const [first, second] = keys
    ring.replace([key(1), key(2)], 2)
    expect(keys).toEqual([second, first])
    ring.replace([key(2)], 2)
    expect(keys).toEqual([second])
    expect(ring.keys('cookies')).toBe(keys)
  })

  it('opens and accepts what version 1.0 made directly under the secret', async () => {
    const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', former.material, 'assay', purpose, 32))
    const iv = Buffer.alloc(12, 7)
    const cipher = createCipheriv('aes-256-gcm', derived('a'), iv).setAAD(Buffer.from('here'))
    const body = Buffer.concat([cipher.update('text', 'utf8'), cipher.final()])
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    const mac = createHmac('sha256', derived('tags')).update('subject').digest('base64url')
    const ring = createRing([former, key(1)], 1)
    expect(await ring.seal('a').open(sealed, 'here')).toBe('text')
    expect(ring.isMac('tags', 'subject', mac)).toBe(true)
    expect(ring.keys('oauth cookies')).toContain(derived('oauth cookies').toString('base64url'))
    expect(ringOf('a secret of another').isMac('tags', 'subject', mac)).toBe(false)
  })
})
