import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LINKED_MAILS, MAIL_KINDS, mailFacts } from '../../test/support/mail-facts.ts'
import { COLOURS } from './letter.ts'
import type { MailKind } from './mail.ts'
import { renderMail, UnsendableMail } from './templates.ts'

const BASE = 'https://assay.example'
const LINK = `${BASE}/somewhere#1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv`

const render = (kind: MailKind, name: string, link = LINK) =>
  renderMail(kind, mailFacts(name)[kind], { baseUrl: BASE, link })

describe.each(MAIL_KINDS)('the mail %s', (kind) => {
  it('says the same in plain text and in HTML, and links to this server alone', () => {
    const { subject, text, html } = render(kind, 'Jane Doe')
    expect(subject).toMatch(/^[^\n]{5,100}$/)
    for (const part of [text, html]) {
      expect(part).toContain('Jane Doe')
      expect(part).toContain(BASE)
      const links = [...part.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link)
      expect(links.filter((link) => link !== BASE && !link.startsWith(`${BASE}/`))).toEqual([])
      expect(part.includes(LINK)).toBe(LINKED_MAILS.includes(kind))
    }
    expect(html).not.toMatch(/<img|<script|<link|url\(/)
    expect(text).toMatch(/You get this mail because|If (that|you)/)
  })

  it('gives a hostile name no header, no line, no markup, no link and no direction', () => {
    const hostile =
      'Eve\r\nBcc: all@victim.example\r\n\r\n<script>alert(1)</script> \u202Egnp.exe\u2066 \u200Bhttp://evil.example/login www.evil.example"onload="x'
    const { subject, text, html } = render(kind, hostile)
    expect(subject).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
    expect(text).not.toMatch(/^Bcc:/m)
    expect(text.split('\n').length).toBe(render(kind, 'Eve').text.split('\n').length)
    expect(html).not.toContain('<script')
    expect(html).not.toMatch(/<[^>]*onload/)
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/)
      expect(part).not.toMatch(/http:\/\/evil|evil\.example/)
    }
    // Around the name nothing runs in its direction.
    expect(html).toMatch(/<bdi>[^<]*Eve/)
  })
})

it.each(LINKED_MAILS)('%s is not made without its link, or with one that leads elsewhere', (kind) => {
  for (const link of ['https://evil.example/#x', `${BASE}.evil.example/#x`, `${BASE}/" onclick="x`]) {
    expect(() => render(kind, 'Jane', link)).toThrow(UnsendableMail)
  }
  const without = () => renderMail(kind, mailFacts('Jane')[kind], { baseUrl: BASE })
  if (kind === 'new_sign_in') expect(without().text).toContain(`${BASE}/console/account`)
  else expect(without).toThrow('its link is missing')
})

it('money and times are written for people', () => {
  const { subject, text } = render('invoice_overdue', 'Example Ltd')
  expect(subject).toBe('Example Ltd: invoice INV-42 is overdue')
  expect(text).toContain('Invoice INV-42 over £1,234.56 for “Example Ltd” was due on 2026-03-01 and is not paid.')
  expect(render('new_sign_in', 'Jane').text).toContain('When: 2026-03-01 09:05 UTC')
  expect(render('new_sign_in', 'Jane').text).toContain('From: 2001:db8::7 (Jane)')
})

it('a time stands in UTC and in the time zone of the recipient, where it is known', () => {
  const when = (timeZone: string) =>
    /When: (.*)/.exec(renderMail('new_sign_in', mailFacts('Jane').new_sign_in, { baseUrl: BASE, timeZone }).text)?.[1]
  expect(when('Europe/Berlin')).toBe('2026-03-01 09:05 UTC (10:05 Europe/Berlin)')
  expect(when('Pacific/Kiritimati')).toBe('2026-03-01 09:05 UTC (23:05 Pacific/Kiritimati)')
  expect(when('Pacific/Pago_Pago')).toBe('2026-03-01 09:05 UTC (2026-02-28 22:05 Pacific/Pago_Pago)')
  expect(when('UTC')).toBe('2026-03-01 09:05 UTC')
})

it('has the colours of the console, light and dark', () => {
  const theme = readFileSync(new URL('../../console/src/theme.css', import.meta.url), 'utf8')
  for (const [name, [light, dark]] of Object.entries(COLOURS)) {
    expect(theme).toContain(`--assay-${name}: light-dark(${light}, ${dark});`)
  }
})

it('a long name is cut', () => {
  expect(render('verify_address', 'x'.repeat(10_000)).text.length).toBeLessThan(1000)
})
