import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { compileFolder } from '../src/feeds/offline.ts'
import { type Ip, ipv4, parseIpv4Value, specialPurpose } from '../src/lib/ip.ts'
import { hasTag } from '../src/risk/signal.ts'
import { openSnapshot } from '../src/snapshot/read.ts'
import { type Snapshot, TAGS } from '../src/snapshot/types.ts'
import { auc, randomFrom, shuffled } from './fit-data.ts'
import { type Row, regression } from './fit-regression.ts'

/** What the surroundings of an address are worth, in the log-odds of weights.ts. */
export interface NetworkWeights {
  readonly hosting: number
  readonly hostingNetwork: number
  readonly badAsn: number
  readonly near: number
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
const LISTED_FILES = ['feeds/ips/ipsum_filtered.txt', 'feeds/ips/phishing_database_IPs_ACTIVE.txt']
const SAMPLES = 12_000
// Of random addresses at most this share may come near `high` by its surroundings.
const NEAR_HIGH_SHARE = 0.004
const NEAR_HIGH_LOG_ODDS = 2.9

/** Listed addresses, their own listing taken away, against random addresses of announced networks. */
export async function fitNetwork(data: string): Promise<NetworkFit> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fit-'))
  try {
    const file = join(folder, 'allowed.snapshot')
    const catalogue = readCatalogue(join(import.meta.dirname, '../evaluation/catalogue.json'))
    await compileFolder({
      catalogue: catalogue.filter(({ id }) => ALLOWED.test(id)),
      from: data,
      file,
      nowMs: Date.parse('2026-06-01'),
    })
    return fitOn(openSnapshot(file), data)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function fitOn(snapshot: Snapshot, data: string): NetworkFit {
  const random = randomFrom(11)
  const listed = LISTED_FILES.flatMap((path) => readFileSync(join(data, path), 'utf8').split('\n'))
    .map((line) => parseIpv4Value(line.split('\t')[0] ?? ''))
    .filter((value) => value >= 0)
  const rows: Row[] = []
  for (const value of shuffled(listed, random).slice(0, SAMPLES)) {
    const ip = ipv4(value)
    if (specialPurpose(ip) === undefined) rows.push({ inputs: inputsOf(ip, snapshot, 1), bad: true, weight: 1 })
  }
  for (let good = 0; good < SAMPLES; ) {
    const ip = ipv4(Math.floor(random() * 2 ** 32))
    if (specialPurpose(ip) !== undefined || !snapshot.asn(ip)) continue
    if (snapshot.ip(ip).some(({ tag }) => TAGS[tag] === 'threat')) continue
    rows.push({ inputs: inputsOf(ip, snapshot, 0), bad: false, weight: 1 })
    good++
  }
  const fitted = regression(rows)
  const value = ({ inputs }: Row) => inputs.reduce((sum, input, i) => sum + input * Math.max(0, fitted[i] as number), 0)
  const good = rows.filter(({ bad }) => !bad).map(value)
  const bad = rows.filter((row) => row.bad).map(value)
  const cut = [...good].sort((a, b) => b - a)[Math.floor(good.length * NEAR_HIGH_SHARE)] as number
  const scale = NEAR_HIGH_LOG_ODDS / cut
  const rounded = fitted.map((weight) => Math.round(Math.max(0, weight) * scale * 100) / 100)
  const [hosting = 0, hostingNetwork = 0, badAsn = 0, near = 0, asn = 0] = rounded
  return {
    trained:
      'ipsum (Unlicense, 2026-08-22) and Phishing.Database addresses (MIT, 2026-05-30) against random announced addresses, in surroundings of MIT, CC0 and Unlicense feeds as of 2026-06-01',
    weights: { hosting, hostingNetwork, badAsn, near, asn },
    report: `regression ${fitted.map((weight) => weight.toFixed(2)).join(' ')}, scale ${scale.toFixed(2)}, AUC ${auc(bad, good).toFixed(4)}`,
  }
}

/** As the signals see it; `self` listed addresses are the one asked about itself. */
function inputsOf(ip: Ip, snapshot: Snapshot, self: number): number[] {
  const own = snapshot.ip(ip)
  const asn = snapshot.asn(ip)
  const { near, asnPer10k } = snapshot.density(ip)
  const hosting = hasTag(own, 'hosting')
  return [
    hosting ? 1 : 0,
    !hosting && asn && hasTag(asn.evidence, 'hosting') ? 1 : 0,
    asn && hasTag(asn.evidence, 'bad_asn') ? 1 : 0,
    Math.log1p(Math.max(0, near - self)),
    asnPer10k < 1 ? 0 : Math.log1p(asnPer10k / 5),
  ]
}
