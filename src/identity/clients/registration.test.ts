import { describe, expect, it } from 'vitest'
import { SCOPE_NAMES, SCOPES } from '../../access/scopes.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { isClientSecret, newClientSecret } from './client-secret.ts'
import { CLIENT_KIND_NAMES, CLIENT_KINDS, type ClientRequest, clientProblems, scopesOfKind } from './registration.ts'

const request = (over: Partial<ClientRequest>): ClientRequest => ({
  kind: 'web',
  name: 'Shop',
  scopes: ['openid'],
  redirect_uris: over.kind === 'service' ? [] : ['https://shop.example/back'],
  ...over,
})
const problems = (over: Partial<ClientRequest>, production = true) => clientProblems(request(over), { production })

describe('registering a client', () => {
  // SPEC's table, scope by flow: every combination, allowed or refused.
  for (const kind of CLIENT_KIND_NAMES) {
    for (const scope of SCOPE_NAMES) {
      const allowed = CLIENT_KINDS[kind].user ? SCOPES[scope].user : SCOPES[scope].clientCredentials
      it(`a ${kind} client ${allowed ? 'may' : 'may not'} have ${scope}`, () => {
        expect(problems({ kind, scopes: [scope] }).length === 0).toBe(allowed)
        expect(scopesOfKind(kind).includes(scope)).toBe(allowed)
      })
    }
  }

  it('names every problem at once', () => {
    const found = problems({ kind: 'service', name: '', scopes: ['openid', 'nonsense'], redirect_uris: ['x'] })
    expect(found.map(({ pointer, detail }) => `${pointer} ${detail.split('. ')[0]}`)).toEqual([
      '/name The name is empty.',
      '/scopes A service client may not have openid; "nonsense" is not a scope',
      '/redirect_uris A service client uses no redirect, so it has no redirect address.',
      '/redirect_uris "x" is not an address.',
    ])
  })

  it('repeats no address and no password', () => {
    const uri = 'https://jane:secret@company.example/'
    const found = problems({ kind: 'web', scopes: ['jane@company.example'], redirect_uris: [uri] })
    expect(found).toHaveLength(2)
    expect(JSON.stringify(found)).not.toMatch(/jane|secret/)
  })

  it('refuses an unknown kind, no scope, and a web or browser client without an address', () => {
    expect(problems({ kind: 'confidential' })[0]?.pointer).toBe('/kind')
    expect(problems({ kind: '__proto__' })[0]?.pointer).toBe('/kind')
    expect(problems({ scopes: [] })[0]?.pointer).toBe('/scopes')
    expect(problems({ kind: 'spa', redirect_uris: [] })[0]?.pointer).toBe('/redirect_uris')
    expect(problems({ kind: 'native', redirect_uris: [] })).toEqual([])
  })

  it.each([
    ['web', 'https://shop.example/back', true],
    ['web', 'http://shop.example/back', false],
    ['web', 'http://localhost:3000/back', false],
    ['spa', 'http://127.0.0.1:3000/back', false],
    ['native', 'http://127.0.0.1/back', true],
    ['native', 'http://[::1]/back', true],
    ['native', 'http://localhost/back', true],
    ['native', 'http://10.0.0.1/back', false],
    ['native', 'https://shop.example/back', true],
    ['native', 'com.example.app:/back', false],
    ['web', 'javascript:alert(1)', false],
    ['web', 'https://shop.example/back#fragment', false],
    ['web', 'https://shop.example/back#', false],
    ['web', 'https://user:pass@shop.example/back', false],
    ['web', 'https://*.shop.example/back', false],
    ['web', '/back', false],
  ] as const)('%s with %s: %s', (kind, uri, allowed) => {
    expect(problems({ kind, redirect_uris: [uri] }).length === 0).toBe(allowed)
  })

  it('lets web applications run on their author’s machine while developing', () => {
    expect(problems({ kind: 'web', redirect_uris: ['http://localhost:3000/back'] }, false)).toEqual([])
    expect(problems({ kind: 'web', redirect_uris: ['http://shop.example/back'] }, false)).not.toEqual([])
  })

  it.each([
    ['https://10.0.0.1/keys', 'private address'],
    ['https://127.0.0.1/keys', 'loopback address'],
    ['https://2130706433/keys', 'loopback address'],
    ['https://169.254.169.254/latest/meta-data', 'link-local address'],
    ['https://[::1]/keys', 'loopback address'],
    ['https://[fd00::1]/keys', 'private address'],
    ['https://[::ffff:192.168.1.1]/keys', 'private address'],
    ['https://localhost/keys', 'name of a local network'],
    ['https://app.localhost./keys', 'name of a local network'],
    ['https://keys.internal/keys', 'name of a local network'],
    ['https://printer.local/keys', 'name of a local network'],
    ['https://intranet/keys', 'name of a local network'],
  ])('refuses keys at %s, and says why: %s', (jwks_uri, why) => {
    const [problem, ...others] = problems({ jwks_uri })
    expect(others).toEqual([])
    expect(problem).toMatchObject({ pointer: '/jwks_uri', detail: expect.stringMatching(new RegExp(why, 'i')) })
    expect(problem?.detail).toMatch(/must be on the public internet/)
  })

  it('reads keys from the machine of their author while developing, and nowhere else inside a network', () => {
    for (const jwks_uri of ['http://localhost:3000/keys', 'http://127.0.0.1/keys', 'https://[::1]/keys']) {
      expect(problems({ jwks_uri }, false), jwks_uri).toEqual([])
      expect(problems({ jwks_uri }), jwks_uri).toHaveLength(1)
    }
    for (const jwks_uri of ['http://10.0.0.1/keys', 'https://10.0.0.1/keys', 'http://app.example/keys']) {
      expect(problems({ jwks_uri }, false), jwks_uri).toHaveLength(1)
    }
    expect(problems({ jwks_uri: 'https://app.example/keys' })).toEqual([])
  })

  it('takes a public key set from confidential clients only, and never a private key', () => {
    const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] }
    expect(problems({ jwks })).toEqual([])
    expect(problems({ kind: 'spa', jwks })[0]?.detail).toMatch(/public/)
    expect(problems({ jwks: { keys: [{ kty: 'EC', d: 'secret' }] } })[0]?.detail).toMatch(/private/)
    expect(problems({ jwks: { keys: [{ kty: 'oct', k: 'x' }] } })[0]?.detail).toMatch(/RSA, EC or OKP/)
    for (const wrong of [null, [], {}, { keys: [] }, { keys: 'x' }, 'x'])
      expect(problems({ jwks: wrong })).toHaveLength(1)
  })
})

it('a client secret is compared whole', () => {
  const secret = newClientSecret()
  expect(secret).toMatch(/^acs_[0-9A-Za-z]{43}$/)
  expect(isClientSecret(secret, sha256Hex(secret))).toBe(true)
  expect(isClientSecret(`${secret}x`, sha256Hex(secret))).toBe(false)
  expect(isClientSecret('', '')).toBe(false)
})
