import { DAY_MS } from '../../src/lib/clock.ts'
import type { Facts } from '../../src/live/facts.ts'
import type { Coverage, RiskEngine } from '../../src/risk/engine.ts'
import { reportFacts } from '../../src/risk/facts-report.ts'
import type { Indicator } from '../../src/risk/indicator.ts'
import type { AsnInfo, Snapshot } from '../../src/snapshot/types.ts'
import { memorySnapshot } from './memory-snapshot.ts'

/** Facts at the engine port: an engine that answers as if it had looked things up, without any network. */

export interface LookedUp {
  readonly facts: Facts
  readonly live: Coverage['live']['status']
}

export function withFacts(engine: RiskEngine, lookUp: (indicator: Indicator) => LookedUp): RiskEngine {
  return {
    ...engine,
    async evaluate(kind, indicators, options) {
      const answer = await engine.evaluate(kind, indicators, options)
      const [indicator] = indicators
      const [evaluation] = answer.evaluations
      if (!options.explain || !indicator || !evaluation) return answer
      const { facts, live } = lookUp(indicator)
      return {
        ...answer,
        coverage: { ...answer.coverage, live: { status: live } },
        evaluations: [{ ...evaluation, facts: reportFacts(indicator, facts, NETWORKS) }],
      }
    },
  }
}

export const HOST_ADDRESSES = ['185.220.101.1', '185.220.101.2', '2a00:1450::1', '9.9.9.9'] as const

const NETWORKS = networks()

function networks(): Snapshot {
  const plain = memorySnapshot({
    asns: {
      '185.220.0.0/16': { number: 24940, name: 'Hosting GmbH' },
      '2a00:1450::/32': { number: 15169, name: 'Everything plc' },
    },
  })
  const [feed] = plain.info.sources
  return {
    ...plain,
    info: { ...plain.info, sources: [{ ...feed!, roles: ['network'], asOfMs: Date.now() - 20 * DAY_MS }] },
    asn: (ip): AsnInfo | undefined => {
      const found = plain.asn(ip)
      return found && { ...found, country: found.number === 24940 ? 'DE' : 'IE' }
    },
  }
}

/** Markup, and letters that are read from right to left. */
export const ODD_REGISTRAR = '<b onclick="alert(1)">אבג</b> Registrar'

/** Registered six days ago, expires soon, on hold, parked, without mail. */
export function freshFacts(nowMs: number): Facts {
  return {
    registration: {
      found: true,
      registeredMs: nowMs - 6.5 * DAY_MS,
      changedMs: nowMs - 5.5 * DAY_MS,
      expiresMs: nowMs + 9.5 * DAY_MS,
      registrar: ODD_REGISTRAR,
      statuses: ['client transfer prohibited', 'client hold'],
      server: 'rdap.registry.example',
      seenMs: nowMs - 2.5 * DAY_MS,
    },
    zone: {
      exists: true,
      mx: [],
      nullMx: true,
      ns: ['ns1.parking.example', 'ns2.parking.example'],
      spf: 'absent',
      dmarc: 'absent',
      wildcard: true,
      parkedBy: 'Parking Ltd',
      seenMs: nowMs - 3.5 * 60_000,
    },
  }
}

/** Over twenty years old, with mail, in several networks. */
export function oldFacts(nowMs: number): Facts {
  const seenMs = nowMs - 3.5 * 60_000
  return {
    registration: {
      found: true,
      registeredMs: Date.UTC(1998, 4, 2),
      expiresMs: nowMs + 400 * DAY_MS,
      registrar: 'Example Registrar Ltd',
      statuses: ['active', 'client transfer prohibited'],
      server: 'rdap.registry.example',
      seenMs: nowMs - 2.5 * DAY_MS,
    },
    zone: {
      exists: true,
      mx: ['mx1.mail.example', 'mx2.mail.example', 'mx3.mail.example', 'mx4.mail.example', 'mx5.mail.example'],
      nullMx: false,
      ns: ['ns1.dns.example', 'ns2.dns.example'],
      spf: 'softfail',
      dmarc: 'reject',
      wildcard: false,
      seenMs,
    },
    host: { exists: true, addresses: HOST_ADDRESSES, aliases: [], dangling: false, ttlS: 300, seenMs },
    certificate: {
      answered: true,
      issuer: 'An Authority',
      notBeforeMs: Date.UTC(2026, 9, 1),
      notAfterMs: nowMs + 40 * DAY_MS,
      names: ['old-supplier.com', 'www.old-supplier.com'],
      trusted: true,
      seenMs,
    },
  }
}

export function reverseFacts(nowMs: number): Facts {
  const names = ['static.185-220-101-1.hosting.example', 'mail.hosting.example']
  return { reverse: { names, confirmed: names.slice(1), seenMs: nowMs - 3.5 * 60_000 } }
}
