import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './release/places.ts'
import { filesOfVersion } from './versions.ts'

/** `npm run set-version -- 1.2.0`: writes the version in every place that repeats it. openapi.json keeps its own. */

const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version)) {
  console.error('Name a version: npm run set-version -- 1.2.0')
  process.exit(1)
}
for (const [path, text] of filesOfVersion(version)) writeFileSync(join(ROOT, path), text)
console.log(`This is ${version} now. Give its heading in CHANGELOG.md the date of the release.`)
