import type { Command } from 'commander'
import { migrate, readSchema } from '../db/migrate.ts'
import type { VerbContext } from '../verb/context.ts'
import { databaseText, openConfigured, withDatabase } from '../verb/store.ts'
import { type Answer, flag, verbsOf, withoutStore } from '../verb/verb.ts'
import { VERSION } from '../version.ts'

export function registerMigrate(program: Command, context: VerbContext): void {
  verbsOf(program, context, withoutStore)('migrate', 'create the database, or migrate it to this version', {
    dryRun: flag('--dry-run', 'only show what would be done'),
  }).runs((_, { dryRun }) => (dryRun ? foretell(context) : bringUpToDate(context)))
}

function foretell(context: VerbContext): Promise<Answer> {
  const config = context.config()
  return withDatabase(config, async ({ engine }, { applied, missing }) => {
    const database = databaseText(config)
    return {
      value: { engine, database, version: VERSION, applied, missing },
      text:
        missing.length === 0
          ? `The ${engine} database at ${database} is up to date with Assay ${VERSION}.`
          : [
              `The ${engine} database at ${database} lacks ${missing.length} of ${applied.length + missing.length} migrations of Assay ${VERSION}:`,
              ...missing.map((name) => `  ${name}`),
              'Nothing was changed. Make a backup first: assayd backup --to <file>',
            ],
    }
  })
}

async function bringUpToDate(context: VerbContext): Promise<Answer> {
  const config = context.config()
  const sql = await openConfigured(config)
  await using _ = { [Symbol.asyncDispose]: () => sql.close() }
  const before = await readSchema(sql)
  const { applied } = await migrate(sql)
  const database = databaseText(config)
  return {
    value: { engine: sql.engine, database, version: VERSION, applied },
    text:
      applied.length === 0
        ? `The ${sql.engine} database is up to date.`
        : before.applied.length === 0
          ? `Created a ${sql.engine} database at ${database}.`
          : [`Applied to ${sql.engine}: ${applied.join(', ')}.`, 'Prove the books: assayd ledger verify'],
  }
}
