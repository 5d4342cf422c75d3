/** `npm run lines`: counts the lines of the product, without tests, benchmarks, the laboratory and generated files. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const NO_PRODUCT = /\.test\.tsx?$|^test\/|^bench\/|^lab\/|\.d\.ts$|generated/

const tracked = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx', '*.css'], { cwd: ROOT, encoding: 'utf8' })
const rooms = new Map<string, number>()
for (const path of tracked.split('\0')) {
  if (path === '' || NO_PRODUCT.test(path)) continue
  const room = /^(src\/)?[^/]+/.exec(path)![0]
  rooms.set(room, (rooms.get(room) ?? 0) + readFileSync(join(ROOT, path), 'latin1').split('\n').length - 1)
}
const width = Math.max(...[...rooms.keys()].map((room) => room.length))
if (process.argv.includes('--rooms')) {
  for (const [room, lines] of [...rooms].sort((a, b) => b[1] - a[1])) {
    console.log(`${room.padEnd(width)} ${String(lines).padStart(6)}`)
  }
}
const lines = [...rooms.values()].reduce((sum, count) => sum + count, 0)
console.log(`${lines.toLocaleString('en-GB')} product lines (ts, tsx, css)`)
