import { isIndicator } from '@assay/reader/indicator'
import { KIND_WORDS } from '@assay/reader/kinds'
import { recognise } from '@assay/reader/recognise'
import { KINDS, LEVELS, type Operations } from '@assay/sdk'
import { Group, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { isDay, isId, periodOf, readFilters, useFilters } from '../shell/filters.ts'
import { CODE, options } from '../shell/form.tsx'
import { capitalised } from '../shell/format.ts'
import { ConsolePage, Quiet, QuietButton } from '../shell/page.tsx'
import { LogPanel, twoLines } from '../shell/table.tsx'
import { useActors } from '../shell/use-actors.ts'
import { useAbility, usePages } from '../shell/use-session.ts'
import { EraseButton } from './erase.tsx'
import { Keeping } from './keeping.tsx'
import { CHECK_COLUMNS, type CheckItem, checkPath, DECISIONS, DecisionMark, nameOf } from './words.tsx'

export function Component() {
  const mayRead = useAbility('read')
  const mayManage = useAbility('manage')
  const [search] = useSearchParams()
  const filter = readFilter(search)
  const wanted = queryOf(filter)
  const isFiltered = Object.keys(wanted).length > 0
  const checks = usePages('GET /v1/checks', { ...wanted, limit: 50 })
  const [page] = checks.data?.pages ?? []
  const [only] = page?.data ?? []
  // A ledger entry leads here: with one check in its request, straight to it.
  if (
    filter.request_id !== '' &&
    !checks.isPlaceholderData &&
    only &&
    page?.data.length === 1 &&
    page.next_cursor === null
  ) {
    return <Navigate to={checkPath(only.id)} replace />
  }
  return (
    <ConsolePage of="checks" lead={mayRead ? undefined : 'The checks that you asked for, and those assigned to you.'}>
      <Filters key={filter.indicator} filter={filter} />
      <LogPanel
        title="Checks"
        query={checks}
        csv={{ name: 'GET /v1/checks', options: { query: wanted }, fileName: 'assay-checks.csv', excel: true }}
        empty={
          isFiltered
            ? 'No kept check matches. Choose another filter, or show everything.'
            : 'No check is kept yet. The next check in the console appears here.'
        }
        more="Older checks"
        columns={{ ...CHECK_COLUMNS, Decision: decisionCell }}
      />
      {filter.indicator !== '' && mayManage ? (
        <Group>
          <EraseButton key={filter.indicator} indicator={filter.indicator} />
        </Group>
      ) : null}
      {mayRead ? <Keeping /> : null}
    </ConsolePage>
  )
}

const decisionCell = ({ decision, feedback }: CheckItem) =>
  twoLines(<DecisionMark of={decision} />, feedback ? 'called wrong' : decision && <bdi>{nameOf(decision.by)}</bdi>)

const wordsOf = <One,>(table: Readonly<Record<string, One>>, word: (one: One) => string) =>
  Object.fromEntries(Object.entries(table).map(([name, one]) => [name, capitalised(word(one))]))
const KIND_OPTIONS = options(
  wordsOf(KIND_WORDS, ({ one }) => one),
  'Any kind',
)
const RISK_OPTIONS = options({ high: 'High', medium: 'Medium', low: 'Low' }, 'Any risk')
const DECISION_OPTIONS = options(
  wordsOf(DECISIONS, ({ word }) => word),
  'Any decision',
)

function Filters({ filter }: { filter: HistoryFilter }) {
  const { field, set, isFiltered, clear } = useFilters(filter)
  const mayRead = useAbility('read')
  const [text, setText] = useState(filter.indicator)
  const [problem, setProblem] = useState<string>()
  /** Searched by the whole indicator: the server knows only its digest. */
  function find(event: FormEvent): void {
    event.preventDefault()
    const recognised = recognise(text)
    const isFine = text.trim() === '' || isIndicator(recognised)
    setProblem(isFine ? undefined : recognised.problem)
    if (isFine) set('indicator', isIndicator(recognised) ? recognised.value : '')
  }
  return (
    <Group component="form" gap="sm" align="end" aria-label="Search the history" onSubmit={find}>
      <Group gap="xs" align="end" wrap="nowrap" flex="3 1 20rem">
        <TextInput
          label="Indicator"
          placeholder="accounts@supplier.com"
          flex={1}
          size="sm"
          maxLength={1024}
          {...CODE}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={problem}
        />
        <QuietButton type="submit" size="sm" label="Search" />
      </Group>
      <NativeSelect label="Kind" flex="1 1 9rem" data={KIND_OPTIONS} {...field('kind')} />
      <NativeSelect label="Risk" flex="1 1 7rem" data={RISK_OPTIONS} {...field('risk')} />
      <NativeSelect label="Decision" flex="1 1 9rem" data={DECISION_OPTIONS} {...field('decision')} />
      {mayRead ? <AskedBy {...field('asked_by')} /> : null}
      <Group gap="sm" wrap="nowrap" flex="0 1 20rem">
        <TextInput label="From" flex={1} type="date" max={filter.to} {...field('from')} />
        <TextInput label="To" flex={1} type="date" min={filter.from} {...field('to')} />
      </Group>
      {filter.request_id === '' ? null : <Quiet>Checks of the request {filter.request_id}.</Quiet>}
      {isFiltered ? <QuietButton size="sm" onClick={clear} label="Show everything" /> : null}
    </Group>
  )
}

function AskedBy(field: ReturnType<ReturnType<typeof useFilters<HistoryFilter>>['field']>) {
  return <NativeSelect label="Asked by" flex="1 1 10rem" data={useActors(field.value)} {...field} />
}

/** The filter of the history. It is part of the address: a shared link shows a colleague the same checks. */

type ChecksQuery = Operations['GET /v1/checks']['query']

const RULES = {
  indicator: () => true,
  kind: (one: string) => Object.hasOwn(KINDS, one),
  risk: (one: string) => Object.hasOwn(LEVELS, one),
  asked_by: isId,
  decision: (one: string) => Object.hasOwn(DECISIONS, one),
  /** First and last day, in the reader's time zone. */
  from: isDay,
  to: isDay,
  /** Of a ledger entry: finds the checks of one request. */
  request_id: isId,
}

export type HistoryFilter = ReturnType<typeof readFilter>
export const readFilter = (search: URLSearchParams) => readFilters(search, RULES)

export function queryOf({ from, to, ...others }: HistoryFilter): Omit<ChecksQuery, 'cursor' | 'limit'> {
  const given = Object.entries(others).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(given), ...periodOf({ from, to }) }
}
