import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import manifest from '../../cli/package.json' with { type: 'json' }

/** The oldest Node that the packages support. */
export const OLDEST_MAJOR = Number(/\d+/.exec(manifest.engines.node)?.[0])

/** Undefined if this machine has none: tests that need it are then reported as skipped, by name. */
export const OLDEST_NODE: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((file) => !file.includes('node_modules') && existsSync(file))
  .find((file) => execFileSync(file, ['--version'], { encoding: 'utf8' }).startsWith(`v${OLDEST_MAJOR}.`))
