import './bulk.css'
import { KIND_WORDS } from '@assay/reader/kinds'
import { readTable } from '@assay/reader/list'
import { Alert, Progress as Bar, Grid, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useDropTarget, useHandedOver } from '../shell/drops.tsx'
import { FileDrop, useListReader } from '../shell/file-drop.tsx'
import { count, moment, money } from '../shell/format.ts'
import { ConsolePage, Level, MainButton, PageLink, Panel, ProblemNotice } from '../shell/page.tsx'
import { Loading } from '../shell/sheet.tsx'
import { twoLines } from '../shell/table.tsx'
import { useAbility, useRead } from '../shell/use-session.ts'
import { Controls, stateWords } from './controls.tsx'
import { kindsIn } from './list.ts'
import { useLists, useOwner, useRun } from './lists.ts'
import { type OpenList, Prepare } from './prepare.tsx'
import type { Runner } from './runner.ts'
import { asProblem } from './store.ts'

export function Component() {
  const owner = useOwner()
  const { runners, problem } = useLists(owner)
  const billing = useRead('GET /v1/billing')
  const mayCheck = useAbility('check')
  const [list, setList] = useState<OpenList>()
  const sheet = useListReader(readTable, setList)
  useDropTarget('Drop it: it is read in place of this list.', (file) => sheet.read(file.name, file), !list)
  const hasLists = billing.data?.plan.bulk_allowed !== false

  if (problem) return <ProblemNotice error={asProblem(problem)} title="This browser cannot store lists" />
  if (!runners) return <Loading />
  return (
    <ConsolePage of="bulk">
      {mayCheck ? null : <Alert>Your role may read but not check. Ask an owner or admin for another role.</Alert>}
      {hasLists ? null : (
        <Alert>
          The plan {billing.data?.plan.name} has no lists.{' '}
          <PageLink to="/console/billing">Choose another plan</PageLink>
        </Alert>
      )}
      {list ? (
        <>
          {sheet.problem ? <Alert role="alert">{sheet.problem}</Alert> : null}
          <Prepare
            key={list.table.sheet}
            list={list}
            owner={owner}
            back={() => setList(undefined)}
            readSheet={(wanted) => sheet.read(list.name, list.source, { sheet: wanted })}
          />
        </>
      ) : (
        <Stack gap="lg">
          <Drop open={setList} disabled={!mayCheck || !hasLists} />
          {runners.length > 0 ? (
            <Panel title="Your lists in this browser">
              <ul className="bare lines-between">
                {runners.map((runner) => (
                  <KeptList key={runner.id} runner={runner} />
                ))}
              </ul>
            </Panel>
          ) : null}
        </Stack>
      )}
    </ConsolePage>
  )
}

const LEVELS = ['high', 'medium', 'low'] as const

function KeptList({ runner }: { runner: Runner }) {
  const run = useRun(runner)
  const { list, answered, phase } = run
  const records = list.times.length
  return (
    <Grid component="li" gap="sm" align="center" py="sm">
      <Grid.Col span={{ base: 12, md: 3 }} className="breakable">
        {twoLines(
          <PageLink to={`/console/bulk/${list.id}`} fw={600}>
            {list.name}
          </PageLink>,
          `${moment(new Date(list.createdAtMs).toISOString())} · ${kindsIn(list)
            .map((kind) => KIND_WORDS[kind].many)
            .join(' and ')}`,
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 3 }}>
        <Text size="sm" mb={4}>
          {stateWords(run)}
        </Text>
        <Bar
          value={(answered.done / records) * 100}
          size="sm"
          aria-label={`${list.name}: records checked`}
          animated={phase === 'running'}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 2 }}>
        <Group gap="0 1rem" fz="sm" className="tabular">
          {LEVELS.map((level) => (
            <Level key={level} of={level}>
              {count(answered.rows[level])} {level}
            </Level>
          ))}
        </Group>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 1 }} fz="sm" className="tabular">
        {answered.cost.total_price_pence === 0 ? 'No cost' : money(answered.cost.total_price_pence)}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 3 }}>
        <Controls runner={runner} run={run} size="xs" />
      </Grid.Col>
    </Grid>
  )
}

/** Accepts a list: dropped, chosen or pasted. It stays in the browser until the checks begin. */
function Drop({ open, disabled }: { open: (list: OpenList) => void; disabled: boolean }) {
  const reader = useListReader(readTable, open)
  useHandedOver(({ name, source }) => {
    if (!disabled) reader.read(name, source)
  })
  const [pasted, setPasted] = useState('')
  return (
    <Stack gap="md">
      <FileDrop reader={reader} disabled={disabled}>
        Lists with any columns, logs of firewalls and servers, PDFs, mails: what can be checked is found. Up to 500,000
        rows.
      </FileDrop>
      <Textarea
        label="Or paste a list"
        description="One on each line."
        minRows={3}
        maxRows={14}
        autosize
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
        disabled={disabled}
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      <Group>
        <MainButton
          onClick={() => reader.read('Pasted list', pasted)}
          disabled={disabled || pasted.trim() === ''}
          loading={reader.busy}
          label="Read this list"
        />
      </Group>
    </Stack>
  )
}
