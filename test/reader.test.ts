import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { endsLikeFile } from '../reader/src/other-things.ts'
import { recognise } from '../reader/src/recognise.ts'
import { parseIndicator } from '../src/risk/indicator.ts'
import { anyUrl } from './support/any-text.ts'
import { FULL } from './support/full.ts'
import { runs } from './support/runs.ts'

/** The reader and the service judge indicators in two places: the reader must not promise what the service refuses. */

const PARTS =
  '@ . : / // [ ] < > " a com hxxp [.] 1 :: mailto: \\ % é ? # - _ xn-- \' + ß 。 255 0 b co & ! { } | = ^ 😀'.split(
    ' ',
  )
const awkward = fc.array(fc.constantFrom(' ', ...PARTS), { maxLength: 14 }).map((parts) => parts.join(''))
const bareUrl = anyUrl().map((url) => url.replace(/^https?:\/\//, ''))

it('an indicator of the reader is an indicator of the same kind for the service', () => {
  let read = 0
  const text = fc.oneof(awkward, anyUrl(), bareUrl, fc.emailAddress(), fc.ipV6(), fc.ipV4Extended())
  fc.assert(
    fc.property(text, (given) => {
      const found = recognise(given)
      if ('problem' in found) return
      read++
      expect(parseIndicator(found.kind, found.value)).toMatchObject({ kind: found.kind })
    }),
    { numRuns: runs(600) },
  )
  expect(read).toBeGreaterThan(runs(600) / 6)
})

it('an indicator that the service accepts as written is accepted by the reader too', () => {
  const name = fc.domain().filter((domain) => !endsLikeFile(domain))
  const local = fc.stringMatching(/^[a-z0-9!$&'*+=^_~-]{1,20}$/)
  const cases = fc.oneof(
    fc.tuple(fc.constant('domain' as const), name),
    fc.tuple(fc.constant('ip' as const), fc.oneof(fc.ipV4(), fc.ipV6())),
    fc.tuple(
      fc.constant('email' as const),
      fc.tuple(local, name).map((parts) => parts.join('@')),
    ),
  )
  fc.assert(
    fc.property(cases, ([kind, value]) => {
      if (!('kind' in parseIndicator(kind, value))) return
      expect(recognise(value)).toMatchObject({ kind, value })
    }),
    { numRuns: runs(600) },
  )
})

it.runIf(FULL && process.platform === 'linux')(
  'damaged files of a few megabytes take less than 200 MB of memory',
  () => {
    const script = `
    const { readTable } = await import(${JSON.stringify(new URL('../reader/src/list.ts', import.meta.url).href)})
    const { writeXlsx } = await import(${JSON.stringify(new URL('../reader/src/xlsx.ts', import.meta.url).href)})
    const rows = Array.from({ length: 20000 }, (_, i) => ['Supplier ' + i, 's' + i + '.co.uk', 'SRC=45.9.' + (i % 250) + '.7'])
    const texts = [rows.map((row) => row.join(';')), rows.map((row) => 'Nov 17 10:00:01 gw kernel: ' + row.join(' ')),
      rows.map((row) => JSON.stringify({ name: row[0], site: row[1] }))].map((lines) => Buffer.from(lines.join('\\n')))
    const files = [...texts, Buffer.from(writeXlsx(rows))]
    for (let round = 0; round < 40; round++) {
      const one = files[round % 4]
      const other = files[(round * 7 + 1) % 4]
      const mixed = Buffer.concat([one.subarray(0, (one.length * (round + 1)) / 41), other.subarray((other.length * round) / 41)])
      mixed[(round * 7919) % mixed.length] = round * 5
      await readTable(mixed).catch(() => {})
    }
    // Of this program alone: the figure of Node begins with that of the process that started it.
    const { readFileSync } = await import('node:fs')
    console.log(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])`
    // In a small heap memory that is no longer needed is released at once.
    const args = [
      '--conditions=@assay/source',
      '--max-semi-space-size=4',
      '--max-old-space-size=96',
      '--input-type=module',
      '-e',
      script,
    ]
    const kilobytes = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    expect(kilobytes / 1024).toBeLessThan(200)
  },
)
