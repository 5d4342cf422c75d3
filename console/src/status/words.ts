import type { Status } from '../api/generated/pages.ts'

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

export function bytes(amount: number): string {
  let [value, unit] = [amount, 0]
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

export function milliseconds(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms >= 10 || Number.isInteger(ms) ? Math.round(ms) : ms.toFixed(1)} ms`
}

export function every(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

export function clock(aheadSeconds: number): string {
  if (Math.abs(aheadSeconds) < 1) return 'right'
  return `${Math.abs(aheadSeconds).toFixed(1)} s ${aheadSeconds > 0 ? 'ahead' : 'behind'}`
}

/** How far the read replica is behind; a dash where the node has none. */
export function behind(replica: Status['nodes'][number]['replica']): string {
  if (!replica) return '–'
  return replica.lag_seconds === null ? 'no answer' : `${replica.lag_seconds.toFixed(1)} s behind`
}

const of = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

const CLOCK_SECONDS_MAX = 5

export function troubles({ nodes, jobs, feeds, mail, published_snapshot: newest }: Status): string[] {
  const running = nodes.filter(({ state }) => state !== 'silent')
  const versions = new Set(running.map(({ version }) => version))
  const owed = running.reduce((sum, node) => sum + node.uncertain_charges, 0)
  const lost = running.reduce((sum, node) => sum + node.log_lines_dropped, 0)
  return [
    ...nodes.filter(({ state }) => state === 'not_ready').map(({ name }) => `${name} is not ready.`),
    ...nodes
      .filter(({ state }) => state === 'silent')
      .map(({ name }) => `${name} stopped reporting without a shutdown.`),
    ...(owed > 0
      ? [`${of(owed, 'charge is', 'charges are')} uncertain: refunded when the store is available again.`]
      : []),
    ...jobs.filter(({ state }) => state === 'failing').map(({ name }) => `The job ${name} fails.`),
    ...jobs.filter(({ state }) => state === 'late').map(({ name }) => `The job ${name} is late.`),
    ...(mail.trouble === null ? [] : [`Mail waits (${mail.waiting}): ${mail.trouble}`]),
    ...(feeds.failing > 0 ? [`${of(feeds.failing, 'feed fails', 'feeds fail')}.`] : []),
    ...(feeds.held > 0 ? [`${of(feeds.held, 'feed is', 'feeds are')} held back: review, then accept or wait.`] : []),
    ...running
      .filter((node) => Math.abs(node.clock_offset_seconds) > CLOCK_SECONDS_MAX)
      .map(({ name }) => `The clock of ${name} is wrong.`),
    ...(lost > 0 ? [`${of(lost, 'log line was', 'log lines were')} lost.`] : []),
    ...running
      .filter(({ replica }) => replica?.lag_seconds === null)
      .map(({ name }) => `${name} gets no answer from the read replica: the primary answers.`),
    ...(versions.size > 1 ? ['Nodes run different versions.'] : []),
    ...running
      .filter(({ snapshot }) => newest && snapshot && snapshot.version !== newest.version)
      .map(({ name }) => `${name} does not have the newest snapshot.`),
  ]
}

export function untroubledFeeds({ fresh, unfetched }: Pick<Status['feeds'], 'fresh' | 'unfetched'>): string {
  if (fresh + unfetched === 0) return 'No feed is on.'
  if (unfetched === 0) return 'None: every feed is fresh.'
  return `None. ${unfetched === 1 ? 'One feed was' : `${unfetched} feeds were`} not fetched yet.`
}
