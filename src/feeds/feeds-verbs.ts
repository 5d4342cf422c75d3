import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { jobLock } from '../jobs/runner.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { table } from '../verb/output.ts'
import { withStore } from '../verb/store.ts'
import { flag, type Opener, optional, readJsonFile, required, several, verbsOf } from '../verb/verb.ts'
import { CatalogueInvalid, checkFeed, type Feed, readCatalogue } from './catalogue.ts'
import { createFetcher } from './fetch.ts'
import type { FeedOutcome } from './ingest.ts'
import { type FeedKeys, isOn, missingKey } from './keys.ts'
import { FEEDS_JOB, type FeedDependencies, syncFeeds } from './refresh.ts'
import { createFeedStore, type FeedState, listDateOf } from './store.ts'

export const withFeeds: Opener<FeedDependencies> = async (context, run) => {
  const fetcher = createFetcher()
  const { ASSAY_DATA_DIR: dataDir, feedKeys: keys } = context.config()
  await using _ = { [Symbol.asyncDispose]: () => fetcher.close() }
  return await withStore(context, ({ sql, clock }) => run({ sql, dataDir, clock, fetcher, keys }))
}

export function registerFeedVerbs(program: Command, context: VerbContext): void {
  const feeds = program.command('feeds').description('feeds: the sources of the intelligence')
  const add = verbsOf(feeds, context, withFeeds)
  const CATALOGUE = optional('--catalogue <file>', 'catalogue to use instead of the configured one')
  const configured = () => context.config().ASSAY_FEEDS_FILE

  add('list', 'show the feeds of the catalogue', { catalogue: CATALOGUE }).runs(async (deps, { catalogue }) => {
    await loadCatalogue(deps, { catalogue: catalogue ?? configured(), keepLocal: true })
    const states = await createFeedStore(deps.sql).list()
    return { value: states, text: formatFeeds(states, deps.keys) }
  })

  add('sync', 'fetch the enabled feeds now; "intel compile" then compiles them into a snapshot', {
    catalogue: CATALOGUE,
    from: optional('--from <dir>', 'folder for relative addresses of the catalogue'),
    only: several('--only <id...>', 'only these feeds'),
    accept: flag('--accept', 'accept copies that were held back because they shrank or grew too much'),
  }).runs(async (deps, { catalogue, from, only, accept }) => {
    const outcomes = await feedsSync(deps, { catalogue: catalogue ?? configured(), from, only, accept })
    const failed = outcomes.some(({ status }) => status === 'failed')
    return { value: outcomes, text: formatOutcomes(outcomes), exitCode: failed ? 2 : 0 }
  })

  add('status', 'show rows, age and last error of each feed', {}).runs(async ({ sql, clock, keys }) => {
    const states = await createFeedStore(sql).list()
    return { value: states, text: formatStatus(states, clock.now(), keys) }
  })

  add('add', 'add a feed, or change one, from a catalogue entry', {
    file: required('<file>', 'a JSON file with one entry, as in feeds.json'),
    from: optional('--from <dir>', 'folder for a relative address'),
  }).runs(async (deps, { file, from }) => {
    const feed = await feedsAdd(deps, readJsonFile(file), { from })
    const text = `Feed ${feed.id} is in the catalogue. Fetch it: assayd feeds sync --only ${feed.id}`
    return { value: feed, text }
  })

  for (const [name, enabled, about] of [
    ['enable', true, 'switch a feed on'],
    ['disable', false, 'switch a feed off; the next snapshot does not include it'],
  ] as const) {
    add(name, about, { id: required('<id>', 'the feed') }).runs(async (deps, { id }) => {
      const state = await feedsSetEnabled(deps, id, enabled)
      const on = isOn(state, deps.keys ?? {})
      const waits = `Feed ${id} is enabled, but stays off until ${state.feed.key} is set.`
      return { value: { id, enabled, on }, text: enabled && !on ? waits : `Feed ${id} is ${on ? 'on' : 'off'}.` }
    })
  }
}

/** The folder of feed files, stored with each feed: a folder that does not exist is refused before. */
function folderOf(from: string | undefined): string | undefined {
  if (from === undefined) return undefined
  const folder = resolve(from)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new VerbError(
    `There is no folder ${folder}. Nothing was changed; name the folder of the feed files with --from.`,
  )
}

async function loadCatalogue(
  { sql, clock }: Pick<FeedDependencies, 'sql' | 'clock'>,
  options: {
    readonly catalogue: string
    readonly from?: string | undefined
    /** Does not change feeds that were loaded from a folder: for a verb that only shows. */
    readonly keepLocal?: boolean
  },
): Promise<Feed[]> {
  const feeds = readCatalogue(options.catalogue)
  const baseDir = folderOf(options.from)
  await createFeedStore(sql).save(feeds, baseDir, clock.now(), { keepLocal: options.keepLocal ?? false })
  return feeds
}

