import type { MailRole } from '@assay/reader/mail'
import { CliError, type Context } from '../context.ts'
import { count, harmless } from '../terminal/paint.ts'

/** `assay check -`: reads the indicators from standard input. */

const INPUT_BYTES_MAX = 32 * 1024 * 1024

export async function withStandardInput(context: Context, named: readonly string[]): Promise<string[]> {
  if (!named.includes('-')) return [...named]
  const text = await readAll(context)
  const { looksLikeMail } = await import('@assay/reader/mail')
  const read = looksLikeMail(text) ? await fromMail(context, text) : linesOf(text)
  if (read.length === 0) {
    throw new CliError('Standard input contains nothing to check. Give one indicator per line, or a whole mail.')
  }
  return named.flatMap((one) => (one === '-' ? read : [one]))
}

const linesOf = (text: string): string[] => text.split(/\r?\n|\r/).flatMap((line) => line.trim() || [])

/** Each check is billed, and a newsletter has hundreds of links: check these roles first, up to a limit. */
const MAIL_ROLES: readonly MailRole[] = ['from', 'reply_to', 'return_path', 'sender', 'link', 'text', 'received']
const MAIL_CHECKS_MAX = 20

/** The indicators of a mail to check; prints warnings for the person first. */
async function fromMail({ stderr }: Context, text: string): Promise<string[]> {
  const { readMail } = await import('@assay/reader/mail')
  const { subject, indicators, findings } = await readMail(text)
  const ordered = indicators.toSorted((a, b) => MAIL_ROLES.indexOf(a.role) - MAIL_ROLES.indexOf(b.role))
  const checked = ordered.slice(0, MAIL_CHECKS_MAX)
  stderr.write(`A mail${subject === undefined ? '' : `, “${harmless(subject)}”`}:\n`)
  for (const { role, indicator } of checked) stderr.write(`  ${MAIL_WORDS[role]}: ${harmless(indicator.value)}\n`)
  const left = ordered.length - checked.length
  if (left > 0)
    stderr.write(`  ${count(left)} more are not checked: name them, or put them into a file for assay bulk\n`)
  for (const finding of findings) stderr.write(`! ${harmless(finding)}\n`)
  return checked.map(({ indicator }) => indicator.value)
}

const MAIL_WORDS: Readonly<Record<MailRole, string>> = {
  from: 'From',
  sender: 'Sender',
  reply_to: 'Reply-To',
  return_path: 'Return-Path',
  received: 'Came through',
  link: 'Link',
  text: 'In its text',
}

async function readAll({ stdin, interrupted }: Context): Promise<string> {
  const onInterrupt = () => stdin.destroy(new Error('interrupted'))
  interrupted.addEventListener('abort', onInterrupt, { once: true })
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of stdin) {
      bytes += (part as Buffer).length
      if (bytes > INPUT_BYTES_MAX) throw new CliError('Standard input is longer than 32 MB.')
      parts.push(part as Buffer)
    }
  } finally {
    interrupted.removeEventListener('abort', onInterrupt)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
