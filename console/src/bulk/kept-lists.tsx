import { KIND_WORDS } from '@assay/reader/kinds'
import { Progress as Bar, Grid, Group, Text } from '@mantine/core'
import { PageLink } from '../shell/buttons.tsx'
import { count, moment, money } from '../shell/format.ts'
import { twoLines } from '../shell/table.tsx'
import { Controls, stateWords } from './controls.tsx'
import { useRun } from './lists.ts'
import type { Runner } from './runner.ts'

export function KeptLists({ runners }: { runners: readonly Runner[] }) {
  return (
    <ul className="bare lines-between">
      {runners.map((runner) => (
        <KeptList key={runner.id} runner={runner} />
      ))}
    </ul>
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
          `${moment(new Date(list.createdAtMs).toISOString())} · ${KIND_WORDS[list.kind].many}`,
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
            <span key={level} className="level" data-level={level}>
              {count(answered.rows[level])} {level}
            </span>
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