export interface SyncOptions {
  readonly catalogue: string
  readonly from?: string | undefined
  /** Accept copies that would be held back because they shrank or grew too much. */
  readonly accept?: boolean | undefined
  /** Only these feeds; default all enabled feeds of the catalogue. */
  readonly only?: readonly string[] | undefined
}

export async function feedsSync(dependencies: FeedDependencies, options: SyncOptions): Promise<FeedOutcome[]> {
  const catalogue = await loadCatalogue(dependencies, options)
  const states = await createFeedStore(dependencies.sql).list()
  const wanted = new Set(options.only ?? [])
  for (const id of wanted) {
    if (!states.some((state) => state.feed.id === id)) throw new VerbError(`There is no feed ${id}.`)
  }
  const named = new Set(catalogue.map((feed) => feed.id))
  const chosen = states.filter(({ feed, enabled }) =>
    wanted.size > 0 ? wanted.has(feed.id) : isOn({ feed, enabled }, dependencies.keys ?? {}) && named.has(feed.id),
  )
  const outcomes = await dependencies.sql.tryLock(jobLock(FEEDS_JOB), () =>
    syncFeeds(dependencies, chosen, { accept: options.accept ?? false }),
  )
  if (!outcomes) throw new VerbError('A server is refreshing the feeds now; try again in a few minutes.')
  return outcomes
}

export async function feedsAdd(
  { sql, clock }: Pick<FeedDependencies, 'sql' | 'clock'>,
  entry: unknown,
  options: { readonly from?: string | undefined } = {},
): Promise<Feed> {
  const checked = checkFeed(entry)
  if ('problems' in checked) throw new CatalogueInvalid('entry', checked.problems)
  const baseDir = folderOf(options.from)
  await createFeedStore(sql).save([checked.feed], baseDir, clock.now())
  return checked.feed
}

export async function feedsSetEnabled(
  { sql, clock }: Pick<FeedDependencies, 'sql' | 'clock'>,
  id: string,
  enabled: boolean,
): Promise<FeedState> {
  const store = createFeedStore(sql)
  await store.setEnabled(id, enabled, clock.now())
  const state = await store.find(id)
  if (!state) throw new VerbError(`There is no feed ${id}; see assayd feeds list.`)
  return state
}

/** `off: needs …` where only the key is missing. */
function switchText(state: FeedState, keys: FeedKeys): string {
  if (isOn(state, keys)) return 'on'
  return state.enabled ? `off: needs ${missingKey(state.feed, keys)}` : 'off'
}

export function formatFeeds(states: readonly FeedState[], keys: FeedKeys = {}): string {
  return table(states, 'The catalogue has no feed.', {
    feed: ({ feed }) => feed.id,
    on: (state) => switchText(state, keys),
    tags: ({ feed }) => feed.tags.join(','),
    licence: ({ feed }) => feed.licence,
    commercial: ({ feed }) => (feed.commercial_use ? 'yes' : 'no'),
    every: ({ feed }) => `${feed.refresh_hours} h`,
    name: ({ feed }) => feed.name,
    note: ({ feed }) => feed.note ?? '',
  })
}

export function formatStatus(states: readonly FeedState[], nowMs: number, keys: FeedKeys = {}): string {
  return table(states, 'No feed was synced yet: assayd feeds sync', {
    feed: (state) => state.feed.id,
    on: (state) => switchText(state, keys),
    rows: (state) => state.rows,
    age: (state) => ((dateMs) => (dateMs === undefined ? 'never' : duration(nowMs - dateMs)))(listDateOf(state)),
    next: (state) => (isOn(state, keys) ? duration(state.nextDueAtMs - nowMs) : null),
    junk: (state) => Object.values(state.junk).reduce((sum, count) => sum + count, 0),
    trouble: ({ held, lastError }) =>
      held
        ? `held back: ${held.rows} rows after ${held.previous_rows}; accept it with feeds sync --accept`
        : (lastError ?? ''),
  })
}

export function formatOutcomes(outcomes: readonly FeedOutcome[]): string {
  return table(outcomes, 'No feed was fetched.', {
    feed: (one) => one.id,
    outcome: (one) => one.status,
    rows: (one) => one.rows,
    junk: (one) => countsText(one.junk),
    '': (one) => one.detail ?? '',
  })
}

export function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ')
}

function duration(ms: number): string {
  if (ms <= 0) return 'now'
  const minutes = Math.round(ms / 60_000)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} d`
}
