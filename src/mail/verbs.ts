import type { Command } from 'commander'
import { parseRecipient } from '../lib/address-text.ts'
import { iso, isoOrNull } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { listMessages, MESSAGE_STATES, type OutboxMessage } from '../outbox/outbox.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { dateText, listAnswer } from '../verb/output.ts'
import { mailSettingsOf } from '../verb/settings.ts'
import { withStore } from '../verb/store.ts'
import { type Answer, LIST_ROWS_MAX, oneOfWords, optional, required, verbsOf, withoutStore } from '../verb/verb.ts'
import { openMailWay } from './smtp.ts'
import { renderTestMail } from './templates.ts'

/** `assayd mail`: send a test mail, and list sent and waiting mail. */
export function registerMailVerbs(program: Command, context: VerbContext): void {
  const mail = program.command('mail').description('mail that this server sends: docs/mail.md')
  verbsOf(mail, context, withoutStore)('test', 'send one mail now, and show the response of the mail server', {
    to: required('--to <address>', 'recipient'),
  }).runs((_, { to }) => sendTest(context, to))
  verbsOf(mail, context, withStore)('list', 'show mail that waits, was sent in the last month, or failed', {
    state: optional('--state <state>', MESSAGE_STATES.join(', '), oneOfWords('--state', MESSAGE_STATES)),
  }).runs(async ({ sql }, { state }) => {
    const messages = await listMessages(sql, 'mail', { state, limit: LIST_ROWS_MAX })
    return listAnswer(messages, view, 'There is no such mail.', {
      id: (one) => one.id,
      kind: (one) => one.kind,
      to: (one) => masked(one.recipient),
      state: (one) => one.state,
      tries: (one) => one.attempts,
      written: (one) => dateText(one.created_at),
      ended: (one) => dateText(one.finished_at),
      error: (one) => one.error ?? '',
    })
  })
}

async function sendTest(context: VerbContext, to: string): Promise<Answer> {
  const settings = mailSettingsOf(context.config())
  if (!settings) {
    throw new VerbError('Mail is not set up: set ASSAY_SMTP_URL and ASSAY_MAIL_FROM, see docs/mail.md.')
  }
  const mailbox = parseRecipient(to)
  if ('problem' in mailbox) throw new VerbError(`--to: ${mailbox.problem}`)
  const way = await openMailWay(settings)
  using _ = { [Symbol.dispose]: () => way.close() }
  const result = await way.send({ ...renderTestMail(settings), to: mailbox.address, id: newId('msg') })
  const { outcome } = result
  const answer = result.outcome === 'sent' ? result.answer : result.error
  return { value: { outcome, answer }, text: `${WORDS[outcome]}: ${answer}`, exitCode: outcome === 'sent' ? 0 : 1 }
}

const WORDS = {
  sent: 'The mail server accepted it',
  refused: 'The mail server refuses this recipient permanently',
  delayed: 'The mail server did not accept it; a mail of the outbox would be retried',
  unreachable: 'No mail can be sent',
} as const

/** Enough to recognise an address, but not a list of addresses. */
function masked(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address][0] ?? ''}…${at === -1 ? '' : address.slice(at)}`
}

function view({ id, kind, recipient, state, attempts, created_at, due_at, finished_at, error }: OutboxMessage) {
  return {
    id,
    kind,
    recipient: masked(recipient),
    state,
    attempts,
    created_at: iso(created_at),
    next_try_at: state === 'waiting' ? iso(due_at) : null,
    finished_at: isoOrNull(finished_at),
    error,
  }
}
