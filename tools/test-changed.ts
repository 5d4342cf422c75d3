/**
 * `npm run test:changed`: the tests in the folders of the files that changed since the last commit (in a clean tree: since
 * `main`), and the tests of the shape of the code. The tests in test/ run only in `npm test`, unless they changed
 * themselves.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

/** The tests in the folder of the file; without any, those in the nearest folder above it, up to its room. */
function testsBeside(path: string): string[] {
  if (/\.test\.ts$/.test(path)) return [path]
  // A file directly in src/ is its own room.
  const alone = /^src\/[^/]+(?=\.ts$)/.exec(path)?.[0]
  if (alone) return globSync(`${alone}*.test.ts`)
  const room = /^(src\/[^/]+|console\/src\/[^/]+|console|sdk|reader|cli)\//.exec(path)?.[1]
  for (let folder = dirname(path); room && folder.startsWith(room); folder = dirname(folder)) {
    const found = globSync(`${folder}/*.test.ts`)
    if (found.length > 0) return found
  }
  return room ? globSync(`${room}/**/*.test.ts`) : []
}

const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
const changed = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'main...HEAD')
const shape = ['test/tidy.test.ts', 'test/promises.test.ts', 'test/repository.test.ts']
const files = [...new Set([...changed.flatMap(testsBeside), ...shape])]
console.log(`Testing ${files.join(' ')}`)
// A relative path would also find files whose path contains it: `cli/` is in `test/cli/`.
const paths = files.map((file) => resolve(file))
process.exitCode = spawnSync('vitest', ['run', ...paths], { stdio: 'inherit' }).status ?? 1
