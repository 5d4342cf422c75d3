import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepUncertainCharges, type UncertainCharge } from './uncertain-charges.ts'

describe('uncertain charges', () => {
  let base: string
  let folder: string
  let refunded: number[]
  let failing: Set<number>
  let pauses: number[]
  let logged: string[]
  /** Runs the round that is planned, and everything it does. */
  let elapse: () => Promise<void>

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'assay-uncertain-'))
    folder = join(base, 'refunds-owed')
    refunded = []
    failing = new Set()
    pauses = []
    logged = []
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const charge = (seq: number): UncertainCharge => ({ organisationId: `org_${seq}`, requestId: `req_${seq}`, seq })
  function open() {
    let planned: (() => void) | undefined
    const note = (_fields: object, message: string) => void logged.push(message)
    const kept = keepUncertainCharges({
      folder,
      logger: { error: note, warn: note },
      refund: async ({ seq }) => {
        if (failing.has(seq)) throw new Error('the store is away')
        refunded.push(seq)
        return true
      },
      later: (pauseMs, fn) => {
        pauses.push(pauseMs)
        planned = fn
        return () => {
          planned = undefined
        }
      },
    })
    elapse = async () => {
      planned?.()
      planned = undefined
      // A round tries one after another: a few turns of the event loop for each of the charges here.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    return kept
  }

  it('are in a file of the service alone when add returns, and are refunded by the next process', async () => {
    const killed = open()
    killed.add([charge(1), charge(2)])
    const [file] = readdirSync(folder)
    expect(statSync(join(folder, file ?? '')).mode & 0o777).toBe(0o600)
    await killed.close()
    const next = open()
    await elapse()
    expect(refunded).toEqual([1, 2])
    expect(readdirSync(folder)).toEqual([])
    await next.close()
  })

  it('of which one fails keep no other waiting; the pauses grow to five minutes and begin anew', async () => {
    const kept = open()
    failing.add(2)
    kept.add([charge(1), charge(2)])
    kept.add([charge(3)])
    for (let round = 0; round < 12; round++) await elapse()
    expect(refunded).toEqual([1, 3])
    expect(pauses.slice(0, 3)).toEqual([1000, 2000, 4000])
    expect(pauses.at(-1)).toBe(300_000)
    failing.clear()
    await elapse()
    expect(refunded).toEqual([1, 3, 2])
    kept.add([charge(4)])
    expect(pauses.at(-1)).toBe(1000)
    await kept.close()
  })

  it('in a file that cannot be read are left there and logged, and the others are tried', async () => {
    const first = open()
    first.add([charge(1)])
    await first.close()
    writeFileSync(join(folder, 'owe_torn.json'), '[{"organisationId":')
    const second = open()
    await elapse()
    expect(refunded).toEqual([1])
    expect(readdirSync(folder)).toEqual(['owe_torn.json'])
    expect(logged).toContain('uncertain charges cannot be read; the file is not changed')
    await second.close()
  })

  it('that the disk refuses are tried all the same, and the charge is not stopped by it', async () => {
    const kept = open()
    writeFileSync(folder, 'a file where the folder should be')
    chmodSync(folder, 0o600)
    expect(() => kept.add([charge(1)])).not.toThrow()
    await elapse()
    expect(refunded).toEqual([1])
    await kept.close()
  })
})
