import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { asApiError } from '../api/client.ts'
import { auditQuery } from '../api/people.ts'
import { ConsolePage, Empty, Panel, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { moment } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'
import { useApi } from '../shell/use-organisation.ts'

/** Who changed what, when and from where. */
export function Component() {
  const audit = useInfiniteQuery(auditQuery(useApi()))
  const { submit, busy, error } = useChange((own) =>
    own.download('/v1/organisation/audit?limit=1000', 'text/csv', 'assay-audit.csv'),
  )
  const entries = audit.data?.pages.flatMap((page) => page.data)
  return (
    <ConsolePage title="Audit log" lead="Every change to the organisation. Nobody can edit or delete an entry.">
      <Panel
        title="Changes"
        action={
          <Button variant="default" size="xs" loading={busy} onClick={() => submit(undefined)}>
            Download CSV
          </Button>
        }
      >
        {error ? <ProblemNotice error={error} /> : null}
        {audit.isError ? <ProblemNotice error={asApiError(audit.error)} title="The log did not load" /> : null}
        {entries?.length === 0 ? <Empty>Nothing has been changed yet. A new key or member shows up here.</Empty> : null}
        {entries && entries.length > 0 ? (
          <WideTable label="Changes">
            <thead>
              <tr>
                <th>When</th>
                <th>Who</th>
                <th>What</th>
                <th>Details</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <td className="when">{moment(entry.created_at)}</td>
                  <td>{entry.actor.name ?? entry.actor.id}</td>
                  <td>{actionWords(entry.action)}</td>
                  <td className="mono">{detailWords(entry.detail)}</td>
                  <td className="mono">{entry.ip ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </WideTable>
        ) : null}
        {audit.hasNextPage ? (
          <Button
            variant="default"
            size="sm"
            mt="md"
            loading={audit.isFetchingNextPage}
            onClick={() => void audit.fetchNextPage()}
          >
            Older entries
          </Button>
        ) : null}
      </Panel>
    </ConsolePage>
  )
}

/** `key.rotate` → `key: rotate`. */
const actionWords = (action: string) => action.replace('.', ': ').replaceAll('_', ' ')

function detailWords(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ')
}
