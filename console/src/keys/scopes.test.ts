import { SCOPES } from '@assay/sdk'
import { expect, it } from 'vitest'
import { SERVICE_SCOPES, scopeWords, USER_SCOPES } from './scopes.ts'

it('says what each scope grants to the person who grants it, who is not the user', () => {
  for (const name of Object.keys(SCOPES)) expect(scopeWords(name)).toMatch(/^[A-Z](?!.*\byour?\b)/)
})

it('offers user scopes to applications with users alone', () => {
  expect(USER_SCOPES).toContain('openid')
  expect(SERVICE_SCOPES).not.toContain('openid')
  expect(SERVICE_SCOPES).toContain('billing:write')
  expect(USER_SCOPES).not.toContain('billing:write')
})

it('shows a scope of a newer server by its name', () => {
  expect(scopeWords('reports:read')).toBe('reports:read')
})
