import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { type Ip, ipv4, parseIpv4Value, specialPurpose } from '../src/lib/ip.ts'
import { hasTag } from '../src/risk/look-up/evidence.ts'
import { ORDINARY_PER_10K, shrunkPer10k } from '../src/risk/signals/ip-neighbourhood.ts'
import { AROUND_LOG_MAX, DENSITY_LOG_MAX } from '../src/risk/weights/ip.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { type Snapshot, TAGS } from '../src/snapshot/types.ts'
import { compileFolder } from './compile-folder.ts'
import { auc, randomFrom, shuffled } from './fit-data.ts'
import { type Row, regression } from './fit-regression.ts'

/** What the surroundings of an address are worth, in the log-odds of weights.ts. */
export interface NetworkWeights {
  readonly hosting: number
  readonly near: number
  readonly around: number
  readonly asn: number
}

export interface NetworkFit {
  readonly weights: NetworkWeights
  readonly report: string
  readonly trained: string
}

// Only feeds whose licence allows it: MIT, CC0, Unlicense. All of the same evaluation catalogue.
const ALLOWED =
  /^(phishing-database-ips|ipsum|maltrail-(malware|c2|malicious|scanners)|x4bnet-(vpn|datacenter|datacenter-asn)|bad-asn-list|tor-exits|providers-.*|misp-.*)$/
/** Feeds that stand for the future: each in turn is left out of the surroundings, and its addresses are asked about. */
const FUTURES: readonly { readonly name: string; readonly ids: RegExp; readonly path: string }[] = [
  { name: 'ipsum', ids: /^ipsum$/, path: 'feeds/ips/ipsum_filtered.txt' },
  {
    name: 'Phishing.Database',
    ids: /^phishing-database-ips$/,
    path: 'feeds/ips/phishing_database_IPs_ACTIVE.txt',
  },
  { name: 'maltrail', ids: /^maltrail-/, path: 'feeds/domains/maltrail/malware' },
]
const SAMPLES = 6000
/**
 * The scale sets the border of `medium`, and is chosen by the share of addresses beyond it: of the random announced ones
 * 3 in 1,000 in access networks and a quarter in hosting networks, of those that attacked in June, and that no list had,
 * seven in ten. It is given by one point: an address of the dirtiest hosting company with so many listed neighbours.
 */
const DIRTIEST_NEAR = 4
const DIRTIEST_LOG_ODDS = 2.75
// Neighbours beyond this many say no more about how much the first ones are worth.
const NEAR_LOG_MAX = Math.log1p(8)

/**
 * Addresses that the surroundings do not know yet and a feed lists, against random addresses of announced networks.
 * Fitted on addresses already known, the neighbours would weigh too much: one list names whole streets at once.
 */
export async function fitNetwork(data: string): Promise<NetworkFit> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fit-'))
  const allowed = readCatalogue(join(import.meta.dirname, 'evaluation/catalogue.json')).filter(({ id }) =>
    ALLOWED.test(id),
  )
  try {
    const futures: { readonly name: string; readonly rows: readonly AddressRow[] }[] = []
    for (const { name, ids, path } of FUTURES) {
      const file = join(folder, `${name}.snapshot`)
      const catalogue = allowed.filter(({ id }) => !ids.test(id))
      await compileFolder({ catalogue, from: data, file, nowMs: Date.parse('2026-06-01') })
      const past = openSnapshot(file)
      futures.push({ name, rows: [...rowsOfListed(join(data, path), past), ...rowsOfRandom(past)] })
    }
    const rows = futures.flatMap((future) => future.rows)
    const fitted = regression(rows).map((weight) => Math.max(0, weight))
    const reports = futures.map(({ name, rows: unseen }) => {
      const others = futures.filter((future) => future.name !== name).flatMap((future) => future.rows)
      return `${name} by the others ${aucOf(regression(others), unseen)}`
    })
    return {
      trained:
        'addresses of ipsum (Unlicense, 2026-08-22), Phishing.Database (MIT, 2026-05-30) and maltrail (MIT) that the other feeds do not list, against random announced addresses, in surroundings of MIT, CC0 and Unlicense feeds as of 2026-06-01',
      weights: scaled(fitted),
      report: `regression ${fitted.map((weight) => weight.toFixed(2)).join(' ')}; AUC ${aucOf(fitted, rows)}, networks kept out ${networksKeptOut(rows)}, ${reports.join(', ')}`,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function scaled([hosting = 0, near = 0, around = 0, asn = 0]: readonly number[]): NetworkWeights {
  const dirtiest = hosting + near * Math.log1p(DIRTIEST_NEAR) + around * AROUND_LOG_MAX + asn * DENSITY_LOG_MAX
  const scale = (weight: number) => Math.round(((weight * DIRTIEST_LOG_ODDS) / dirtiest) * 1000) / 1000
  return { hosting: scale(hosting), near: scale(near), around: scale(around), asn: scale(asn) }
}

interface AddressRow extends Row {
  readonly asn: number
}

const ADDRESS_LINE = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?(?:\s.*)?$/

function rowsOfListed(path: string, past: Snapshot): AddressRow[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .map((name) => join(path, name))
    : [path]
  const listed = files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .map((line) => parseIpv4Value(ADDRESS_LINE.exec(line)?.[1] ?? ''))
    .filter((value) => value >= 0 && isUnseen(ipv4(value), past))
  return shuffled([...new Set(listed)], randomFrom(11))
    .slice(0, SAMPLES)
    .map((value) => rowOf(ipv4(value), past, true))
}

function rowsOfRandom(past: Snapshot): AddressRow[] {
  const random = randomFrom(12)
  const rows: AddressRow[] = []
  while (rows.length < SAMPLES) {
    const ip = ipv4(Math.floor(random() * 2 ** 32))
    if (past.asn(ip) && isUnseen(ip, past)) rows.push(rowOf(ip, past, false))
  }
  return rows
}

function isUnseen(ip: Ip, past: Snapshot): boolean {
  return specialPurpose(ip) === undefined && !past.ip(ip).some(({ tag }) => TAGS[tag] === 'threat')
}

/** As the signals see it. */
function rowOf(ip: Ip, past: Snapshot, bad: boolean): AddressRow {
  const asn = past.asn(ip)
  const density = past.density(ip)
  return {
    inputs: [
      hasTag(past.ip(ip), 'hosting') || (asn && hasTag(asn.evidence, 'hosting')) ? 1 : 0,
      Math.min(NEAR_LOG_MAX, Math.log1p(density.near)),
      Math.min(AROUND_LOG_MAX, Math.log1p(density.around)),
      Math.min(DENSITY_LOG_MAX, Math.max(0, Math.log(shrunkPer10k(density) / ORDINARY_PER_10K))),
    ],
    bad,
    weight: 1,
    asn: asn?.number ?? 0,
  }
}

function aucOf(weights: readonly number[], rows: readonly Row[]): string {
  const value = ({ inputs }: Row) =>
    inputs.reduce((sum, input, i) => sum + input * Math.max(0, weights[i] as number), 0)
  return auc(rows.filter(({ bad }) => bad).map(value), rows.filter(({ bad }) => !bad).map(value)).toFixed(4)
}

/** Fitted on one half of all networks, measured on the other: the weights must not know networks by heart. */
function networksKeptOut(rows: readonly AddressRow[]): string {
  const isKept = ({ asn }: AddressRow) => Math.imul(asn, 2_654_435_761) >>> 31 === 1
  return aucOf(regression(rows.filter((row) => !isKept(row))), rows.filter(isKept))
}
