import { describe, expect, it } from 'vitest'
import { API_KEY_LENGTH, apiKeyDigest, apiKeyHint, isWellFormedApiKey, newApiKey } from './api-key.ts'

describe('an API key', () => {
  it('has the published form: ask_, 32 base-62 characters, 6 of checksum', () => {
    expect(newApiKey()).toMatch(/^ask_[0-9A-Za-z]{38}$/)
    expect(newApiKey()).toHaveLength(API_KEY_LENGTH)
  })

  it('is recognised offline', () => {
    expect(isWellFormedApiKey(newApiKey())).toBe(true)
  })

  it('with any one character changed is recognised as a typo', () => {
    const key = newApiKey()
    for (let i = 4; i < key.length; i++) {
      const wrong = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1)
      expect(isWellFormedApiKey(wrong)).toBe(false)
    }
  })

  it.each(['', 'ask_', 'sk_live_123', `ask_${'a'.repeat(37)}`, `ask_${'a'.repeat(39)}`, `ask_${'é'.repeat(38)}`])(
    '%j is not one',
    (text) => expect(isWellFormedApiKey(text)).toBe(false),
  )

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newApiKey())).size).toBe(1000)
  })

  it('is stored as a digest and shown as a hint that do not hold it', () => {
    const key = newApiKey()
    expect(apiKeyDigest(key)).toMatch(/^[0-9a-f]{64}$/)
    expect(apiKeyHint(key)).toBe(key.slice(0, 8))
  })
})
