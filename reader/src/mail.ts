import { whyNothingToCheck } from '@assay/sdk'
import PostalMime, { type Address, type Header } from 'postal-mime'
import { findAccounts } from './account.ts'
import { decode } from './encoding.ts'
import { findIndicators } from './find.ts'
import { englishHeader, FORMAT_BYTES } from './format.ts'
import { type Indicator, indicatorKey, isIndicator } from './indicator.ts'
import { isOutlookFile, type ParsedMail, parseOutlook } from './outlook.ts'
import { recognise } from './recognise.ts'
import { walkXml } from './xml.ts'

/** Reads a whole mail (.eml, Outlook's .msg), or its header alone, with the mails that were forwarded inside it. */

export type MailRole = 'from' | 'sender' | 'reply_to' | 'return_path' | 'received' | 'link' | 'text'

export const MAIL_ROLE_WORDS: Readonly<Record<MailRole, string>> = {
  from: 'From',
  sender: 'Sender',
  reply_to: 'Reply-To',
  return_path: 'Return-Path',
  received: 'Came through',
  link: 'Link',
  text: 'In its text',
}

export interface MailReading {
  readonly subject: string | undefined
  readonly indicators: readonly { readonly role: MailRole; readonly indicator: Indicator }[]
  readonly findings: readonly string[]
  /** Names and addresses that the mail, and mails inside it, claim to come from. */
  readonly senders: readonly { readonly name: string; readonly address: string }[]
  readonly accounts: readonly string[]
  readonly attachments: readonly string[]
}

export const MAIL_BYTES_MAX = 30 * 1024 * 1024
const BODY_LENGTH_MAX = 2_000_000
const RECEIVED_MAX = 50
const INDICATORS_MAX = 500
const FINDINGS_MAX = 50
const ATTACHMENTS_MAX = 100
/** Mails inside mails: so deep, and so many in all. */
const DEPTH_MAX = 3
const INNER_MAX = 10

/** Never rejects: an unreadable mail gives a reading without indicators and a note. */
export async function readMail(source: string | Uint8Array): Promise<MailReading> {
  const reading = createReading()
  try {
    if (source.length > MAIL_BYTES_MAX) reading.findings.add('This mail is too large: at most 30 MB can be read.')
    else await addMail(reading, await parse(source), '', 0)
  } catch {
    reading.findings.add('This mail cannot be read.')
  }
  return {
    subject: reading.subject,
    indicators: [...reading.indicators.values()],
    findings: [...reading.findings].slice(0, FINDINGS_MAX),
    senders: [...reading.senders.values()],
    accounts: [...reading.accounts],
    attachments: [...reading.attachments],
  }
}

async function parse(source: string | Uint8Array): Promise<ParsedMail> {
  if (typeof source !== 'string' && isOutlookFile(source)) return parseOutlook(source, parse)
  const email = await PostalMime.parse(inEnglish(source), {
    forceRfc822Attachments: true,
  })
  return {
    ...email,
    attachments: email.attachments.map(({ filename, mimeType, content }) => ({
      filename,
      mail:
        mimeType === 'message/rfc822' || /\.(?:eml|msg)$/i.test(filename ?? '')
          ? () => parse(typeof content === 'string' ? content : new Uint8Array(content))
          : undefined,
    })),
  }
}

function inEnglish(source: string | Uint8Array): string | Uint8Array {
  if (typeof source === 'string') return englishHeader(source.trimStart())
  const head = new TextDecoder('latin1').decode(source.subarray(0, FORMAT_BYTES))
  return englishHeader(head) === head ? source : englishHeader(decode(source).text)
}

const createReading = () => ({
  subject: undefined as string | undefined,
  indicators: new Map<string, MailReading['indicators'][number]>(),
  findings: new Set<string>(),
  senders: new Map<string, MailReading['senders'][number]>(),
  accounts: new Set<string>(),
  attachments: new Set<string>(),
  inner: 0,
})

