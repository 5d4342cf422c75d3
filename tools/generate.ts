import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generatedFiles } from './generated-files.ts'

/**
 * `npm run generate`: writes every generated file. `--check` writes nothing and fails when a file is stale; the tests
 * do the same through generated-files.ts.
 */
const check = process.argv.includes('--check')
const stale: string[] = []
for (const [name, text] of await generatedFiles()) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url))
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
  stale.push(name)
  if (!check) writeFileSync(path, text)
}
if (stale.length === 0) console.log('All generated files are up to date.')
else console.log(`${check ? 'Stale' : 'Written'}: ${stale.join(', ')}`)
if (check && stale.length > 0) process.exitCode = 1
