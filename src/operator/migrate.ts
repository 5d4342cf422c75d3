import type { Command } from 'commander'
import { migrate } from '../db/migrate.ts'
import { type OperatorContext, openConfigured, print, verb } from './context.ts'

export function registerMigrate(program: Command, context: OperatorContext): void {
  verb(program, 'migrate', 'bring the database up to date').action(async (options: { json?: boolean }) => {
    const sql = await openConfigured(context.config())
    try {
      const result = { engine: sql.engine, ...(await migrate(sql)) }
      print(context, options.json, result, () =>
        result.applied.length === 0
          ? `The ${result.engine} database is up to date.`
          : `Applied to ${result.engine}: ${result.applied.join(', ')}.`,
      )
    } finally {
      await sql.close()
    }
  })
}
