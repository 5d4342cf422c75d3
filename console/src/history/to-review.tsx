import { NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { pagesQuery } from '../api/organisation.ts'
import { useFilters } from '../shell/filters.ts'
import { ago } from '../shell/format.ts'
import { ConsolePage } from '../shell/page.tsx'
import { LogPanel } from '../shell/table.tsx'
import { useApi } from '../shell/use-session.ts'
import { AssignedTo } from './assigned-to.tsx'
import { CHECK_COLUMNS } from './cells.tsx'

/** The work list: checks that wait for the decision of a person. */
export function Component() {
  const api = useApi()
  const [search] = useSearchParams()
  const filter = { assigned_to: search.get('assigned_to') === 'me' ? 'me' : '' }
  const { field } = useFilters(filter)
  const mine = filter.assigned_to === 'me' ? { assigned_to: 'me' } : {}
  const checks = useInfiniteQuery(pagesQuery(api, 'GET /v1/checks', { review: 'open', ...mine, limit: 50 }))
  return (
    <ConsolePage
      title="To review"
      lead="Checks that wait for a decision: one of your rules or a colleague sent them here. A decision takes them off the list."
    >
      <LogPanel
        title="Waiting"
        query={checks}
        action={
          <NativeSelect
            aria-label="Whose"
            data={[
              { value: '', label: 'Everybody’s' },
              { value: 'me', label: 'Assigned to me' },
            ]}
            {...field('assigned_to')}
          />
        }
        empty="Nothing waits for a decision."
        more="Older checks"
        columns={{
          ...CHECK_COLUMNS,
          Waiting: [({ review }) => (review ? `since ${ago(review.since)}` : null), 'when'],
          'Assigned to': (check) => <AssignedTo check={check} />,
        }}
      />
    </ConsolePage>
  )
}
