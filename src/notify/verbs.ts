import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { eventView, readEvents, seqOf } from '../events/events.ts'
import { requireOrganisation } from '../identity/organisation/organisations.ts'
import { pageOfMessages } from '../outbox/outbox.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { dateText, listAnswer } from '../verb/output.ts'
import { withStore } from '../verb/store.ts'
import { LIST_ROWS_MAX, optional, required, verbsOf } from '../verb/verb.ts'
import { deliveryView, webhookView } from './view.ts'
import { listWebhooks, requireWebhook, setEnabled } from './webhooks.ts'

/** `assayd event` and `assayd webhook`. URLs of webhooks may contain secrets: only their hosts are shown. */
export function registerNotifyVerbs(program: Command, context: VerbContext): void {
  const ORG = { org: required('--org <id>', 'organisation') }
  const ONE = { ...ORG, id: required('--webhook <id>', 'id of the webhook') }

  const event = program.command('event').description('events of an organisation: docs/webhooks.md')
  verbsOf(event, context, withStore)('list', 'show events, oldest first', {
    ...ORG,
    after: optional('--after <id>', 'continue after this event'),
  }).runs(async ({ sql }, { org, after }) => {
    await requireOrganisation(sql, org)
    const afterSeq = after === undefined ? 0 : seqOf(after)
    if (afterSeq === undefined) throw new VerbError('--after: this is not the id of an event, such as evt_….')
    const { events } = await readEvents(sql, org, { afterSeq, limit: LIST_ROWS_MAX, seesMoney: true })
    return listAnswer(events, eventView, 'There is no such event.', {
      EVENT: (one) => one.id,
      TIME: (one) => dateText(one.created_at),
      TYPE: (one) => one.type,
      SUMMARY: (one) => String(one.data.summary),
    })
  })

  const add = verbsOf(program.command('webhook').description('webhooks of an organisation'), context, withStore)

  add('list', 'show the webhooks', ORG).runs(async ({ sql }, { org }) => {
    await requireOrganisation(sql, org)
    const { rows } = await listWebhooks(sql, org, { limit: LIST_ROWS_MAX })
    const view = (row: (typeof rows)[number]) => ({ ...webhookView(row), url: hostOf(row) })
    return listAnswer(rows, view, 'There is no webhook.', {
      WEBHOOK: (row) => row.id,
      HOST: hostOf,
      STATE: (row) => (row.disabled_at === null ? 'enabled' : `disabled: ${row.disabled_why}`),
      'FAILING SINCE': (row) => dateText(row.failing_since),
      EVENTS: (row) => row.events.join(' '),
    })
  })

  add('deliveries', 'show the last deliveries of a webhook', ONE).runs(async ({ sql }, { org, id }) => {
    await requireWebhook(sql, org, id)
    const { rows } = await pageOfMessages(sql, id, { limit: LIST_ROWS_MAX })
    return listAnswer(rows, deliveryView, 'There is no delivery.', {
      DELIVERY: (row) => row.id,
      EVENT: (row) => row.kind,
      STATE: (row) => deliveryView(row).state,
      ATTEMPTS: (row) => row.attempts,
      STATUS: (row) => row.attempt_log?.at(-1)?.status,
      TIME: (row) => dateText(row.created_at),
      ERROR: (row) => row.error,
    })
  })

  add('disable', 'disable a webhook', ONE).runs(async ({ change }, { org, id }) => {
    const webhook = await change((tx) => setEnabled(tx, operatorIn(org), id, false))
    return { value: { ...webhookView(webhook), url: hostOf(webhook) }, text: `The webhook ${id} is disabled.` }
  })
}

const hostOf = ({ url }: { readonly url: string }) => new URL(url).host
