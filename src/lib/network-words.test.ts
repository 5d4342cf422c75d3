import { expect, it } from 'vitest'
import { networkWords } from './network-words.ts'

it('a failed connection is told in words, also where only the message names its code', () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND a.example'), { code: 'ENOTFOUND' })
  expect(networkWords(unknown)).toBe('there is no server of this name (ENOTFOUND)')
  const wrapped = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:25'), { code: 'ESOCKET' })
  expect(networkWords(wrapped)).toBe('the server accepts no connections at this port (ECONNREFUSED)')
  expect(networkWords(new Error('The list is EMPTY.'))).toBe('The list is EMPTY.')
})
