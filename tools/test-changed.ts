/**
 * `npm run test:changed`: the tests beside the files that changed since the last commit (in a clean tree: since
 * `main`), and the tests of the shape of the code. The tests in test/ run only in `npm test`, unless they changed
 * themselves.
 */
import { execFileSync, spawnSync } from 'node:child_process'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
const changed = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'main...HEAD')
const rooms = changed.flatMap((path) => {
  if (/\.test\.ts$/.test(path)) return path
  // A file directly in src/ is its own room.
  return /^src\/[^/]+(?=\.ts$)|^(src\/[^/]+|console\/src\/[^/]+|console|sdk|reader|cli)\//.exec(path)?.[0] ?? []
})
const shape = ['test/tidy.test.ts', 'test/promises.test.ts', 'test/repository.test.ts']
const files = [...new Set([...rooms, ...shape])]
console.log(`Testing ${files.join(' ')}`)
process.exitCode = spawnSync('vitest', ['run', ...files], { stdio: 'inherit' }).status ?? 1
