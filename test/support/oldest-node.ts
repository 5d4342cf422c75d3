import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The machine's own Node where it is 20 or later, else the one that runs the tests. */
export function oldestNode(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, 'node')
    if (folder.includes('node_modules') || !existsSync(file)) continue
    const version = execFileSync(file, ['--version'], { encoding: 'utf8' })
    if (Number(/^v(\d+)\./.exec(version)?.[1]) >= 20) return file
  }
  return process.execPath
}
