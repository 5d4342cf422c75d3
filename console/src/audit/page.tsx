import './audit.css'
import { Anchor, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { auditQuery } from '../api/people.ts'
import { LogPanel } from '../shell/log-panel.tsx'
import { ConsolePage } from '../shell/page.tsx'
import { Said } from '../shell/said.tsx'
import { ago, moment } from '../shell/time.ts'
import { useApi } from '../shell/use-organisation.ts'
import { queryOf, readFilter, withFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import { type AuditEntry, CREDENTIALS, predicateOf, subjectOf } from './sentences.ts'

/** Who changed what, when and from where. */
export function Component() {
  const api = useApi()
  const [search] = useSearchParams()
  const filter = readFilter(search)
  const wanted = queryOf(filter)
  const isFiltered = Object.keys(wanted).length > 0
  const log = useInfiniteQuery({ ...auditQuery(api, wanted), placeholderData: keepPreviousData })
  const known = log.data?.pages.flatMap(({ data }) => data).find(({ actor }) => actor.id === filter.actor)
  return (
    <ConsolePage title="Audit log" lead="Every change to the organisation. Nobody can edit or delete an entry.">
      <Filters filter={filter} actorName={known ? subjectOf(known.actor).name : undefined} />
      <LogPanel
        title="Changes"
        query={log}
        csv={{ name: 'GET /v1/organisation/audit', options: { query: wanted }, fileName: 'assay-audit.csv' }}
        empty={
          isFiltered
            ? 'Nothing like that was changed. Choose another action, person or time, or show everything.'
            : 'Nothing has been changed yet. A new key or member shows up here.'
        }
        columns={['When', 'What happened', 'From']}
        row={(entry) => (
          <tr key={entry.id}>
            <td className="when">
              <time dateTime={entry.created_at}>{moment(entry.created_at)}</time>
              <Text size="xs" c="dimmed">
                {ago(entry.created_at)}
              </Text>
            </td>
            <td>
              <Sentence entry={entry} search={search} />
            </td>
            <td className="when">
              {CREDENTIALS[entry.actor.kind]}
              {entry.ip === null ? null : (
                <Text size="xs" c="dimmed" className="mono">
                  {entry.ip}
                </Text>
              )}
            </td>
          </tr>
        )}
      />
    </ConsolePage>
  )
}

/** The name leads to everything else this one did. */
function Sentence({ entry, search }: { entry: AuditEntry; search: URLSearchParams }) {
  const { before, name, after } = subjectOf(entry.actor)
  return (
    <>
      {before}
      <Anchor component={Link} to={{ search: withFilter(search, 'actor', entry.actor.id).toString() }} inherit>
        <bdi>{name}</bdi>
      </Anchor>
      {after} <Said of={predicateOf(entry)} />.
    </>
  )
}
