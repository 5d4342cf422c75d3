import { factRows } from '@assay/reader/facts'
import { type Coverage, type Facts, type Kind, liveNote } from '@assay/sdk'
import { ago, day, moment } from '../shell/format.ts'
import { Panel, Quiet } from '../shell/page.tsx'
import { Said } from '../shell/words.ts'

/** Facts about a name or an address, each with its time. */
export function FactsPanel({ kind, facts, live }: { kind: Kind; facts: Facts; live: Coverage['live'] }) {
  const rows = factRows(facts, { kind, nowMs: Date.now(), day })
  const note = liveNote(live) ?? (rows.length === 0 ? 'Nothing was found.' : undefined)
  return (
    <Panel title={kind === 'email' ? 'Facts about its domain' : 'Facts'}>
      {rows.length === 0 ? null : (
        <dl className="seen-facts lines-between">
          {rows.map(({ term, words, mark, seenAt }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>
                {mark ? <span className="fact-mark">{mark}</span> : null} <Said of={words} />
              </dd>
              <dd className="fact-seen" title={moment(seenAt)}>
                seen {ago(seenAt)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {note ? <Quiet>{note}</Quiet> : null}
    </Panel>
  )
}
