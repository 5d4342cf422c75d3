import CFB from 'cfb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../test/support/runs.ts'
import { fileFormat } from './format.ts'
import { readMail } from './mail.ts'

/** A .msg file as Outlook writes it: streams by their path, texts in UTF-16 unless they are bytes. */
function outlookFile(streams: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const file = CFB.utils.cfb_new({ root: 'R' })
  for (const [path, content] of Object.entries(streams)) {
    CFB.utils.cfb_add(
      file,
      `/${path}`,
      Buffer.from(content as string, typeof content === 'string' ? 'utf16le' : undefined),
    )
  }
  CFB.utils.cfb_del(file, '/\u0001Sh33tJ5')
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer)
}

const stream = (id: string, type = '001F') => `__substg1.0_${id}${type}`
const ATTACHMENT = '__attach_version1.0_#0000000'

/** PidTagInternetCodepage, behind the head of the stream. */
function properties(codePage: number, headBytes: number): Uint8Array {
  const bytes = Buffer.alloc(headBytes + 16)
  bytes.writeUInt32LE(0x3fde0003, headBytes)
  bytes.writeUInt32LE(codePage, headBytes + 8)
  return bytes
}

const HEADER = [
  'Received: from x ([185.220.101.1]) by mx.company.example',
  'Authentication-Results: mx.company.example; spf=pass; dmarc=fail (p=none) header.from=acme.example',
  'From: "Acme Ltd" <accounts@acme.example>',
  'Reply-To: accounts@acme-pay.example',
  'Subject: in the header',
  'Content-Type: multipart/alternative; boundary="x"',
].join('\r\n')

const SAVED = outlookFile({
  [stream('0037')]: 'Neue Bankverbindung für Oktober',
  [stream('007D')]: HEADER,
  [stream('1000')]: 'Bitte an DE89 3704 0044 0532 0130 00. www.acme.example <https://pay.acme-pay.example/x>',
  [stream('1013', '0102')]: Buffer.from(
    `<html>Bitte \xfcberweisen: <a href="https://shop.acme-pay.example">www.acme.example</a>${'<p>x</p>'.repeat(2000)}`,
    'latin1',
  ),
  '__properties_version1.0': properties(1252, 32),
  [`${ATTACHMENT}0/${stream('3707')}`]: 'Rechnung.pdf',
  [`${ATTACHMENT}0/${stream('3701', '0102')}`]: Buffer.from('%PDF'),
  [`${ATTACHMENT}1/${stream('3001')}`]: 'Weitergeleitet',
  [`${ATTACHMENT}1/${stream('3701', '000D')}/${stream('0037', '001E')}`]: Buffer.from(
    '\xcf\xf0\xe8\xe2\xe5\xf2',
    'latin1',
  ),
  [`${ATTACHMENT}1/${stream('3701', '000D')}/${stream('0042')}`]: 'boss@company.example',
  [`${ATTACHMENT}1/${stream('3701', '000D')}/${stream('0065')}`]: '/O=EXCHANGE/CN=BOSS',
  [`${ATTACHMENT}1/${stream('3701', '000D')}/${stream('5D02')}`]: 'boss@c0mpany.example',
  [`${ATTACHMENT}1/${stream('3701', '000D')}/__properties_version1.0`]: properties(1251, 24),
  [`${ATTACHMENT}2/${stream('3707')}`]: 'older.eml',
  [`${ATTACHMENT}2/${stream('3701', '0102')}`]: Buffer.from(
    'From: jane@older.example\r\nSubject: Old\r\n\r\nHello\r\n',
  ),
})

describe('a mail that Outlook saved', () => {
  it('is read: header, text, links, attachments and the mails inside', async () => {
    expect(await fileFormat(SAVED)).toBe('mail')
    const { indicators, ...rest } = await readMail(SAVED)
    expect(indicators.map(({ role, indicator }) => `${role} ${indicator.value}`)).toEqual([
      'from accounts@acme.example',
      'reply_to accounts@acme-pay.example',
      'received 185.220.101.1',
      'link shop.acme-pay.example',
      'link pay.acme-pay.example',
      'text www.acme.example',
      'from boss@c0mpany.example',
      'from jane@older.example',
    ])
    expect(rest).toEqual({
      subject: 'Neue Bankverbindung für Oktober',
      findings: [
        'Reply-To differs from From: an answer goes to accounts@acme-pay.example, not to accounts@acme.example.',
        'The mail server mx.company.example could not confirm that the mail comes from acme.example: DMARC failed.',
        'A link shows www.acme.example but leads to shop.acme-pay.example.',
        'A link shows www.acme.example but leads to pay.acme-pay.example.',
        'In the mail inside, “Привет”: The name of the sender shows boss@company.example, but the address is boss@c0mpany.example.',
      ],
      senders: [
        { name: 'Acme Ltd', address: 'accounts@acme.example' },
        { name: 'boss@company.example', address: 'boss@c0mpany.example' },
        { name: '', address: 'jane@older.example' },
      ],
      accounts: ['DE89370400440532013000'],
      attachments: ['Rechnung.pdf', 'Weitergeleitet', 'older.eml'],
    })
  })

  it('never hangs and never throws, however a file is damaged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(SAVED.length - 9), fc.constantFrom(0, 1, 2, 3, 0xfe, 0xff)), { maxLength: 40 }),
        fc.nat(SAVED.length),
        async (changes, length) => {
          const damaged = SAVED.slice(0, length % 3 === 0 ? length : undefined)
          for (const [at, byte] of changes) if (at + 8 < damaged.length) damaged[at + 8] = byte
          expect(Array.isArray((await readMail(damaged)).findings)).toBe(true)
        },
      ),
      { numRuns: runs(100) },
    )
  })

  it('ends in a note for a chain of sectors that leads in a circle', async () => {
    const circle = SAVED.slice()
    const table = (new DataView(circle.buffer).getUint32(76, true) + 1) * 512
    // Every sector is its own successor.
    for (let at = 0; at < 128; at++) new DataView(circle.buffer).setUint32(table + at * 4, at, true)
    expect((await readMail(circle)).findings).toEqual(['This mail cannot be read.'])
  })
})
