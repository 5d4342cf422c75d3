import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachStore } from '../../test/support/stores.ts'
import type { Sql } from '../db/sql.ts'
import { createJobRunner, type Job } from './runner.ts'

describeEachStore('jobs', (open) => {
  let one: Sql
  let two: Sql
  beforeAll(async () => {
    one = await open()
    two = await open()
  })
  afterAll(() => {})

  function gate() {
    let release = () => {}
    const opened = new Promise<void>((resolve) => {
      release = resolve
    })
    return { opened, release }
  }

  it('run on one node at a time, and on another once the first is done', async () => {
    const { opened, release } = gate()
    const started = gate()
    const runs: string[] = []
    const job = (node: string): Job => ({
      name: 'shared',
      periodMs: 60_000,
      async run() {
        runs.push(node)
        started.release()
        if (node === 'one') await opened
      },
    })
    const errors: unknown[] = []
    const onError = (_: string, error: unknown) => errors.push(error)
    const first = createJobRunner({ sql: one, jobs: [job('one')], onError })
    const second = createJobRunner({ sql: two, jobs: [job('two')], onError })
    const running = first.runNow('shared')
    await started.opened
    expect(await second.runNow('shared')).toBe('elsewhere')
    // The same node does not start it a second time either.
    expect(first.runNow('shared')).toBe(running)
    release()
    expect(await running).toBe('ran')
    expect(await second.runNow('shared')).toBe('ran')
    expect(runs).toEqual(['one', 'two'])
    expect(errors).toEqual([])
  })

  it('that the stop of the server ended are reported neither as failed nor as done', async () => {
    const reports: unknown[] = []
    const started = gate()
    const job: Job = {
      name: 'long',
      periodMs: 60_000,
      run: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          started.release()
        }),
    }
    const onError = (_: string, error: unknown) => reports.push(error)
    const onRun = async (run: unknown) => void reports.push(run)
    const runner = createJobRunner({ sql: one, jobs: [job], onError, onRun })
    const running = runner.runNow('long')
    await started.opened
    await runner.stop()
    await running
    expect(reports).toEqual([])
  })

  it('report what fails and go on', async () => {
    const errors: [string, unknown][] = []
    let calls = 0
    const job: Job = {
      name: 'fails',
      periodMs: 60_000,
      async run() {
        if (++calls === 1) throw new Error('no luck')
      },
    }
    const runner = createJobRunner({ sql: one, jobs: [job], onError: (name, error) => errors.push([name, error]) })
    expect(await runner.runNow('fails')).toBe('failed')
    expect(errors).toEqual([['fails', new Error('no luck')]])
    expect(await runner.runNow('fails')).toBe('ran')
    expect(() => runner.runNow('unknown')).toThrow('There is no job unknown; there are fails.')
  })

  it('stop: the timer is off, the running job is told and waited for', async () => {
    const started = gate()
    let told = false
    const job: Job = {
      name: 'long',
      periodMs: 1,
      run: (signal) =>
        new Promise<void>((resolve) => {
          started.release()
          signal.addEventListener('abort', () => {
            told = true
            resolve()
          })
        }),
    }
    const runner = createJobRunner({ sql: one, jobs: [job], onError: () => {}, random: () => 0 })
    runner.start()
    await started.opened
    await runner.stop()
    expect(told).toBe(true)
  })
})
