import Type from 'typebox'
import { oneOf } from '../http/operation.ts'
import { counts, flags, orNull, type PageOperation, pageOperation, texts, textsOrNull } from '../http/page-operation.ts'
import { readStatus, type StatusDependencies } from './status.ts'

const CountOrNull = orNull(Type.Integer())
const SnapshotOrNull = orNull(Type.Object(texts('version', 'built_at')))

const NodeSchema = Type.Object(
  {
    ...texts('id', 'name', 'version', 'started_at', 'seen_at', 'address', 'runtime'),
    ...counts('pid', 'uncertain_charges', 'memory_bytes', 'log_lines_dropped', 'clock_offset_seconds'),
    role: oneOf(['server', 'engine']),
    state: oneOf(['ready', 'not_ready', 'silent']),
    parts: Type.Array(Type.Object({ ...texts('part'), ...flags('ready') })),
    snapshot: SnapshotOrNull,
    queues: Type.Object({ charges: CountOrNull, engine: CountOrNull, live: CountOrNull, ...counts('store') }),
    statements: Type.Object(counts('count', 'mean_ms', 'slow_count')),
    replica: Type.Optional(Type.Object({ lag_seconds: orNull(Type.Number()) })),
  },
  { $id: 'NodeStatus' },
)
const JobSchema = Type.Object(
  {
    ...texts('name'),
    ...textsOrNull('last_run_at', 'last_success_at', 'last_failure_at', 'error', 'node'),
    period_seconds: CountOrNull,
    last_run_ms: CountOrNull,
    state: oneOf(['fine', 'failing', 'late', 'new']),
  },
  { $id: 'JobStatus' },
)
const TroubledFeedSchema = Type.Object(
  {
    ...texts('id', 'name', 'reason', 'next_try_at'),
    ...counts('failures'),
    ...textsOrNull('last_success_at', 'last_failure_at'),
    state: oneOf(['failing', 'held']),
  },
  { $id: 'TroubledFeed' },
)
const StatusSchema = Type.Object(
  {
    ...texts('at'),
    maintenance: orNull(Type.Object({ ...texts('message', 'since'), ...textsOrNull('until') })),
    database: Type.Object({
      engine: oneOf(['sqlite', 'postgres']),
      ...counts('bytes'),
      ...textsOrNull('migration', 'migrated_at'),
    }),
    published_snapshot: SnapshotOrNull,
    nodes: Type.Array(NodeSchema),
    jobs: Type.Array(JobSchema),
    feeds: Type.Object({
      ...counts('fresh', 'unfetched', 'failing', 'held', 'off'),
      troubled: Type.Array(TroubledFeedSchema),
    }),
    mail: Type.Object({
      ...flags('set_up'),
      ...counts('waiting'),
      ...textsOrNull('oldest_waiting_at', 'trouble'),
      last_failure: orNull(Type.Object({ ...texts('kind'), ...textsOrNull('at', 'error') })),
    }),
    webhooks: Type.Object({ ...counts('waiting', 'failing'), ...textsOrNull('oldest_waiting_at') }),
    slow_statements: Type.Array(Type.Object({ ...texts('text'), ...counts('count', 'worst_ms', 'mean_ms', 'nodes') })),
  },
  { $id: 'Status', description: 'The running service, as `assayd status --json` says it.' },
)

export function statusPages(deps: StatusDependencies): PageOperation[] {
  return [
    pageOperation({
      name: 'GET /api/operator/status',
      access: 'operator',
      answer: StatusSchema,
      handle: () => readStatus(deps),
    }),
  ]
}