/** `where` begins each finding of a mail inside another. */
async function addMail(reading: ReturnType<typeof createReading>, mail: ParsedMail, where: string, depth: number) {
  const { indicators, senders, accounts, attachments } = reading
  const find = (finding: string) => reading.findings.add(where + finding)
  const add = (role: MailRole, found: readonly Indicator[]) => {
    for (const indicator of found) {
      const key = indicatorKey(indicator)
      if (indicators.size < INDICATORS_MAX && !indicators.has(key)) indicators.set(key, { role, indicator })
    }
  }
  const from = mailboxes(mail.from ? [mail.from] : [])
  const replyTo = mailboxes(mail.replyTo ?? [])
  const returnPath = read([mail.returnPath ?? ''])
  const { links, words } = linksIn(mail.html ?? '')
  const text = (mail.text ?? words).slice(0, BODY_LENGTH_MAX)
  links.push(...linksInText(text))
  add('from', indicatorsOf(from))
  add('sender', indicatorsOf(mailboxes(mail.sender ? [mail.sender] : [])))
  add('reply_to', indicatorsOf(replyTo))
  add('return_path', returnPath)
  const received = mail.headers.filter(({ key }) => key === 'received').slice(0, RECEIVED_MAX)
  for (const { value } of received) add('received', addressesIn(value))
  for (const { target } of links) add('link', [target])
  add('text', findIndicators(text))
  // The two forms of a text may name different accounts, and a person sees only one of them.
  for (const account of [text, words].flatMap(findAccounts)) accounts.add(account)

  const [sender] = from
  reading.subject ??= mail.subject
  if (!sender) find('The mail has no readable sender.')
  for (const { name, address } of [...from, ...forwardedIn(text)]) {
    senders.set(`${name} ${address}`, { name, address })
    const shown = shownInName(name, address)
    if (shown !== undefined) find(`The name of the sender shows ${shown}, but the address is ${address}.`)
  }
  for (const { address } of sender ? replyTo : []) {
    if (address.toLowerCase() === sender?.address.toLowerCase()) continue
    find(`Reply-To differs from From: an answer goes to ${address}, not to ${sender?.address}.`)
  }
  for (const { value } of sender ? returnPath : []) {
    if (related(domainOf(value), domainOf(sender?.address ?? ''))) continue
    find(`Return-Path differs from From: it was sent from ${domainOf(value)}, but claims ${sender?.address}.`)
  }
  const failed = sender && failedDmarc(mail.headers)
  if (failed) {
    find(`${failed.by} could not confirm that the mail comes from ${domainOf(sender.address)}: DMARC failed.`)
  }
  for (const { target, shown } of links) {
    if (reading.findings.size >= FINDINGS_MAX) break
    if (shown && !related(shown.value, target.value)) {
      find(`A link shows ${shown.value} but leads to ${target.value}.`)
    }
  }
  for (const { filename, mail: open } of mail.attachments) {
    const name = filename?.replace(BIDI, '') ?? ''
    if (name !== '' && attachments.size < ATTACHMENTS_MAX) attachments.add(name)
    if (name !== (filename ?? '') || PROGRAM.test(name)) find(`An attachment is a program or hides its kind: ${name}.`)
    if (!open || depth >= DEPTH_MAX || reading.inner >= INNER_MAX) continue
    reading.inner++
    const inner = await open().catch(() => undefined)
    if (inner) await addMail(reading, inner, `In the mail inside, “${inner.subject ?? name}”: `, depth + 1)
    else find(`A mail inside cannot be read: ${name}.`)
  }
}

/** Endings of files that run when they are opened. */
const PROGRAM = /\.(?:exe|scr|com|pif|bat|cmd|msi|js|jse|vbs|vbe|wsf|hta|ps1|lnk|jar|iso|img|vhd|one)$/i
/** These turn the direction of the letters behind them: `invoice\u202efdp.exe` is shown as `invoiceexe.pdf`. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * The topmost header is the receiving server's; others below it may be an attacker's (RFC 8601, section 5). Microsoft's
 * servers do not name themselves.
 */
function failedDmarc(headers: readonly Header[]): { readonly by: string } | undefined {
  const value = headers.find(({ key }) => key === 'authentication-results')?.value ?? ''
  const parts = value
    .slice(0, 8000)
    .replace(/\([^()]*\)/g, ' ')
    .split(';')
  if (!parts.some((part) => /^\s*dmarc\s*=\s*fail\b/i.test(part))) return undefined
  const [server = ''] = parts[0]?.includes('=') ? [] : (parts[0]?.trim().split(/\s/) ?? [])
  return { by: server === '' ? 'The receiving mail server' : `The mail server ${server}` }
}

/** The lines that mail programs put above a forwarded text: `From: Name <address>`, `From: Name [mailto:address]`. */
const FORWARDED =
  /^[>\s*]{0,20}(?:From|Von|De|Da|Van|Från|Fra|Od)\s?:\*?[ \t]{0,20}([^\n<>[\]]{0,200})[<[](?:mailto:)?([^\s<>[\]@]+@[^\s<>[\]]+)[>\]]/gim

