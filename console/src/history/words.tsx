import { KIND_WORDS } from '@assay/reader/kinds'
import type { Answer } from '../api/client.ts'
import { Outcome } from '../decision-rules/words.tsx'
import { ago, moment } from '../shell/format.ts'
import { Level, PageLink, State } from '../shell/page.tsx'
import { type Columns, twoLines } from '../shell/table.tsx'

export type KeptCheck = Answer<'GET /v1/checks/{check_id}'>
export type CheckItem = Answer<'GET /v1/checks'>['data'][number]
export type Decision = NonNullable<CheckItem['decision']>

/** The words of a decision; `look` is the state whose colour it has. */
export const DECISIONS = {
  approved: { word: 'Approved', about: 'Verified: pay, sign or connect.', look: 'active' },
  stopped: { word: 'Stopped', about: 'Not paid, not signed, blocked.', look: 'disabled' },
  false_alarm: { word: 'False alarm', about: 'The answer warned without need.', look: 'active' },
  review: { word: 'To review', about: 'Somebody has to look at it first.', look: 'open' },
} as const satisfies Record<Decision['decision'], object>
export const DECISION_NAMES = Object.keys(DECISIONS) as Decision['decision'][]

export const isWaiting = (decision: CheckItem['decision']): decision is Decision =>
  decision?.state === 'waiting_for_second'

type Person = { readonly name: string | null }

export const nameOf = (person: Person): string => person.name ?? 'somebody who left'

/** The server may have lost the key that opens it. */
export const indicatorOf = ({ indicator }: Pick<CheckItem, 'indicator'>): string => indicator ?? '(cannot be read)'

export function askerOf({ kind, id, name }: CheckItem['asked_by']): string {
  const called = name ?? id
  return kind === 'person' ? called : `${kind === 'key' ? 'key' : 'application'} “${called}”`
}

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
    <Level of={check.risk}>
      {check.risk} <span className="tabular">{check.risk_score}</span>
    </Level>
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
