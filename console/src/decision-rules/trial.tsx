import { KIND_WORDS } from '@assay/reader/kinds'
import type { Answer } from '../api/client.ts'
import { checkPath } from '../history/cells.tsx'
import { counted, moment } from '../shell/format.ts'
import { PageLink, Panel, Quiet, Status } from '../shell/page.tsx'
import { type Columns, WideTable } from '../shell/table.tsx'
import { Outcome } from './outcome.tsx'

type Trial = Answer<'POST /v1/decision-rules/trial'>
type Change = Pick<Trial['by'][number], 'from' | 'to'>

const CHANGE = {
  Now: ({ from }) => (from ? <Outcome of={from} /> : 'No decision'),
  Then: ({ to }) => (to ? <Outcome of={to} /> : 'No decision'),
} as const satisfies Columns<Change>

/** The effect of unsaved rules on the last kept checks. */
export function TrialPanel({ trial }: { trial: Trial }) {
  const { tried, would_change, by, examples } = trial
  return (
    <Panel
      title="Tried on kept checks"
      lead="Nothing was changed. Bank accounts are not kept, so a rule about them does not match here."
    >
      <Status>
        {tried === 0
          ? 'No kept check to try the rules on.'
          : `${counted(would_change, 'check')} of the last ${tried} would be decided otherwise.`}
      </Status>
      {would_change === 0 ? null : (
        <>
          <WideTable
            label="Changes"
            rows={by.map((one) => ({ id: `${one.from} ${one.to}`, ...one }))}
            columns={{ ...CHANGE, Checks: [({ count }) => count, 'number'] }}
          />
          <Quiet>The newest of them:</Quiet>
          <WideTable
            label="The newest of them"
            rows={examples.map((one) => ({ id: one.check_id, ...one }))}
            columns={{
              Check: ({ id, kind, asked_at }) => (
                <PageLink to={checkPath(id)}>
                  {KIND_WORDS[kind].one}, {moment(asked_at)}
                </PageLink>
              ),
              Risk: ({ risk }) => (
                <span className="level" data-level={risk}>
                  {risk}
                </span>
              ),
              ...CHANGE,
              Rule: ({ rule }) => (rule === null ? 'none matches' : <bdi>{rule}</bdi>),
            }}
          />
        </>
      )}
    </Panel>
  )
}
