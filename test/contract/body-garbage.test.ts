import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** In a process of its own: what else a heap holds decides when it is collected. */
const SCRIPT = `
  import { createServer, request } from 'node:http'
  import { constants, PerformanceObserver } from 'node:perf_hooks'
  import { setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  import { boundedJson, ORDINARY_JSON } from '${new URL('../../src/http/json-bounds.ts', import.meta.url)}'

  let full = 0
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++
  }).observe({ entryTypes: ['gc'] })
  const server = createServer((incoming, response) => {
    boundedJson(incoming, ORDINARY_JSON, 2 ** 32).on('error', () => response.end()).resume()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const send = (body) =>
    new Promise((resolve, reject) => {
      const sent = request({ port: server.address().port, host: '127.0.0.1', method: 'POST' }, (answer) => answer.resume().on('end', resolve))
      sent.on('error', reject).end(body)
    })
  const body = Buffer.alloc(4 * 1024 * 1024, '[')
  // As many objects as a server has: V8 marks a small heap again and again, and more often on a busy machine.
  const kept = Array.from({ length: 600_000 }, (_, i) => ({ i }))
  await send(body)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  await new Promise((resolve) => setImmediate(resolve))
  full = 0
  for (let i = 0; i < 160; i++) await send(body)
  console.log(full, kept.length)
  process.exit(0)
`

test('640 MB of bodies bring about no full collection', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT])
  // Three are of the beginning. Without collections of the newest objects there are ten to fifteen.
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(5)
})
