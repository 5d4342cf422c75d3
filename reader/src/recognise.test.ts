import fc from 'fast-check'
import { parse } from 'tldts'
import { describe, expect, it } from 'vitest'
import { anyText, anyUrl } from '../../test/support/any-text.ts'
import { runs } from '../../test/support/runs.ts'
import { findIndicators } from './find.ts'
import { endsLikeFile, FILE_ENDINGS } from './other-things.ts'
import { recognise, recogniseAs } from './recognise.ts'

const notesOf = (text: string) => {
  const found = recognise(text)
  return 'notes' in found ? found.notes.join(' ') : undefined
}

describe('recognising what was typed', () => {
  it.each([
    ['accounts@example.com', 'email', 'accounts@example.com'],
    ['  Jane Doe <jane@example.com> ', 'email', 'jane@example.com'],
    ['"Doe, Jane" <jane@example.com>', 'email', 'jane@example.com'],
    ['Jane Doe jane@example.com', 'email', 'jane@example.com'],
    ['jane@example.com (Jane Doe)', 'email', 'jane@example.com'],
    ['jane@example.com<mailto:jane@example.com>', 'email', 'jane@example.com'],
    ['E-Mail: jane@example.com', 'email', 'jane@example.com'],
    ['mailto:jane%2Bx@example.com?subject=x', 'email', 'jane+x@example.com'],
    ['jürgen@müller.example', 'email', 'jürgen@müller.example'],
    ['"john smith"@example.com', 'email', '"john smith"@example.com'],
    ['a/b#c@example.com', 'email', 'a/b#c@example.com'],
    ["o'brien@example.com", 'email', "o'brien@example.com"],
    ['a[at]b[dot]com', 'email', 'a@b.com'],
    ['a (at) b (dot) com', 'email', 'a@b.com'],
    ['info @ firma.de', 'email', 'info@firma.de'],
    ['Kontakt: info@ firma.de', 'email', 'info@firma.de'],
    ['E-Mail:info@firma.de', 'email', 'info@firma.de'],
    ['correo:jose@correo.es', 'email', 'jose@correo.es'],
    ['jane@firma.de?subject=hi', 'email', 'jane@firma.de'],
    ['info (ät) firma (punkt) de', 'email', 'info@firma.de'],
    ['jose(arroba)correo(punto)es', 'email', 'jose@correo.es'],
    ['jean[arobase]societe[point]fr', 'email', 'jean@societe.fr'],
    ['иван(собака)пример(точка)рф', 'email', 'иван@пример.рф'],
    ['メール：tanaka＠example.co.jp', 'email', 'tanaka@example.co.jp'],
    ['（tanaka@example.co.jp），', 'email', 'tanaka@example.co.jp'],
    ['『tanaka@example.co.jp』、', 'email', 'tanaka@example.co.jp'],
    ['【example.com】', 'domain', 'example.com'],
    ['ｅｘａｍｐｌｅ．ｃｏｍ', 'domain', 'example.com'],
    ['‹jane@example.com›', 'email', 'jane@example.com'],
    ['jane@example.com”', 'email', 'jane@example.com'],
    ['<jane@example.com', 'email', 'jane@example.com'],
    ['\u2067a@example.co.il\u2069', 'email', 'a@example.co.il'],
    ['نامه\u200cای.com', 'domain', 'نامه\u200cای.com'],
    ['ایمیل: info@نامه\u200cای.com', 'email', 'info@نامه\u200cای.com'],
    ['क्\u200dष.com', 'domain', 'क्\u200dष.com'],
    ['exa\u200cmple.com', 'domain', 'example.com'],
    ['example.com', 'domain', 'example.com'],
    ['EXAMPLE.co.uk.', 'domain', 'EXAMPLE.co.uk'],
    ['“example.com”,', 'domain', 'example.com'],
    ['- example.com', 'domain', 'example.com'],
    ['exa\u200bmple.com', 'domain', 'example.com'],
    ['example。com', 'domain', 'example.com'],
    ['example.com:8080', 'domain', 'example.com'],
    ['example.com/path?x@y', 'domain', 'example.com'],
    ['www.example.com/@name', 'domain', 'www.example.com'],
    ['https://user:secret@shop.example.com:8443/pay?x=1#y', 'domain', 'shop.example.com'],
    ['ftp://files.example.com', 'domain', 'files.example.com'],
    ['//example.com/x', 'domain', 'example.com'],
    ['https:example.com/x', 'domain', 'example.com'],
    ['https:\\\\example.com\\x', 'domain', 'example.com'],
    ['https://exa%6dple.com/', 'domain', 'example.com'],
    ['bücher.example', 'domain', 'bücher.example'],
    ['https://bücher.example/liste', 'domain', 'bücher.example'],
    ['hxxps://evil[.]com/x', 'domain', 'evil.com'],
    ['hxxp[:]//evil(.)com', 'domain', 'evil.com'],
    ['evil{.}com', 'domain', 'evil.com'],
    ['185.220.101.1', 'ip', '185.220.101.1'],
    ['185.220.101[.]1', 'ip', '185.220.101.1'],
    ['185.220.101.1:443', 'ip', '185.220.101.1'],
    ['2001:db8::1', 'ip', '2001:db8::1'],
    ['2001:db8::', 'ip', '2001:db8::'],
    ['[2001:db8::1]', 'ip', '2001:db8::1'],
    ['[2001:db8::1]:443', 'ip', '2001:db8::1'],
    ['http://[2001:db8::1]:8080/', 'ip', '2001:db8::1'],
    ['fe80::1%eth0', 'ip', 'fe80::1'],
    ['http://0x7f.1/', 'ip', '127.0.0.1'],
  ])('%s is an indicator', (text, kind, value) => {
    expect(recognise(text)).toMatchObject({ kind, value, readFrom: text.trim() })
  })

  it.each([
    ['', undefined, 'Enter an email address'],
    ['jane@', 'email', 'nothing after the @'],
    ['@example.com', 'email', 'nothing before the @'],
    ['jane doe@example.com', 'email', 'a space before “doe@example.com”'],
    ['jane@localhost', 'email', 'not a domain'],
    ['a@example.com, b@example.com', undefined, 'more than one'],
    ['Contact us @ firma.de', 'email', 'a space beside the @'],
    ['info@firma,de', 'email', 'contains a comma. Did you mean info@firma.de?'],
    ['www.firma,de', 'domain', 'contains a comma. Did you mean www.firma.de?'],
    ['A.Ş.', 'domain', 'not a domain'],
    ['१९२.०.२.१', undefined, 'the digits 0 to 9'],
    ['192.0.2.1 - 192.0.2.9', undefined, 'a range'],
    ['localhost', undefined, 'at least two parts'],
    ['exa mple.com', 'domain', 'a space before “mple.com”'],
    ['-bad-.com', 'domain', 'not a domain'],
    ['https://', 'domain', 'no host'],
    ['not/a/domain', undefined, 'no email address, domain or IP address'],
    ['hello world!!', undefined, 'no email address, domain or IP address'],
    ['Smith & Co. Ltd.', undefined, 'no email address, domain or IP address'],
    ['256.1.1.1', 'ip', 'four numbers'],
    ['01.2.3.4', 'ip', 'four numbers'],
    ['10.0.0.0/8', 'ip', 'a range'],
    ['2001:db8::/32', 'ip', 'a range'],
    ['2001:::1', 'ip', 'not an IPv6 address'],
    ['DE89 3704 0044 0532 0130 00', undefined, 'bank account number (IBAN)'],
    ['GB29NWBK60161331926819', undefined, 'bank account number (IBAN)'],
    ['+44 20 7946 0958', undefined, 'a telephone number'],
    ['(020) 7946-0958', undefined, 'a telephone number'],
    ['tel:+442079460958', undefined, 'a telephone number'],
    ['12.50', undefined, 'a number'],
    ['01.02.2026', undefined, 'a date'],
    ['invoice.pdf', undefined, 'the name of a file'],
    ['Invoice 2026.XLSX', undefined, 'the name of a file'],
    ['javascript:alert(1)', undefined, 'no email address, domain or IP address'],
  ])('%s is told in words', (text, kind, words) => {
    const found = recognise(text)
    expect(found).toMatchObject({ kind, problem: expect.stringContaining(words) })
    expect(found).not.toHaveProperty('value')
  })

  it('refuses a text that is too long', () => {
    expect(recognise('x'.repeat(5000))).toMatchObject({ problem: expect.stringContaining('too long') })
  })

  it('notes what deceives: a site before the @, another address as the name, a number for an address', () => {
    expect(notesOf('https://paypal.com@evil.com/')).toContain('the link leads to evil.com')
    expect(notesOf('ceo@company.com <crook@evil.com>')).toContain('shows another address: ceo@company.com')
    expect(notesOf('http://3232235777/')).toContain('3232235777 means 192.168.1.1')
    expect(notesOf('evil[.]com')).toContain('undone')
    expect(notesOf('- evil\u202e.com')).toBe('It contained invisible characters; they were removed.')
    expect(notesOf('invoice.zip')).toContain('Files have such endings, too')
    expect(notesOf('https://example.com/')).toBe('')
  })

  it('takes no public ending for the ending of a file', () => {
    expect([...FILE_ENDINGS].filter((ending) => parse(`name.${ending}`).isIcann)).toEqual([])
    expect(parse('name.zip').isIcann).toBe(true)
  })

  it('in a list of one kind says what a cell is instead, and reads the domain of an email address', () => {
    expect(recogniseAs('domain', '10.0.0.1')).toMatchObject({ problem: 'This is an IP address, not a domain.' })
    expect(recogniseAs('email', 'https://example.com/')).toMatchObject({
      problem: 'This is a domain, not an email address.',
    })
    expect(recogniseAs('domain', 'Jane <jane@example.com>')).toMatchObject({ kind: 'domain', value: 'example.com' })
    expect(recogniseAs('ip', 'hello')).toMatchObject({ kind: 'ip', problem: expect.stringContaining('a word') })
  })
})

