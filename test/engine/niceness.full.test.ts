import { execFile } from 'node:child_process'
import { platform } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** In a process of its own, whose niceness is not 0. */
const SCRIPT = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { setPriority } from 'node:os'
  import { createWorkerEngine } from '${new URL('../../src/risk/worker.ts', import.meta.url)}'
  import { loadModels } from '${new URL('../../src/risk/model/load.ts', import.meta.url)}'

  const nicenessOf = (id) => Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[16])
  const crashes = []
  setPriority(10)
  const engine = createWorkerEngine({
    snapshots: { current: () => undefined },
    models: loadModels(),
    threads: 1,
    onCrash: (error) => crashes.push(String(error)),
  })
  const domains = Array.from({ length: 500 }, (_, i) => 'name-' + i + '.example')
  const list = await engine.openList('domain', Buffer.from(JSON.stringify({ domains })), { organisationId: 'org_a', records: 500 })
  const own = nicenessOf(process.pid)
  const others = readdirSync('/proc/self/task').map(nicenessOf)
  console.log(JSON.stringify({ own, lowest: Math.max(...others), length: list.length, crashes }))
  process.exit(0)
`

test.runIf(platform() === 'linux')(
  'threads for lists yield to the one that serves, whatever its niceness',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', SCRIPT])
    expect(JSON.parse(stdout)).toEqual({ own: 10, lowest: 15, length: 500, crashes: [] })
  },
)
