import Type from 'typebox'
import type { SqlQueries } from '../db/sql.ts'
import { counts, type PageOperation, pageOperation, texts } from '../http/page-operation.ts'
import { NextCursor } from '../http/schema.ts'
import { iso } from '../lib/clock.ts'
import type { Ring } from '../lib/seal.ts'
import { listFeedback } from './feedback.ts'

export interface FeedbackDependencies {
  readonly sql: SqlQueries
  readonly ring: Ring
}

const FeedbackRow = Type.Object(
  {
    ...texts('id', 'organisation_id', 'kind', 'indicator', 'label', 'risk', 'reason', 'given_at'),
    ...counts('score'),
    signals: Type.Array(Type.Object({ ...texts('code'), ...counts('effect') })),
  },
  { $id: 'FeedbackRow' },
)
const ROWS = 50

/** For the operator: the answers that customers report as wrong, with the signals that decided. */
export function feedbackPages({ sql, ring }: FeedbackDependencies): PageOperation[] {
  return [
    pageOperation({
      name: 'GET /api/operator/feedback',
      access: 'operator',
      query: Type.Object({ cursor: Type.Optional(Type.String({ pattern: '^\\d{1,16} chk_[\\w-]{1,60}$' })) }),
      answer: Type.Object({ data: Type.Array(FeedbackRow), next_cursor: NextCursor }),
      async handle({ query: { cursor } }) {
        const [at, id] = cursor?.split(' ') ?? []
        const from = at === undefined || id === undefined ? undefined : { createdAtMs: Number(at), id }
        const { rows, next } = await listFeedback(sql, ring, { from, limit: ROWS })
        return {
          data: rows.map(({ check_id, given_at, ...row }) => ({ id: check_id, given_at: iso(given_at), ...row })),
          next_cursor: next ? `${next.createdAtMs} ${next.id}` : null,
        }
      },
    }),
  ]
}
