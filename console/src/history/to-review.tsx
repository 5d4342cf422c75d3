import { NativeSelect } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { useFilters } from '../shell/filters.ts'
import { options } from '../shell/form.tsx'
import { ago } from '../shell/format.ts'
import { ConsolePage } from '../shell/page.tsx'
import { LogPanel } from '../shell/table.tsx'
import { usePages } from '../shell/use-session.ts'
import { AssignedTo } from './assigned-to.tsx'
import { CHECK_COLUMNS } from './words.tsx'

/** The work list: checks that wait for the decision of a person. */
export function Component() {
  const [search] = useSearchParams()
  const filter = { assigned_to: search.get('assigned_to') === 'me' ? 'me' : '' }
  const { field } = useFilters(filter)
  const mine = filter.assigned_to === 'me' ? { assigned_to: 'me' } : {}
  return (
    <ConsolePage of="to-review">
      <LogPanel
        title="Waiting"
        query={usePages('GET /v1/checks', { review: 'open', ...mine, limit: 50 })}
        action={
          <NativeSelect
            aria-label="Whose"
            data={options({ me: 'Assigned to me' }, 'Everybody’s')}
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
