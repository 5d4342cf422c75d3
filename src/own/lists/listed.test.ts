import { describe, expect, it } from 'vitest'
import { parseListed, warningsOf } from './listed.ts'

describe('an indicator of an own list', () => {
  it.each([
    ['Jane@Example.COM', 'email', 'jane@example.com'],
    ['Acme.Example.', 'domain', 'acme.example'],
    ['*.acme.com', 'domain', 'acme.com'],
    ['*@acme.com', 'domain', 'acme.com'],
    ['@acme.com', 'domain', 'acme.com'],
    ['.zip', 'domain', 'zip'],
    ['co.uk', 'domain', 'co.uk'],
    ['bücher.de', 'domain', 'xn--bcher-kva.de'],
    ['192.0.2.7', 'ip', '192.0.2.7'],
    ['192.0.2.77/24', 'ip', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', 'ip', '192.0.2.7'],
    ['2001:DB8::1/32', 'ip', '2001:db8::/32'],
  ])('%s is the %s %s', (text, kind, indicator) => expect(parseListed(text)).toEqual({ kind, indicator }))

  it.each([
    ['', /empty/],
    ['acme', /two labels/],
    ['https://acme.com/', /bare host name/],
    ['jane@', /domain after the @/],
    ['invoice*@acme.com', /asterisk/],
    ['acme*.com', /asterisk/],
    ['0.0.0.0/0', /too wide: \/8/],
    ['2000::/3', /too wide: \/16/],
    ['192.0.2.0/33', /network is not valid/],
  ])('%j is refused with the reason', (text, words) =>
    expect(parseListed(text)).toEqual({ problem: expect.stringMatching(words) }),
  )
})

describe('warnings', () => {
  const known = { ownDomains: ['mine.com'], blocked: new Set(['both.com']) }
  const codes = (list: 'allow' | 'block' | 'review', text: string) => {
    const listed = parseListed(text)
    if ('problem' in listed) throw new Error(listed.problem)
    return warningsOf(list, listed, known).map(({ code }) => code)
  }

  it.each([
    ['block', 'mine.com', ['own_domain_blocked']],
    ['block', 'mail.mine.com', ['own_domain_blocked']],
    ['block', 'com', ['own_domain_blocked']],
    ['block', 'not-mine.com', []],
    ['block', 'someone@mine.com', []],
    ['allow', 'gmail.com', ['public_mail_allowed']],
    ['allow', 'jane@gmail.com', []],
    ['allow', 'co.uk', ['ending_allowed']],
    ['allow', 'zip', ['ending_allowed']],
    ['allow', 'github.io', ['ending_allowed']],
    ['allow', 'alice.github.io', []],
    ['allow', 'both.com', ['also_blocked']],
    ['allow', 'mine.com', []],
    ['review', 'gmail.com', []],
  ] as const)('%s %s: %j', (list, text, expected) => expect(codes(list, text)).toEqual(expected))

  it('name what will be high, which may be a part of the own domain only', () => {
    const block = (indicator: string) => warningsOf('block', { kind: 'domain', indicator }, known)[0]?.detail
    expect(block('com')).toMatch(/^mine\.com is your own domain/)
    expect(block('mail.mine.com')).toMatch(/^mail\.mine\.com is part of your own domain/)
  })
})
