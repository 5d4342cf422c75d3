import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/support/any-text.ts'
import { runs } from '../../test/support/runs.ts'
import { looksLikeMail } from './format.ts'
import { readMail } from './mail.ts'
import { readPaste } from './paste.ts'

const TEXT = Buffer.from(
  'Guten Tag, bitte überweisen. Fragen an hilfe@lieferant.example oder hxxp://bank[.]example\n',
).toString('base64')

const MAIL = [
  'Return-Path: <bounce@mailer.crook.example>',
  'Received: from mx.company.example (mx.company.example [10.0.0.5])',
  '\tby inbox.company.example with ESMTPS; Mon, 2 Nov 2026 09:00:01 +0000',
  'Received: from laptop (helo.example [185.220.101.1])',
  ' by mx.company.example; Mon, 2 Nov 2026 09:00:00 +0000',
  'Received: from [IPv6:2a00:1450::1] by laptop',
  'From: "=?utf-8?Q?M=C3=BCller_ceo=40lieferant.example?=" <mueller@1ieferant.example>',
  'Reply-To: Buchhaltung <buchhaltung@crook.example>',
  'To: accounts@company.example',
  'Subject: =?iso-8859-1?Q?Rechnung_f=FCr_Oktober?=',
  'Date: Mon, 2 Nov 2026 09:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  'This is not shown.',
  '--outer',
  'Content-Type: multipart/alternative; boundary="inner"',
  '',
  '--inner',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  TEXT,
  '--inner',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<html><body><p>Guten Tag</p><A title=3D"a>b" HREF=3D"https://pay.crook.example/x?a=3D1&amp;b=3D2">www.lief=',
  "erant.example</A> <a href=3D'mailto:hilfe@lieferant.example'>Hilfe</a>",
  '<a href=3Dhttps://www.bank.example/login>bank.example</a><form action=3D"http://198.51.100.9/steal"></form></body></html>',
  '--inner--',
  '--outer',
  'Content-Type: application/pdf; name="Rechnung.pdf"',
  'Content-Disposition: attachment; filename="Rechnung.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0xLjcKaGlkZGVuLmV4YW1wbGUK',
  '--outer--',
  '',
].join('\r\n')

