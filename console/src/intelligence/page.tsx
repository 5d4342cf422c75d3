import { useQuery } from '@tanstack/react-query'
import type { Source } from '../api/generated/pages.ts'
import { intelligenceQuery } from '../api/organisation.ts'
import { ago, count, moment } from '../shell/format.ts'
import { ConsolePage, Figure, Figures, Loaded, State } from '../shell/page.tsx'
import { TablePanel, twoLines } from '../shell/table.tsx'
import { useApi } from '../shell/use-session.ts'

const STATES: Readonly<Record<Source['state'], { words: string; state: string }>> = {
  bundled: { words: 'Bundled', state: 'active' },
  fresh: { words: 'Refreshed', state: 'active' },
  unfetched: { words: 'Not fetched yet', state: 'inactive' },
  failing: { words: 'Failing', state: 'disabled' },
  held: { words: 'Held back', state: 'inactive' },
  off: { words: 'Off', state: 'ended' },
}

export function Component() {
  const intelligence = useQuery(intelligenceQuery(useApi()))
  return (
    <ConsolePage title="Intelligence" lead="The basis of the answers: the current snapshot, its sources and their age.">
      <Loaded query={intelligence} heightPx={320}>
        {({ version, built_at, counts, sources }) => (
          <>
            <section className="panel" aria-label="Snapshot">
              <Figures>
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
              </Figures>
            </section>
            <TablePanel
              title="Sources"
              empty="The sources are on another server. Ask the operator."
              rows={sources}
              columns={{
                Source: ({ id, name }) => twoLines(name, id, 'mono'),
                State: ({ state }) => <State name={STATES[state].state}>{STATES[state].words}</State>,
                Rows: [({ rows }) => count(rows), 'number'],
                'As of': (source) => (source.as_of ? ago(source.as_of) : 'never'),
                Licence: ({ licence }) => licence,
                'Last error': errorWords,
              }}
            />
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

function errorWords({ last_error: error, last_error_at: at }: Source): string {
  if (!error) return '–'
  return `${error.slice(0, 160)}${at ? ` (${ago(at)})` : ''}`
}
