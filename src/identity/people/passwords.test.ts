import { expect, it } from 'vitest'
import { PASSWORD_HASH } from '../../../test/support/passwords.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

it('a password is known by its hash, and only that one', async () => {
  const stored = await hashPassword('correct horse battery staple')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]{43}$/)
  expect(await verifyPassword('correct horse battery staple', stored)).toBe(true)
  expect(await verifyPassword('correct horse battery stapl', stored)).toBe(false)
  expect(await verifyPassword('', stored)).toBe(false)
})

it('the same password has another hash every time', async () => {
  expect(await hashPassword('one password twice')).not.toBe(await hashPassword('one password twice'))
})

it('nobody’s password is right, whatever it is', async () => {
  expect(await verifyPassword('anything at all', undefined)).toBe(false)
})

it('composed and decomposed letters are the same password', async () => {
  const stored = await hashPassword('caf\u00e9 au lait s\u0027il')
  expect(await verifyPassword('cafe\u0301 au lait s\u0027il', stored)).toBe(true)
})

it('more sign-ins than can wait are refused, and the rest are answered', async () => {
  // The time that a hash takes comes from the hash; the number that may wait does not.
  const stored = PASSWORD_HASH
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => verifyPassword('wrong', stored)))
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(20)
  expect(await verifyPassword('correct horse battery staple', stored)).toBe(true)
})
