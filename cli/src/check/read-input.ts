import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileFormat } from '@assay/reader/format'
import type { MailReading, MailRole } from '@assay/reader/mail'
import { endsLikeFile } from '@assay/reader/other-things'
import { CliError, type Context } from '../context.ts'
import { fileProblem } from '../file-problem.ts'
import { count, harmless } from '../terminal/paint.ts'

/** `assay check -` reads the indicators from standard input, `assay check message.eml` from a mail. */
export interface Input {
  readonly indicators: readonly string[]
  readonly mails: readonly MailReading[]
}

const INPUT_BYTES_MAX = 32 * 1024 * 1024
const MAIL_FILE = /^[^@]*\.(?:eml|msg)$/i

export async function readInput(context: Context, named: readonly string[]): Promise<Input> {
  const indicators: string[] = []
  const mails: MailReading[] = []
  for (const one of named) {
    const isMailFile = MAIL_FILE.test(one)
    if (one !== '-' && !isMailFile && !(endsLikeFile(one) && existsSync(one))) {
      indicators.push(one)
      continue
    }
    const bytes = one === '-' ? await readAll(context) : readFile(one)
    const isMail = isMailFile || (await fileFormat(bytes).catch(() => 'text')) === 'mail'
    if (!isMail && one !== '-') throw new CliError(`${one} is not a mail. Check the file with: assay bulk ${one}`)
    const { MAIL_ROLE_WORDS, readMail } = await import('@assay/reader/mail')
    const mail = isMail ? await readMail(bytes) : undefined
    const read = mail ? indicatorsOf(context, mail, MAIL_ROLE_WORDS) : linesOf(new TextDecoder().decode(bytes))
    if (read.length === 0 && one === '-') {
      throw new CliError('Standard input contains nothing to check. Give one indicator per line, or a whole mail.')
    }
    if (read.length === 0) throw new CliError(`${one} contains nothing to check.`)
    if (mail) mails.push(mail)
    indicators.push(...read)
  }
  return { indicators, mails }
}

const linesOf = (text: string): string[] => text.split(/\r?\n|\r/).flatMap((line) => line.trim() || [])

/** Each check is billed, and a newsletter has hundreds of links: check these roles first, up to a limit. */
const MAIL_ROLES: readonly MailRole[] = ['from', 'reply_to', 'return_path', 'sender', 'link', 'text', 'received']
const MAIL_CHECKS_MAX = 20

/** The indicators of a mail to check; prints warnings for the person first. */
function indicatorsOf(
  { stderr }: Context,
  { subject, indicators, findings, attachments }: MailReading,
  words: Readonly<Record<MailRole, string>>,
): string[] {
  const ordered = indicators.toSorted((a, b) => MAIL_ROLES.indexOf(a.role) - MAIL_ROLES.indexOf(b.role))
  const checked = ordered.slice(0, MAIL_CHECKS_MAX)
  stderr.write(`A mail${subject === undefined ? '' : `, “${harmless(subject)}”`}:\n`)
  for (const { role, indicator } of checked) stderr.write(`  ${words[role]}: ${harmless(indicator.value)}\n`)
  for (const name of attachments) stderr.write(`  Attached: ${harmless(name)}\n`)
  const left = ordered.length - checked.length
  if (left > 0)
    stderr.write(`  ${count(left)} more are not checked: name them, or put them into a file for assay bulk\n`)
  for (const finding of findings) stderr.write(`! ${harmless(finding)}\n`)
  return checked.map(({ indicator }) => indicator.value)
}

function readFile(path: string): Buffer {
  try {
    if (statSync(path).size <= INPUT_BYTES_MAX) return readFileSync(path)
  } catch (error) {
    throw fileProblem(error, path)
  }
  throw new CliError(`${path} is longer than 32 MB.`)
}

async function readAll({ stdin, interrupted }: Context): Promise<Buffer> {
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
  return Buffer.concat(parts)
}
