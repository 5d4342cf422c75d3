import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileBundled } from '../src/feeds/bundled.ts'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { compileFolder } from '../src/feeds/offline.ts'
import type { CalibrationFile } from '../src/risk/calibration.ts'
import { combinedLogOdds, type Detected } from '../src/risk/combine.ts'
import { createLexicalModel, type LexicalModelFile } from '../src/risk/model/lexical.ts'
import { loadModels } from '../src/risk/model/load.ts'
import type { Models } from '../src/risk/model/models.ts'
import { shapeOf } from '../src/risk/model/name.ts'
import type { DomainSubject } from '../src/risk/signal.ts'
import { DOMAIN_SIGNALS } from '../src/risk/signals/all.ts'
import { describeDomain } from '../src/risk/subject.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import type { Snapshot } from '../src/snapshot/types.ts'
import { type CalibrationName, fitCalibration, fitTrust, mixtureWeights, type Trust } from './fit-calibration.ts'

/** The feeds that are measured, compiled as of the day before the labelled month. */
export async function compileMeasured(data: string): Promise<{ snapshot: Snapshot; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fit-'))
  const file = join(folder, 'feeds.snapshot')
  const catalogue = readCatalogue(join(import.meta.dirname, '../evaluation/catalogue.json'))
  await compileFolder({ catalogue, from: data, file, nowMs: Date.parse('2026-06-01') })
  return { snapshot: openSnapshot(file), remove: () => rmSync(folder, { recursive: true }) }
}

/** What a fresh installation knows. */
export function compileBundledAlone(): { snapshot: Snapshot; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fit-'))
  const file = join(folder, 'bundled.snapshot')
  compileBundled({ file, nowMs: Date.parse('2026-06-01') })
  return { snapshot: openSnapshot(file), remove: () => rmSync(folder, { recursive: true }) }
}

// What the wording model says: fitted here, so that everything else is added up without it.
const WORDING = new Set<string>([
  'domain.lexical',
  'domain.ordinary_name',
  'domain.suffix_risk',
  'domain.trusted_suffix',
])

export interface WordingFit {
  readonly lexical: Trust
  readonly weights: { readonly calibration: CalibrationFile }
  readonly report: string
}

/** How far the wording model is trusted beside all other signals, then the one calibration of the whole. */
export function fitWording(names: readonly CalibrationName[], snapshot: Snapshot, file: LexicalModelFile): WordingFit {
  const models = { ...loadModels(), lexical: createLexicalModel(file) }
  const weights = mixtureWeights(names)
  const rows = names.map(({ domain, group }, i) => {
    const subject = describeDomain({ kind: 'domain', domain }, snapshot, models)
    const numbers = models.lexical.numbers(subject.worded, shapeOf(subject.worded, models.lexicon), subject.suffix)
    const rest = combinedLogOdds(detectWithoutFacts(subject).filter(({ code }) => !WORDING.has(code)))
    return { ...numbers, ending: subject.suffix, rest, bad: group === 'bad', weight: weights[i] as number }
  })
  const { trust, loss } = fitTrust(rows)
  const trusted: Models = { ...models, lexical: createLexicalModel({ ...file, ...trust }) }
  const calibration = fitCalibration(
    names.map(({ domain, group }, i) => ({
      logOdds: combinedLogOdds(detectWithoutFacts(describeDomain({ kind: 'domain', domain }, snapshot, trusted))),
      bad: group === 'bad',
      weight: weights[i] as number,
    })),
  )
  return {
    lexical: trust,
    weights: { calibration },
    report: `wording: loss ${loss.toFixed(4)}, ${JSON.stringify(trust)}; calibration ${JSON.stringify(calibration.knots)}`,
  }
}

export function detectWithoutFacts(subject: DomainSubject): Detected[] {
  return DOMAIN_SIGNALS.flatMap(({ code, group, detect }) => {
    const findings = detect(subject)
    return findings.length === 0 ? [] : [{ code, group, findings }]
  })
}
