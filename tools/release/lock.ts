import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './places.ts'

/** What package-lock.json says: which version of each package this repository is tested with, and what it needs. */

interface LockedPackage {
  /** Of a package that is installed under a name that is not its own. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly optional?: boolean
  /** Of a link: the folder of the workspace. */
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const LOCK = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** Where Node finds `name` from the package that stands at `from`: a key of the lock file. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (LOCK.packages[place]) return place
    if (folder === '') return undefined
    if (!folder.includes('/node_modules/')) folder = ''
  }
}

/** The places of these packages and of all that they need. Our own workspaces are entered, and are not listed. */
export function closureOf(names: Iterable<string>, from = '', found = new Set<string>()): Set<string> {
  for (const name of names) {
    const place = placeOf(name, from)
    if (place === undefined) continue
    const { link, resolved } = LOCK.packages[place]!
    if (found.has(place)) continue
    if (!link) found.add(place)
    const at = link ? resolved! : place
    closureOf(neededBy(LOCK.packages[at]!), at, found)
  }
  return found
}

function neededBy(entry: LockedPackage): string[] {
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => !entry.peerDependenciesMeta?.[name]?.optional,
  )
  return [...Object.keys(entry.dependencies ?? {}), ...Object.keys(entry.optionalDependencies ?? {}), ...peers]
}

export function lockedVersion(name: string, from = ''): string {
  const place = placeOf(name, from)
  const version = place && LOCK.packages[place]?.version
  if (!version) throw new Error(`package-lock.json has no ${name}${from && ` for ${from}`}; run npm install`)
  return version
}

/** A lock file of `manifest` with exactly these places. What `complete` ones need is not installed; `marks` tells npm how they come. */
export function lockFor(
  manifest: { readonly name: string; readonly version: string },
  places: Iterable<string>,
  complete: ReadonlySet<string>,
  marks: object = {},
): object {
  const packages = Object.fromEntries(
    [...places].sort().map((place) => {
      // These words are about the install of this repository.
      const { dev, devOptional, peer, ...entry } = LOCK.packages[place] as LockedPackage & Record<string, unknown>
      return [place, complete.has(place) ? { ...entry, dependencies: {}, ...marks } : entry]
    }),
  )
  const { name, version } = manifest
  return {
    name,
    version,
    lockfileVersion: LOCK.lockfileVersion,
    requires: true,
    packages: { '': manifest, ...packages },
  }
}

/** The packages at these places in the version that was tested, without nested and optional ones and those under another name. */
export function pinned(places: Iterable<string>): Record<string, string> {
  const required = [...places].sort().filter((place) => {
    const { optional, name } = LOCK.packages[place]!
    return !optional && name === undefined
  })
  return Object.fromEntries(
    required.flatMap((place) =>
      place === `node_modules/${nameAt(place)}` ? [[nameAt(place), LOCK.packages[place]!.version!]] : [],
    ),
  )
}

export const nameAt = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

export const licenceAt = (place: string): string | undefined => LOCK.packages[place]?.license
