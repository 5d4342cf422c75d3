/**
 * The service's time, stored with the database so that all nodes, verbs and restarts agree on it.
 *
 *  1. On PostgreSQL the reference is the database's clock, measured repeatedly: a node's own clock may be wrong. On
 *     SQLite the reference is the machine's clock.
 *  2. The latest time reached is stored, and no process starts before it: neither after a clock was set back, nor with
 *     a different clock.
 *  3. A stored time more than a day ahead is not believed: a clock was far wrong then, and was corrected before this
 *     start.
 */
import { type Clock, DAY_MS, SECOND_MS, systemClock } from '../lib/clock.ts'
import { createServiceClock } from '../lib/service-clock.ts'
import type { Sql } from './sql.ts'

const POLL_MS = 30 * SECOND_MS
/** A slower answer says too little about the current time. */
const ROUND_TRIP_MS_MAX = SECOND_MS
const NOTABLE_MS = 5 * SECOND_MS
const BELIEVED_AHEAD_MS_MAX = DAY_MS

export type ServiceTime = Awaited<ReturnType<typeof openServiceTime>>

export interface ClockTrouble {
  readonly message: string
  readonly steppedSeconds: number
  readonly aheadSeconds: number
}

export interface ServiceTimeOptions {
  readonly machine?: Clock
  /** Reads the clock that all nodes share; absent where only the machine's clock exists. */
  readonly readReferenceMs?: (() => Promise<number>) | undefined
}

export async function openServiceTime(sql: Sql, options: ServiceTimeOptions = {}) {
  const { machine = systemClock } = options
  const readReferenceMs =
    options.readReferenceMs ?? (sql.engine === 'postgres' ? () => readDatabaseTimeMs(sql) : undefined)
  const clock = createServiceClock(machine)
  let measured = false
  let seen = { nowMs: machine.now(), ticks: machine.ticks() }
  let apart = false

  async function measure(): Promise<void> {
    if (!readReferenceMs) return
    const sentTicks = machine.ticks()
    const timeMs = await readReferenceMs()
    const roundTripMs = machine.ticks() - sentTicks
    // The first measurement counts however slow it was: without it there is only the machine's clock.
    if (measured && roundTripMs > ROUND_TRIP_MS_MAX) return
    clock.follow(timeMs, sentTicks + roundTripMs / 2)
    measured = true
  }

  /** Reports each step of the clock once, and a lasting difference once. */
  function findTrouble(): ClockTrouble | undefined {
    const now = { nowMs: machine.now(), ticks: machine.ticks() }
    const steppedMs = now.nowMs - seen.nowMs - (now.ticks - seen.ticks)
    seen = now
    const aheadMs = clock.machineAheadMs()
    const wasApart = apart
    apart = Math.abs(aheadMs) > NOTABLE_MS
    const stepped = Math.abs(steppedMs) > NOTABLE_MS
    if (!stepped && (!apart || wasApart)) return undefined
    return {
      message: troubleWords({ steppedMs: stepped ? steppedMs : 0, aheadMs, shared: readReferenceMs !== undefined }),
      steppedSeconds: stepped ? Math.round(steppedMs / 1000) : 0,
      aheadSeconds: Math.round(aheadMs / 1000),
    }
  }

  /** Measures the reference and stores the time reached. */
  async function advance(): Promise<void> {
    await measure()
    clock.reach(await noteReached(sql, clock.now()))
  }

  /** Returns trouble that an operator should know. */
  const look = () => advance().then(findTrouble)

  await advance()
  return {
    clock: clock as Clock,
    /** By how much this machine's clock is ahead of the service's time; negative while it is behind. */
    machineAheadMs: () => clock.machineAheadMs(),
    look,
    startPolling(on: {
      readonly trouble: (trouble: ClockTrouble) => void
      readonly failure: (error: unknown) => void
    }) {
      const report = (trouble: ClockTrouble | undefined) => {
        if (trouble) on.trouble(trouble)
      }
      report(findTrouble())
      let polling: Promise<void> = Promise.resolve()
      const timer = setInterval(() => {
        // A failed measurement changes nothing: ticks continue from the last measurement.
        polling = look().then(report, on.failure)
      }, POLL_MS).unref()
      return {
        async close() {
          clearInterval(timer)
          await polling
        },
      }
    },
  }
}

async function readDatabaseTimeMs(sql: Sql): Promise<number> {
  const rows = await sql.query<{ time_ms: number }>(
    'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as time_ms',
  )
  return rows[0]!.time_ms
}

/** Stores the time reached; returns the latest time that any node has stored. */
async function noteReached(sql: Sql, nowMs: number): Promise<number> {
  const rows = await sql.query<{ reached_at: number }>(
    `insert into service_time (id, reached_at) values (1, $1)
     on conflict (id) do update set reached_at = case
       when service_time.reached_at between excluded.reached_at and excluded.reached_at + ${BELIEVED_AHEAD_MS_MAX}
       then service_time.reached_at else excluded.reached_at end
     returning reached_at`,
    [nowMs],
  )
  return rows[0]!.reached_at
}

function troubleWords(found: {
  readonly steppedMs: number
  readonly aheadMs: number
  readonly shared: boolean
}): string {
  const seconds = (ms: number) => Math.round(Math.abs(ms) / 1000)
  const { steppedMs, aheadMs, shared } = found
  const apart = Math.abs(aheadMs) > NOTABLE_MS
  const other = shared ? "the database's" : "the service's time, which runs at half speed until they agree"
  return [
    steppedMs !== 0 && `This machine's clock was set ${steppedMs > 0 ? 'forward' : 'back'} by ${seconds(steppedMs)} s.`,
    apart && `This machine's clock is ${seconds(aheadMs)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${other}.`,
    apart &&
      'Until they agree, times in ID tokens and checks of signed client assertions are wrong by the same amount.',
    'Synchronise the clock by NTP (chrony, systemd-timesyncd).',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
