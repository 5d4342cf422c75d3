import { AUDIT_ACTIONS } from '@assay/sdk'
import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { useFilters, withFilter } from '../shell/filters.ts'
import { options } from '../shell/form.tsx'
import { ago, capitalised, moment } from '../shell/format.ts'
import { ConsolePage, NameLink, PageLink, QuietButton } from '../shell/page.tsx'
import { LogPanel, twoLines } from '../shell/table.tsx'
import { useActors } from '../shell/use-actors.ts'
import { usePages } from '../shell/use-session.ts'
import { Said } from '../shell/words.ts'
import { type AuditFilter, actionsOf, FAMILIES, queryOf, readFilter } from './filter.ts'
import { type AuditEntry, CREDENTIALS, predicateOf, subjectOf } from './sentences.ts'

export function Component() {
  const [search] = useSearchParams()
  const filter = readFilter(search)
  const wanted = queryOf(filter)
  const isFiltered = Object.keys(wanted).length > 0
  const log = usePages('GET /v1/organisation/audit', { ...wanted, limit: 50 })
  const known = log.data?.pages.flatMap(({ data }) => data).find(({ actor }) => actor.id === filter.actor)
  return (
    <ConsolePage of="audit">
      <Filters filter={filter} actorName={known ? subjectOf(known.actor).name : undefined} />
      <LogPanel
        title="Changes"
        query={log}
        csv={{ name: 'GET /v1/organisation/audit', options: { query: wanted }, fileName: 'assay-audit.csv' }}
        empty={
          isFiltered
            ? 'No entry matches. Choose another action, person or time, or show everything.'
            : 'Nothing has been changed yet. A new key or member appears here.'
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
      <NameLink to={`?${withFilter(search, 'actor', entry.actor.id)}`} name={name} />
      {after} <Said of={predicateOf(entry)} />.
      {entry.action.startsWith('check.') && entry.target_id !== null ? (
        <>
          {' '}
          <PageLink to={`/console/checks/${entry.target_id}`}>Open the check</PageLink>
        </>
      ) : null}
    </>
  )
}

const KINDS = options({
  person: 'Anybody signed in',
  api_key: 'Any API key',
  application: 'Any application',
  operator: 'The operator',
  system: 'The service itself',
})

const WHAT = [
  { value: '', label: 'Everything' },
  ...FAMILIES.map((family) => {
    const thing = family.slice(0, -1).replaceAll('_', ' ')
    return {
      group: capitalised(thing),
      items: [
        { value: family, label: `Every change: ${thing}` },
        ...actionsOf(family).map((action) => ({ value: action, label: AUDIT_ACTIONS[action].about })),
      ],
    }
  }),
]

export function Filters({ filter, actorName }: { filter: AuditFilter; actorName: string | undefined }) {
  const { field, isFiltered, clear } = useFilters(filter)
  const who = useActors(filter.actor, { chosenName: actorName, kinds: KINDS })
  return (
    <Group
      component="form"
      gap="sm"
      align="end"
      aria-label="Filter the audit log"
      onSubmit={(event) => event.preventDefault()}
    >
      <NativeSelect label="What" flex="2 1 18rem" data={WHAT} {...field('action')} />
      <NativeSelect label="Who" flex="1 1 12rem" data={who} {...field('actor')} />
      <TextInput label="From" flex="1 1 9rem" type="date" max={filter.to} {...field('from')} />
      <TextInput label="To" flex="1 1 9rem" type="date" min={filter.from} {...field('to')} />
      {isFiltered ? <QuietButton size="sm" onClick={clear} label="Show everything" /> : null}
    </Group>
  )
}
