import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { BUILT_SNAPSHOT } from '../../src/feeds/bundled.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Tests beside their sources, and those that only read the repository, start nothing that must be built. */
const NEEDS_BUILD = /^test\/(?!(generated|promises|repository|tidy|version)\.test\.ts$)/

export function needsBuild({ vitest }: TestProject): boolean {
  return vitest.state.getPaths().some((path) => NEEDS_BUILD.test(relative(ROOT, path)))
}

/** Builds again what is older than its source, so that tests never run an outdated build from the install. */
export default async function setup(project: TestProject): Promise<void> {
  if (!needsBuild(project)) return
  await Promise.all([
    refresh(join(ROOT, 'console/dist/index.html'), 'console/build.ts', [
      'console/index.html',
      'console/build.ts',
      'console/vite.config.ts',
      'console/guides-plugin.ts',
      'console/render-markdown.ts',
      'console/src',
      'docs',
      'reader/src',
      'sdk/src',
    ]),
    refresh(join(ROOT, 'cli/dist/main.js'), 'tools/build-packages.ts', [
      'tools/build-packages.ts',
      ...['sdk', 'reader', 'cli'].flatMap((name) =>
        ['package.json', 'tsconfig.json', 'src'].map((part) => join(name, part)),
      ),
    ]),
    refresh(BUILT_SNAPSHOT, 'tools/bundle.ts', ['package-lock.json', 'tools/bundle.ts', 'src/feeds', 'src/snapshot']),
  ])
  // Processes run the released form of the server: it starts faster.
  await refresh(join(ROOT, 'dist/server/package.json'), 'test/support/stage-server.ts', [
    'test/support/stage-server.ts',
    'tools/release',
    'package.json',
    'package-lock.json',
    'plans.json',
    'feeds.json',
    'openapi.json',
    'deploy',
    'docs/install.md',
    'bin',
    'LICENSE',
    'NOTICE',
    'CHANGELOG.md',
    'src',
    'console/dist',
    'dist/bundled.snapshot',
  ])
}

async function refresh(built: string, script: string, sources: readonly string[]): Promise<void> {
  const builtAtMs = await changedAtMs(built)
  const changed = await Promise.all(sources.map(newestOf))
  if (Math.max(...changed) > builtAtMs) await promisify(execFile)(process.execPath, [join(ROOT, script)])
}

/** The time of the last change of this file, or of the newest file in this folder. No build contains tests. */
async function newestOf(source: string): Promise<number> {
  const path = join(ROOT, source)
  const below = (await readdir(path, { recursive: true }).catch(() => [])).filter((name) => !name.includes('.test.'))
  return Math.max(...(await Promise.all([path, ...below.map((name) => join(path, name))].map(changedAtMs))))
}

async function changedAtMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.mtimeMs ?? 0
}
