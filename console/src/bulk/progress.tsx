import { Alert, Anchor, Progress as Bar, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { count, counted, money } from '../shell/money.ts'
import { RequestId } from '../shell/problem-notice.tsx'
import { useApi } from '../shell/use-organisation.ts'
import { discard, useRun } from './current.ts'
import { Distribution } from './distribution.tsx'
import { Figure } from './prepare.tsx'
import { Results } from './results.tsx'
import type { Run, Runner } from './run.ts'

export function Progress({ runner }: { runner: Runner }) {
  const api = useApi()
  const queries = useQueryClient()
  const run = useRun(runner)
  // The table may lag behind the bar while answers pour in: typing and scrolling come first.
  const shown = useDeferredValue(run)
  const [sure, setSure] = useState(false)
  const { job, phase } = run

  useEffect(() => {
    if (phase !== 'running') void queries.invalidateQueries({ queryKey: [api.organisationId] })
  }, [phase, queries, api])

  const leave = () => void discard(job)
  return (
    <Stack gap="md">
      <section className="panel" aria-label="Progress">
        <Group justify="space-between" mb="sm">
          <Text fw={600}>{job.name}</Text>
          <Text size="sm" role="status">
            {PHASE_WORDS[phase]}: {count(run.recordsDone)} of {counted(job.records.length, 'record')}
          </Text>
        </Group>
        <Bar
          value={(run.recordsDone / job.records.length) * 100}
          size="lg"
          aria-label="Records checked"
          animated={phase === 'running'}
        />
        <dl className="figures progress-figures">
          <Figure
            label={phase === 'finished' ? 'Cost' : 'Cost so far'}
            value={run.pricePence === 0 ? 'Nothing' : money(run.pricePence)}
          />
          {run.freeUnits > 0 ? <Figure label="Free records" value={count(run.freeUnits)} /> : null}
          {run.leftPence !== undefined && Number.isFinite(run.leftPence) ? (
            <Figure label="Credit left" value={money(run.leftPence)} />
          ) : null}
          <Figure label="Duplicates left out" value={count(job.duplicates)} />
          <Figure label="Invalid left out" value={count(job.invalid)} />
        </dl>
        <Group mt="md">
          {phase === 'running' ? (
            <Button variant="default" onClick={() => runner.pause()}>
              Cancel
            </Button>
          ) : null}
          {phase === 'paused' ? (
            <Button onClick={() => void runner.go(api)}>
              {run.failed.length > 0 ? 'Try the failed batches again' : 'Go on'}
            </Button>
          ) : null}
          {phase === 'running' ? null : phase === 'finished' || sure ? (
            <Button variant="default" onClick={leave}>
              {phase === 'finished' ? 'New list' : 'Yes, discard it'}
            </Button>
          ) : (
            <Button variant="default" onClick={() => setSure(true)}>
              Discard
            </Button>
          )}
        </Group>
      </section>
      <Trouble run={run} />
      {run.recordsDone > 0 ? (
        <>
          <Distribution run={shown} />
          <Results run={shown} />
        </>
      ) : null}
    </Stack>
  )
}

const PHASE_WORDS = { running: 'Checking', paused: 'Stopped', finished: 'Finished' } as const

function Trouble({ run: { stoppedBy, failed, job, phase } }: { run: Run }) {
  if (stoppedBy) {
    return (
      <Alert role="alert" className="problem" title="The checks have stopped">
        <Text size="sm">
          {stoppedBy.status === 401 ? 'You were signed out meanwhile. ' : `${stoppedBy.message} `}
          Everything answered so far is kept here, and nothing is charged twice.{' '}
          {stoppedBy.status === 402 ? (
            <Anchor component={Link} to="/console/billing" size="sm">
              Top up
            </Anchor>
          ) : null}
        </Text>
        {stoppedBy.requestId ? <RequestId id={stoppedBy.requestId} /> : null}
      </Alert>
    )
  }
  const first = failed[0]
  if (!first || phase === 'running') return null
  const records = failed.reduce(
    (sum, { index }) => sum + Math.min(job.batchSize, job.records.length - index * job.batchSize),
    0,
  )
  return (
    <Alert role="alert" className="problem" title={`${counted(failed.length, 'batch', 'batches')} failed`}>
      <Text size="sm">
        {counted(records, 'record')} got no answer and cost nothing. Only these are sent again. {first.error.message}
      </Text>
      {first.error.requestId ? <RequestId id={first.error.requestId} /> : null}
    </Alert>
  )
}
