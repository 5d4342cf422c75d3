import { Group, NativeSelect, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useSearchParams } from 'react-router'
import type { PageOperations } from '../api/generated/pages.ts'
import { readQuery } from '../api/organisation.ts'
import { count, day, money } from '../shell/format.ts'
import { ConsolePage, Loaded, PageLink, Panel, Quiet, State } from '../shell/page.tsx'
import { twoLines, WideTable } from '../shell/table.tsx'
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
  const [address, setAddress] = useSearchParams()
  const search = address.get('search') ?? ''
  const state = address.get('state') ?? ''
  const wanted = useDeferredValue(search.trim())
  const query = { search: wanted, ...(isState(state) ? { state } : {}) }
  const organisations = useQuery({
    ...readQuery(useApi(), 'GET /api/operator/organisations', { query }),
    placeholderData: keepPreviousData,
  })
  const set = (name: 'search' | 'state') => (event: { currentTarget: { value: string } }) => {
    const changed = new URLSearchParams(address)
    if (event.currentTarget.value === '') changed.delete(name)
    else changed.set(name, event.currentTarget.value)
    setAddress(changed, { replace: true })
  }
  return (
    <ConsolePage
      title="All organisations"
      lead="All organisations, for the operator of this server. The verbs of assayd follow the same rules."
    >
      <Panel
        title="Organisations"
        action={
          <Group gap="xs">
            <TextInput
              aria-label="Find by name or id"
              placeholder="Find by name or id"
              size="sm"
              value={search}
              onChange={set('search')}
              maxLength={200}
            />
            <NativeSelect
              aria-label="State"
              size="sm"
              value={isState(state) ? state : ''}
              onChange={set('state')}
              data={[
                { value: '', label: 'In any state' },
                ...Object.entries(STATE_FILTERS).map(([value, label]) => ({ value, label })),
              ]}
            />
          </Group>
        }
      >
        <Loaded query={organisations} heightPx={240}>
          {({ data, more }) => (
            <>
              <WideTable
                label="Organisations"
                empty={wanted === '' ? 'No organisation is in this state.' : 'No organisation has this name.'}
                rows={data}
                columns={{
                  Name: ({ id, name }) =>
                    twoLines(
                      <PageLink to={`/console/organisations/${id}`}>
                        <bdi>{name}</bdi>
                      </PageLink>,
                      id,
                      'mono',
                    ),
                  State: ({ state: now, state_reason: reason }) =>
                    twoLines(<State name={now} />, reason !== now && reason?.replaceAll('_', ' ')),
                  Plan: ({ plan }) => plan,
                  Credit: [(row) => money(row.credit_pence), 'number'],
                  'Beyond credit': [(row) => money(row.overage_pence), 'number'],
                  Owed: [(row) => money(row.owed_pence), 'number'],
                  Members: [({ members }) => count(members), 'number'],
                  Since: [(row) => day(row.created_at), 'when'],
                }}
              />
              {more ? <Quiet>There are more: search by name or id.</Quiet> : null}
            </>
          )}
        </Loaded>
      </Panel>
    </ConsolePage>
  )
}
