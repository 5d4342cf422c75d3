import { Group, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Status } from '../api/generated/pages.ts'
import { readQuery } from '../api/organisation.ts'
import { ago, count, moment } from '../shell/format.ts'
import { ConsolePage, Figures, Loaded, Panel, Quiet, QuietButton, State } from '../shell/page.tsx'
import { TablePanel, twoLines } from '../shell/table.tsx'
import { useApi } from '../shell/use-session.ts'
import { behind, bytes, clock, every, milliseconds, troubles, untroubledFeeds } from './words.ts'

/** Nodes report every ten seconds: more frequent reads show nothing new. */
const LOOK_AGAIN_MS = 10_000

export function Component() {
  const status = useQuery({ ...readQuery(useApi(), 'GET /api/operator/status'), refetchInterval: LOOK_AGAIN_MS })
  return (
    <ConsolePage of="status">
      <Group gap="sm">
        <QuietButton size="sm" loading={status.isFetching} onClick={() => void status.refetch()} label="Refresh" />
        {status.data ? <Quiet>As of {moment(status.data.at)}</Quiet> : null}
      </Group>
      <Loaded query={status} heightPx={480}>
        {(data) => (
          <>
            <Summary status={data} />
            <Nodes status={data} />
            <Queues status={data} />
            <Jobs status={data} />
            <Feeds status={data} />
            <Slow status={data} />
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

type Props = { readonly status: Status }

function Summary({ status }: Props) {
  const { database, nodes, published_snapshot: snapshot, feeds, mail, webhooks } = status
  const running = nodes.filter(({ state }) => state !== 'silent')
  const wrong = troubles(status)
  const on = feeds.fresh + feeds.unfetched + feeds.failing + feeds.held
  return (
    <Panel title="Summary">
      <Figures
        of={{
          Nodes: count(running.length),
          Versions: [...new Set(running.map(({ version }) => version))].join(', ') || 'none',
          Database: database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
          'Its size': bytes(database.bytes),
          'Migrated to': database.migration?.slice(0, 4) ?? 'nothing',
          Snapshot: snapshot ? ago(snapshot.built_at, Date.parse(status.at)) : 'of the release',
          'Feeds fresh': `${feeds.fresh} of ${on}`,
          Mail: mail.set_up ? `${count(mail.waiting)} waiting` : 'not set up',
          Webhooks: `${count(webhooks.waiting)} waiting, ${count(webhooks.failing)} failing`,
        }}
      />
      {wrong.length === 0 ? (
        <Text size="sm">
          <State name="active">No action is needed.</State>
        </Text>
      ) : (
        <List className="breakable" p="sm" pl="xl" style={{ borderLeft: '4px solid var(--assay-warn)' }}>
          {wrong.map((words) => (
            <List.Item key={words}>{words}</List.Item>
          ))}
        </List>
      )}
    </Panel>
  )
}

const NODE_STATES = {
  ready: <State name="active">Ready</State>,
  not_ready: <State name="disabled">Not ready</State>,
  silent: <State name="inactive">Not seen</State>,
}

function Nodes({ status: { nodes, at } }: Props) {
  const nowMs = Date.parse(at)
  const since = (time: string) => <span title={moment(time)}>{ago(time, nowMs)}</span>
  return (
    <TablePanel
      title="Nodes"
      empty="No node has reported yet. Each node reports every ten seconds."
      rows={nodes}
      columns={{
        Node: ({ name, pid, role, address }) =>
          twoLines(
            <span className="mono" title={`process ${pid}`}>
              {name}
            </span>,
            `${role === 'engine' ? 'engine, ' : ''}${address}`,
            'mono',
          ),
        State: ({ state, parts, seen_at }) => {
          const broken = parts.filter(({ ready }) => !ready).map(({ part }) => part)
          const why = state === 'silent' ? `since ${moment(seen_at)}` : state === 'not_ready' && broken.join(', ')
          return twoLines(NODE_STATES[state], why)
        },
        Version: (node) => twoLines(node.version, `Node.js ${node.runtime}`),
        Started: (node) => since(node.started_at),
        Seen: (node) => since(node.seen_at),
        Snapshot: ({ snapshot }) =>
          snapshot ? twoLines(ago(snapshot.built_at, nowMs), snapshot.version, 'mono') : 'none',
        Clock: (node) => clock(node.clock_offset_seconds),
      }}
    />
  )
}

const depth = (waiting: number | null) => (waiting === null ? '–' : count(waiting))

function Queues({ status: { nodes } }: Props) {
  return (
    <TablePanel
      title="Queues and load"
      empty="No node, no queue."
      rows={nodes}
      columns={{
        Node: [({ name }) => name, 'mono'],
        Charges: [({ queues }) => depth(queues.charges), 'number'],
        Lists: [({ queues }) => depth(queues.engine), 'number'],
        'Look-ups': [({ queues }) => depth(queues.live), 'number'],
        Statements: [({ queues }) => depth(queues.store), 'number'],
        'Statement time': [
          ({ statements }) => twoLines(milliseconds(statements.mean_ms), `${count(statements.slow_count)} slow`),
          'number',
        ],
        'Refunds owed': [(node) => count(node.uncertain_charges), 'number'],
        'Log lines lost': [(node) => count(node.log_lines_dropped), 'number'],
        'Read replica': [({ replica }) => behind(replica), 'number'],
        Memory: [(node) => bytes(node.memory_bytes), 'number'],
      }}
    />
  )
}

const JOB_STATES = {
  fine: <State name="active">Fine</State>,
  failing: <State name="disabled">Failing</State>,
  late: <State name="inactive">Late</State>,
  new: <State name="ended">Not run yet</State>,
}

function Jobs({ status: { jobs, at } }: Props) {
  const when = (time: string | null) => (time === null ? 'never' : ago(time, Date.parse(at)))
  return (
    <TablePanel
      title="Jobs"
      empty="No job has run yet. The first ones run within minutes of the start."
      rows={jobs}
      columns={{
        Job: ({ name, node }) => twoLines(name, node, 'mono'),
        State: ({ state }) => JOB_STATES[state],
        Every: [(job) => every(job.period_seconds), 'when'],
        'Last run': ({ last_run_at: time, last_run_ms: took }) =>
          twoLines(when(time), took !== null && `took ${milliseconds(took)}`),
        'Last success': (job) => when(job.last_success_at),
        'Last failure': (job) => when(job.last_failure_at),
        Error: [({ error }) => error ?? '–', 'mono'],
      }}
    />
  )
}

function Feeds({ status: { feeds, at } }: Props) {
  const nowMs = Date.parse(at)
  return (
    <TablePanel
      title="Feeds in trouble"
      empty={untroubledFeeds(feeds)}
      rows={feeds.troubled}
      columns={{
        Feed: ({ id, name }) => twoLines(name, id, 'mono'),
        State: ({ state }) =>
          state === 'failing' ? <State name="disabled">Failing</State> : <State name="inactive">Held back</State>,
        'Last success': ({ last_success_at: time }) => (time ? ago(time, nowMs) : 'never'),
        Failures: [({ failures }) => count(failures), 'number'],
        'Next try': (feed) => ago(feed.next_try_at, nowMs),
        Reason: ({ reason }) => reason.slice(0, 300),
      }}
    />
  )
}

function Slow({ status: { slow_statements: statements } }: Props) {
  return (
    <TablePanel
      title="Slow statements"
      empty="No statement took 200 ms or longer since the nodes started."
      rows={statements}
      columns={{
        Statement: [({ text }) => text, 'mono'],
        Times: [(statement) => count(statement.count), 'number'],
        Worst: [(statement) => milliseconds(statement.worst_ms), 'number'],
        Mean: [(statement) => milliseconds(statement.mean_ms), 'number'],
        Nodes: [({ nodes }) => count(nodes), 'number'],
      }}
    />
  )
}
