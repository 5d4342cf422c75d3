import { describe, expect, it } from 'vitest'
import { hostParts, normaliseDomain, normaliseHost, reservedName } from './domain.ts'

describe('a suffix of a registry', () => {
  it.each(['gov.uk', 'co.uk', 'nhs.uk', 'act.edu.au'])('%s is a host to ask about, and no name for a list', (name) => {
    expect(normaliseHost(name)).toEqual({ name })
    expect(normaliseDomain(name)).toEqual({ problem: 'public_suffix' })
  })

  it('of a company is a domain in both', () => {
    expect(normaliseDomain('github.io')).toEqual({ name: 'github.io' })
  })
})

describe('a name that nobody can register', () => {
  it.each([
    ['server.internal', '.internal is not a public ending'],
    ['www.supplier.cmo', '.cmo is not a public ending'],
    ['nas.home.arpa', '.home.arpa is not a public ending'],
    ['www.example.org', 'reserved for examples in documentation'],
    ['5.113.0.203.in-addr.arpa', 'reserved for reverse look-ups of IP addresses'],
  ])('%s says why', (name, why) => {
    expect(reservedName(hostParts(name))).toBe(why)
  })

  it.each(['supplier.com', 'example.co.uk', 'gov.uk', 'alice.github.io', 'site.xn--p1ai'])('is not %s', (name) => {
    expect(reservedName(hostParts(name))).toBeUndefined()
  })
})
