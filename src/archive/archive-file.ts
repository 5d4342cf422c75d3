/**
 * The file of an archive: one month of the ledger of all organisations, as gzipped lines of JSON.
 *
 *  1. The first line is the heading. Each organisation has an opening line (number, hash and balances before the month), its
 *     entries, and a closing line (the same after the month, and the sums of its charges). The last line is the manifest.
 *  2. The manifest is signed (JWS) with the key of receipts. It holds the SHA-256 of all lines before it.
 *  3. A file is verified without a database. Archives join: each opening is the closing in an earlier file, and the heading
 *     holds the SHA-256 of the archive before.
 *  4. The same entries give the same lines. Only the signature differs, so the name of a file has the SHA-256 of its lines.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import { CompactSign, createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWK, jwtVerify } from 'jose'
import { type ArchivedCharge, ChargeSums, stays } from '../billing/ledger/archives.ts'
import { ChainWalk } from '../billing/ledger/chain-walk.ts'
import { type Entry, entries, hashedFields } from '../billing/ledger/ledger.ts'
import { entryProblem } from '../billing/ledger/verify.ts'

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

/** Where an organisation's ledger stands: its last entry and the balances after it. */
export interface LedgerPosition {
  readonly seq: number
  readonly hash: string | null
  readonly period: string
  readonly included_pence: number
  readonly prepaid_pence: number
  readonly overage_pence: number
}
const BEGINNING: LedgerPosition = {
  seq: 0,
  hash: null,
  period: '',
  included_pence: 0,
  prepaid_pence: 0,
  overage_pence: 0,
}

export const positionAfter = (entry: Entry | undefined): LedgerPosition =>
  entry === undefined
    ? BEGINNING
    : {
        seq: entry.seq,
        hash: entry.hash,
        period: entry.period,
        included_pence: entry.includedAfterPence,
        prepaid_pence: entry.prepaidAfterPence,
        overage_pence: entry.overageAfterPence,
      }

export interface ArchiveCounts {
  readonly organisations: number
  readonly entries: number
}

interface Manifest extends ArchiveCounts {
  readonly iss: string
  readonly aud: string
  readonly iat: number
  readonly lines: number
  readonly sha256: string
}

export const headingLine = (about: Omit<ArchiveHeading, 'archive'>) => line({ archive: FORMAT, ...about })
export const openingLine = (organisation: string, after: LedgerPosition) => line({ organisation, after })
export const entryLine = (row: object) => line({ entry: row })
export const closingLine = (organisation: string, through: LedgerPosition, charges: readonly ArchivedCharge[]) =>
  line({ organisation, through, charges })

const line = (value: object) => `${JSON.stringify(value)}\n`

/** Counts and hashes lines as they are written or read. */
export class LineDigest {
  readonly #hash = createHash('sha256')
  lines = 0

  add(text: string): void {
    this.#hash.update(text)
    this.lines += text.split('\n').length - 1
  }

  /** Once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}

export async function manifestLine(
  { baseUrl, nowMs, key }: { readonly baseUrl: string; readonly nowMs: number; readonly key: JWK },
  content: Pick<Manifest, 'organisations' | 'entries' | 'lines' | 'sha256'>,
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

export interface VerifiedArchive extends ArchiveHeading, ArchiveCounts {
  readonly file: string
  readonly sha256: string
  /** False if no keys were given. */
  readonly isSignatureChecked: boolean
}

export async function readHeading(file: string): Promise<ArchiveHeading> {
  for await (const text of linesOf(file)) return headingOf(file, text)
  throw new ArchiveRefused(`${basename(file)} is empty.`)
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
  const positions: Positions = new Map()
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
    verified.push(await verifyFile(file, keys, positions, found[0]?.heading.number === 1))
  }
  return verified
}

type Positions = Map<string, LedgerPosition>

