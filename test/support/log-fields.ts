import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every field that a log line may have, from the table in docs/operations.md: name → what it says. */
export const LOG_FIELDS: Readonly<Record<string, string>> = Object.fromEntries(
  readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
    .split('<!-- log fields: the tests read this table -->\n')[1]!
    .split('\n\n')[0]!
    .matchAll(/^\| `(\w+)` \| (.+) \|$/gm)
    .map(([, name, about]) => [name, about]),
)