describe('reading a mail', () => {
  it('tells who sent it, whom an answer reaches, the way it came and where its links lead', async () => {
    const { subject, indicators } = await readMail(MAIL)
    expect(subject).toBe('Rechnung für Oktober')
    expect(indicators.map(({ role, indicator }) => `${role} ${indicator.value}`)).toEqual([
      'from mueller@1ieferant.example',
      'reply_to buchhaltung@crook.example',
      'return_path bounce@mailer.crook.example',
      'received 185.220.101.1',
      'received 2a00:1450::1',
      'link pay.crook.example',
      'link hilfe@lieferant.example',
      'link www.bank.example',
      'link 198.51.100.9',
      'text bank.example',
    ])
  })

  it('finds what deceives: another Reply-To, another way, another name shown, a link that leads elsewhere', async () => {
    expect((await readMail(Buffer.from(MAIL))).findings).toEqual([
      'The name of the sender shows ceo@lieferant.example, but the address is mueller@1ieferant.example.',
      'Reply-To differs from From: an answer goes to buchhaltung@crook.example, not to mueller@1ieferant.example.',
      'Return-Path differs from From: it was sent from mailer.crook.example, but claims mueller@1ieferant.example.',
      'A link shows www.lieferant.example but leads to pay.crook.example.',
    ])
  })

  it('finds nothing in an honest mail', async () => {
    const mail =
      'Return-Path: <bounce@mail.company.example>\nFrom: Jane <jane@company.example>\nReply-To: JANE@company.example\nSubject: Hello\n\nSee you.\n'
    expect(await readMail(mail)).toMatchObject({
      indicators: [{ role: 'from' }, { role: 'return_path' }],
      findings: [],
    })
  })

  it('reads a header alone, and says that a sender is missing', async () => {
    const { indicators, findings } = await readMail(
      'Received: from x ([185.220.101.1]) by y\nReceived: from z (HELO z) (185.220.101.2)\nSubject: x\n',
    )
    expect(indicators.map(({ indicator }) => indicator.value)).toEqual(['185.220.101.1', '185.220.101.2'])
    expect(findings).toEqual(['The mail has no readable sender.'])
  })

  it('says what the receiving server found, and whose word it is', async () => {
    const findings = async (...results: string[]) =>
      (
        await readMail(
          [...results.map((one) => `Authentication-Results: ${one}`), 'From: a@acme.example', '', ''].join('\r\n'),
        )
      ).findings
    expect(
      await findings('mx.example 1;\r\n spf=pass;\r\n dmarc=fail (p=REJECT sp=NONE) header.from=acme.example'),
    ).toEqual(['The mail server mx.example could not confirm that the mail comes from acme.example: DMARC failed.'])
    expect(await findings('spf=fail (sender IP is 192.0.2.1) smtp.mailfrom=x.example;dmarc=fail action=none')).toEqual([
      'The receiving mail server could not confirm that the mail comes from acme.example: DMARC failed.',
    ])
    // Only the topmost header counts: a sender may write others below it.
    expect(await findings('mx.example; dmarc=pass', 'evil.example; dmarc=fail')).toEqual([])
    expect(await findings('mx.example; dmarc=none (dmarc=fail); spf=fail')).toEqual([])
  })

  it.each([
    ['"ceo@acme.example" <x@crook.example>', 'ceo@acme.example'],
    ['=?windows-1252?Q?Rechnung_=96_acme.com?= <x@crook.example>', 'acme.com'],
    ['=?utf-8?B?UGF5UGFs?= via www.paypal.com <x@crook.example>', 'www.paypal.com'],
    ['acme.com <invoices@mail.acme.com>', undefined],
    ['anna.schmidt <a.schmidt@firma.example>', undefined],
    ['"Müller, Dr. Jörg" <mueller@firma.example>', undefined],
  ])('compares the name of a sender with the address: %s', async (from, shown) => {
    const { findings } = await readMail(`From: ${from}\r\nSubject: x\r\n\r\n`)
    expect(findings).toEqual(
      shown === undefined ? [] : [expect.stringContaining(`The name of the sender shows ${shown}, but`)],
    )
  })

  it('reads mails inside a mail, attached or quoted, in any encoding', async () => {
    const inner = [
      'From: Acme <accounts@acme-pay.example>',
      'Reply-To: other@crook.example',
      'Subject: =?windows-1252?Q?Zahlung_=80_500?=',
      'Content-Type: text/html; charset=windows-1252',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<style>Sort code 11-22-33 account 12345678</style><table><tr><td>Sort=20code</td><td>60-16-13</td></tr>',
      '<tr><td>Account=A0number</td><td>31926819</td></tr></table>',
    ].join('\r\n')
    const reading = await readMail(
      Buffer.from(
        [
          'From: colleague@company.example',
          'Subject: FW: strange',
          'Content-Type: multipart/mixed; boundary=x',
          '',
          '--x',
          'Content-Type: text/plain; charset=iso-8859-1',
          'Content-Transfer-Encoding: 8bit',
          '',
          'Gr\xfc\xdfe',
          '> *From:* "Bob M\xfcller" <bob@quoted.example>',
          '--x',
          'Content-Type: message/rfc822; name="forwarded.eml"',
          '',
          inner,
          '--x',
          'Content-Type: application/octet-stream; name="invoice\xe2\x80\xaefdp.exe"',
          'Content-Disposition: attachment; filename="invoice.pdf.exe"',
          '',
          'MZ',
          '--x--',
        ].join('\r\n'),
        'latin1',
      ),
    )
    expect(reading).toMatchObject({
      senders: [
        { name: '', address: 'colleague@company.example' },
        { name: 'Bob Müller', address: 'bob@quoted.example' },
        { name: 'Acme', address: 'accounts@acme-pay.example' },
      ],
      accounts: ['60-16-13 31926819'],
      attachments: ['forwarded.eml', 'invoice.pdf.exe'],
      findings: [
        'In the mail inside, “Zahlung € 500”: Reply-To differs from From: an answer goes to other@crook.example, not to accounts@acme-pay.example.',
        'An attachment is a program or hides its kind: invoice.pdf.exe.',
      ],
    })
  })

  it('reads what it can of broken MIME, and refuses more than 30 MB', async () => {
    const broken = [
      'From: a@acme.example',
      'Content-Type: multipart/alternative; boundary="never"',
      'Content-Transfer-Encoding: base64',
      '',
      '--other',
      'Content-Type: text/html; charset=nonsense',
      '',
      'Pay <a href=https://pay.example',
    ].join('\n')
    expect((await readMail(broken)).indicators).toMatchObject([{ indicator: { value: 'a@acme.example' } }])
    const deep = Array.from(
      { length: 400 },
      (_, at) => `--b${at}\nContent-Type: multipart/mixed; boundary=b${at + 1}\n\n`,
    )
    expect((await readMail(`Content-Type: multipart/mixed; boundary=b0\n\n${deep.join('')}`)).findings).toEqual([
      'This mail cannot be read.',
    ])
    expect((await readMail(new Uint8Array(30 * 1024 * 1024 + 1))).findings).toEqual([
      'This mail is too large: at most 30 MB can be read.',
    ])
  })

  it('gives an answer to whatever text', async () => {
    const parts = [
      'From:',
      'Content-Type: multipart/mixed; boundary=x',
      '--x',
      '--x--',
      '\n',
      '\r\n',
      '<a href="',
      '<a href=b.example>',
      '>',
      '"',
      '=?utf-8?B?',
      '?=',
      'a@b.example',
      'Received: [',
      ']',
      ' ',
    ]
    const text = fc.array(fc.oneof(fc.constantFrom(...parts), anyText({ maxLength: 5 })), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(text, async (some) => {
        const reading = await readMail(some.join(''))
        expect(Array.isArray(reading.indicators)).toBe(true)
        await readPaste(some.join(''))
      }),
      { numRuns: runs(60) },
    )
  })
})

