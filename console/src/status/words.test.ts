import { describe, expect, it } from 'vitest'
import type { NodeStatus, Status } from '../api/generated/pages.ts'
import { bytes, clock, every, milliseconds, troubles, untroubledFeeds } from './words.ts'

const node: NodeStatus = {
  id: 'nod_1',
  name: 'a:1',
  role: 'server',
  version: '1.0.0',
  state: 'ready',
  started_at: '2026-01-01T00:00:00.000Z',
  seen_at: '2026-01-01T00:00:00.000Z',
  address: 'localhost:8080',
  pid: 1,
  runtime: '24.0.0',
  parts: [],
  snapshot: { version: 's1', built_at: '2026-01-01T00:00:00.000Z' },
  queues: { charges: 0, engine: 0, live: null, store: 0 },
  uncertain_charges: 0,
  memory_bytes: 1,
  log_lines_dropped: 0,
  clock_offset_seconds: 0,
  statements: { count: 0, mean_ms: 0, slow_count: 0 },
}
const status: Status = {
  at: '2026-01-01T00:00:00.000Z',
  database: { engine: 'sqlite', bytes: 1, migration: '0001_a', migrated_at: null },
  published_snapshot: null,
  nodes: [node],
  jobs: [],
  feeds: { fresh: 1, unfetched: 0, failing: 0, held: 0, off: 3, troubled: [] },
  mail: { set_up: false, waiting: 0, oldest_waiting_at: null, trouble: null, last_failure: null },
  slow_statements: [],
}
const told = (changed: Partial<NodeStatus>) =>
  troubles({ ...status, nodes: [node, { ...node, name: 'b:2', ...changed }] })

describe('the status in words', () => {
  it('needs nobody when all is well', () => {
    expect(troubles(status)).toEqual([])
    expect(troubles({ ...status, nodes: [] })).toEqual([])
  })

  it('names what needs somebody', () => {
    expect(told({ state: 'not_ready' })).toEqual(['b:2 is not ready.'])
    expect(told({ uncertain_charges: 1 })).toEqual([
      '1 charge is uncertain: refunded when the store is available again.',
    ])
    expect(told({ uncertain_charges: 2 })).toEqual([
      '2 charges are uncertain: refunded when the store is available again.',
    ])
    expect(told({ version: '1.1.0' })).toEqual(['Nodes run different versions.'])
    expect(told({ replica: { lag_seconds: 0.4 } })).toEqual([])
    expect(told({ replica: { lag_seconds: null } })).toEqual([
      'b:2 gets no answer from the read replica: the primary answers.',
    ])
    const newest = { version: 's2', built_at: '2026-01-02T00:00:00.000Z' }
    const nodes = [node, { ...node, name: 'b:2', snapshot: newest }]
    expect(troubles({ ...status, nodes, published_snapshot: newest })).toEqual([
      'a:1 does not have the newest snapshot.',
    ])
    expect(told({ clock_offset_seconds: -60 })).toEqual(['The clock of b:2 is wrong.'])
    expect(told({ log_lines_dropped: 3 })).toEqual(['3 log lines were lost.'])
  })

  it('tells of a node that died, and of nothing else that it said before', () => {
    expect(told({ state: 'silent', version: '0.9.0', log_lines_dropped: 3 })).toEqual([
      'b:2 stopped reporting without a shutdown.',
    ])
  })

  it('shows sizes and times with the unit a person would choose', () => {
    expect([bytes(0), bytes(1536), bytes(2_500_000), bytes(123_456_789_000)]).toEqual([
      '0 bytes',
      '1.5 kB',
      '2.5 MB',
      '123 GB',
    ])
    expect([milliseconds(0), milliseconds(0.42), milliseconds(250), milliseconds(1500), milliseconds(61_000)]).toEqual([
      '0 ms',
      '0.4 ms',
      '250 ms',
      '1.5 s',
      '61 s',
    ])
    expect([clock(0.2), clock(61), clock(-2.5)]).toEqual(['right', '61.0 s ahead', '2.5 s behind'])
    expect([every(null), every(60), every(600), every(3600)]).toEqual(['–', '1 min', '10 min', '1 h'])
  })

  it('calls feeds fresh only when all of them were fetched', () => {
    expect(untroubledFeeds({ fresh: 0, unfetched: 0 })).toBe('No feed is on.')
    expect(untroubledFeeds({ fresh: 2, unfetched: 0 })).toBe('None: every feed is fresh.')
    expect(untroubledFeeds({ fresh: 1, unfetched: 20 })).toBe('None. 20 feeds were not fetched yet.')
    expect(untroubledFeeds({ fresh: 1, unfetched: 1 })).toBe('None. One feed was not fetched yet.')
  })
})
