import { describe, expect, it } from 'vitest'
import { readDmarc, readSpf } from './mail-policy.ts'

describe('SPF', () => {
  it.each([
    ['v=spf1 -all', 'fail'],
    ['v=spf1 include:_spf.a.com ip4:192.0.2.0/24 ip6:2001:db8::/32 a mx ~all', 'softfail'],
    ['v=spf1 ?all', 'neutral'],
    ['v=spf1 +all', 'pass'],
    ['v=spf1 all', 'pass'],
    ['V=SPF1 A:a.com MX/24 -ALL', 'fail'],
    ['v=spf1  a   -all  ', 'fail'],
    ['v=spf1 a mx', 'neutral'],
    ['v=spf1', 'neutral'],
    ['v=spf1 -all ~all', 'fail'],
    ['v=spf1 redirect=b.com ~all', 'softfail'],
    ['v=spf1 exp=why.%{d} exists:%{i}.a.com -all', 'fail'],
    ['v=spf1 unknown-modifier=1 -all', 'fail'],
    ['v=spf1 include:a.com -al', 'invalid'],
    ['v=spf1 ip4 -all', 'invalid'],
    ['v=spf1 -all.', 'invalid'],
    ['v=spf1 redirect=', 'invalid'],
    ['v=spf1 redirect=a.com redirect=b.com', 'invalid'],
    ['v=spf10 -all', 'absent'],
    ['spf2.0/mfrom -all', 'absent'],
    ['google-site-verification=x', 'absent'],
  ])('%s: %s', (record, says) => expect(readSpf([record])).toBe(says))

  it('leads elsewhere with redirect=', () => {
    expect(readSpf(['v=spf1 redirect=_spf.b.com'])).toEqual({ redirect: '_spf.b.com' })
  })
  it('is found among other text', () => expect(readSpf(['x=y', 'v=spf1 -all', 'z'])).toBe('fail'))
  it('is invalid where two records stand', () => expect(readSpf(['v=spf1 -all', 'v=spf1 -all'])).toBe('invalid'))
  it('is absent without any text', () => expect(readSpf([])).toBe('absent'))
})

describe('DMARC', () => {
  it.each([
    ['v=DMARC1; p=reject', 'reject'],
    ['v=DMARC1;p=quarantine;pct=50', 'quarantine'],
    ['v=DMARC1; p=none; sp=reject; rua=mailto:a@a.com', 'none'],
    [' v = DMARC1 ; P = Reject ; ', 'reject'],
    ['v=DMARC1; sp=reject', 'invalid'],
    ['v=DMARC1; p=block', 'invalid'],
    ['v=DMARC1; p=none; p=reject', 'invalid'],
    ['v=DMARC1', 'invalid'],
    ['v=DMARC10; p=reject', 'absent'],
    ['p=reject; v=DMARC1', 'absent'],
    ['v=spf1 -all', 'absent'],
  ])('%s: %s', (record, says) => expect(readDmarc([record])).toBe(says))

  it('is invalid where two records stand', () => {
    expect(readDmarc(['v=DMARC1; p=none', 'v=DMARC1; p=reject'])).toBe('invalid')
  })
})
