import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './places.ts'

/** Reads package-lock.json: the tested version of each package, and its dependencies. */

interface LockedPackage {
  /** For a package that is installed under another name. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly optional?: boolean
  /** For a link: the folder of the workspace. */
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

/** The place where Node finds `name` from the package at `from`: a key of the lock file. */
function placeOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (LOCK.packages[place]) return place
    if (folder === '') return undefined
    if (!folder.includes('/node_modules/')) folder = ''
  }
}

/** The places of these packages and of all their dependencies. Our own workspaces are followed but not listed. */
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

/**
 * A lock file of `manifest` with exactly these places. Dependencies of `complete` packages are not installed; `marks`
 * are the fields that tell npm their source.
 */
export function lockFor(
  manifest: { readonly name: string; readonly version: string },
  places: Iterable<string>,
  complete: ReadonlySet<string>,
  marks: object = {},
): object {
  const packages = Object.fromEntries(
    [...places].sort().map((place) => {
      // These fields describe the install of this repository.
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

/** The packages at these places in the tested version, without nested, optional and renamed ones. */
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
