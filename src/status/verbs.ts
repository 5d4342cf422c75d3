import type { Command } from 'commander'
import type { VerbContext } from '../verb/context.ts'
import { sizeText, table } from '../verb/output.ts'
import { mailSettingsOf } from '../verb/settings.ts'
import { withStore } from '../verb/store.ts'
import { verbsOf } from '../verb/verb.ts'
import { readStatus, type Status } from './status.ts'

/** `assayd status`: the content of the console's status page. */
export function registerStatusVerb(program: Command, context: VerbContext): void {
  const about = 'nodes, database, jobs, mail, webhooks, feeds in trouble and slow statements'
  verbsOf(program, context, withStore)('status', about, {}).runs(async ({ sql, clock }) => {
    const config = context.config()
    const sendsMail = mailSettingsOf(config) !== undefined
    const status = await readStatus({ sql, clock, sendsMail, keys: config.feedKeys })
    return { value: status, text: statusText(status) }
  })
}

function statusText(status: Status): string[] {
  const { database, nodes, jobs, feeds, mail, webhooks, slow_statements: slow, published_snapshot: snapshot } = status
  const { maintenance: closed } = status
  const ago = (time: string | null) => (time === null ? 'never' : agoText(Date.parse(status.at) - Date.parse(time)))
  const waitingText = ({ waiting, oldest_waiting_at: oldest }: Status['webhooks' | 'mail']) =>
    `${waiting} waiting${oldest === null ? '' : ` (the oldest was written ${ago(oldest)})`}`
  return [
    ...(closed ? [`CLOSED    for maintenance since ${closed.since}: ${closed.message}`] : []),
    `database  ${database.engine}, ${sizeText(database.bytes)}, migrated to ${database.migration}`,
    `snapshot  ${snapshot ? `${snapshot.version}, built ${ago(snapshot.built_at)}` : 'that of the release'}`,
    `feeds     ${feeds.fresh} fresh, ${feeds.unfetched} not fetched yet, ${feeds.failing} failing, ${feeds.held} held back, ${feeds.off} off`,
    `mail      ${mailText(mail, waitingText(mail))}`,
    `webhooks  ${waitingText(webhooks)}, ${webhooks.failing} failing`,
    '',
    table(nodes, 'No node runs, or none has reported yet.', {
      node: (node) => node.name,
      role: (node) => node.role,
      version: (node) => node.version,
      state: (node) => (node.state === 'silent' ? `not seen since ${node.seen_at}` : node.state.replace('_', ' ')),
      started: (node) => ago(node.started_at),
      seen: (node) => ago(node.seen_at),
      snapshot: (node) =>
        snapshot && node.snapshot && node.snapshot.version !== snapshot.version
          ? `${node.snapshot.version}, not the newest`
          : node.snapshot?.version,
      charges: (node) => node.queues.charges,
      engine: (node) => node.queues.engine,
      live: (node) => node.queues.live,
      store: (node) => node.queues.store,
      clock: (node) => `${node.clock_offset_seconds.toFixed(1)} s`,
      replica: ({ replica }) =>
        replica && (replica.lag_seconds === null ? 'no answer' : `${replica.lag_seconds.toFixed(1)} s behind`),
    }),
    '',
    table(jobs, 'No job has run yet.', {
      job: (job) => job.name,
      state: (job) => job.state,
      'last run': (job) => ago(job.last_run_at),
      'last success': (job) => ago(job.last_success_at),
      'last failure': (job) => ago(job.last_failure_at),
      error: (job) => job.error ?? '',
    }),
    '',
    table(feeds.troubled, 'No feed is in trouble.', {
      'feed in trouble': (feed) => feed.id,
      state: (feed) => feed.state,
      'last success': (feed) => ago(feed.last_success_at),
      failures: (feed) => feed.failures,
      reason: (feed) => feed.reason,
    }),
    '',
    table(slow, 'No statement was slow since the nodes started.', {
      slow: (one) => one.count,
      worst: (one) => `${one.worst_ms} ms`,
      mean: (one) => `${one.mean_ms} ms`,
      statement: (one) => one.text,
    }),
  ]
}

function mailText({ set_up: setUp, trouble, last_failure: failure }: Status['mail'], waiting: string): string {
  return [
    setUp ? 'set up' : 'not set up',
    waiting,
    ...(trouble === null ? [] : [`trouble: ${trouble}`]),
    ...(failure === null ? [] : [`last failure ${failure.at} (${failure.kind}): ${failure.error}`]),
  ].join(', ')
}

function agoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min ago`
  const hours = Math.round(minutes / 60)
  return hours < 72 ? `${hours} h ago` : `${Math.round(hours / 24)} d ago`
}
