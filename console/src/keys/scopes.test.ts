import { expect, it } from 'vitest'
import { SCOPE_NAMES, SCOPES } from '../../../src/access/scopes.ts'
import { SCOPE_WORDS, SERVICE_SCOPES, USER_SCOPES } from './scopes.ts'

it('offers the scopes the server knows, each where the server gives it', () => {
  const names = (where: 'clientCredentials' | 'user') => SCOPE_NAMES.filter((name) => SCOPES[name][where])
  expect(Object.keys(SCOPE_WORDS).sort()).toEqual([...SCOPE_NAMES].sort())
  expect([...SERVICE_SCOPES].sort()).toEqual(names('clientCredentials').sort())
  expect([...USER_SCOPES].sort()).toEqual(names('user').sort())
})
