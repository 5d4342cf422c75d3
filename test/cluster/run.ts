/**
 * `npm run test:cluster`: several nodes with the real programs in front of them and between them and the database, with
 * the files of deploy/cluster. Programs that are missing are installed from Debian's packages if this is root.
 *
 *     npm run test:cluster -- --only restarts --table docs/faults.md    # or --only pooler, alerts
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { FaultTable } from '../faults/table.ts'
import { proveAlerts } from './alerts.ts'
import { missingPrograms, PACKAGES } from './programs.ts'

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, fault: { type: 'string' }, table: { type: 'string' } },
})

const missing = missingPrograms()
if (missing.length > 0) {
  const packages = missing.map((name) => PACKAGES[name])
  if (process.getuid?.() !== 0 || !install(packages)) {
    console.error(`These programs are missing: ${missing.join(', ')}. Debian: apt-get install ${packages.join(' ')}`)
    process.exit(1)
  }
}

process.env.FAULTS = 'long'
if ('restarts'.includes(values.only)) {
  const vitest = await startVitest('test', ['test/cluster/restarts'], {
    watch: false,
    fileParallelism: false,
    reporters: ['default', new FaultTable(values.table, { whole: false })],
    ...(values.fault === undefined ? {} : { testNamePattern: values.fault }),
  })
  await vitest.close()
}
if ('alerts'.includes(values.only) && values.fault === undefined && !proveAlerts()) process.exitCode = 1
// Every rule of the stores holds through a pooler too.
if ('pooler'.includes(values.only) && values.fault === undefined) {
  process.env.POOLER = '1'
  const vitest = await startVitest('test', ['test/contract/db.test.ts', '.store.test.ts'], { watch: false })
  await vitest.close()
}

function install(packages: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: 'inherit' }).status === 0
  return apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', ...packages)
}
