import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createCompiler } from './compile.ts'
import { openSnapshot } from './read.ts'

test('a snapshot is shared with a worker thread without a copy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-snapshot-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const nowMs = Date.parse('2026-06-01T10:00:00Z')
  const compiler = createCompiler({ nowMs })
  compiler.source({ id: 'a', name: 'Feed', licence: 'MIT', asOfMs: nowMs })
  for (const tag of ['phishing', 'malware'] as const) {
    const seen = { firstSeenMs: nowMs, lastSeenMs: nowMs, confidence: 0.8 }
    compiler.add({ kind: 'domain', value: 'one.example', tag, source: 'a', ...seen })
  }
  const file = join(folder, 'shared.snapshot')
  compiler.writeTo(file)
  const snapshot = openSnapshot(file)
  const source = `
    import { parentPort, workerData } from 'node:worker_threads'
    const { snapshotFromShared } = await import(workerData.module)
    const snapshot = snapshotFromShared(workerData.shared)
    parentPort.postMessage([snapshot.info.version, snapshot.domain('one.example').length, snapshot.shared.byteLength])
  `
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: { shared: snapshot.shared, module: new URL('./read.ts', import.meta.url).href },
  })
  const answer = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  expect(answer).toEqual([snapshot.info.version, 2, snapshot.shared.byteLength])
})
