import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { lockFor, nameAt } from './lock.ts'
import type { ServerPackage } from './server.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly purl?: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
}

/**
 * The bill of materials: everything that npm installs with the server, and everything that is part of its own files.
 * npm writes it, from a lock file with exactly these packages.
 */
export async function writeBom(
  server: Pick<ServerPackage, 'installed' | 'builtIn' | 'carried'>,
  work: string,
  file: string,
): Promise<void> {
  const { name, version, description, license } = manifest
  const places = new Set([...server.installed, ...server.builtIn])
  const dependencies = Object.fromEntries(
    [...places].filter((place) => place === `node_modules/${nameAt(place)}`).map((place) => [nameAt(place), '*']),
  )
  const builtIn = new Set([...server.builtIn].filter((place) => !server.installed.has(place)))
  const described = { name, version, description, license, dependencies }
  // npm uses the name of the folder for the whole.
  const folder = join(work, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(described))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify(lockFor(described, places, builtIn.union(server.carried))),
  )
  const arguments_ = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const { stdout } = await promisify(execFile)('npm', arguments_, { cwd: folder, maxBuffer: 2 ** 26 })
  const bom = JSON.parse(stdout) as Bom
  const namesBuiltIn = new Set([...builtIn].map(nameAt))
  const components = bom.components.map((component) => ({
    ...component,
    properties: namesBuiltIn.has(component.name)
      ? [...(component.properties ?? []), { name: 'assay:built-in', value: 'true' }]
      : component.properties,
  }))
  writeFileSync(file, `${JSON.stringify({ ...bom, components }, null, 2)}\n`)
}