describe('finding indicators in a text', () => {
  it('finds each once, and nothing that only looks like one', () => {
    const found = findIndicators(
      'Dear Jane, pay jane@supplier.com (or <JANE@supplier.com>) by https://pay.evil.com/x?a=b@c.com, see hxxp://bad[.]org. ' +
        'Done.Then open invoice.pdf from 203.0.113.7, i.e. z.B. version 1.2.3; www.site.test; plain.net!',
    )
    expect(found.map(({ value }) => value)).toEqual([
      'jane@supplier.com',
      'pay.evil.com',
      'bad.org',
      '203.0.113.7',
      'www.site.test',
      'plain.net',
    ])
  })
})

describe('whatever the text', () => {
  const parts = [
    '@',
    '.',
    ':',
    '/',
    '//',
    '[',
    ']',
    '<',
    '>',
    '"',
    ' ',
    'a',
    'com',
    'hxxp',
    '[.]',
    '1',
    '::',
    'mailto:',
    '\\',
    '%',
    'é',
    '\u202e',
    '?',
    '#',
  ]
  const awkward = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((some) => some.join(''))

  it('there is an answer, and an indicator is recognised as itself again', () => {
    fc.assert(
      fc.property(fc.oneof(awkward, anyText(), anyUrl(), fc.emailAddress()), (text) => {
        findIndicators(text)
        const found = recognise(text)
        // Only a scheme tells such a host from a file.
        if ('value' in found && endsLikeFile(found.value)) return
        if ('problem' in found) expect(found.problem).toMatch(/\.$/)
        else expect(recognise(found.value)).toMatchObject({ kind: found.kind, value: found.value })
      }),
      { numRuns: runs(300) },
    )
  })

  it('takes time that grows no faster than the text', () => {
    // Each would take longer than a test may if its time grew with the square.
    for (const text of [
      '<'.repeat(1e5),
      '"'.repeat(1e5),
      '.'.repeat(1e5),
      'a.'.repeat(5e4),
      '[.'.repeat(5e4),
      ' ['.repeat(5e4),
    ]) {
      findIndicators(text)
      recognise(text.slice(0, 4096))
    }
  })
})

describe('a line of a log', () => {
  it.each([
    ['SRC=185.220.101.1 DST=10.0.0.5', '185.220.101.1'],
    ['SRC=185.220.101.1', '185.220.101.1'],
    ['{"src_ip":"185.220.101.1"}', '185.220.101.1'],
    ['{"src_ip":"10.0.0.5","dest_ip":"185.220.101.1"}', '185.220.101.1'],
    ['Failed password for root from 185.220.101.1 port 5022', '185.220.101.1'],
  ])('%s is its public address', (line, value) => {
    expect(recognise(line)).toMatchObject({ kind: 'ip', value })
  })

  it('with two public addresses names both', () => {
    expect(recognise('SRC=185.220.101.1 DST=91.92.240.7')).toMatchObject({
      problem: expect.stringContaining('185.220.101.1, 91.92.240.7'),
    })
  })
})
