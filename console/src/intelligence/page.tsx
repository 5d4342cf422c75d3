import { useQuery } from '@tanstack/react-query'
import type { Source } from '../api/generated/pages.ts'
import { intelligenceQuery } from '../api/organisation.ts'
import { ago, count, moment } from '../shell/format.ts'
import { ConsolePage, Figures, Loaded, State } from '../shell/page.tsx'
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
    <ConsolePage of="intelligence">
      <Loaded query={intelligence} heightPx={320}>
        {({ version, built_at, counts, sources }) => (
          <>
            <section className="panel" aria-label="Snapshot">
              <Figures
                of={{
                  Snapshot: version ?? 'none',
                  Built: built_at && <span title={moment(built_at)}>{ago(built_at)}</span>,
                  Domains: counts && count(counts.domains),
                  'Email addresses': counts && count(counts.emails),
                  'IPv4 ranges': counts && count(counts.ipv4),
                  'IPv6 ranges': counts && count(counts.ipv6),
                }}
              />
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
