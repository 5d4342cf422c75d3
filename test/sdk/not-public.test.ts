import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { whyNothingToCheck } from '../../sdk/src/not-public.ts'
import { hostParts, RESERVED_NAMES, reservedName } from '../../src/lib/domain.ts'
import { formatIp, ipv4, ipv6, SPECIAL_PURPOSE, specialPurpose } from '../../src/lib/ip.ts'
import { isProblem, parseIndicator } from '../../src/risk/indicator.ts'
import { createScorer } from '../../src/risk/score.ts'
import { memorySnapshot } from '../support/memory-snapshot.ts'
import { testModels } from '../support/models.ts'
import { runs } from '../support/runs.ts'

const scorer = createScorer(memorySnapshot(), testModels())

function knownToTheService(text: string) {
  const indicator = parseIndicator('ip', text)
  if (isProblem(indicator)) throw new Error(indicator.detail)
  return scorer.evaluate('ip', [indicator], { explain: true })[0]?.known
}

describe('what the client knows about indicators with nothing to check', () => {
  const word = fc.integer({ min: 0, max: 0xffffffff })

  it('is what the service knows about any IPv4 address, however it is written', () => {
    fc.assert(
      fc.property(word.map(ipv4), (ip) => {
        const text = formatIp(ip)
        expect(whyNothingToCheck('ip', text)).toBe(specialPurpose(ip))
        expect(whyNothingToCheck('ip', ` ::FFFF:${text} `)).toBe(specialPurpose(ip))
      }),
      { numRuns: runs(500) },
    )
    for (const [cidr, use] of SPECIAL_PURPOSE.filter(([cidr]) => !cidr.includes(':'))) {
      expect(whyNothingToCheck('ip', cidr.split('/')[0] ?? '')).toBe(use)
    }
  })

  it('is never more than the service knows about an IPv6 address', () => {
    const starts = SPECIAL_PURPOSE.filter(([cidr]) => cidr.includes(':')).map(([cidr]) => {
      const indicator = parseIndicator('ip', cidr.split('/')[0] ?? '')
      if (isProblem(indicator) || indicator.kind !== 'ip') throw new Error(cidr)
      return indicator.ip
    })
    fc.assert(
      fc.property(fc.constantFrom(...starts), word, word, fc.boolean(), ({ w0, w1 }, low, last, empty) => {
        const text = formatIp(ipv6(w0, w1, empty ? 0 : low, last))
        if (whyNothingToCheck('ip', text) !== undefined) expect(knownToTheService(text), text).toBe('not_public')
      }),
      { numRuns: runs(500) },
    )
    for (const address of ['::1', 'FD12:3456::1', 'fe80::1', '2001:db8::7', 'ff02::1']) {
      expect(whyNothingToCheck('ip', address), address).toBeDefined()
    }
  })

  it('is nothing about public addresses, tunnels and what is no address', () => {
    for (const text of ['8.8.8.8', '2A00:1450::1', '2002:808:808::1', '64:ff9b::8.8.8.8', '', '10.1', '10.0.0.256']) {
      expect(whyNothingToCheck('ip', text), text).toBeUndefined()
    }
    for (const text of [':::', 'fe80::1%1', '010.0.0.1', 'fe80::/10']) {
      expect(whyNothingToCheck('ip', text), text).toBeUndefined()
    }
  })

  it.each(Object.keys(RESERVED_NAMES))('has .%s, as the service does, for domains and mailboxes', (name) => {
    const why = reservedName(hostParts(`shop.${name}`))
    expect(why).toBeDefined()
    expect(whyNothingToCheck('domain', ` Shop.${name}. `)).toBe(why)
    expect(whyNothingToCheck('email', `jane@shop.${name}`)).toBe(why)
  })

  it('leaves what anybody can register alone', () => {
    for (const name of [
      'test.com',
      'local.co.uk',
      'my-example.com',
      'example.co.uk',
      'supplier.international',
      'test',
    ]) {
      expect(whyNothingToCheck('domain', name), name).toBeUndefined()
      expect(reservedName(hostParts(`${name}.com`)), name).toBeUndefined()
    }
  })
})
