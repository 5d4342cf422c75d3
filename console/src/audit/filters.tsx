import { AUDIT_ACTIONS } from '@assay/sdk'
import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { listQuery } from '../api/organisation.ts'
import { capitalised } from '../shell/format.ts'
import { QuietButton } from '../shell/page.tsx'
import { useApi } from '../shell/use-session.ts'
import { type AuditFilter, actionsOf, FAMILIES, FILTER_NAMES, withFilter } from './filter.ts'

const KINDS = [
  { value: 'person', label: 'Anybody signed in' },
  { value: 'api_key', label: 'Any API key' },
  { value: 'application', label: 'Any application' },
  { value: 'operator', label: 'The operator' },
  { value: 'system', label: 'The service itself' },
]

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

/** The filters are stored in the address, so that a reload and a link show the same entries. */
export function Filters({ filter, actorName }: { filter: AuditFilter; actorName: string | undefined }) {
  const [search, setSearch] = useSearchParams()
  // Two quick changes can both come before the address is rendered again: the second builds on the first, not on the address.
  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  }, [search])
  const change = (changed: URLSearchParams) => {
    latest.current = changed
    setSearch(changed, { replace: true })
  }
  const who = useActors(filter.actor, actorName)
  const field = (name: keyof AuditFilter) => ({
    size: 'sm',
    value: filter[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      change(withFilter(latest.current, name, event.currentTarget.value)),
  })
  const isFiltered = FILTER_NAMES.some((name) => filter[name] !== '')
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
      {isFiltered ? (
        <QuietButton size="sm" onClick={() => change(new URLSearchParams())} label="Show everything" />
      ) : null}
    </Group>
  )
}

/** Everybody who may have acted. A person who has left is listed while the address asks for them. */
function useActors(chosen: string, chosenName: string | undefined) {
  const api = useApi()
  const members = useQuery(listQuery(api, 'members'))
  const keys = useQuery(listQuery(api, 'keys'))
  const clients = useQuery(listQuery(api, 'clients'))
  const options = (things: readonly { id: string; name: string }[] | undefined) =>
    (things ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const groups = [
    { group: 'Kind', items: KINDS },
    { group: 'Members', items: options(members.data) },
    { group: 'API keys', items: options(keys.data) },
    { group: 'Applications', items: options(clients.data) },
  ].filter(({ items }) => items.length > 0)
  const isListed = chosen === '' || groups.some(({ items }) => items.some(({ value }) => value === chosen))
  return [
    { value: '', label: 'Anybody' },
    ...(isListed ? [] : [{ value: chosen, label: chosenName ?? chosen }]),
    ...groups,
  ]
}
