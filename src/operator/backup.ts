import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type OperatorContext, OperatorError, print, verb, withStore } from './context.ts'

export function registerBackup(program: Command, context: OperatorContext): void {
  verb(program, 'backup', 'copy the SQLite database into a file while the server runs')
    .requiredOption('--to <file>', 'where to; must not exist yet')
    .action(async (options: { to: string; json?: boolean }) => {
      const file = resolve(options.to)
      if (existsSync(file)) throw new OperatorError(`--to: ${file} exists already. Choose another name.`)
      await withStore(context, async ({ sql }) => {
        if (!sql.backup) {
          throw new OperatorError('This database is PostgreSQL: back it up with pg_dump or your provider’s snapshots.')
        }
        await sql.backup(file)
        print(context, options.json, { file }, () => `The database is copied to ${file}. Keep the secret with it.`)
      })
    })
}
