import type { Command } from 'commander'
import { newId } from '../lib/ids.ts'
import { iso, isoOrNull } from '../lib/time-text.ts'
import { openMailWay } from '../mail/smtp.ts'
import { renderTestMail } from '../mail/templates.ts'
import { listMessages, MESSAGE_STATES, type MessageState, type OutboxMessage } from '../outbox/outbox.ts'
import {
  dateText,
  LIST_ROWS_MAX,
  type OperatorContext,
  OperatorError,
  oneOfWords,
  print,
  table,
  verb,
  withStore,
} from './context.ts'
import { mailSettingsOf } from './settings.ts'

/** `assayd mail …`: whether mail goes out, and what went out or waits. */
export function registerMailVerbs(program: Command, context: OperatorContext): void {
  const mail = program.command('mail').description('mail that this server sends: docs/mail.md')
  verb(mail, 'test', 'send one mail now, and say what the mail server answered')
    .requiredOption('--to <address>', 'who gets it')
    .action((options: { to: string; json?: boolean }) => sendTest(context, options))
  verb(mail, 'list', 'mail that waits, was sent in the last month, or was not')
    .option('--state <state>', MESSAGE_STATES.join(', '), oneOfWords('--state', MESSAGE_STATES))
    .action((options: { state?: MessageState; json?: boolean }) =>
      withStore(context, async ({ sql }) => {
        const messages = await listMessages(sql, { channel: 'mail', state: options.state, limit: LIST_ROWS_MAX })
        const views = messages.map(view)
        print(context, options.json, views, () => listText(views))
      }),
    )
}

async function sendTest(context: OperatorContext, { to, json }: { to: string; json?: boolean }): Promise<void> {
  const settings = mailSettingsOf(context.config())
  if (!settings) {
    throw new OperatorError('Mail is not set up: set ASSAY_SMTP_URL and ASSAY_MAIL_FROM. docs/mail.md says how.')
  }
  const way = await openMailWay(settings)
  try {
    const result = await way.send({ ...renderTestMail(settings), to, id: newId('msg') })
    const { outcome } = result
    const answer = result.outcome === 'sent' ? result.answer : result.error
    if (outcome !== 'sent') context.exitCode = 1
    print(context, json, { outcome, answer }, () => `${WORDS[outcome]}: ${answer}`)
  } finally {
    way.close()
  }
}

const WORDS = {
  sent: 'The mail server took it',
  refused: 'The mail server refuses this recipient for good',
  delayed: 'The mail server did not take it; a mail of the outbox would be tried again',
  unreachable: 'No mail can be sent',
} as const

/** Enough to recognise an address by, and no list of addresses. */
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

function listText(views: readonly ReturnType<typeof view>[]): string {
  const time = (text: string | null) => dateText(text === null ? null : Date.parse(text))
  return table(
    ['id', 'kind', 'to', 'state', 'tries', 'written', 'ended', 'error'],
    views.map((one) => [
      one.id,
      one.kind,
      one.recipient,
      one.state,
      String(one.attempts),
      time(one.created_at),
      time(one.finished_at),
      one.error ?? '',
    ]),
    'There is no such mail.',
  )
}
