import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readCatalogue } from './src/feeds/catalogue.ts'
import { compileBundled } from './src/feeds/bundled.ts'
import { loadModels } from './src/risk/model/load.ts'
import { createScorer } from './src/risk/score.ts'
import { openSnapshot } from './src/snapshot/read.ts'
import { compileFolder } from './lab/compile-folder.ts'
import { readLabelled } from './lab/evaluate-sets.ts'
import { measureOwn, ownSection } from './lab/evaluate-own.ts'
const data = '/work/shared/data'
const file = '/tmp/overlay-feeds.snapshot'
const nowMs = Date.parse('2026-06-01')
if (process.argv[2] === 'feeds') { if (!existsSync(file)) await compileFolder({ catalogue: readCatalogue('lab/evaluation/catalogue.json'), from: data, file, nowMs }) }
const f = process.argv[2] === 'feeds' ? file : '/tmp/overlay-bundled.snapshot'
if (!existsSync(f)) compileBundled({ file: f, nowMs })
const scorer = createScorer(openSnapshot(f), loadModels())

const rows = readLabelled(join(data, 'labelled'), true)
const draws = ['', 'b', 'c', 'd', 'e', 'f']
const all = draws.map((d) => measureOwn(rows, scorer, d))
for (const way of all[0].ways.map((w) => w.way)) {
  const of = all.map((a) => a.ways.find((w) => w.way === way)!)
  const n = of.reduce((s, w) => s + w.made, 0)
  console.log(way.padEnd(30), n, (100*of.reduce((s, w) => s + w.made*w.with.high, 0)/n).toFixed(0)+' high', (100*of.reduce((s, w) => s + w.made*w.with.medium, 0)/n).toFixed(0)+' medium')
}
const n = all.flatMap((a) => a.ways).reduce((s, w) => s + w.made, 0)
console.log('all', n, (100*all.flatMap((a) => a.ways).reduce((s, w) => s + w.made*w.with.high, 0)/n).toFixed(1))
console.log('accused', all.map((a) => a.accused.length).join(' '), 'of 2000 each')
for (const a of all.flatMap((a) => a.accused)) console.log(a.name, a.to, a.why)
console.log('missed'); console.log(all.slice(0,2).flatMap((a) => a.ways.flatMap((w) => (w as any).missed ?? [])).join('\n'))
