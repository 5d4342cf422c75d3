import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Intelligence, Source } from '../api/generated/pages.ts'
import { intelligenceQuery } from '../api/intelligence.ts'
import { count } from '../shell/money.ts'
import { ConsolePage, Empty, Loaded, Panel, State, WideTable } from '../shell/page.tsx'
import { ago, moment } from '../shell/time.ts'
import { useApi } from '../shell/use-organisation.ts'

/** What the answers rest on. */
export function Component() {
  const intelligence = useQuery(intelligenceQuery(useApi()))
  return (
    <ConsolePage title="Intelligence" lead="What the answers rest on: the snapshot in use, its sources and their age.">
      <Loaded query={intelligence} heightPx={320}>
        {(data) => (
          <>
            <Snapshot intelligence={data} />
            <Panel title="Sources">
              {data.sources.length === 0 ? (
                <Empty>The sources are kept on another server. Ask the operator.</Empty>
              ) : (
                <Sources sources={data.sources} />
              )}
            </Panel>
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

function Snapshot({ intelligence: { version, built_at, counts } }: { intelligence: Intelligence }) {
  return (
    <section className="panel" aria-label="Snapshot">
      <dl className="figures">
        <Figure label="Snapshot" value={version ?? 'none'} />
        {built_at ? <Figure label="Built" value={ago(built_at)} title={moment(built_at)} /> : null}
        {counts ? (
          <>
            <Figure label="Domains" value={count(counts.domains)} />
            <Figure label="Email addresses" value={count(counts.emails)} />
            <Figure label="IPv4 ranges" value={count(counts.ipv4)} />
            <Figure label="IPv6 ranges" value={count(counts.ipv6)} />
          </>
        ) : null}
      </dl>
    </section>
  )
}

function Figure({ label, value, title }: { label: string; value: string; title?: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd title={title}>{value}</dd>
    </div>
  )
}

const STATES: Readonly<Record<Source['state'], { words: string; state: string }>> = {
  bundled: { words: 'Bundled', state: 'active' },
  fresh: { words: 'Refreshed', state: 'active' },
  failing: { words: 'Failing', state: 'disabled' },
  held: { words: 'Held back', state: 'inactive' },
  off: { words: 'Off', state: 'ended' },
}

function Sources({ sources }: { sources: readonly Source[] }) {
  return (
    <WideTable label="Sources" columns={['Source', 'State', { number: 'Rows' }, 'As of', 'Licence', 'Last error']}>
      {sources.map((source) => (
        <tr key={source.id}>
          <td>
            {source.name}
            <Text size="xs" c="dimmed" className="mono">
              {source.id}
            </Text>
          </td>
          <td>
            <State name={STATES[source.state].state}>{STATES[source.state].words}</State>
          </td>
          <td className="number">{count(source.rows)}</td>
          <td>{source.as_of ? ago(source.as_of) : 'never'}</td>
          <td>{source.licence}</td>
          <td>
            {source.last_error ? `${source.last_error.slice(0, 160)}` : '–'}
            {source.last_error && source.last_error_at ? ` (${ago(source.last_error_at)})` : ''}
          </td>
        </tr>
      ))}
    </WideTable>
  )
}
