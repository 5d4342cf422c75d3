import { Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { count, money } from '../shell/money.ts'
import { ConsolePage, Empty, Loaded, Panel, State, WideTable } from '../shell/page.tsx'
import { day } from '../shell/time.ts'
import { useApi } from '../shell/use-organisation.ts'

/** Every organisation of the server, for its operator. */
export function Component() {
  const api = useApi()
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const organisations = useQuery({
    queryKey: ['operator', 'organisations', wanted],
    queryFn: ({ signal }) => api.call('GET /api/operator/organisations', { query: { search: wanted }, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <ConsolePage
      title="All organisations"
      lead="What the operator of this server sees. Changes are made with assayd org and assayd user."
    >
      <Panel
        title="Organisations"
        action={
          <TextInput
            aria-label="Find by name or id"
            placeholder="Find by name or id"
            size="sm"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            maxLength={200}
          />
        }
      >
        <Loaded query={organisations} heightPx={240}>
          {({ data, more }) =>
            data.length === 0 ? (
              <Empty>None is called that.</Empty>
            ) : (
              <>
                <WideTable
                  label="Organisations"
                  columns={[
                    'Name',
                    'State',
                    'Plan',
                    { number: 'Credit' },
                    { number: 'Owed' },
                    { number: 'Members' },
                    'Since',
                  ]}
                >
                  {data.map((organisation) => (
                    <tr key={organisation.id}>
                      <td>
                        {organisation.name}
                        <Text size="xs" c="dimmed" className="mono">
                          {organisation.id}
                        </Text>
                      </td>
                      <td>
                        <State name={organisation.state} />
                        {organisation.state_reason === null ||
                        organisation.state_reason === organisation.state ? null : (
                          <Text size="xs" c="dimmed">
                            {organisation.state_reason.replaceAll('_', ' ')}
                          </Text>
                        )}
                      </td>
                      <td>{organisation.plan}</td>
                      <td className="number">{money(organisation.credit_pence)}</td>
                      <td className="number">{money(organisation.overage_pence)}</td>
                      <td className="number">{count(organisation.members)}</td>
                      <td className="when">{day(organisation.created_at)}</td>
                    </tr>
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