async function verifyFile(
  file: string,
  keys: JSONWebKeySet | undefined,
  positions: Positions,
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
      if (!heading) heading = headingOf(file, text)
      else {
        const value = parsed(text)
        if (manifest || !value) throw refuse(manifest ? 'it follows the manifest' : 'it is not JSON')
        if (value.manifest !== undefined) {
          if (open) throw refuse(`the closing line of ${open.organisation} is missing`)
          manifest = await readManifest(String(value.manifest), keys).catch((error: unknown) => {
            throw error instanceof errors.JOSEError
              ? refuse(MANIFEST_REFUSED[error.code] ?? 'the manifest is damaged')
              : error
          })
          continue
        }
        if (value.after !== undefined) {
          if (open) throw refuse(`the closing line of ${open.organisation} is missing`)
          open = new OpenLedger(String(value.organisation), value.after as LedgerPosition)
          const before = positions.get(open.organisation) ?? (isFromStart ? BEGINNING : undefined)
          if (before && !same(before, value.after)) {
            throw refuse(`the ledger of ${open.organisation} does not continue where the archive before ended`)
          }
          counts.organisations++
        } else {
          if (!open) throw refuse('it belongs to no organisation')
          const problem = value.entry !== undefined ? open.step(value.entry as object, heading.month) : open.end(value)
          if (problem) throw refuse(problem)
          if (value.entry !== undefined) counts.entries++
          else {
            positions.set(open.organisation, open.position)
            open = undefined
          }
        }
      }
      digest.add(`${text}\n`)
    }
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error
    throw refuse(`the file cannot be read further (${(error as Error).message})`)
  }
  if (!heading || !manifest) throw refuse('the file ends here, without its manifest: it is incomplete')
  const found = { ...counts, lines: digest.lines, sha256: digest.sha256() }
  const wrong = (Object.keys(found) as (keyof typeof found)[]).find((name) => found[name] !== manifest?.[name])
  if (wrong) throw refuse(`the manifest says ${wrong} ${manifest[wrong]}, but the file has ${found[wrong]}`)
  return { ...heading, ...counts, file, sha256: found.sha256, isSignatureChecked: keys !== undefined }
}

const MANIFEST_REFUSED: Readonly<Record<string, string>> = {
  ERR_JWKS_NO_MATCHING_KEY: 'the manifest is signed with none of these keys',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature does not fit the manifest: it was changed',
}

async function readManifest(signed: string, keys: JSONWebKeySet | undefined): Promise<Manifest> {
  if (!keys) return decodeJwt<Manifest>(signed)
  const { payload } = await jwtVerify<Manifest>(signed, createLocalJWKSet(keys), { algorithms: ['ES256'], typ: TYPE })
  if (payload.aud !== audienceOf(payload.iss)) throw new errors.JWTInvalid('another audience')
  return payload
}

/** The ledger of one organisation, walked from its opening line to its closing line. */
class OpenLedger {
  readonly organisation: string
  readonly #walk: ChainWalk
  readonly #running: Parameters<typeof entryProblem>[0]
  readonly #charges = new ChargeSums()
  #last: Entry | undefined
  /** A charge is summed up when another entry follows: the last one stays in the database. */
  #charge: Entry | undefined

  constructor(organisation: string, after: LedgerPosition) {
    this.organisation = organisation
    this.#walk = new ChainWalk({ heads: [], older: undefined }, after)
    this.#running = {
      included: after.included_pence,
      prepaid: after.prepaid_pence,
      overage: after.overage_pence,
      includedUsed: Number.NaN,
      freeUnitsUsed: Number.NaN,
      period: after.period,
    }
  }

  get position(): LedgerPosition {
    return positionAfter(this.#last)
  }

  step(row: object, month: string): string | undefined {
    const entry = entries.fromRow(row)
    if (entry.organisationId !== this.organisation) return `the entry belongs to ${entry.organisationId}`
    if (entry.period > month) return `the entry is of ${entry.period}`
    if (this.#charge) this.#charges.add(this.#charge)
    this.#charge = stays(entry, 0) ? undefined : entry
    this.#last = entry
    const problem =
      this.#walk.step({ ...entry, fieldsAt: (seq) => hashedFields({ ...entry, seq }) }) ??
      entryProblem(this.#running, entry)
    return problem && `entry ${entry.seq} of ${this.organisation}: ${problem}`
  }

  end({ organisation, through, charges }: Record<string, unknown>): string | undefined {
    if (organisation !== this.organisation || !this.#last) return `no entry of ${String(organisation)} is open`
    if (!same(through, this.position)) return `the closing line of ${this.organisation} does not fit its last entry`
    const sums = this.#charges.upTo(this.#last.seq)
    return same(charges, sums) ? undefined : `the sums of ${this.organisation} do not fit its entries`
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

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
