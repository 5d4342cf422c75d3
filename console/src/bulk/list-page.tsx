import './bulk.css'
import { LEVELS } from '@assay/sdk'
import { Alert, Progress as Bar, Box, Flex, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { useParams } from 'react-router'
import { type Level as LevelName, levelOf } from '../check/words.ts'
import { count, counted, moment, money } from '../shell/format.ts'
import {
  Figures,
  Heading,
  Level,
  LinkLine,
  Loaded,
  MainButton,
  Panel,
  ProblemNotice,
  QuietButton,
} from '../shell/page.tsx'
import { Loading } from '../shell/sheet.tsx'
import { useApi, useSubmit } from '../shell/use-session.ts'
import { Controls, countFigures, stateWords } from './controls.tsx'
import { type Answered, countKinds, type Doubt, kindsIn, type List, stateOf } from './list.ts'
import { agree, useLists, useOwner, useRun, useSender } from './lists.ts'
import { isCurrent, Price, type Priced, usePrice } from './price.tsx'
import { Report } from './report.tsx'
import type { Run, Runner } from './runner.ts'
import { asProblem } from './store.ts'
import { hasScore, readReportTable } from './table.ts'

export function Component() {
  const { id } = useParams()
  const { runners, problem } = useLists(useOwner())
  if (problem) return <ProblemNotice error={asProblem(problem)} title="This browser cannot store lists" />
  if (!runners) return <Loading />
  const runner = runners.find((one) => one.id === id)
  return (
    <Stack gap="lg">
      <LinkLine to="/console/bulk" label="All lists" />
      {runner ? (
        <OneList key={runner.id} runner={runner} />
      ) : (
        <div>
          <Heading>This list is not here</Heading>
          <Text mt={6}>A list is stored in the browser where it was checked, for its person and organisation.</Text>
        </div>
      )}
    </Stack>
  )
}

function OneList({ runner }: { runner: Runner }) {
  const api = useApi()
  const queries = useQueryClient()
  const run = useRun(runner)
  // The table may update later than the progress bar while many answers arrive: typing and scrolling come first.
  const shown = useDeferredValue(run)
  const { list, phase } = run
  const table = useQuery({
    queryKey: ['table', list.id],
    queryFn: () => readReportTable(list),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

  useEffect(() => {
    if (phase !== 'running') void queries.invalidateQueries({ queryKey: [api.organisationId] })
  }, [phase, queries, api])

  return (
    <>
      <Heading>{list.name}</Heading>
      <ProgressPanel runner={runner} run={run} />
      {run.doubt ? <InDoubt runner={runner} doubt={run.doubt} /> : null}
      <ProblemNotice error={run.problem} title="The checks have stopped" />
      {phase === 'stopped' && !run.doubt && run.rest > 0 && run.agreed.records === 0 ? (
        <Rest runner={runner} run={run} />
      ) : null}
      {shown.answered.done > 0 ? <Distribution list={list} answered={shown.answered} /> : null}
      <Loaded query={table} heightPx={300}>
        {(data) => <Report table={data} answered={shown.answered} />}
      </Loaded>
    </>
  )
}

function ProgressPanel({ runner, run }: { runner: Runner; run: Run }) {
  const { list, phase, answered, retrying, agreed } = run
  const { cost } = answered
  const records = list.times.length
  const duplicates = list.rows - records - list.unread - list.blank
  return (
    <section className="panel" aria-label="Progress">
      <Text size="sm" role="status" mb="xs">
        {stateWords(run)}
        {retrying ? '. The service does not answer: trying again.' : ''}
        {phase === 'stopped' && agreed.records > 0 && !run.doubt
          ? `. There is no answer yet for ${counted(agreed.records, 'record')}, sent ${agreed.pence === 0 ? 'as free' : `for at most ${money(agreed.pence)}`}. Continue to ask again: nothing is charged twice.${run.rest > 0 ? ` The price of the other ${count(run.rest)} is shown after that.` : ''}`
          : ''}
      </Text>
      <Bar
        value={(answered.done / records) * 100}
        size="lg"
        aria-label="Records checked"
        animated={phase === 'running'}
      />
      <Figures
        mt="md"
        of={{
          [phase === 'finished' ? 'Cost' : 'Cost so far']:
            cost.total_price_pence === 0 ? 'Nothing' : money(cost.total_price_pence),
          'Part beyond credit': cost.overage_pence > 0 && money(cost.overage_pence),
          'Free records': cost.free_units > 0 && count(cost.free_units),
          'Credit left': cost.remaining_credit_pence !== undefined && money(cost.remaining_credit_pence),
          ...countFigures(records, { ...list, duplicates }),
        }}
      />
      <Group gap="0.5rem 1.5rem" mt="md">
        <Controls runner={runner} run={run} size="sm" />
        <Text size="xs" c="dimmed">
          Begun {moment(new Date(list.createdAtMs).toISOString())}. Stored in this browser; it continues while you are
          on other pages of the console.
        </Text>
      </Group>
    </section>
  )
}

function Rest({ runner, run }: { runner: Runner; run: Run }) {
  const sender = useSender()
  const { list, rest } = run
  const { standings } = run.answered
  const price = usePrice(
    list.owner,
    countKinds(list, (record) => standings[record] === 0),
  )
  const priced = price.data
  const sent = priced ? priced.cover.free + priced.cover.paid : 0
  const start = useSubmit(async (now: Priced) => {
    await agree(runner, now)
    void runner.go(sender)
  })
  return (
    <Stack gap="sm" role="group" aria-label="The rest of the list">
      <Text fw={600}>Not checked yet: {counted(rest, 'record')} of this list</Text>
      <Price price={price} records={rest} />
      <ProblemNotice error={start.error} title="Nothing was sent" />
      <Group>
        <MainButton
          disabled={sent === 0 || !isCurrent(price)}
          loading={start.busy}
          onClick={() => priced && start.submit(priced)}
          label={sent === 0 ? 'Continue' : `Continue with ${counted(sent, 'record')}`}
        />
        {sent === 0 && !price.isError ? (
          <QuietButton onClick={() => void price.refetch()} loading={price.isFetching} label="Look again" />
        ) : null}
      </Group>
    </Stack>
  )
}

function InDoubt({ runner, doubt }: { runner: Runner; doubt: Doubt }) {
  const { records, sinceMs } = doubt
  const decision = useSubmit((choice: 'left' | 'again') => runner.decide(doubt, choice))
  const { list } = runner.current()
  const price = usePrice(
    list.owner,
    kindsIn(list).map((kind) => ({ kind, records })),
  )
  const when = sinceMs === 0 ? 'by an earlier version of this page' : moment(new Date(sinceMs).toISOString())
  return (
    <Alert role="alert" title={`${counted(records, 'record')} may have been charged without an answer`}>
      They were sent {when} and have no answer. The service stores answers for a day, so it is unknown whether they were
      charged. Check them again
      {price.data ? `, which costs ${money(records * price.data.unitPricePence)} at most` : ''}, or leave them out.
      <ProblemNotice error={decision.error} title="Nothing was changed" />
      <Group mt="sm">
        <MainButton size="sm" of={decision} input="again" label="Check them again" />
        <QuietButton size="sm" of={decision} input="left" label="Leave them out" />
      </Group>
    </Alert>
  )
}

const LEVEL_NAMES = Object.keys(LEVELS) as LevelName[]
const BINS = 20
const AXIS = { borderBottom: '1px solid var(--assay-field-line)' }
const MARKS = [...Object.values(LEVELS).map(({ from }) => from), 100]

export function Distribution({ list, answered }: { list: List; answered: Answered }) {
  const { rows } = answered
  const bins = useMemo(() => binsOf(list, answered), [list, answered])
  const most = Math.max(1, ...bins.map(({ height }) => height))
  const total = LEVEL_NAMES.reduce((sum, level) => sum + rows[level], 0)
  const words = LEVEL_NAMES.map((level) => `${count(rows[level])} ${level}`).join(', ')
  const share = (own: number) => (
    <>
      {count(own)}{' '}
      <Text span size="sm" c="dimmed">
        {total === 0 ? 0 : Math.round((own / total) * 100)}%
      </Text>
    </>
  )
  return (
    <Panel title="Levels">
      <Flex direction={{ base: 'column', sm: 'row' }} gap="1.25rem 2.5rem" align={{ sm: 'end' }}>
        <Figures
          nameOf={(name) => Object.hasOwn(LEVELS, name) && <Level of={name} />}
          of={{
            ...Object.fromEntries(LEVEL_NAMES.map((level) => [level, share(rows[level])])),
            'Nothing to check': rows.nothing > 0 && count(rows.nothing),
          }}
        />
        <Box flex={1}>
          <Flex gap={3} align="end" h="6rem" style={AXIS} role="img" aria-label={`Scores from 0 to 100: ${words}`}>
            {bins.map(({ from, height }) => (
              <Box
                key={from}
                flex={1}
                bg="var(--level-colour)"
                data-level={levelOf(from)}
                title={`Score ${from} and up: ${counted(height, 'row')}`}
                // A single row stays visible beside a hundred thousand.
                h={height === 0 ? 0 : `${Math.max(4, (height / most) * 100)}%`}
              />
            ))}
          </Flex>
          <Box pos="relative" h="1.5rem" fz="xs" c="dimmed" aria-hidden>
            {MARKS.map((mark) => (
              <Box
                key={mark}
                pos="absolute"
                left={`${mark}%`}
                style={{ translate: `-${mark % 100 === 0 ? mark : 50}%` }}
              >
                {mark}
              </Box>
            ))}
          </Box>
        </Box>
      </Flex>
    </Panel>
  )
}

function binsOf({ times }: List, { scores, standings }: Answered): { readonly from: number; height: number }[] {
  const bins = Array.from({ length: BINS }, (_, bin) => ({ from: (bin * 100) / BINS, height: 0 }))
  for (const [record, score] of scores.entries()) {
    if (!hasScore(stateOf(standings[record]))) continue
    const bin = bins[Math.min(BINS - 1, Math.floor((score * BINS) / 100))]
    if (bin) bin.height += times[record] ?? 0
  }
  return bins
}
