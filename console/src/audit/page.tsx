import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { pagesQuery } from '../api/organisation.ts'
import { ago, moment } from '../shell/format.ts'
import { ConsolePage, PageLink } from '../shell/page.tsx'
import { LogPanel, twoLines } from '../shell/table.tsx'
import { useApi } from '../shell/use-session.ts'
import { Said } from '../shell/words.ts'
import { queryOf, readFilter, withFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import { type AuditEntry, CREDENTIALS, predicateOf, subjectOf } from './sentences.ts'

export function Component() {
  const api = useApi()
  const [search] = useSearchParams()
  const filter = readFilter(search)
  const wanted = queryOf(filter)
  const isFiltered = Object.keys(wanted).length > 0
  const query = pagesQuery(api, 'GET /v1/organisation/audit', { ...wanted, limit: 50 })
  const log = useInfiniteQuery({ ...query, placeholderData: keepPreviousData })
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
        columns={{
          When: [({ created_at: at }) => twoLines(<time dateTime={at}>{moment(at)}</time>, ago(at)), 'when'],
          'What happened': (entry) => <Sentence entry={entry} search={search} />,
          From: [({ actor, ip }) => twoLines(CREDENTIALS[actor.kind], ip, 'mono'), 'when'],
        }}
      />
    </ConsolePage>
  )
}

/** The name links to all other actions of the same actor. */
function Sentence({ entry, search }: { entry: AuditEntry; search: URLSearchParams }) {
  const { before, name, after } = subjectOf(entry.actor)
  return (
    <>
      {before}
      <PageLink to={{ search: withFilter(search, 'actor', entry.actor.id).toString() }}>
        <bdi>{name}</bdi>
      </PageLink>
      {after} <Said of={predicateOf(entry)} />.
    </>
  )
}
