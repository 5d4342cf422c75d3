import { expect, it } from 'vitest'
import { ManualClock } from '../lib/clock.ts'
import { createKeySetReader } from './key-set-reader.ts'

const clock = new ManualClock('2026-03-10T12:00:00Z')

it.each([
  ['http://app.example/keys', 'not https'],
  ['https://127.0.0.1/keys', 'loopback'],
  ['https://[::1]/keys', 'loopback'],
  ['https://10.0.0.1/keys', 'private'],
  ['https://169.254.169.254/latest/meta-data', 'link'],
  ['https://[::ffff:10.0.0.1]/keys', ''],
  ['https://2130706433/keys', 'loopback'],
])('%s is not read', async (address, why) => {
  const read = createKeySetReader({ clock, allowLoopback: false })
  await expect(read(address)).rejects.toThrow(new RegExp(why, 'i'))
})

it('a name that leads into the operator’s network is not read, and is looked up once for many who ask', async () => {
  let resolved = 0
  const read = createKeySetReader({
    clock,
    allowLoopback: false,
    async resolve() {
      resolved++
      return [
        { address: '93.184.216.34', family: 4 },
        { address: '192.168.1.1', family: 4 },
      ]
    },
  })
  const asked = await Promise.allSettled(Array.from({ length: 10 }, () => read('https://app.example/keys')))
  expect(asked.every(({ status }) => status === 'rejected')).toBe(true)
  await expect(read('https://app.example/keys')).rejects.toThrow('192.168.1.1')
  expect(resolved).toBe(1)
  clock.advance(31_000)
  await expect(read('https://app.example/keys')).rejects.toThrow('192.168.1.1')
  expect(resolved).toBe(2)
})
