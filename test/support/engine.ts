import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../src/lib/clock.ts'
import { EngineUnavailable, type EvaluateOptions, type RiskEngine } from '../../src/risk/engine.ts'
import { createLocalEngine } from '../../src/risk/local.ts'
import type { Models } from '../../src/risk/model/load.ts'
import type { OwnIndexes } from '../../src/risk/own/indexes.ts'
import { createCompiler } from '../../src/snapshot/compile.ts'
import { type OpenSnapshot, openSnapshot } from '../../src/snapshot/read.ts'
import type { Tag } from '../../src/snapshot/types.ts'
import { testModels } from './models.ts'

/** Indicators that the test snapshot knows; it knows no others. */
export const KNOWN = {
  badDomain: 'evil-supplier.eu',
  disposableDomain: 'throwaway-mail.eu',
  badIp: '45.9.148.7',
} as const

const BUILT_AT_MS = Date.parse('2026-01-01T00:00:00Z')

/** The real engine over a real, small snapshot; the constant parts are created once per test file. */
export function createTestEngine(own?: OwnIndexes, clock?: Clock): RiskEngine {
  const { snapshot, models } = testEngineParts()
  return createLocalEngine({ snapshots: { current: () => snapshot }, models, own, clock })
}

export function testEngineParts(): { readonly snapshot: OpenSnapshot; readonly models: Models } {
  parts ??= { snapshot: compileTestSnapshot(), models: testModels() }
  return parts
}

let parts: { readonly snapshot: OpenSnapshot; readonly models: Models } | undefined

function compileTestSnapshot(): OpenSnapshot {
  const folder = mkdtempSync(join(tmpdir(), 'assay-engine-'))
  const file = join(folder, 'test.snapshot')
  const compiler = createCompiler({ nowMs: BUILT_AT_MS })
  compiler.source({
    id: 'test-feed',
    name: 'Test feed',
    licence: 'CC0-1.0',
    asOfMs: BUILT_AT_MS,
    halfLifeDays: 365,
    expiryDays: 3650,
  } as Parameters<typeof compiler.source>[0])
  const add = (kind: 'domain' | 'ip', value: string, tag: Tag) =>
    compiler.add({
      kind,
      value,
      source: 'test-feed',
      tag,
      firstSeenMs: BUILT_AT_MS,
      lastSeenMs: BUILT_AT_MS,
      confidence: 1,
    })
  add('domain', KNOWN.badDomain, 'phishing')
  add('domain', KNOWN.disposableDomain, 'disposable')
  add('ip', KNOWN.badIp, 'c2')
  compiler.writeTo(file)
  const snapshot = openSnapshot(file)
  rmSync(folder, { recursive: true })
  return snapshot
}

/** An engine that can be stopped and restored, and paused in the middle of an evaluation. */
export function interruptible(engine: RiskEngine) {
  let down = false
  let barrier: { reached: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | undefined
  let asked = 0
  async function pass(): Promise<void> {
    asked++
    barrier?.reached.resolve()
    await barrier?.released.promise
    if (down) throw new EngineUnavailable('taken away by the test')
  }
  return {
    async evaluate(...args: Parameters<RiskEngine['evaluate']>) {
      await pass()
      return engine.evaluate(...args)
    },
    async openList(...args: Parameters<RiskEngine['openList']>) {
      const list = await engine.openList(...args)
      return {
        ...list,
        async evaluate(options: EvaluateOptions) {
          await pass()
          return list.evaluate(options)
        },
      }
    },
    intelligence: async () => (down ? undefined : engine.intelligence()),
    close: () => engine.close(),
    /** The number of requested evaluations. */
    get asked() {
      return asked
    },
    set down(value: boolean) {
      down = value
    },
    /** Makes evaluations wait from now on: `reached` resolves when one waits, `release` lets them continue. */
    hold(): { reached: Promise<void>; release(): void } {
      const made = { reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }
      barrier = made
      return {
        reached: made.reached.promise,
        release() {
          barrier = undefined
          made.released.resolve()
        },
      }
    },
  }
}
