import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ChunkRefused, openChunks, sealChunks } from './sealed-chunks.ts'

const KEY = randomBytes(32)
const ABOUT = Buffer.from('the heading')
const SEALED_BYTES = 64 * 1024 + 16

async function* from(...parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}

async function whole(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

const seal = (plain: Buffer) => whole(sealChunks(KEY, ABOUT)(from(plain)))
const open = (sealed: Buffer, key = KEY, about = ABOUT) => whole(openChunks(key, about)(from(sealed)))

describe('sealed chunks', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 300_000])('give %i bytes back, however they arrive', async (size) => {
    const plain = randomBytes(size)
    const sealed = await seal(plain)
    expect(sealed.length).toBe(size + 16 * Math.max(1, Math.ceil(size / 65_536)))
    expect(await open(sealed)).toEqual(plain)
    const pieces = Array.from({ length: Math.ceil(sealed.length / 1000) }, (_, i) =>
      sealed.subarray(i * 1000, i * 1000 + 1000),
    )
    expect(await whole(openChunks(KEY, ABOUT)(from(...pieces)))).toEqual(plain)
  })

  it('do not open when they were exchanged, left out, cut off, altered, or put under another heading', async () => {
    const sealed = await seal(randomBytes(300_000))
    const chunks = Array.from({ length: 5 }, (_, i) => sealed.subarray(i * SEALED_BYTES, (i + 1) * SEALED_BYTES))
    const [a, b, c, d, e] = chunks as [Buffer, Buffer, Buffer, Buffer, Buffer]
    const altered = Buffer.from(c)
    altered[7]! ^= 1
    for (const parts of [
      [a, c, b, d, e],
      [a, b, d, e],
      [a, b, c, d],
      [a, b],
      [a, b, altered, d, e],
      [b, c, d, e],
      [a, b, c, d, e, e],
    ]) {
      await expect(open(Buffer.concat(parts))).rejects.toBeInstanceOf(ChunkRefused)
    }
    await expect(open(sealed.subarray(0, -1))).rejects.toBeInstanceOf(ChunkRefused)
    await expect(open(Buffer.alloc(0))).rejects.toBeInstanceOf(ChunkRefused)
    await expect(open(sealed, KEY, Buffer.from('another heading'))).rejects.toMatchObject({ number: 0 })
    await expect(open(sealed, randomBytes(32))).rejects.toMatchObject({ number: 0 })
  })
})
