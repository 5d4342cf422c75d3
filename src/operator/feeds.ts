import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { createFetcher } from '../feeds/fetch.ts'
import { isOn } from '../feeds/keys.ts'
import { publishedSnapshots } from '../feeds/publish.ts'
import type { FeedDependencies } from '../feeds/refresh.ts'
import {
  feedsAdd,
  feedsList,
  feedsSetEnabled,
  feedsSync,
  formatDiff,
  formatFeeds,
  formatInspection,
  formatLookup,
  formatOutcomes,
  formatStatus,
  intelCompile,
  intelDiff,
  intelInspect,
  intelLookup,
  intelRollback,
  loadCatalogue,
  openBundledSnapshot,
  openNamed,
} from '../feeds/verbs.ts'
import type { OpenSnapshot } from '../snapshot/read.ts'
import { type OperatorContext, OperatorError, print, verb, withStore } from './context.ts'

/** `assayd feeds …`: where intelligence comes from. `assayd intel …`: what has become of it. */

async function withFeeds<T>(context: OperatorContext, fn: (deps: FeedDependencies) => Promise<T>): Promise<T> {
  const fetcher = createFetcher()
  const { ASSAY_DATA_DIR: dataDir, feedKeys: keys } = context.config()
  try {
    return await withStore(context, ({ sql, clock }) => fn({ sql, dataDir, clock, fetcher, keys }))
  } finally {
    await fetcher.close()
  }
}

export function registerFeeds(program: Command, context: OperatorContext): void {
  const feeds = program.command('feeds').description('feeds: where the intelligence comes from')
  const catalogueOf = (options: { catalogue?: string }) => options.catalogue ?? context.config().ASSAY_FEEDS_FILE

  verb(feeds, 'list', 'show the feeds of the catalogue')
    .option('--catalogue <file>', 'another catalogue than the configured one')
    .action((options: { catalogue?: string; json?: boolean }) =>
      withFeeds(context, async (deps) => {
        await loadCatalogue(deps, { catalogue: catalogueOf(options), keepLocal: true })
        const states = await feedsList(deps)
        print(context, options.json, states, () => formatFeeds(states, deps.keys))
      }),
    )

  verb(feeds, 'sync', 'fetch the enabled feeds now; "intel compile" then makes a snapshot of them')
    .option('--catalogue <file>', 'another catalogue than the configured one')
    .option('--from <dir>', 'folder below which relative addresses of the catalogue lie')
    .option('--only <id...>', 'only these feeds')
    .option('--accept', 'take copies that were held back for having shrunk or grown too much')
    .action((options: { catalogue?: string; from?: string; only?: string[]; accept?: boolean; json?: boolean }) =>
      withFeeds(context, async (deps) => {
        const outcomes = await feedsSync(deps, { ...options, catalogue: catalogueOf(options) })
        print(context, options.json, outcomes, () => formatOutcomes(outcomes))
        if (outcomes.some(({ status }) => status === 'failed')) context.exitCode = 2
      }),
    )

  verb(feeds, 'status', 'rows, age and last error of each feed').action((options: { json?: boolean }) =>
    withFeeds(context, async (deps) => {
      const states = await feedsList(deps)
      print(context, options.json, states, () =>
        states.length === 0
          ? 'No feed was ever synced: assayd feeds sync'
          : formatStatus(states, deps.clock.now(), deps.keys),
      )
    }),
  )

  verb(feeds, 'add', 'add a feed, or change one, from a catalogue entry')
    .argument('<file>', 'a JSON file with one entry, as in feeds.json')
    .option('--from <dir>', 'folder below which a relative address lies')
    .action((file: string, options: { from?: string; json?: boolean }) =>
      withFeeds(context, async (deps) => {
        const feed = await feedsAdd(deps, readEntry(file), options)
        print(
          context,
          options.json,
          feed,
          () => `Feed ${feed.id} is in the catalogue. Fetch it: assayd feeds sync --only ${feed.id}`,
        )
      }),
    )

  for (const [name, enabled, about] of [
    ['enable', true, 'switch a feed on'],
    ['disable', false, 'switch a feed off; the next snapshot is without it'],
  ] as const) {
    verb(feeds, name, about)
      .argument('<id>', 'the feed')
      .action((id: string, options: { json?: boolean }) =>
        withFeeds(context, async (deps) => {
          const state = await feedsSetEnabled(deps, id, enabled)
          const on = isOn(state, deps.keys ?? {})
          print(context, options.json, { id, enabled, on }, () =>
            enabled && !on
              ? `Feed ${id} is enabled, but stays off until ${state.feed.key} is set.`
              : `Feed ${id} is ${on ? 'on' : 'off'}.`,
          )
        }),
      )
  }
}

export function registerIntel(program: Command, context: OperatorContext): void {
  const intel = program.command('intel').description('the compiled snapshot that answers')

  verb(intel, 'compile', 'compile the copies of all enabled feeds and make the result current on every node').action(
    (options: { json?: boolean }) =>
      withFeeds(context, async (deps) => {
        const result = await intelCompile(deps)
        print(
          context,
          options.json,
          result,
          () => `Snapshot ${result.info.version} of ${result.feeds} feeds is current.`,
        )
      }),
  )

  verb(intel, 'inspect', 'what a snapshot holds')
    .argument('[version]', 'a version or a file; the current one if left out')
    .action((version: string | undefined, options: { json?: boolean }) =>
      withFeeds(context, async (deps) => {
        const inspection = intelInspect(await openChosen(deps, version))
        print(context, options.json, inspection, () => formatInspection(inspection))
      }),
    )

  verb(intel, 'diff', 'what changed between two snapshots')
    .argument('<from>', 'a version or a file')
    .argument('[to]', 'a version or a file; the current one if left out')
    .action((from: string, to: string | undefined, options: { json?: boolean }) =>
      withFeeds(context, async (deps) => {
        const diff = intelDiff(openNamed(deps.dataDir, from), await openChosen(deps, to))
        print(context, options.json, diff, () => formatDiff(diff))
      }),
    )

  verb(intel, 'lookup', 'everything the current snapshot has on an indicator')
    .argument('<indicator>', 'an email address, a domain or an IP address')
    .action((indicator: string, options: { json?: boolean }) =>
      withFeeds(context, async (deps) => {
        const found = intelLookup(await openChosen(deps, undefined), indicator)
        print(context, options.json, found, () => formatLookup(found))
      }),
    )

  verb(intel, 'rollback', 'go back to the snapshot before').action((options: { json?: boolean }) =>
    withFeeds(context, async (deps) => {
      const change = await intelRollback(deps)
      print(context, options.json, change, () => `Back from ${change.from} to ${change.to}.`)
    }),
  )
}

async function openChosen(deps: FeedDependencies, version: string | undefined): Promise<OpenSnapshot> {
  if (version !== undefined) return openNamed(deps.dataDir, version)
  const [current] = await publishedSnapshots(deps.sql)
  return current ? openNamed(deps.dataDir, current.version) : openBundledSnapshot(deps)
}

function readEntry(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OperatorError(`${file} cannot be read as JSON: ${(error as Error).message}`)
  }
}
