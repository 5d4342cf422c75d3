import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileBundled } from '../src/feeds/bundled.ts'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import type { CalibrationFile } from '../src/risk/combine.ts'
import { type DomainSubject, lookUpDomain } from '../src/risk/look-up/domain.ts'
import { createLexicalModel, type LexicalModelFile } from '../src/risk/model/lexical.ts'
import { loadModels, taughtBy } from '../src/risk/model/load.ts'
import { shapeOf } from '../src/risk/model/name.ts'
import type { JudgeFile } from '../src/risk/model/network.ts'
import { DOMAIN_SIGNALS } from '../src/risk/signals/all.ts'
import { type Detected, detectEach } from '../src/risk/signals/detect.ts'
import { logOddsWithoutFacts } from '../src/risk/weights/weigh.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import type { Snapshot } from '../src/snapshot/types.ts'
import { compileFolder } from './compile-folder.ts'
import { type CalibrationName, fitCalibration, JUDGE_MIXTURES, MIXTURE, mixtureWeights } from './fit-calibration.ts'
import { fitJudge, JUDGE_SETTINGS } from './fit-judge.ts'

/** The feeds that are measured, compiled as of the day before the labelled month. */
export async function compileMeasured(data: string): Promise<{ snapshot: Snapshot; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fit-'))
  const file = join(folder, 'feeds.snapshot')
  const catalogue = readCatalogue(join(import.meta.dirname, 'evaluation/catalogue.json'))
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

const SILENT_JUDGE: JudgeFile = { inputs: [], hidden: [], output: [0], ordinary: [0, 0] }
const SILENT = { alone: SILENT_JUDGE, learnt: SILENT_JUDGE }

export interface WordingFit {
  readonly lexical: Pick<LexicalModelFile, 'judges'>
  readonly weights: { readonly calibration: CalibrationFile }
  readonly report: string
}

/**
 * How the judge of names weighs what the models say, beside all other signals: without lists to learn from and with them.
 * Then the one calibration of the whole.
 */
export function fitWording(
  names: readonly CalibrationName[],
  bundled: Snapshot,
  measured: Snapshot,
  file: LexicalModelFile,
): WordingFit {
  const loaded = loadModels()
  const weights = mixtureWeights(names, MIXTURE)
  const judgeIn = (
    which: keyof LexicalModelFile['judges'],
    judges: LexicalModelFile['judges'],
    seeds = JUDGE_SETTINGS.seeds,
  ) => {
    const snapshot = which === 'alone' ? bundled : measured
    const judgeWeights = mixtureWeights(names, JUDGE_MIXTURES[which])
    const models = taughtBy(snapshot, { ...loaded, lexical: createLexicalModel({ ...file, judges }) })
    const { lexical } = models
    const rows = names.flatMap(({ domain, group }, i) => {
      const subject = lookUpDomain(domain, snapshot, models)
      if (!subject.isJudgedByName || subject.label.includes('xn--') || subject.platform !== undefined) return []
      const { worded, label, shape, suffix, madeUpLogOdds } = subject
      const inputs = lexical.inputs(worded, shapeOf(worded, models.lexicon), suffix, madeUpLogOdds, label, shape)
      const rest = logOddsWithoutFacts(detectWithoutFacts(subject).filter(({ code }) => !WORDING.has(code)))
      const bad = group === 'bad'
      return [{ inputs, ending: suffix, rest, bad, weight: judgeWeights[i] as number, asked: weights[i] as number }]
    })
    return fitJudge(rows, { ...JUDGE_SETTINGS, seeds })
  }
  // The judges have a small effect on the inputs that are looked up. They begin silent, so that the files before the fit do not matter.
  const beforehand = { alone: judgeIn('alone', SILENT, [1]).judge, learnt: judgeIn('learnt', SILENT, [1]).judge }
  const alone = judgeIn('alone', beforehand)
  const learnt = judgeIn('learnt', beforehand)
  const lexical = { judges: { alone: alone.judge, learnt: learnt.judge } }
  const judged = taughtBy(measured, { ...loaded, lexical: createLexicalModel({ ...file, ...lexical }) })
  const calibration = fitCalibration(
    names.map(({ domain, group }, i) => ({
      logOdds: logOddsWithoutFacts(detectWithoutFacts(lookUpDomain(domain, measured, judged))),
      bad: group === 'bad',
      weight: weights[i] as number,
    })),
  )
  const said = ({ judge, loss }: typeof alone) =>
    `loss ${loss.toFixed(4)}, ordinary suffix ${JSON.stringify(judge.ordinary)}`
  return {
    lexical,
    weights: { calibration },
    report: `judge alone: ${said(alone)}\njudge with lists: ${said(learnt)}\ncalibration ${JSON.stringify(calibration.knots)}`,
  }
}

export function detectWithoutFacts(subject: DomainSubject): readonly Detected[] {
  return detectEach(DOMAIN_SIGNALS, subject)
}
