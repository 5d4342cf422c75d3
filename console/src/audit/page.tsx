import { useInfiniteQuery } from '@tanstack/react-query'
import { auditQuery } from '../api/people.ts'
import { LogPanel } from '../shell/log-panel.tsx'
import { ConsolePage } from '../shell/page.tsx'
import { moment } from '../shell/time.ts'
import { useApi } from '../shell/use-organisation.ts'

/** Who changed what, when and from where. */
export function Component() {
  return (
    <ConsolePage title="Audit log" lead="Every change to the organisation. Nobody can edit or delete an entry.">
      <LogPanel
        title="Changes"
        query={useInfiniteQuery(auditQuery(useApi()))}
        csv={{ name: 'GET /v1/organisation/audit', options: { query: { limit: 1000 } }, fileName: 'assay-audit.csv' }}
        empty="Nothing has been changed yet. A new key or member shows up here."
        columns={['When', 'Who', 'What', 'Details', 'From']}
        row={(entry) => (
          <tr key={entry.id}>
            <td className="when">{moment(entry.created_at)}</td>
            <td>{entry.actor.name ?? entry.actor.id}</td>
            <td>{actionWords(entry.action)}</td>
            <td className="mono">{detailWords(entry.detail)}</td>
            <td className="mono">{entry.ip ?? '–'}</td>
          </tr>
        )}
      />
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
