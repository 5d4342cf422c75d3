import type { Command } from 'commander'
import { migrate, readSchema } from '../db/migrate.ts'
import { VERSION } from '../version.ts'
import { databaseText, type OperatorContext, openConfigured, print, verb, withDatabase } from './context.ts'

export function registerMigrate(program: Command, context: OperatorContext): void {
  verb(program, 'migrate', 'make the database, or bring it up to date')
    .option('--dry-run', 'only say what would be done')
    .action((options: { dryRun?: boolean; json?: boolean }) =>
      options.dryRun ? foretell(context, options.json) : bringUpToDate(context, options.json),
    )
}

async function foretell(context: OperatorContext, json: boolean | undefined): Promise<void> {
  const config = context.config()
  await withDatabase(config, async ({ engine }, { applied, missing }) => {
    const result = { engine, database: databaseText(config), version: VERSION, applied, missing }
    print(context, json, result, () =>
      missing.length === 0
        ? `The ${engine} database at ${result.database} is up to date with Assay ${VERSION}.`
        : [
            `The ${engine} database at ${result.database} lacks ${missing.length} of ${applied.length + missing.length} migrations of Assay ${VERSION}:`,
            ...missing.map((name) => `  ${name}`),
            'Nothing was changed. Make a backup first: assayd backup --to <file>',
          ].join('\n'),
    )
  })
}

async function bringUpToDate(context: OperatorContext, json: boolean | undefined): Promise<void> {
  const config = context.config()
  const sql = await openConfigured(config)
  try {
    const before = await readSchema(sql)
    const { applied } = await migrate(sql)
    const result = { engine: sql.engine, database: databaseText(config), version: VERSION, applied }
    print(context, json, result, () => {
      if (applied.length === 0) return `The ${sql.engine} database is up to date.`
      if (before.applied.length === 0) return `Made a ${sql.engine} database at ${result.database}.`
      return `Applied to ${sql.engine}: ${applied.join(', ')}.\nProve the books: assayd ledger verify`
    })
  } finally {
    await sql.close()
  }
}
