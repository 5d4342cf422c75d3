/**
 * The connection to the mail server. The package is loaded only where a server is configured. It gets addresses as
 * objects: it would parse a text, and mail for `x,jane@example.com` would reach somebody else.
 */
import { networkWords } from '../lib/network-words.ts'
import type { RenderedMail } from './letter.ts'

export interface MailSettings {
  /** `smtp://` or `smtps://`, with name and password where the server requires them. */
  readonly smtpUrl: string
  /** `Name <address>` or an address alone. */
  readonly from: string
  /** The address of this server; every link of a mail leads below it. */
  readonly baseUrl: string
}

export interface Outgoing extends RenderedMail {
  /** One address in normal form. */
  readonly to: string
  /** Stable for every attempt, so that a mail that arrives twice is recognised. */
  readonly id: string
}

/**
 * The outcome of an attempt:
 * `refused` permanently, because of the recipient; `delayed`: a retry may succeed;
 * `unreachable`: no mail to anybody can be sent now; it failed before the server accepted the sender.
 */
export type SendOutcome =
  | { readonly outcome: 'sent'; readonly answer: string }
  | {
      readonly outcome: 'refused' | 'delayed' | 'unreachable'
      readonly error: string
      /** The server gave this answer to the recipient's address. */
      readonly atRecipient: boolean
    }

export interface MailWay {
  send(mail: Outgoing): Promise<SendOutcome>
  /** Does not wait: the mail in progress fails. */
  close(): void
}

const CONNECT_MS_MAX = 10_000
/** RFC 5321 §4.5.3.2: a server may take that long; a client that gives up earlier may send an accepted mail twice. */
const SILENCE_MS_MAX = 300_000

export async function openMailWay(
  settings: MailSettings,
  { silenceMsMax = SILENCE_MS_MAX }: { readonly silenceMsMax?: number } = {},
): Promise<MailWay> {
  const { createTransport } = await import('nodemailer')
  // How far the mail in progress has come. One mail is sent at a time.
  let asked = false
  let senderAccepted = false
  const hear = ({ tnx: side }: { tnx?: string }, line: string) => {
    if (side === 'client' && line.startsWith('MAIL FROM:')) asked = true
    else if (side === 'server' && asked) {
      asked = false
      senderAccepted = line.startsWith('2')
    }
  }
  const transport = createTransport({
    url: settings.smtpUrl,
    pool: true,
    maxConnections: 1,
    // One attempt only: the outbox decides when to retry.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    dnsTimeout: CONNECT_MS_MAX,
    socketTimeout: silenceMsMax,
    // The package's errors do not say how far a mail came; the dialogue does.
    transactionLog: true,
    logger: { debug: (entry: { tnx?: string }, line: unknown) => hear(entry, String(line)) },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // Called for connections that break between two mails; the next attempt notices it.
  transport.on('error', () => {})
  const sender = senderOf(settings.from)
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  return {
    async send({ id, to, subject, text, html }) {
      asked = false
      senderAccepted = false
      try {
        const { response } = await transport.sendMail({
          envelope: { from: { name: '', address: sender.address }, to: { name: '', address: to } },
          from: sender,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        })
        return { outcome: 'sent', answer: scrubbed(response, settings.smtpUrl) }
      } catch (error) {
        return {
          outcome: outcomeOf(error as SmtpError, senderAccepted),
          error: scrubbed(errorText(error as SmtpError), settings.smtpUrl),
          atRecipient: (error as SmtpError).command === 'RCPT TO',
        }
      }
    },
    close: () => transport.close({ force: true }),
  }
}

/** `Name <address>` or an address alone, already validated by the configuration. */
function senderOf(from: string): { readonly name: string; readonly address: string } {
  const [, name = '', address = from] = /^(.*)<([^<>]+)>\s*$/.exec(from) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

/** RFC 3463: 5.1 and 5.2 are about the mailbox; others, such as 5.7 for “relaying denied”, are about us. */
const ABOUT_RECIPIENT = new Set([550, 551, 552, 553])

function outcomeOf(
  { code, responseCode = 0, response = '', command }: SmtpError,
  senderAccepted: boolean,
): 'refused' | 'delayed' | 'unreachable' {
  // An address that cannot be written into a command.
  if (code === 'EENVELOPE' && command === 'API') return 'refused'
  if (command === 'RCPT TO' && responseCode > 0) {
    const enhanced = /^\d{3}[ -](\d)\.(\d{1,3})\.\d{1,3}/.exec(response)
    if (enhanced) return enhanced[1] === '5' && (enhanced[2] === '1' || enhanced[2] === '2') ? 'refused' : 'delayed'
    return ABOUT_RECIPIENT.has(responseCode) ? 'refused' : 'delayed'
  }
  // From here on the failure may be about this mail, also when the server falls silent or hangs up: others must not
  // wait.
  return senderAccepted ? 'delayed' : 'unreachable'
}

const ERROR_LENGTH_MAX = 300

function errorText(error: SmtpError): string {
  const { response, code } = error
  if (response) return response
  const words = networkWords(error)
  return code && words === error.message && !words.includes(code) ? `${words} (${code})` : words
}

/** Removes credentials and addresses, which errors and answers of servers may repeat. */
function scrubbed(text: string, smtpUrl: string): string {
  const url = new URL(smtpUrl)
  const secrets = [url.username, url.password].flatMap((part) => {
    const plain = decoded(part)
    return [part, plain, Buffer.from(plain).toString('base64')]
  })
  let clean = text.replaceAll(smtpUrl, '…')
  for (const secret of secrets) if (secret.length > 2) clean = clean.replaceAll(secret, '…')
  return clean
    .replace(/[^\s<>@]+@[^\s<>@]+/g, '…@…')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, ERROR_LENGTH_MAX)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
