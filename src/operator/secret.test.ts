import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('rotation makes everything anew that is kept sealed or signed', () => {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const named = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/export const (\w+): SealedColumn =/g)])
    .map(([, name]) => name!)
  const rotated = /SEALED_COLUMNS[^=]*= \[([^\]]*)\]/.exec(readFileSync(join(root, 'operator/secret.ts'), 'utf8'))?.[1]
  expect(named).toContain('SIGNED_ANCHORS')
  expect(rotated?.split(',').flatMap((name) => name.trim() || [])).toEqual(expect.arrayContaining(named))
})
