/** `npm test`: the checks beside the tests, which often wait. Ends with the time they took and the size of the product. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const VITEST_LIMIT = process.argv.slice(2)
const startedMs = performance.now()
// Node knows only its own processor time; the shell's `times` counts every process that it or a child waited for.
const BOTH = `npm run check & checks=$!; vitest run "$@"; status=$?
  wait $checks || { status=1; echo 'The checks failed: see above, or npm run check.'; }; times >&3; exit $status`
const run = spawnSync('sh', ['-c', BOTH, 'sh', ...VITEST_LIMIT], { stdio: ['inherit', 'inherit', 'inherit', 'pipe'] })
const [, ofChildren = ''] = String(run.output[3]).split('\n')
const processorMs = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
  (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
  0,
)
console.log(`${minutesOf(processorMs)} of processor time, ${minutesOf(performance.now() - startedMs)} by the clock`)
spawnSync(process.execPath, [join(import.meta.dirname, 'count-lines.ts')], { stdio: 'inherit' })
process.exitCode = run.status ?? 1

function minutesOf(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