describe('what somebody pasted', () => {
  it('is one thing, a mail, or several', async () => {
    expect(looksLikeMail(MAIL)).toBe(true)
    expect(looksLikeMail('From: where?\nnobody knows')).toBe(false)
    expect(await readPaste(' https://example.com/x ')).toMatchObject({ form: 'one', found: { value: 'example.com' } })
    expect(await readPaste(MAIL)).toMatchObject({ form: 'mail', mail: { subject: 'Rechnung für Oktober' } })
    const table = await readPaste(
      'Name\tMail\tSite\nJane\tJane <jane@a.example>\thttps://a.example/\nJohn\tjohn@b.example\thttps://a.example/x\n',
    )
    expect(table).toMatchObject({
      form: 'several',
      indicators: [{ value: 'jane@a.example' }, { value: 'a.example' }, { value: 'john@b.example' }],
    })
    expect(await readPaste('Our new IBAN: DE89 3704 0044 0532 0130 00, questions to jane@a.example')).toMatchObject({
      form: 'several',
      indicators: [{ value: 'jane@a.example' }],
      accounts: ['DE89370400440532013000'],
    })
    const log = `2026-11-17 16:00:01 fail2ban.actions [7]: [sshd] Ban 91.92.240.7
2026-11-17 16:00:02 fail2ban.filter [7]: [sshd] Found ::ffff:185.220.101.1 - 2026-11-17\n`
    expect(await readPaste(log)).toMatchObject({
      form: 'several',
      indicators: [{ value: '91.92.240.7' }, { value: '185.220.101.1' }],
    })
    expect(await readPaste('hello\nworld')).toMatchObject({ form: 'one', found: { kind: undefined } })
  })

  it.each([
    'Von: Müller GmbH <ap@mueller.example>\nGesendet: Montag, 2. November 2026\nAn: Anna\nBetreff: Neues Konto',
    'De : Müller GmbH <ap@mueller.example>\nEnvoyé : lundi 2 novembre 2026\nÀ : Anna\nObjet : Neues Konto',
  ])('is a mail that was copied from a mail program of another language: %j', async (header) => {
    const text = `${header}\n\nIBAN DE89 3704 0044 0532 0130 00\n`
    const read = {
      subject: 'Neues Konto',
      senders: [{ name: 'Müller GmbH', address: 'ap@mueller.example' }],
      accounts: ['DE89370400440532013000'],
    }
    expect(await readPaste(text)).toMatchObject({ form: 'mail', mail: read })
    for (const encoding of ['utf8', 'latin1'] as const) {
      expect(await readMail(new Uint8Array(Buffer.from(text, encoding)))).toMatchObject(read)
    }
    expect(await readPaste('Von: a@b.example\nund c@d.example')).toMatchObject({ form: 'several' })
  })
})
