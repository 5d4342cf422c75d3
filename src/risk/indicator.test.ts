import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/support/any-text.ts'
import { runs } from '../../test/support/runs.ts'
import { KIND_NAMES, type Kind } from '../lib/kinds.ts'
import { indicatorText, isProblem, parseIndicator, targetOf } from './indicator.ts'

const target = (kind: Kind, text: string) => {
  const parsed = parseIndicator(kind, text)
  return isProblem(parsed) ? parsed.code : targetOf(parsed)
}
const address = (text: string) => {
  const parsed = parseIndicator('email', text)
  return isProblem(parsed) ? parsed.code : indicatorText(parsed)
}

describe('an email address', () => {
  it.each([
    ['  Jane.Doe+invoices@Example.COM ', 'jane.doe+invoices@example.com'],
    ['jane@bücher.example', 'jane@xn--bcher-kva.example'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['"john smith"@example.com', '"john smith"@example.com'],
    ["o'neil@example.co.uk", "o'neil@example.co.uk"],
    ['e\u0301@example.com', '\u00e9@example.com'],
  ])('%j is normalised to %s', (input, expected) => {
    expect(address(input)).toBe(expected)
  })

  it.each([
    '',
    'jane',
    '@example.com',
    'jane@',
    'jane@localhost',
    'jane@-bad.com',
    'jane@exa mple.com',
    'jane doe@example.com',
    '.jane@example.com',
    'jane.@example.com',
    'ja..ne@example.com',
    'jane@[192.0.2.1]',
    'jane@192.0.2.1',
    'jane@example.com.',
    'jane@exam_ple.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(20)}.com`,
    'jane\u0000@example.com',
    'jane\ud800@example.com',
    'jane\u200f\u2028@example.com',
    'a@b@example.com',
    'mailto:jane@example.com',
    'Jane <jane@example.com>',
  ])('%j is refused', (input) => {
    expect(address(input)).toBe('invalid_email')
  })

  it('shows only a digest of itself', () => {
    expect(target('email', 'Jane@Example.com')).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(target('email', ' jane@example.com ')).toBe(target('email', 'JANE@EXAMPLE.COM'))
  })

  it('keeps dots and tags: they may be other people elsewhere', () => {
    expect(target('email', 'j.doe@example.com')).not.toBe(target('email', 'jdoe@example.com'))
    expect(target('email', 'jdoe+x@example.com')).not.toBe(target('email', 'jdoe@example.com'))
  })
})

describe('a domain', () => {
  it.each([
    [' Example.COM. ', 'example.com'],
    ['www.example.co.uk', 'www.example.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['例子。广告', 'xn--fsqu00a.xn--4rr70v'],
    ['alice.github.io', 'alice.github.io'],
    ['github.io', 'github.io'],
    // Suffixes of registries: people ask about the sites that stand there, and none may refuse a whole list.
    ['gov.uk', 'gov.uk'],
    ['GOB.MX', 'gob.mx'],
    ['nhs.uk.', 'nhs.uk'],
    ['act.edu.au', 'act.edu.au'],
    ['co.uk', 'co.uk'],
    ['a.b', 'a.b'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('%j is normalised to %s', (input, expected) => {
    expect(target('domain', input)).toBe(expected)
  })

  it.each([
    '',
    'localhost',
    'com',
    'uk.',
    'https://example.com',
    'example.com/path',
    'example.com:443',
    'user@example.com',
    '192.0.2.1',
    '10.1',
    '::1',
    '2001:db8::1',
    '-example.com',
    'example-.com',
    'exa mple.com',
    'exam_ple.com',
    '..',
    'example..com',
    '.example.com',
    'example.com..',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}com`,
    'xn--\u0000.com',
    'exa\u0000mple.com',
    '\ud800.com',
    'a%00b.com',
    '例 子.com',
  ])('%j is refused', (input) => {
    expect(target('domain', input)).toBe('invalid_domain')
  })
})

describe('an IP address', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    [' 2001:DB8:0:0::1 ', '2001:db8::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
  ])('%j is normalised to %s', (input, expected) => {
    expect(target('ip', input)).toBe(expected)
  })

  it.each(['', '1.2.3.4/32', '1.2.3.4:80', '[::1]', 'fe80::1%1', '01.2.3.4', '1.2.3', 'example.com', '1.2.3.4\u0000'])(
    '%j is refused',
    (input) => expect(target('ip', input)).toBe('invalid_ip'),
  )
})

describe('any text at all', () => {
  const junk = fc.oneof(
    anyText({ maxLength: 300 }),
    fc.emailAddress(),
    fc.domain(),
    fc.string({ unit: fc.constantFrom(...'abAB09.-_@:/ \u0000\ud800é例。xn') }),
  )

  it('is an indicator or a problem with a sentence, and never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KIND_NAMES), junk, (kind, text) => {
        const parsed = parseIndicator(kind, text)
        if (isProblem(parsed)) expect(parsed.detail).toMatch(/\.$/)
        else expect(parsed.kind).toBe(kind)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('once in normal form, stays the same', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KIND_NAMES), junk, (kind, text) => {
        const parsed = parseIndicator(kind, text)
        if (!isProblem(parsed)) expect(parseIndicator(kind, indicatorText(parsed))).toEqual(parsed)
      }),
      { numRuns: runs(2000) },
    )
  })
})
