import { describe, expect, it } from 'vitest'
import { nextInConsole } from './next.ts'

const origin = 'https://assay.example'

describe('where a sign-in to the console leads', () => {
  it.each(['/console', '/console/keys?page=2#top'])('to %s when asked', (next) => {
    expect(nextInConsole(next, origin)).toBe(next)
  })

  it.each([
    null,
    '',
    '//evil.example/console',
    '/\\evil.example/console',
    'https://evil.example/console',
    'https://assay.example.evil.example/console',
    'javascript:alert(1)',
    '/console/../oauth/logout',
    '/consoles',
    '/oauth/logout',
    'http://[',
  ])('to the start for %j', (next) => {
    expect(nextInConsole(next, origin)).toBe('/console')
  })
})
