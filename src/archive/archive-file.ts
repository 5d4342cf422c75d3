/**
 * The file of an archive: one month of the ledger of all organisations, as gzipped lines of JSON.
 *
 *  1. The first line is the heading. Then come the entries of one organisation after another, each after an opening line with
 *     the entry before its first one, or null. The last line is the manifest.
 *  2. The manifest is signed (JWS) with the key of receipts. It holds the SHA-256 of all lines before it.
 *  3. A file is verified without a database. Archives join: each opening is the last entry in an earlier file, and the heading
 *     holds the SHA-256 of the archive before.
 *  4. The same entries give the same lines. Only the signature differs, so the name of a file has the SHA-256 of its lines.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import { CompactSign, createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWK, jwtVerify } from 'jose'
import { ChainWalk } from '../billing/ledger/chain-walk.ts'
import { entries, hashedFields } from '../billing/ledger/ledger.ts'
import { balancesAfter, entryProblem, noBalances, type Running } from '../billing/ledger/verify.ts'

const FORMAT = 'assay ledger 1'
const TYPE = 'assay-archive+jwt'
/** A row of the ledger has some hundred characters. */
const LINE_CHARACTERS_MAX = 1_000_000

export interface ArchiveHeading {
  readonly archive: typeof FORMAT
  readonly number: number
  readonly month: string
  /** SHA-256 of the lines of the archive before; null in the first. */
  readonly previous: string | null
}

interface ArchiveContent {
  readonly organisations: number
  readonly entries: number
  readonly lines: number
  readonly sha256: string
}
type Manifest = ArchiveContent & { readonly iss: string; readonly aud: string; readonly iat: number }

export const headingLine = (about: Omit<ArchiveHeading, 'archive'>) => line({ archive: FORMAT, ...about })
export const openingLine = (organisation: string, after: object | undefined) =>
  line({ organisation, after: after ?? null })
export const entryLine = (row: object) => line({ entry: row })

const line = (value: object) => `${JSON.stringify(value)}\n`

/** Counts and hashes lines as they are written or read. */
export class LineDigest {
  readonly hash = createHash('sha256')
  lines = 0

  add(text: string): void {
    this.hash.update(text)
    this.lines += text.split('\n').length - 1
  }
}

export async function manifestLine(
  { baseUrl, nowMs, key }: { readonly baseUrl: string; readonly nowMs: number; readonly key: JWK },
  content: ArchiveContent,
): Promise<string> {
  const claims: Manifest = { iss: baseUrl, aud: audienceOf(baseUrl), iat: Math.floor(nowMs / 1000), ...content }
  const signed = await new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'ES256', typ: TYPE, kid: key.kid ?? '' })
    .sign(key)
  return line({ manifest: signed })
}

const audienceOf = (issuer: string) => `${issuer}/archives`

/** A file that is no whole and unchanged archive. The message names the file and the line. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused'
}

export type VerifiedArchive = ArchiveHeading & ArchiveContent & { readonly file: string }

async function readHeading(file: string): Promise<ArchiveHeading> {
  try {
    for await (const text of linesOf(file)) return headingOf(file, text)
  } catch (error) {
    // Pass on errors of the disk; any other error means that the file is not gzipped.
    if (error instanceof ArchiveRefused || 'syscall' in (error as Error)) throw error
  }
  return headingOf(file, '')
}

function headingOf(file: string, text: string): ArchiveHeading {
  const heading = parsed(text) as Partial<ArchiveHeading> | undefined
  if (heading?.archive !== FORMAT || !Number.isSafeInteger(heading.number) || typeof heading.month !== 'string') {
    throw new ArchiveRefused(`${basename(file)}, line 1: this is no archive of the ledger.`)
  }
  return heading as ArchiveHeading
}

/** Verifies these files in the order of their numbers. Throws ArchiveRefused at the first line that is wrong. */
export async function verifyArchiveFiles(
  files: readonly string[],
  keys: JSONWebKeySet | undefined,
): Promise<VerifiedArchive[]> {
  const found = await Promise.all(files.map(async (file) => ({ file, heading: await readHeading(file) })))
  found.sort((a, b) => a.heading.number - b.heading.number)
  const verified: VerifiedArchive[] = []
  const ends: Ends = new Map()
  for (const { file, heading } of found) {
    const before = verified.at(-1)
    if (before && heading.number !== before.number + 1) {
      throw new ArchiveRefused(
        heading.number === before.number
          ? `${basename(file)} and ${basename(before.file)} are the same archive, number ${heading.number}.`
          : `Archive ${before.number + 1} is missing: ${basename(file)} is number ${heading.number}.`,
      )
    }
    if (before && (heading.previous !== before.sha256 || heading.month <= before.month)) {
      throw new ArchiveRefused(`${basename(file)}, line 1: it does not continue ${basename(before.file)}.`)
    }
    verified.push(await verifyFile(file, keys, ends, found[0]?.heading.number === 1))
  }
  return verified
}

