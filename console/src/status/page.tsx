import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JobStatus, NodeStatus, Status, TroubledFeed } from '../api/generated/pages.ts'
import { statusQuery } from '../api/operator.ts'
import { count } from '../shell/money.ts'
import { ConsolePage, Empty, Figure, Loaded, Panel, State, WideTable } from '../shell/page.tsx'
import { ago, moment } from '../shell/time.ts'
import { useApi } from '../shell/use-organisation.ts'
import './status.css'
import { bytes, clock, every, milliseconds, troubles, untroubledFeeds } from './words.ts'

/** The running service at one glance, for its operator. */
export function Component() {
  const status = useQuery(statusQuery(useApi()))
  return (
    <ConsolePage
      title="Status"
      lead="The nodes of this service, their database, jobs and feeds. The verb assayd status shows the same."
    >
      <Group gap="sm">
        <Button variant="default" size="sm" loading={status.isFetching} onClick={() => void status.refetch()}>
          Refresh
        </Button>
        {status.data ? (
          <Text size="sm" c="dimmed">
            As of {moment(status.data.at)}
          </Text>
        ) : null}
      </Group>
      <Loaded query={status} heightPx={480}>
        {(data) => (
          <>
            <Summary status={data} />
            <Panel title="Nodes">
              {data.nodes.length === 0 ? (
                <Empty>No node has told of itself yet. Each does so every ten seconds.</Empty>
              ) : (
                <Nodes nodes={data.nodes} now={data.at} />
              )}
            </Panel>
            <Panel title="Queues and load">
              {data.nodes.length === 0 ? <Empty>No node, no queue.</Empty> : <Queues nodes={data.nodes} />}
            </Panel>
            <Panel title="Jobs">
              {data.jobs.length === 0 ? (
                <Empty>No job has run yet. The first ones run within minutes of the start.</Empty>
              ) : (
                <Jobs jobs={data.jobs} now={data.at} />
              )}
            </Panel>
            <Panel title="Feeds in trouble">
              {data.feeds.troubled.length === 0 ? (
                <Empty>{untroubledFeeds(data.feeds)}</Empty>
              ) : (
                <Feeds feeds={data.feeds.troubled} now={data.at} />
              )}
            </Panel>
            <Panel title="Slow statements">
              {data.slow_statements.length === 0 ? (
                <Empty>No statement took 200 ms or longer since the nodes started.</Empty>
              ) : (
                <Slow statements={data.slow_statements} />
              )}
            </Panel>
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

function Summary({ status }: { status: Status }) {
  const { database, nodes, published_snapshot: snapshot, feeds, mail } = status
  const running = nodes.filter(({ state }) => state !== 'silent')
  const wrong = troubles(status)
  const on = feeds.fresh + feeds.unfetched + feeds.failing + feeds.held
  return (
    <Panel title="Summary">
      <dl className="figures">
        <Figure label="Nodes" value={count(running.length)} />
        <Figure label="Versions" value={[...new Set(running.map(({ version }) => version))].join(', ') || 'none'} />
        <Figure label="Database" value={database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} />
        <Figure label="Its size" value={bytes(database.bytes)} />
        <Figure label="Migrated to" value={database.migration?.slice(0, 4) ?? 'nothing'} />
        <Figure label="Snapshot" value={snapshot ? ago(snapshot.built_at, Date.parse(status.at)) : 'of the release'} />
        <Figure label="Feeds fresh" value={`${feeds.fresh} of ${on}`} />
        <Figure label="Mail" value={mail.set_up ? `${count(mail.waiting)} waiting` : 'not set up'} />
      </dl>
      {wrong.length === 0 ? (
        <Text size="sm" mt="md">
          <State name="active">Nothing needs you.</State>
        </Text>
      ) : (
        <ul className="troubles">
          {wrong.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const NODE_STATES = {
  ready: { words: 'Ready', state: 'active' },
  not_ready: { words: 'Not ready', state: 'disabled' },
  silent: { words: 'Not seen', state: 'inactive' },
} as const

function Nodes({ nodes, now }: { nodes: readonly NodeStatus[]; now: string }) {
  const nowMs = Date.parse(now)
  return (
    <WideTable label="Nodes" columns={['Node', 'State', 'Version', 'Started', 'Seen', 'Snapshot', 'Clock']}>
      {nodes.map((node) => {
        const { words, state } = NODE_STATES[node.state]
        const broken = node.parts.filter(({ ready }) => !ready).map(({ part }) => part)
        return (
          <tr key={node.id}>
            <td>
              <span className="mono" title={`process ${node.pid}`}>
                {node.name}
              </span>
              <Text size="xs" c="dimmed" className="mono">
                {node.role === 'engine' ? 'engine, ' : ''}
                {node.address}
              </Text>
            </td>
            <td>
              <State name={state}>{words}</State>
              {node.state === 'not_ready' && broken.length > 0 ? (
                <Text size="xs" c="dimmed">
                  {broken.join(', ')}
                </Text>
              ) : null}
              {node.state === 'silent' ? (
                <Text size="xs" c="dimmed">
                  since {moment(node.seen_at)}
                </Text>
              ) : null}
            </td>
            <td>
              {node.version}
              <Text size="xs" c="dimmed">
                Node.js {node.runtime}
              </Text>
            </td>
            <td title={moment(node.started_at)}>{ago(node.started_at, nowMs)}</td>
            <td title={moment(node.seen_at)}>{ago(node.seen_at, nowMs)}</td>
            <td>
              {node.snapshot ? ago(node.snapshot.built_at, nowMs) : 'none'}
              {node.snapshot ? (
                <Text size="xs" c="dimmed" className="mono">
                  {node.snapshot.version}
                </Text>
              ) : null}
            </td>
            <td>{clock(node.clock_offset_seconds)}</td>
          </tr>
        )
      })}
    </WideTable>
  )
}

function Queues({ nodes }: { nodes: readonly NodeStatus[] }) {
  const depth = (waiting: number | null) => (waiting === null ? '–' : count(waiting))
  return (
    <WideTable
      label="Queues and load"
      columns={[
        'Node',
        { number: 'Charges' },
        { number: 'Lists' },
        { number: 'Look-ups' },
        { number: 'Statements' },
        { number: 'Statement time' },
        { number: 'Refunds owed' },
        { number: 'Log lines lost' },
        { number: 'Memory' },
      ]}
    >
      {nodes.map((node) => (
        <tr key={node.id}>
          <td className="mono">{node.name}</td>
          <td className="number">{depth(node.queues.charges)}</td>
          <td className="number">{depth(node.queues.engine)}</td>
          <td className="number">{depth(node.queues.live)}</td>
          <td className="number">{depth(node.queues.store)}</td>
          <td className="number">
            {milliseconds(node.statements.mean_ms)}
            <Text size="xs" c="dimmed">
              {count(node.statements.slow_count)} slow
            </Text>
          </td>
          <td className="number">{count(node.uncertain_charges)}</td>
          <td className="number">{count(node.log_lines_dropped)}</td>
          <td className="number">{bytes(node.memory_bytes)}</td>
        </tr>
      ))}
    </WideTable>
  )
}

const JOB_STATES = {
  fine: { words: 'Fine', state: 'active' },
  failing: { words: 'Failing', state: 'disabled' },
  late: { words: 'Late', state: 'inactive' },
  new: { words: 'Not run yet', state: 'ended' },
} as const

function Jobs({ jobs, now }: { jobs: readonly JobStatus[]; now: string }) {
  const nowMs = Date.parse(now)
  const when = (time: string | null) => (time === null ? 'never' : ago(time, nowMs))
  return (
    <WideTable label="Jobs" columns={['Job', 'State', 'Every', 'Last run', 'Last success', 'Last failure', 'Error']}>
      {jobs.map((job) => (
        <tr key={job.name}>
          <td>
            {job.name}
            {job.node ? (
              <Text size="xs" c="dimmed" className="mono">
                {job.node}
              </Text>
            ) : null}
          </td>
          <td>
            <State name={JOB_STATES[job.state].state}>{JOB_STATES[job.state].words}</State>
          </td>
          <td className="when">{every(job.period_seconds)}</td>
          <td>
            {when(job.last_run_at)}
            {job.last_run_ms === null ? null : (
              <Text size="xs" c="dimmed">
                took {milliseconds(job.last_run_ms)}
              </Text>
            )}
          </td>
          <td>{when(job.last_success_at)}</td>
          <td>{when(job.last_failure_at)}</td>
          <td className="mono">{job.error ?? '–'}</td>
        </tr>
      ))}
    </WideTable>
  )
}

function Feeds({ feeds, now }: { feeds: readonly TroubledFeed[]; now: string }) {
  const nowMs = Date.parse(now)
  return (
    <WideTable
      label="Feeds in trouble"
      columns={['Feed', 'State', 'Last success', { number: 'Failures' }, 'Next try', 'Reason']}
    >
      {feeds.map((feed) => (
        <tr key={feed.id}>
          <td>
            {feed.name}
            <Text size="xs" c="dimmed" className="mono">
              {feed.id}
            </Text>
          </td>
          <td>
            <State name={feed.state === 'failing' ? 'disabled' : 'inactive'}>
              {feed.state === 'failing' ? 'Failing' : 'Held back'}
            </State>
          </td>
          <td>{feed.last_success_at ? ago(feed.last_success_at, nowMs) : 'never'}</td>
          <td className="number">{count(feed.failures)}</td>
          <td>{ago(feed.next_try_at, nowMs)}</td>
          <td>{feed.reason.slice(0, 300)}</td>
        </tr>
      ))}
    </WideTable>
  )
}

function Slow({ statements }: { statements: Status['slow_statements'] }) {
  return (
    <WideTable
      label="Slow statements"
      columns={['Statement', { number: 'Times' }, { number: 'Worst' }, { number: 'Mean' }, { number: 'Nodes' }]}
    >
      {statements.map((statement) => (
        <tr key={statement.text}>
          <td className="mono statement">{statement.text}</td>
          <td className="number">{count(statement.count)}</td>
          <td className="number">{milliseconds(statement.worst_ms)}</td>
          <td className="number">{milliseconds(statement.mean_ms)}</td>
          <td className="number">{count(statement.nodes)}</td>
        </tr>
      ))}
    </WideTable>
  )
}
