import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerAddress, type SMTPServerOptions } from 'smtp-server'

/**
 * A mail server on loopback that speaks SMTP and stores every mail it receives.
 *
 *     const mail = await startMailServer()
 *     … ASSAY_SMTP_URL=mail.url …
 *     const invitation = await mail.waitFor(({ to }) => to.includes('ben@example.com'))
 *     invitation.text, invitation.html, invitation.headers.subject, linkIn(invitation)
 *     mail.refuse('nobody@example.com', 550)
 */
export interface ReceivedMail {
  /** From the envelope. */
  readonly from: string
  readonly to: readonly string[]
  /** By their names in lower case, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>
  readonly subject: string
  readonly text: string
  readonly html: string
  /** As received, with CR LF. */
  readonly raw: string
}

export interface MailServer {
  /** For ASSAY_SMTP_URL. */
  readonly url: string
  readonly received: ReceivedMail[]
  /** The first matching mail, also one that has already arrived. */
  waitFor(isSought: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>
  /** Sets the answer code for this recipient: 550 is permanent, 451 temporary; undefined resets it. */
  refuse(recipient: string, code: number | undefined): void
  /** From now on this recipient gets no answer. */
  ignore(recipient: string): void
  /** Sets the answer code for every message after its last line; undefined resets it. */
  refuseData(code: number | undefined): void
  /** Connections so far. */
  readonly connections: number
  close(): Promise<void>
}

export interface MailServerWish {
  /** Credentials that every client must sign in with. */
  readonly user?: { readonly name: string; readonly password: string }
  /** TLS from the first byte. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Default: chosen by the system. A restarted server uses its former port. */
  readonly port?: number
  /** Further connections at the same time are refused. */
  readonly connectionsMax?: number
}

class Refusal extends Error {
  readonly responseCode: number
  constructor(responseCode: number) {
    super(responseCode >= 500 ? 'refused for good' : 'try again later')
    this.responseCode = responseCode
  }
}

export async function startMailServer(wish: MailServerWish = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const waiting = new Set<{ isSought: (mail: ReceivedMail) => boolean; found: (mail: ReceivedMail) => void }>()
  const refused = new Map<string, number>()
  const ignored = new Set<string>()
  let dataCode: number | undefined
  let connections = 0
  let open = 0
  const options: SMTPServerOptions = {
    disabledCommands: wish.user ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    authOptional: wish.user === undefined,
    disableReverseLookup: true,
    // Makes close() not wait for a client that keeps its connection open.
    closeTimeout: 1,
    ...(wish.tls ? { secure: true, ...wish.tls } : {}),
    onConnect(_session, done) {
      connections++
      const isTooMany = ++open > (wish.connectionsMax ?? Number.POSITIVE_INFINITY)
      done(isTooMany ? new Refusal(421) : null)
    },
    onClose() {
      open--
    },
    onAuth(auth, _session, done) {
      const right = auth.username === wish.user?.name && auth.password === wish.user?.password
      if (right) done(null, { user: auth.username })
      else done(Object.assign(new Error('wrong name or password'), { responseCode: 535 }))
    },
    onRcptTo(address, _session, done) {
      if (ignored.has(address.address)) return
      const code = refused.get(address.address)
      done(code === undefined ? null : new Refusal(code))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (dataCode !== undefined) {
          done(new Refusal(dataCode))
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        const mail = readMail(Buffer.concat(chunks).toString('latin1'), {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }: SMTPServerAddress) => address),
        })
        received.push(mail)
        done(null)
        for (const waiter of waiting) if (waiter.isSought(mail)) waiter.found(mail)
      })
    },
  }
  const server = new SMTPServer(options)
  // A client that disconnects in the middle is not an error of this server.
  server.on('error', () => {})
  server.listen(wish.port ?? 0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const login = wish.user ? `${encodeURIComponent(wish.user.name)}:${encodeURIComponent(wish.user.password)}@` : ''
  return {
    url: `${wish.tls ? 'smtps' : 'smtp'}://${login}127.0.0.1:${port}`,
    received,
    get connections() {
      return connections
    },
    waitFor(isSought) {
      const found = received.find(isSought)
      if (found) return Promise.resolve(found)
      return new Promise((resolve) => {
        const waiter = {
          isSought,
          found(mail: ReceivedMail) {
            waiting.delete(waiter)
            resolve(mail)
          },
        }
        waiting.add(waiter)
      })
    },
    refuse(recipient, code) {
      if (code === undefined) refused.delete(recipient)
      else refused.set(recipient, code)
    },
    ignore(recipient) {
      ignored.add(recipient)
    },
    refuseData(code) {
      dataCode = code
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The first link in the text of a mail. */
export function linkIn({ text }: ReceivedMail): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (!link) throw new Error(`no link in: ${text}`)
  return link
}

/** `raw` has one character for each byte. */
function readMail(raw: string, envelope: Pick<ReceivedMail, 'from' | 'to'>): ReceivedMail {
  const { headers, body } = readPart(raw)
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1]
  const parts =
    boundary === undefined
      ? [{ headers, body }]
      : body
          .split(new RegExp(`(?:^|\r\n)--${boundary.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:--)?[ \t]*(?:\r\n|$)`))
          .slice(1, -1)
          .map(readPart)
  const partOf = (type: string) => {
    const part = parts.find((part) => (part.headers['content-type'] ?? 'text/plain').startsWith(type))
    return part ? decodeBody(part).replaceAll('\r\n', '\n') : ''
  }
  return {
    ...envelope,
    headers,
    subject: headers.subject ?? '',
    text: partOf('text/plain'),
    html: partOf('text/html'),
    raw,
  }
}

interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function readPart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const head = end === -1 ? raw : raw.slice(0, end)
  const headers: Record<string, string> = {}
  for (const line of head.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = decodeWords(line.slice(colon + 1).trim())
  }
  return { headers, body: end === -1 ? '' : raw.slice(end + 4) }
}

function decodeBody({ headers, body }: Part): string {
  const encoding = (headers['content-transfer-encoding'] ?? '7bit').toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return utf8(encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=[ \t]*\r\n/g, '')) : body)
}

/** RFC 2047. */
function decodeWords(text: string): string {
  return utf8(text)
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, encoding: string, word: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : utf8(quotedPrintable(word.replaceAll('_', ' '))),
    )
}

const quotedPrintable = (text: string) =>
  text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const utf8 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('utf8')
