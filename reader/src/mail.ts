import { whyNothingToCheck } from '@assay/sdk'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { findIndicators } from './find.ts'
import { type Indicator, indicatorKey, isIndicator } from './indicator.ts'
import { recognise } from './recognise.ts'
import { walkXml } from './xml.ts'

/** Reads a whole mail, or its header alone: the sender, the reply address, the route and the targets of its links. */

export type MailRole = 'from' | 'sender' | 'reply_to' | 'return_path' | 'received' | 'link' | 'text'

export interface MailReading {
  readonly subject: string | undefined
  readonly indicators: readonly { readonly role: MailRole; readonly indicator: Indicator }[]
  readonly findings: readonly string[]
}

const MAIL_LENGTH_MAX = 30 * 1024 * 1024
const BODY_LENGTH_MAX = 2_000_000
const RECEIVED_MAX = 50
const INDICATORS_MAX = 500
const FINDINGS_MAX = 50

const HEADER_LINE = /^(?:From|Return-Path|Received|Reply-To|Subject|Date|Message-ID|To|MIME-Version|Delivered-To):/gim
const SENDER_LINE = /^(?:From|Return-Path|Received|Reply-To):/im

/** True when the first lines look like a mail or a mail header. */
export function looksLikeMail(text: string): boolean {
  const head = text.slice(0, 20_000).trimStart()
  if (!/^(?:From |[!-9;-~]+:)/.test(head)) return false
  return SENDER_LINE.test(head) && (head.match(HEADER_LINE)?.length ?? 0) >= 2
}

/** Never rejects: an unreadable mail gives a reading without indicators and a note. */
export async function readMail(source: string | Uint8Array): Promise<MailReading> {
  const none = (finding: string): MailReading => ({ subject: undefined, indicators: [], findings: [finding] })
  if (source.length > MAIL_LENGTH_MAX) return none('This mail is too large.')
  let email: Email
  try {
    email = await PostalMime.parse(typeof source === 'string' ? source.trimStart() : source)
  } catch {
    return none('This mail cannot be read.')
  }
  return readEmail(email)
}

function readEmail(email: Email): MailReading {
  const found = new Map<string, { role: MailRole; indicator: Indicator }>()
  const findings = new Set<string>()
  const add = (role: MailRole, indicators: readonly Indicator[]) => {
    for (const indicator of indicators) {
      const key = indicatorKey(indicator)
      if (found.size < INDICATORS_MAX && !found.has(key)) found.set(key, { role, indicator })
    }
  }
  const from = mailboxes(email.from ? [email.from] : [])
  const replyTo = mailboxes(email.replyTo ?? [])
  const returnPath = read([email.returnPath ?? ''])
  add('from', from)
  add('sender', mailboxes(email.sender ? [email.sender] : []))
  add('reply_to', replyTo)
  add('return_path', returnPath)
  const received = email.headers.filter(({ key }) => key === 'received').slice(0, RECEIVED_MAX)
  for (const { value } of received) add('received', addressesIn(value))
  const links = linksIn(email.html ?? '')
  for (const { target } of links) add('link', [target])
  add('text', findIndicators((email.text ?? '').slice(0, BODY_LENGTH_MAX)))

  const [sender] = from
  if (!sender) findings.add('The mail has no readable sender.')
  for (const { notes } of [...from, ...replyTo]) for (const note of notes) findings.add(note)
  for (const { value } of sender ? replyTo : []) {
    if (value.toLowerCase() === sender?.value.toLowerCase()) continue
    findings.add(`Reply-To differs from From: an answer goes to ${value}, not to ${sender?.value}.`)
  }
  for (const { value } of sender ? returnPath : []) {
    if (related(domainOf(value), domainOf(sender?.value ?? ''))) continue
    findings.add(`Return-Path differs from From: it was sent from ${domainOf(value)}, but claims ${sender?.value}.`)
  }
  for (const { target, shown } of links) {
    if (findings.size >= FINDINGS_MAX) break
    if (shown && !related(shown.value, target.value)) {
      findings.add(`A link shows ${shown.value} but leads to ${target.value}.`)
    }
  }
  return { subject: email.subject, indicators: [...found.values()], findings: [...findings] }
}

function mailboxes(addresses: readonly Address[]): Indicator[] {
  const flat = addresses.flatMap((one) => one.group ?? [one])
  return read(
    flat.map(({ name, address = '' }) => (name && address ? `${name.replace(/[<>]/g, ' ')} <${address}>` : address)),
  )
}

const read = (texts: readonly string[]) => texts.map((text) => recognise(text)).filter(isIndicator)

/** Only public IP addresses in brackets: the name before an address is only the sender's claim. */
function addressesIn(received: string): Indicator[] {
  const texts = [...received.slice(0, 4000).matchAll(/[[(](?:IPv6:)?([\da-f.:]{3,45})[\])]/gi)].map(
    ([, address = '']) => address,
  )
  return read(texts).filter(({ kind, value }) => kind === 'ip' && whyNothingToCheck('ip', value) === undefined)
}

function linksIn(html: string) {
  /** `shown` is the site that the text of the link names, if it names one. */
  const links: { readonly target: Indicator; readonly shown: Indicator | undefined }[] = []
  let href: string | undefined
  let words = ''
  const end = () => {
    const [target] = read([href ?? ''])
    // The text of the link counts only if it is a single name, not a sentence with a name in it.
    const [shown] = /\s/.test(words.trim()) ? [] : read([words])
    if (target && links.length < INDICATORS_MAX)
      links.push({ target, shown: shown?.kind === 'email' ? undefined : shown })
    href = undefined
  }
  walkXml(
    html.slice(0, BODY_LENGTH_MAX),
    (tag) => {
      const name = tag.name.toLowerCase()
      if (name !== 'a' && name !== 'area' && name !== 'form') return
      if (href !== undefined) end()
      if (tag.closes) return
      href = tag.attribute(name === 'form' ? 'action' : 'href')
      words = ''
    },
    (text) => {
      if (href !== undefined && words.length < 1000) words += text
    },
  )
  if (href !== undefined) end()
  return links
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** True when the names are equal, or one is a subdomain of the other. */
function related(one: string, other: string): boolean {
  const [a, b] = [domainOf(one), domainOf(other)].map((name) => name.replace(/^www\./, ''))
  return a === b || `.${a}`.endsWith(`.${b}`) || `.${b}`.endsWith(`.${a}`)
}
