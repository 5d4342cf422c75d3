import { Anchor, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { OrganisationRow, StateFilter } from '../api/generated/pages.ts'
import { organisationsQuery } from '../api/operator.ts'
import { count, money } from '../shell/money.ts'
import { ConsolePage, Empty, Loaded, Panel, State, WideTable } from '../shell/page.tsx'
import { day } from '../shell/time.ts'
import { useApi } from '../shell/use-organisation.ts'

const STATE_FILTERS: Readonly<Record<StateFilter, string>> = {
  active: 'Active',
  inactive: 'Inactive',
  disabled: 'Disabled',
  awaiting_approval: 'Waiting for approval',
}
const isState = (text: string): text is StateFilter => Object.hasOwn(STATE_FILTERS, text)

/** Every organisation of the server, for its operator. */
export function Component() {
  const [address, setAddress] = useSearchParams()
  const search = address.get('search') ?? ''
  const state = address.get('state') ?? ''
  const wanted = useDeferredValue(search.trim())
  const query = organisationsQuery(useApi(), { search: wanted, ...(isState(state) ? { state } : {}) })
  const organisations = useQuery({ ...query, placeholderData: keepPreviousData })
  const set = (name: 'search' | 'state') => (event: { currentTarget: { value: string } }) => {
    const changed = new URLSearchParams(address)
    if (event.currentTarget.value === '') changed.delete(name)
    else changed.set(name, event.currentTarget.value)
    setAddress(changed, { replace: true })
  }
  return (
    <ConsolePage
      title="All organisations"
      lead="What the operator of this server sees and does. The verbs of assayd follow the same rules."
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
          {({ data, more }) =>
            data.length === 0 ? (
              <Empty>{wanted === '' ? 'There is none in this state.' : 'None is called that.'}</Empty>
            ) : (
              <>
                <WideTable
                  label="Organisations"
                  columns={[
                    'Name',
                    'State',
                    'Plan',
                    { number: 'Credit' },
                    { number: 'Beyond credit' },
                    { number: 'Owed' },
                    { number: 'Members' },
                    'Since',
                  ]}
                >
                  {data.map((organisation) => (
                    <Row key={organisation.id} organisation={organisation} />
                  ))}
                </WideTable>
                {more ? <Empty>There are more: find them by name or id.</Empty> : null}
              </>
            )
          }
        </Loaded>
      </Panel>
    </ConsolePage>
  )
}

function Row({ organisation }: { organisation: OrganisationRow }) {
  const { id, name, state, state_reason: reason } = organisation
  return (
    <tr>
      <td>
        <Anchor component={Link} to={`/console/organisations/${id}`} inherit>
          <bdi>{name}</bdi>
        </Anchor>
        <Text size="xs" c="dimmed" className="mono">
          {id}
        </Text>
      </td>
      <td>
        <State name={state} />
        {reason === null || reason === state ? null : (
          <Text size="xs" c="dimmed">
            {reason.replaceAll('_', ' ')}
          </Text>
        )}
      </td>
      <td>{organisation.plan}</td>
      <td className="number">{money(organisation.credit_pence)}</td>
      <td className="number">{money(organisation.overage_pence)}</td>
      <td className="number">{money(organisation.owed_pence)}</td>
      <td className="number">{count(organisation.members)}</td>
      <td className="when">{day(organisation.created_at)}</td>
    </tr>
  )
}
