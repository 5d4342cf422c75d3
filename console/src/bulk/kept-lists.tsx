import { KIND_WORDS } from '@assay/reader/kinds'
import { Anchor, Progress as Bar, Text } from '@mantine/core'
import { Link } from 'react-router'
import { count, money } from '../shell/money.ts'
import { moment } from '../shell/time.ts'
import { Controls, stateWords } from './controls.tsx'
import { useRun } from './lists.ts'
import type { Runner } from './runner.ts'

/** Each list with how far it is, what it found and what it cost. */
export function KeptLists({ runners }: { runners: readonly Runner[] }) {
  return (
    <ul className="kept-lists">
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
    <li>
      <div className="kept-name">
        <Anchor component={Link} to={`/console/bulk/${list.id}`} fw={600}>
          {list.name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {moment(new Date(list.createdAtMs).toISOString())} · {KIND_WORDS[list.kind].many}
        </Text>
      </div>
      <div className="kept-state">
        <Text size="sm" mb={4}>
          {stateWords(run)}
        </Text>
        <Bar
          value={(answered.done / records) * 100}
          size="sm"
          aria-label={`${list.name}: records checked`}
          animated={phase === 'running'}
        />
      </div>
      <div className="kept-levels">
        {LEVELS.map((level) => (
          <span key={level} className="level" data-level={level}>
            {count(answered.rows[level])} {level}
          </span>
        ))}
      </div>
      <Text size="sm" className="kept-cost">
        {answered.cost.total_price_pence === 0 ? 'No cost' : money(answered.cost.total_price_pence)}
      </Text>
      <Controls runner={runner} run={run} size="xs" />
    </li>
  )
}
