import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { freePort } from '../support/ports.ts'
import { assayd } from '../support/process.ts'

/** A real process whose files cannot grow any more: the kernel refuses the write, as it does when the disk is full. */

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const BLOCK_BYTES = 512
const REQUESTS_MAX = 3000

it.runIf(process.platform !== 'win32')(
  'a full disk makes a node not ready, and it still answers',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-full-'))
    const port = await freePort()
    const made = await assayd(['org', 'create', '--name', 'Full', '--plan', 'enterprise', '--json'], {
      ASSAY_DATA_DIR: folder,
    })
    const { api_key: apiKey } = JSON.parse(made.stdout)
    const blocks = Math.ceil(statSync(join(folder, 'assay.db')).size / BLOCK_BYTES) + 200
    const child = spawn(
      'sh',
      ['-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$1" serve`, process.execPath, MAIN],
      {
        env: {
          PATH: process.env.PATH ?? '',
          HOST: '127.0.0.1',
          PORT: String(port),
          ASSAY_METRICS_PORT: 'off',
          ASSAY_DATA_DIR: folder,
          // Its cache of compiled code would be cut short too.
          NODE_DISABLE_COMPILE_CACHE: '1',
        },
        stdio: ['ignore', 'ignore', 'ignore'],
      },
    )
    const ended = once(child, 'exit')
    try {
      const url = `http://127.0.0.1:${port}`
      const status = (path: string) =>
        fetch(`${url}${path}`).then(
          (answer) => answer.status,
          () => 0,
        )
      await expect.poll(() => status('/readyz'), { timeout: 60_000 }).toBe(200)
      const check = () =>
        fetch(`${url}/v1/payment-risk`, {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
          body: '{"email":"jane@company.example"}',
        }).then((answer) => answer.status)
      let last = 0
      for (let i = 0; i < REQUESTS_MAX && last !== 503; i++) last = await check()
      expect(last).toBe(503)
      await expect.poll(() => status('/readyz'), { timeout: 20_000 }).toBe(503)
      expect(await status('/livez')).toBe(200)
      expect(await status('/openapi.json')).toBe(200)
    } finally {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  },
  180_000,
)
