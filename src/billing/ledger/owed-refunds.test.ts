import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OWED_MAX, type OwedRefund, openOwedRefunds, settleOwed } from './owed-refunds.ts'

let folder: string
let file: string
let logged: { level: 'warn' | 'error'; fields: object; message: string }[]
const logger = {
  warn: (fields: object, message: string) => logged.push({ level: 'warn', fields, message }),
  error: (fields: object, message: string) => logged.push({ level: 'error', fields, message }),
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-owed-'))
  file = join(folder, 'data', 'owed-refunds.jsonl')
  logged = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const owedOf = (number: number): OwedRefund => ({
  id: `owed_${number}`,
  organisationId: `org_${number}`,
  requestId: `req_${number}`,
  seq: number,
  atMs: 1_700_000_000_000 + number,
})
const open = () => openOwedRefunds({ file, logger })
const ids = (owed: { all(): OwedRefund[] }) => owed.all().map(({ id }) => id)

describe('refunds owed', () => {
  it('survive a reopen, in their order, without those that are done', async () => {
    const first = open()
    await first.add([owedOf(1), owedOf(2)])
    await first.add([owedOf(3)])
    await first.done('owed_2')
    await first.close()
    const second = open()
    expect(second.all()).toEqual([owedOf(1), owedOf(3)])
    await second.close()
  })

  it('are in the file when add resolves, for a process that is killed right then', async () => {
    const owed = open()
    await owed.add([owedOf(1)])
    expect(ids(open())).toEqual(['owed_1'])
    await owed.close()
  })

  it('are readable by the service alone', async () => {
    const owed = open()
    await owed.add([owedOf(1)])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await owed.done('owed_1')
    await owed.close()
    // Written anew, because one of its entries is done.
    await open().close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it('of which one was cut off by a crash keep the others, and the next entry stands on its own line', async () => {
    const first = open()
    await first.add([owedOf(1), owedOf(2)])
    await first.close()
    appendFileSync(file, JSON.stringify(owedOf(3)).slice(0, 30))
    const second = open()
    expect(ids(second)).toEqual(['owed_1', 'owed_2'])
    await second.add([owedOf(4)])
    await second.close()
    expect(ids(open())).toEqual(['owed_1', 'owed_2', 'owed_4'])
    expect(logged.map(({ level }) => level)).toEqual(['warn'])
  })

  it('with an unreadable line in the middle keep the others, and the line is logged', async () => {
    const first = open()
    await first.add([owedOf(1)])
    await first.close()
    appendFileSync(file, `\u0000\u0000\n{"id":7}\n${JSON.stringify(owedOf(2))}\n`)
    expect(ids(open())).toEqual(['owed_1', 'owed_2'])
    expect(logged.map(({ level, fields }) => [level, (fields as { number: number }).number])).toEqual([
      ['error', 2],
      ['error', 3],
    ])
  })

  it('are kept once, however often one is added', async () => {
    const owed = open()
    await Promise.all([owed.add([owedOf(1)]), owed.add([owedOf(1), owedOf(2)])])
    await owed.close()
    expect(ids(open())).toEqual(['owed_1', 'owed_2'])
  })

  it('are bounded: what comes beyond is left out and named in the log as an error', async () => {
    const owed = open()
    await owed.add(Array.from({ length: OWED_MAX - 1 }, (_, i) => owedOf(i)))
    await owed.add([owedOf(OWED_MAX), owedOf(OWED_MAX + 1)])
    expect(owed.all()).toHaveLength(OWED_MAX)
    expect(owed.all().at(-1)).toEqual(owedOf(OWED_MAX))
    expect(logged).toMatchObject([{ level: 'error', fields: { leftOut: [owedOf(OWED_MAX + 1)] } }])
    await owed.done('owed_0')
    await owed.add([owedOf(OWED_MAX + 2)])
    expect(owed.all().at(-1)).toEqual(owedOf(OWED_MAX + 2))
    await owed.close()
  })

  it('do not make the file grow for ever, and nothing owed is lost when it is written anew', async () => {
    const owed = open()
    await owed.add([owedOf(0)])
    for (let i = 1; i <= 1500; i++) {
      await owed.add([owedOf(i)])
      await owed.done(`owed_${i}`)
    }
    await owed.add([owedOf(2000)])
    await owed.close()
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(1100)
    expect(ids(open())).toEqual(['owed_0', 'owed_2000'])
  })

  it('that the disk refuses are rejected, remembered by this process, and spoil no later one', async () => {
    const owed = open()
    rmSync(dirname(file), { recursive: true })
    await expect(owed.add([owedOf(1)])).rejects.toThrow('ENOENT')
    expect(ids(owed)).toEqual(['owed_1'])
    mkdirSync(dirname(file))
    await owed.add([owedOf(2)])
    await owed.close()
    expect(ids(open())).toEqual(['owed_2'])
  })

  it('take nothing more once closed', async () => {
    const owed = open()
    await owed.close()
    await expect(owed.add([owedOf(1)])).rejects.toThrow('closed')
  })
})

/** Pauses that a test ends by hand. */
function manualPauses() {
  const pauses: { pauseMs: number; fn: () => void; off: boolean }[] = []
  return {
    pauses,
    later(pauseMs: number, fn: () => void) {
      const pause = { pauseMs, fn, off: false }
      pauses.push(pause)
      return () => {
        pause.off = true
      }
    },
    end() {
      const pause = pauses.at(-1)
      if (!pause || pause.off) throw new Error('no pause is under way')
      pause.off = true
      pause.fn()
    },
    lengths: () => pauses.map(({ pauseMs }) => pauseMs),
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn()
}

describe('settling what is owed', () => {
  it('takes out what was refunded and what owes nothing', async () => {
    const owed = open()
    await owed.add([owedOf(1), owedOf(2)])
    const timer = manualPauses()
    const settling = settleOwed(owed, async ({ seq }) => (seq === 1 ? 'settled' : 'nothing owed'), {
      logger,
      later: timer.later,
    })
    settling.wake()
    expect(timer.lengths()).toEqual([1000])
    timer.end()
    await until(() => owed.all().length === 0)
    await settling.close()
    await owed.close()
    expect(ids(open())).toEqual([])
    expect(timer.lengths()).toEqual([1000])
    expect(logged).toMatchObject([{ fields: { organisationId: 'org_1', requestId: 'req_1' } }])
  })

  it('lets one that fails block no other, logs whose it is once, and pauses longer each time up to five minutes', async () => {
    const owed = open()
    await owed.add([owedOf(1), owedOf(2), owedOf(3)])
    const timer = manualPauses()
    let tries = 0
    const tryOne = async ({ seq }: OwedRefund) => {
      if (seq !== 1) return 'nothing owed' as const
      tries++
      throw new Error('its account is broken')
    }
    const settling = settleOwed(owed, tryOne, { logger, later: timer.later })
    settling.wake()
    for (let round = 1; round <= 11; round++) {
      timer.end()
      await until(() => timer.pauses.length === round + 1)
      expect(ids(owed)).toEqual(['owed_1'])
    }
    expect(tries).toBe(11)
    expect(timer.lengths()).toEqual([
      1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000, 300_000,
    ])
    const named = logged.filter(({ fields }) => 'requestId' in fields)
    expect(named).toMatchObject([{ level: 'warn', fields: { organisationId: 'org_1', requestId: 'req_1', seq: 1 } }])
    await settling.close()
    await owed.close()
  })

  it('tries what is added during a round in a next one', async () => {
    const owed = open()
    await owed.add([owedOf(1)])
    const timer = manualPauses()
    const tried: string[] = []
    const settling = settleOwed(
      owed,
      async ({ id }) => {
        tried.push(id)
        if (id === 'owed_1') {
          await owed.add([owedOf(2)])
          settling.wake()
        }
        return 'nothing owed'
      },
      { logger, later: timer.later },
    )
    settling.wake()
    settling.wake()
    timer.end()
    await until(() => timer.pauses.length === 2)
    timer.end()
    await until(() => owed.all().length === 0)
    expect(tried).toEqual(['owed_1', 'owed_2'])
    expect(timer.lengths()).toEqual([1000, 1000])
    await settling.close()
    await owed.close()
  })

  it('stops on close: the try under way ends, no other begins, and what is owed stays', async () => {
    const owed = open()
    await owed.add([owedOf(1), owedOf(2)])
    const timer = manualPauses()
    const tried: string[] = []
    const { promise: blocked, resolve: release } = Promise.withResolvers<'nothing owed'>()
    const settling = settleOwed(
      owed,
      ({ id }) => {
        tried.push(id)
        return blocked
      },
      { logger, later: timer.later },
    )
    settling.wake()
    timer.end()
    await until(() => tried.length === 1)
    const closing = settling.close()
    release('nothing owed')
    await closing
    settling.wake()
    expect(tried).toEqual(['owed_1'])
    expect(ids(owed)).toEqual(['owed_2'])
    expect(timer.pauses).toHaveLength(1)
    await owed.close()
  })
})
