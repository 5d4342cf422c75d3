import type { Webhook } from '../events/subscribers.ts'
import { iso, isoOrNull, shown } from '../lib/clock.ts'
import type { OutboxMessage } from '../outbox/outbox.ts'

export function webhookView(webhook: Webhook) {
  return {
    ...shown(webhook, 'id', 'url', 'events', 'description', 'disabled_at', 'disabled_why', 'created_at'),
    enabled: webhook.disabled_at === null,
    failing_since: isoOrNull(webhook.failing_since),
  }
}

const STATES = { waiting: 'waiting', sent: 'delivered', failed: 'failed', expired: 'failed' } as const

export function deliveryView({ id, kind, facts, state, attempt_log, error, created_at, due_at }: OutboxMessage) {
  return {
    id,
    event_id: String(facts.id),
    type: kind,
    state: STATES[state],
    attempts: attempt_log ?? [],
    error,
    created_at: iso(created_at),
    next_attempt_at: state === 'waiting' ? iso(due_at) : null,
  }
}
