/**
 * Distils the words that people choose as passwords into src/identity/people/common-passwords.txt.
 * Run: node lab/common-passwords.ts --package DIR
 *
 * DIR is the unpacked package @zxcvbn-ts/language-common (MIT). Passwords here have at least twelve characters, which few of
 * its entries have: what matters of the others is the word in them, which people lengthen with digits and signs. The package
 * is not a dependency: a server needs these hundred kilobytes of its two megabytes.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { coreOf } from '../src/identity/people/password-choice.ts'
import { LIMITS } from '../src/limits.ts'

/** Of the most used ones: the word in a rarer password may well be a part of a good one. */
const ENTRIES_MAX = 20_000
const WORD_LENGTH_MIN = 4

const { values } = parseArgs({ options: { package: { type: 'string' } } })
if (!values.package) throw new Error('Say where the package lies: node lab/common-passwords.ts --package DIR')
const { version } = JSON.parse(readFileSync(join(values.package, 'package.json'), 'utf8')) as { version: string }
const all = JSON.parse(readFileSync(join(values.package, 'src/passwords.json'), 'utf8')) as string[]

const kept = new Set<string>()
for (const [place, entry] of all.entries()) {
  const core = coreOf(entry).word
  if (place < ENTRIES_MAX && core.length >= WORD_LENGTH_MIN) kept.add(core)
  if (entry.length >= LIMITS.requests.passwordCharactersMin) kept.add(entry)
}
const head = `# Words of common passwords, from @zxcvbn-ts/language-common ${version} (MIT). Written by tools/common-passwords.ts.`
writeFileSync(
  join(import.meta.dirname, '../src/identity/people/common-passwords.txt'),
  `${[head, ...[...kept].sort()].join('\n')}\n`,
)
