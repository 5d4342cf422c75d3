import type { Row } from './csv.ts'
import { decode } from './encoding.ts'
import { MAIL_ROLE_WORDS, readMail } from './mail.ts'
import { isOutlookFile } from './outlook.ts'
import { ListProblem } from './problem.ts'
import { counted, Tally } from './tally.ts'

/** Reads a mail, or a folder of mails that a mail program exported (mbox), into the table of its indicators. */

const MAILS_MAX = 5000
const SEPARATOR = /^From .{0,200}\d{4}\s*$/m

const isMailbox = (text: string) => text.startsWith('From ') && SEPARATOR.test(text.split('\n', 1)[0] ?? '')

export async function readMails(
  source: string | Uint8Array,
): Promise<{ readonly rows: Row[]; readonly notes: readonly string[] }> {
  const text = typeof source === 'string' ? source : isOutlookFile(source) ? '' : decode(source).text
  const mails = isMailbox(text) ? text.split(new RegExp(SEPARATOR, 'gm')).slice(1) : [source]
  if (mails.length > MAILS_MAX) {
    throw new ListProblem(
      `This mailbox holds ${counted(mails.length)} mails, at most ${counted(MAILS_MAX)}. Split it first.`,
    )
  }
  const found = new Tally('Found in', 'mail')
  for (const [at, mail] of mails.entries()) {
    const { indicators } = await readMail(mail)
    for (const { role, indicator } of indicators) found.add(indicator, MAIL_ROLE_WORDS[role], at + 1)
  }
  const note = mails.length === 1 ? 'Read as a mail.' : `Read as ${counted(mails.length)} mails.`
  return { rows: found.rows(), notes: [note, ...found.notes()] }
}