/** The last line of each organisation in the files so far. */
type Ends = Map<string, string>

async function verifyFile(
  file: string,
  keys: JSONWebKeySet | undefined,
  ends: Ends,
  isFromStart: boolean,
): Promise<VerifiedArchive> {
  const digest = new LineDigest()
  const counts = { organisations: 0, entries: 0 }
  let heading: ArchiveHeading | undefined
  let open: OpenLedger | undefined
  let manifest: Manifest | undefined
  const refuse = (problem: string) => new ArchiveRefused(`${basename(file)}, line ${digest.lines + 1}: ${problem}.`)
  try {
    for await (const text of linesOf(file)) {
      const value = parsed(text)
      if (manifest || !value) throw refuse(manifest ? 'it follows the manifest' : 'it is not JSON')
      if (!heading) heading = headingOf(file, text)
      else if (value.manifest !== undefined) {
        manifest = await readManifest(String(value.manifest), keys)
        continue
      } else if (value.entry === undefined) {
        open = new OpenLedger(String(value.organisation), value.after as object | null)
        const before = ends.get(open.organisation) ?? (isFromStart ? 'null' : undefined)
        if (before !== undefined && before !== JSON.stringify(value.after)) {
          throw refuse(`the ledger of ${open.organisation} does not continue where the archive before ended`)
        }
        counts.organisations++
      } else {
        const problem = open ? open.step(value.entry as object, heading.month) : 'it belongs to no organisation'
        if (!open || problem) throw refuse(problem ?? '')
        ends.set(open.organisation, JSON.stringify(value.entry))
        counts.entries++
      }
      digest.add(`${text}\n`)
    }
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error
    if (error instanceof errors.JOSEError) throw refuse(MANIFEST_REFUSED[error.code] ?? 'the manifest is damaged')
    throw refuse(`the file cannot be read further (${(error as Error).message})`)
  }
  if (!heading || !manifest) throw refuse('the file ends here, without its manifest: it is incomplete')
  const found = { ...counts, lines: digest.lines, sha256: digest.hash.digest('hex') }
  const wrong = (Object.keys(found) as (keyof typeof found)[]).find((name) => found[name] !== manifest?.[name])
  if (wrong) throw refuse(`the manifest says ${wrong} ${manifest[wrong]}, but the file has ${found[wrong]}`)
  return { ...heading, ...found, file }
}

const MANIFEST_REFUSED: Readonly<Record<string, string>> = {
  ERR_JWKS_INVALID: 'the given keys are no key set',
  ERR_JWKS_NO_MATCHING_KEY: 'the manifest is signed with none of these keys',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature does not fit the manifest: it was changed',
}

async function readManifest(signed: string, keys: JSONWebKeySet | undefined): Promise<Manifest> {
  if (!keys) return decodeJwt<Manifest>(signed)
  const { payload } = await jwtVerify<Manifest>(signed, createLocalJWKSet(keys), { algorithms: ['ES256'], typ: TYPE })
  if (payload.aud !== audienceOf(payload.iss)) throw new errors.JWTInvalid('another audience')
  return payload
}

/** The ledger of one organisation, walked from the entry before the archive on. */
class OpenLedger {
  readonly organisation: string
  readonly #walk: ChainWalk
  readonly #running: Running

  constructor(organisation: string, before: object | null) {
    const last = before === null ? undefined : entries.fromRow(before)
    this.organisation = organisation
    this.#walk = new ChainWalk({ heads: [], older: undefined }, last)
    this.#running = last ? balancesAfter(last) : noBalances()
  }

  step(row: object, month: string): string | undefined {
    const entry = entries.fromRow(row)
    if (entry.organisationId !== this.organisation) return `the entry belongs to ${entry.organisationId}`
    if (entry.period > month) return `the entry is of ${entry.period}`
    const link = { ...entry, fieldsAt: (seq: number) => hashedFields({ ...entry, seq }) }
    const problem = this.#walk.step(link) ?? entryProblem(this.#running, entry)
    return problem && `entry ${entry.seq} of ${this.organisation}: ${problem}`
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip()
  const packed = createReadStream(file).on('error', (error) => unpacked.destroy(error))
  let rest = ''
  try {
    for await (const piece of packed.pipe(unpacked).setEncoding('utf8')) {
      const lines = (rest + String(piece)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      if (rest.length > LINE_CHARACTERS_MAX) throw new Error('the line is too long')
    }
  } finally {
    packed.destroy()
  }
  if (rest !== '') yield rest
}
