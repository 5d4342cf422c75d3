import { KIND_WORDS } from '@assay/reader/kinds'
import { Outcome } from '../decision-rules/outcome.tsx'
import { ago, moment } from '../shell/format.ts'
import { PageLink, State } from '../shell/page.tsx'
import { type Columns, twoLines } from '../shell/table.tsx'
import { askerOf, type CheckItem, DECISIONS, indicatorOf, isWaiting } from './words.ts'

export const checkPath = (id: string) => `/console/checks/${id}`

/** Columns that History and To review share. */
export const CHECK_COLUMNS = {
  Indicator: (check) =>
    twoLines(
      <PageLink to={checkPath(check.id)} className="breakable">
        <bdi>{indicatorOf(check)}</bdi>
      </PageLink>,
      KIND_WORDS[check.kind].one,
    ),
  Risk: (check) => (
    <span className="level" data-level={check.risk}>
      {check.risk} <span className="tabular">{check.risk_score}</span>
    </span>
  ),
  Asked: [
    (check) =>
      twoLines(
        <time dateTime={check.asked_at} title={ago(check.asked_at)}>
          {moment(check.asked_at)}
        </time>,
        <bdi>by {askerOf(check.asked_by)}</bdi>,
      ),
    'when',
  ],
  'Your rule': ({ rule_decision: rule }) => (rule ? <Outcome of={rule} /> : null),
} as const satisfies Columns<CheckItem>

export function DecisionMark({ of }: { of: CheckItem['decision'] }) {
  if (!of) return null
  const { word, look } = DECISIONS[of.decision]
  return isWaiting(of) ? <State name="open">{word}, by one of two</State> : <State name={look}>{word}</State>
}
