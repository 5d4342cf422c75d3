import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { assayd, startProcess } from '../support/process.ts'
import { openPlace } from '../support/stores.ts'
import { fault, newFolder, placeOf, seen, settle, until } from './fault.ts'
import { createAccount, startLoad } from './load.ts'

/** Feed servers that are away, never stop sending, or send a bomb, while the node that fetches them serves checks. */

const PRELOAD = new URL('../support/local-feeds.ts', import.meta.url)
/** The most that a node may grow while it reads 512 MB of an endless list and unpacks a bomb. */
const GROWTH_MB_MAX = 400
const BLOCK = Buffer.alloc(1024 * 1024, 'a-name-on-a-list.example\n')

type Behaviour = (response: ServerResponse) => void
const good: Behaviour = (response) => {
  response.end(Array.from({ length: 50 }, (_, i) => `listed-${i}.example`).join('\n'))
}
const endless: Behaviour = (response) => {
  const more = () => {
    while (!response.destroyed && response.write(BLOCK));
  }
  response.on('drain', more)
  more()
}
/** A gigabyte of nothing in a megabyte. */
const bomb: Behaviour = (response) => {
  const part = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  response.end(Buffer.concat(Array.from({ length: 16 }, () => part)))
}

async function rssMb(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout.trim()) / 1024
}

describe('feeds', () => {
  fault('feed servers down, endless, and a gzip bomb', { short: false }, async () => {
    const folder = newFolder()
    const behaviours: Record<string, Behaviour> = { '/down': good, '/endless': good, '/bomb': good }
    const server = createServer((request, response) => {
      response.on('error', () => {})
      behaviours[request.url ?? '']?.(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const catalogue = join(folder.path, 'feeds.json')
    const feeds = Object.keys(behaviours).map((path) => ({
      id: path.slice(1),
      name: `A list that is ${path.slice(1)}`,
      address: `https://127.0.0.1:${port}${path}`,
      format: { type: 'list', values: 'domain' },
      kinds: ['domain'],
      tags: ['phishing'],
      confidence: 0.9,
      half_life_days: 30,
      expiry_days: 90,
      licence: 'CC0-1.0',
      commercial_use: true,
      refresh_hours: 1,
      enabled: true,
    }))
    writeFileSync(catalogue, JSON.stringify({ feeds }))
    const env = {
      ASSAY_DATA_DIR: folder.path,
      ASSAY_FEEDS_FILE: catalogue,
      ASSAY_FEEDS_REFRESH: 'on',
      LOG_LEVEL: 'info',
    }
    const account = await createAccount(placeOf(env))
    let node = await startProcess(env, 'serve', { preload: [PRELOAD] })
    const listed = async () => {
      const { stdout } = await assayd(['intel', 'lookup', 'listed-7.example', '--json'], env)
      return JSON.parse(stdout) as { version: string; found: { evidence: unknown[] }[] }
    }
    try {
      await until('the good copies are in the snapshot', () => node.output().includes('snapshot swapped in'))
      const before = await listed()
      expect(before.found[0]?.evidence).toHaveLength(3)

      // The same feeds are due again, and each of their servers has a fault.
      await node.kill('SIGTERM')
      const sql = await openPlace(placeOf(env))
      await sql.query('update feed set next_due_at = 0')
      await sql.close()
      behaviours['/down'] = (response) => response.destroy()
      behaviours['/endless'] = endless
      behaviours['/bomb'] = bomb
      node = await startProcess(env, 'serve', { preload: [PRELOAD] })
      const load = startLoad({ account, urlOf: () => node.url })
      await load.answers(20)
      const atFirstMb = await rssMb(node.pid)
      let mostMb = 0
      const failures = () => node.output().split('"status":"failed"').length - 1
      await until('all three have failed', async () => {
        mostMb = Math.max(mostMb, await rssMb(node.pid))
        return failures() === 3
      })
      const recoveriesMs = [await load.recovery()]
      await load.answers(200)
      const comparison = await settle({ load, account, env })
      expect(mostMb - atFirstMb).toBeLessThan(GROWTH_MB_MAX)
      expect(await listed()).toEqual(before)
      expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
      expect(existsSync(join(folder.path, 'feeds'))).toBe(true)
      const meanwhile = `${seen(load)}; grew by ${Math.round(mostMb - atFirstMb)} MB`
      return { comparison, rounds: 1, recoveriesMs, meanwhile }
    } finally {
      await node.kill('SIGKILL')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      folder.remove()
    }
  })
})
