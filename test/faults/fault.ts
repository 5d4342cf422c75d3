/** The frame of every family of faults: a place to run in, one row of the table for each fault, and its judgement. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { StorePlace } from '../support/stores.ts'
import { type Comparison, compare, refundsPaid } from './compare.ts'
import { type Account, describeOthers, type Load } from './load.ts'

export interface FaultRow {
  readonly fault: string
  readonly rounds: number
  readonly requests: number
  readonly answered: number
  readonly refunded: number
  readonly unheard: number
  readonly lost: number
  readonly double: number
  /** The slowest of all rounds. */
  readonly recoveryMs: number | undefined
  readonly meanwhile: string
}

declare module 'vitest' {
  interface TaskMeta {
    fault?: FaultRow
    /** Why the fault could not be had here. */
    skipped?: string
  }
}

/** `npm run faults` takes its time; `npm test` runs those with a short form. */
export const LONG = process.env.FAULTS === 'long'

/** Rounds of a fault that is over in a moment: as the long form is asked for, or its own number. */
export function roundsOf({ long, short }: { readonly long: number; readonly short: number }): number {
  if (!LONG) return short
  return process.env.FAULTS_ROUNDS === undefined ? long : Number(process.env.FAULTS_ROUNDS)
}

/** Thrown where this machine cannot make the fault; the table says so, with the reason. */
export class NotHere extends Error {}

export interface Judged {
  readonly comparison: Comparison
  readonly rounds: number
  readonly recoveriesMs?: readonly number[]
  /** The answers to the callers while the fault lasted. */
  readonly meanwhile: string
  /** Only a node that is killed or left behind may take answers with it that nobody heard. */
  readonly mayBeUnheard?: boolean
}

/** Registers a fault. Without a short form it runs in `npm run faults` alone, as whole files named `.long.ts` do. */
export function fault(name: string, { short }: { readonly short: boolean }, run: () => Promise<Judged>): void {
  if (!LONG && !short) return
  it(
    name,
    async ({ task, skip }) => {
      let judged: Judged
      try {
        judged = await run()
      } catch (error) {
        if (!(error instanceof NotHere)) throw error
        task.meta.skipped = error.message
        skip(error.message)
        return
      }
      const { comparison, rounds, recoveriesMs = [], meanwhile, mayBeUnheard = false } = judged
      const { findings, ...counts } = comparison
      task.meta.fault = {
        fault: name,
        rounds,
        ...counts,
        recoveryMs: recoveriesMs.length === 0 ? undefined : Math.round(Math.max(...recoveriesMs)),
        meanwhile,
      }
      expect(findings).toEqual([])
      expect(counts).toMatchObject({ lost: 0, double: 0 })
      expect(counts.answered).toBeGreaterThan(0)
      if (!mayBeUnheard) expect(counts.unheard).toBe(0)
    },
    LONG ? 3_600_000 : 120_000,
  )
}

export function newFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'assay-fault-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Nodes of one database share it. */
export const SECRET = 'the secret that all nodes of a fault share'

export function placeOf(env: Record<string, string>): StorePlace {
  const url = env.ASSAY_DATABASE_URL
  return url === undefined
    ? { engine: 'sqlite', file: join(env.ASSAY_DATA_DIR!, 'assay.db') }
    : { engine: 'postgres', url }
}

/** Ends the load, waits for the refunds that are owed, and holds every answer against the ledger. */
export async function settle(options: {
  readonly load: Load
  readonly account: Account
  readonly env: Record<string, string>
  /** Of all nodes; the one of `env` by default. */
  readonly dataDirs?: readonly string[]
}): Promise<Comparison> {
  const { load, account, env, dataDirs = [env.ASSAY_DATA_DIR!] } = options
  await load.stop()
  for (const dataDir of dataDirs) await refundsPaid(dataDir)
  return compare({ place: placeOf(env), organisationId: account.organisationId, load, env })
}

/** The answers to callers besides 200. */
export function seen(load: Load): string {
  return describeOthers(load.others)
}

/** With the time from the first to the last of them. */
export function seenFor(load: Load): string {
  return `${seen(load)} within ${(load.troubledMs / 1000).toFixed(1)} s`
}

const WAITS_MAX = 2400

export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    if (await condition()) return
    await delay(25)
  }
  throw new Error(`this did not come about: ${what}`)
}
