import { Group, NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useSearchParams } from 'react-router'
import type { PageOperations } from '../api/generated/pages.ts'
import { readQuery } from '../api/organisation.ts'
import { FindRequest } from '../keys/find-request.tsx'
import { readFilters, useFilters } from '../shell/filters.ts'
import { options } from '../shell/form.tsx'
import { count, day, money } from '../shell/format.ts'
import { ConsolePage, NameLink, Quiet, State } from '../shell/page.tsx'
import { TablePanel, twoLines } from '../shell/table.tsx'
import { useApi } from '../shell/use-session.ts'

type StateFilter = NonNullable<PageOperations['GET /api/operator/organisations']['query']['state']>

const STATE_FILTERS: Readonly<Record<StateFilter, string>> = {
  active: 'Active',
  inactive: 'Inactive',
  disabled: 'Disabled',
  awaiting_approval: 'Waiting for approval',
}

const isState = (text: string): text is StateFilter => Object.hasOwn(STATE_FILTERS, text)

export function Component() {
  const [address] = useSearchParams()
  const filter = readFilters(address, { search: () => true, state: isState })
  const { field } = useFilters(filter)
  const wanted = useDeferredValue(filter.search.trim())
  const query = { search: wanted, ...(isState(filter.state) ? { state: filter.state } : {}) }
  const organisations = useQuery({
    ...readQuery(useApi(), 'GET /api/operator/organisations', { query }),
    placeholderData: keepPreviousData,
  })
  return (
    <ConsolePage of="organisations">
      <TablePanel
        title="Organisations"
        action={
          <Group gap="xs">
            <TextInput
              aria-label="Find by name, id, email address or invoice"
              placeholder="Name, id, email or INV-1"
              maxLength={200}
              {...field('search')}
            />
            <NativeSelect aria-label="State" {...field('state')} data={options(STATE_FILTERS, 'In any state')} />
          </Group>
        }
        empty={
          wanted === ''
            ? 'No organisation is in this state.'
            : 'Nothing is found: no organisation with this name or id, member with this whole email address, or invoice.'
        }
        rows={organisations}
        columns={{
          Name: ({ id, name }) => twoLines(<NameLink to={`/console/organisations/${id}`} name={name} />, id, 'mono'),
          State: ({ state: now, state_reason: reason, erased_at: erased }) =>
            erased === null
              ? twoLines(<State name={now} />, reason !== now && reason?.replaceAll('_', ' '))
              : twoLines(<State name={now}>erased</State>, day(erased)),
          Plan: ({ plan }) => plan,
          Credit: [(row) => (row.erased_at === null ? money(row.credit_pence) : 'erased'), 'number'],
          'Beyond credit': [(row) => money(row.overage_pence), 'number'],
          Owed: [(row) => money(row.owed_pence), 'number'],
          Members: [({ members }) => count(members), 'number'],
          Since: [(row) => day(row.created_at), 'when'],
        }}
        below={
          organisations.data?.more ? <Quiet>There are more: search by name, id, email address or invoice.</Quiet> : null
        }
      />
      <FindRequest name="GET /api/operator/requests/{request_id}" />
    </ConsolePage>
  )
}
