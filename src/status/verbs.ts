import type { Command } from 'commander'
import { type OperatorContext, print, table, verb, withStore } from '../operator/context.ts'
import { readStatus, type Status } from './status.ts'

/** `assayd status`: what the status page of the console shows. */
export function registerStatusVerb(program: Command, context: OperatorContext): void {
  verb(program, 'status', 'nodes, database, jobs, mail, feeds in trouble and slow statements').action(
    (options: { json?: boolean }) =>
      withStore(context, async ({ sql, clock, sendsMail }) => {
        const status = await readStatus({ sql, clock, sendsMail, keys: context.config().feedKeys })
        print(context, options.json, status, () => statusText(status))
      }),
  )
}

function statusText(status: Status): string {
  const { database, nodes, jobs, feeds, mail, slow_statements: slow, published_snapshot: snapshot } = status
  const ago = (time: string | null) => (time === null ? 'never' : agoText(Date.parse(status.at) - Date.parse(time)))
  return [
    `database  ${database.engine}, ${(database.bytes / 1e6).toFixed(1)} MB, migrated to ${database.migration}`,
    `snapshot  ${snapshot ? `${snapshot.version}, built ${ago(snapshot.built_at)}` : 'that of the release'}`,
    `feeds     ${feeds.fresh} fresh, ${feeds.unfetched} not fetched yet, ${feeds.failing} failing, ${feeds.held} held back, ${feeds.off} off`,
    `mail      ${mailText(mail)}`,
    '',
    table(
      [
        'node',
        'role',
        'version',
        'state',
        'started',
        'seen',
        'snapshot',
        'charges',
        'engine',
        'live',
        'store',
        'clock',
      ],
      nodes.map((node) => [
        node.name,
        node.role,
        node.version,
        node.state === 'silent' ? `not seen since ${node.seen_at}` : node.state.replace('_', ' '),
        ago(node.started_at),
        ago(node.seen_at),
        node.snapshot?.version ?? '-',
        ...[node.queues.charges, node.queues.engine, node.queues.live, node.queues.store].map((depth) =>
          depth === null ? '-' : String(depth),
        ),
        `${node.clock_offset_seconds.toFixed(1)} s`,
      ]),
      'No node runs, or none has told of itself yet.',
    ),
    '',
    table(
      ['job', 'state', 'last run', 'last success', 'last failure', 'error'],
      jobs.map((job) => [
        job.name,
        job.state,
        ago(job.last_run_at),
        ago(job.last_success_at),
        ago(job.last_failure_at),
        job.error ?? '',
      ]),
      'No job has run yet.',
    ),
    '',
    table(
      ['feed in trouble', 'state', 'last success', 'failures', 'reason'],
      feeds.troubled.map((feed) => [
        feed.id,
        feed.state,
        ago(feed.last_success_at),
        String(feed.failures),
        feed.reason,
      ]),
      'No feed is in trouble.',
    ),
    '',
    table(
      ['slow', 'worst', 'mean', 'statement'],
      slow.map((one) => [String(one.count), `${one.worst_ms} ms`, `${one.mean_ms} ms`, one.text]),
      'No statement was slow since the nodes started.',
    ),
  ].join('\n')
}

function mailText({ set_up: setUp, waiting, trouble, last_failure: failure }: Status['mail']): string {
  return [
    setUp ? 'set up' : 'not set up',
    `${waiting} waiting`,
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
