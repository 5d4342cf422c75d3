import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * `npm run bench`: every benchmark in this folder, or those named: `npm run bench -- http scoring`. Figures are ratios
 * within one run wherever two things can be compared; machines differ. `--write` puts them into BENCHMARKS.md.
 */

interface Benchmark {
  /** Lines to print. */
  run(): Promise<readonly string[]>
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const SUPPORT = new Set([
  'run',
  'against',
  'bare-server',
  'callers',
  'engines',
  'hostile',
  'live-servers',
  'probe',
  'server',
  'sink',
])
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .filter((name) => !SUPPORT.has(name))

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(1)
}

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
const results = new Map<string, readonly string[]>()
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n## ${name}`)
  const module = (await import(new URL(`./${name}.ts`, import.meta.url).href)) as Benchmark
  const lines = await module.run()
  for (const line of lines) console.log(line)
  results.set(name, [`machine: ${machine}`, ...lines])
}

if (process.argv.includes('--write')) {
  const file = fileURLToPath(new URL('../BENCHMARKS.md', import.meta.url))
  const sections = new Map([...sectionsOf(readIfThere(file)), ...results])
  const text = [
    '# Benchmarks',
    '',
    'Written by `npm run bench -- --write`. Compare ratios, not absolute figures: the load generator shares the cores with',
    'the server. Sections were measured at different times, each on the machine it names.',
    '',
    ...[...sections].sort().flatMap(([name, lines]) => [`## ${name}`, '', ...lines.map((line) => `- ${line}`), '']),
  ]
  writeFileSync(file, text.join('\n'))
}
process.exit(0)

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function sectionsOf(text: string): [string, string[]][] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name, ...lines] = section.split('\n')
      return [name ?? '', lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2))]
    })
}
