import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { refuseHalfRestored } from '../backup/place.ts'
import { loadPlans } from '../billing/plans.ts'
import { announceAccountChange } from '../billing/subscription/announce.ts'
import type { BillingRules } from '../billing/subscription/present.ts'
import type { Config } from '../config.ts'
import { readSchema, type SchemaState } from '../db/migrate.ts'
import { type DatabasePlace, openStore, sqliteFile } from '../db/open.ts'
import { openServiceTime } from '../db/service-time.ts'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { yieldToOthers } from '../lib/niceness.ts'
import { keepPrivate, tellTightened } from '../lib/private-folder.ts'
import type { Ring } from '../lib/seal.ts'
import { textTable } from '../lib/text-table.ts'
import { iso } from '../lib/time-text.ts'
import { VERSION } from '../version.ts'
import { openConfiguredRing } from './ring.ts'
import { findSecret } from './secret-file.ts'
import { mailSettingsOf, providerOf, settingsOf } from './settings.ts'

/** What every operator verb works with. They open the store themselves: the server may run beside them or not. */
export interface OperatorContext {
  readonly config: () => Config
  /** This machine's clock; what a verb calls now is its store's clock. */
  readonly machine: Clock
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** Lets the servers of this machine go first; for what takes long. Absent where others share the process. */
  readonly giveWay?: () => void
  /** What the program ends with when no error was thrown; a verb sets it to tell a script of a finding. */
  exitCode: number
}

const NICER_BY = 10

export const systemContext = (config: () => Config): OperatorContext => ({
  config,
  machine: systemClock,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  giveWay: () => yieldToOthers(NICER_BY),
  exitCode: 0,
})

/** Something the operator asked for that cannot be done; shown as one line, exit code 1. */
export class OperatorError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OperatorError'
  }
}

/** The store, and what billing decides by. */
export interface Store extends BillingRules {
  readonly sql: Sql
  readonly clock: Clock
  /** One transaction at the present time. */
  readonly change: <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>
  /** Tells running nodes that an organisation may be served from now on, or no longer. */
  readonly announceAccount: (organisationId: string) => Promise<void>
  /** The keys that seal and sign. Read when asked for: most verbs need no secret. */
  readonly openRing: () => Promise<Ring>
  /** The same for a verb that only reads: undefined where no secret is at hand, and none is made. */
  readonly findRing: () => Promise<Ring | undefined>
  /** Where copies of the ledger's anchors are. */
  readonly anchorsFile: string
}

/** Opens the configured store and makes it where there is none. `warn`: told when others could read the data folder, or still can. */
export function openConfigured(config: Config, warn: (text: string) => void = () => {}): Promise<Sql> {
  refuseHalfRestored(config.ASSAY_DATA_DIR)
  for (const text of tellTightened(keepPrivate(config.ASSAY_DATA_DIR))) warn(text)
  return openStore({
    dataDir: config.ASSAY_DATA_DIR,
    ...(config.ASSAY_DATABASE_URL ? { databaseUrl: config.ASSAY_DATABASE_URL } : {}),
  })
}

/** Where the configured database is. */
export function placeOf({ ASSAY_DATABASE_URL: url, ASSAY_DATA_DIR: folder }: Config): DatabasePlace {
  return url ? { engine: 'postgres', url } : { engine: 'sqlite', file: sqliteFile(folder) }
}

/** Where the database is, for a sentence: without the password that an address may hold. */
export function databaseText({ ASSAY_DATABASE_URL: url, ASSAY_DATA_DIR: folder }: Config): string {
  if (!url) return `${resolve(sqliteFile(folder))} (ASSAY_DATA_DIR)`
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' }
  return `${host}${pathname} (ASSAY_DATABASE_URL)`
}

const noDatabase = (config: Config) =>
  new OperatorError(
    `There is no database at ${databaseText(config)}. Is this the right place? \`assayd migrate\` or \`assayd serve\` makes one.`,
  )

/** Opens a store that is there already, of any version that this program knows; closes it whatever happens. */
export async function withDatabase<T>(config: Config, fn: (sql: Sql, schema: SchemaState) => Promise<T>): Promise<T> {
  // Asked first: opening a SQLite file that is not there would make it.
  if (!config.ASSAY_DATABASE_URL && !existsSync(sqliteFile(config.ASSAY_DATA_DIR))) {
    refuseHalfRestored(config.ASSAY_DATA_DIR)
    throw noDatabase(config)
  }
  const sql = await openConfigured(config)
  try {
    const schema = await readSchema(sql)
    if (schema.applied.length === 0) throw noDatabase(config)
    return await fn(sql, schema)
  } finally {
    await sql.close()
  }
}

/** Opens the configured store, which must be up to date, and closes it whatever happens. */
export function withStore<T>(context: OperatorContext, fn: (store: Store) => Promise<T>): Promise<T> {
  const config = context.config()
  const plans = loadPlans(config.ASSAY_PLANS_FILE)
  return withDatabase(config, async (sql, { missing }) => {
    if (missing.length > 0) {
      throw new OperatorError(
        `The database at ${databaseText(config)} lacks ${missing.length} ${missing.length === 1 ? 'migration' : 'migrations'} ` +
          `of Assay ${VERSION}. Make a backup (\`assayd backup\`), then bring it up to date: \`assayd migrate\``,
      )
    }
    const { clock } = await openServiceTime(sql, { machine: context.machine })
    return await fn({
      sql,
      clock,
      plans,
      settings: settingsOf(config),
      provider: providerOf(config),
      sendsMail: mailSettingsOf(config) !== undefined,
      change: (work) => changeIn(sql, clock, work),
      announceAccount: (organisationId) => announceAccountChange(sql, organisationId),
      openRing: () => openConfiguredRing(config, { sql, clock }),
      findRing: async () => (findSecret(config) === undefined ? undefined : openConfiguredRing(config, { sql, clock })),
      anchorsFile: anchorsFileOf(config),
    })
  })
}

export function anchorsFileOf(config: Config): string {
  return join(config.ASSAY_DATA_DIR, 'anchors.log')
}

/** A leaf verb: every one has --json, and says the same thing in both forms. */
export function verb(parent: Command, name: string, about: string): Command {
  return parent.command(name).description(about).option('--json', 'print JSON for programs')
}

/** Prints a result: JSON when asked for, else the lines for a person. */
export function print(context: OperatorContext, json: boolean | undefined, value: unknown, lines: () => string): void {
  context.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${lines()}\n`)
}

/** Rows as aligned columns, with a sentence when there are none. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  return rows.length === 0 ? empty : textTable(header, rows)
}

export function dateText(timeMs: number | null): string {
  return timeMs === null ? '-' : iso(timeMs).slice(0, 16).replace('T', ' ')
}

/** The most rows that a list shows. */
export const LIST_ROWS_MAX = 10_000

/** Words separated by blanks or commas. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}

/** A whole number from the command line. */
export function wholeNumber(name: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^-?\d{1,15}$/.test(text) || value < min || value > max) {
      throw new OperatorError(`${name}: ${JSON.stringify(text)} is not a whole number from ${min} to ${max}.`)
    }
    return value
  }
}

/** One of a few words from the command line. */
export function oneOfWords<const T extends string>(name: string, words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text)
    if (found === undefined) throw new OperatorError(`${name}: must be one of ${words.join(', ')}.`)
    return found
  }
}