function forwardedIn(text: string): Mailbox[] {
  const found = [...text.matchAll(FORWARDED)].slice(0, INNER_MAX)
  return found.flatMap(([, name = '', address = '']) =>
    mailboxes([{ name: name.replace(/["*]/g, '').trim(), address }]),
  )
}

/** An address or a domain in the name of a sender that is not the sender's. */
function shownInName(name: string, address: string): string | undefined {
  return findIndicators(name).find(({ kind, value }) => {
    if (kind === 'email') return value.toLowerCase() !== address.toLowerCase()
    // `anna.schmidt` is a person: only the endings of most domains count.
    return kind === 'domain' && /\.(?:\p{L}{2,3}|info)$/u.test(value) && !related(value, address)
  })?.value
}

interface Mailbox {
  readonly name: string
  readonly address: string
  readonly indicator: Indicator
}

function mailboxes(addresses: readonly Address[]): Mailbox[] {
  const flat = addresses.flatMap((one) => one.group ?? [one])
  return flat.flatMap(({ name, address = '' }) =>
    read([address]).map((indicator) => ({ name, address: indicator.value, indicator })),
  )
}

const indicatorsOf = (found: readonly Mailbox[]) => found.map(({ indicator }) => indicator)

const read = (texts: readonly string[]) => texts.map((text) => recognise(text)).filter(isIndicator)

/** Only public IP addresses in brackets: the name before an address is only the sender's claim. */
function addressesIn(received: string): Indicator[] {
  const texts = [...received.slice(0, 4000).matchAll(/[[(](?:IPv6:)?([\da-f.:]{3,45})[\])]/gi)].map(
    ([, address = '']) => address,
  )
  return read(texts).filter(({ kind, value }) => kind === 'ip' && whyNothingToCheck('ip', value) === undefined)
}

interface Link {
  readonly target: Indicator
  /** The site that the text of the link names, if it names one. */
  readonly shown: Indicator | undefined
}

/** `words` is the text that a person sees, without that of links. */
function linksIn(html: string): { readonly links: Link[]; readonly words: string } {
  const links: Link[] = []
  let href: string | undefined
  let shownWords = ''
  let words = ''
  let hidden = false
  const end = () => {
    if (links.length < INDICATORS_MAX) links.push(...linkOf(href ?? '', shownWords))
    href = undefined
  }
  walkXml(
    html.slice(0, BODY_LENGTH_MAX),
    (tag) => {
      const name = tag.name.toLowerCase()
      if (name === 'style' || name === 'script') hidden = !tag.closes
      if (!INLINE.has(name)) words += '\n'
      if (name !== 'a' && name !== 'area' && name !== 'form') return
      if (href !== undefined) end()
      if (tag.closes) return
      href = tag.attribute(name === 'form' ? 'action' : 'href')
      shownWords = ''
    },
    (text) => {
      if (href === undefined && !hidden) words += text
      if (href !== undefined && shownWords.length < 1000) shownWords += text
    },
  )
  if (href !== undefined) end()
  return { links, words }
}

/** These tags do not end a line. */
const INLINE = new Set('a b big em font i o:p s small span strong sub sup tt u'.split(' '))

/** Mail programs write a link as `name <target>` when they make a plain text of a mail. */
const linksInText = (text: string): Link[] =>
  [...text.matchAll(/<(https?:\/\/[^\s<>]{1,2000})>/gi)]
    .slice(0, INDICATORS_MAX)
    .flatMap(({ index, 1: target = '' }) => {
      const before = text.slice(Math.max(0, index - 300), index).trimEnd()
      return linkOf(target, before.split(/\s/).at(-1) ?? '')
    })

function linkOf(href: string, words: string): Link[] {
  const [target] = read([href])
  // The text of the link counts only if it is a single name, not a sentence with a name in it.
  const [shown] = /\s/.test(words.trim()) ? [] : read([words])
  return target ? [{ target, shown: shown?.kind === 'email' ? undefined : shown }] : []
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** True when the names are equal, or one is a subdomain of the other. */
function related(one: string, other: string): boolean {
  const [a, b] = [domainOf(one), domainOf(other)].map((name) => name.replace(/^www\./, ''))
  return a === b || `.${a}`.endsWith(`.${b}`) || `.${b}`.endsWith(`.${a}`)
}
