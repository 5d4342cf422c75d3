import type { Host, Zone } from '../../live/facts.ts'
import { hasTag } from '../look-up/evidence.ts'
import { factFinding } from './explained.ts'
import { counted, quoted } from './fact-texts.ts'
import { type LiveSignal, NOTHING } from './signal.ts'
import { ownElseAbove } from './tagged.ts'

/** DNS facts of the registrable name. */

export const domainMailSetup = {
  code: 'domain.mail_setup',
  description: 'Whether the name can receive mail, and who may write in its name',
  group: 'live',
  detect: ({ facts: { zone, host }, reading: { takesMail, isUnregistered } }) => {
    if (zone === undefined || takesMail === undefined || isUnregistered) return NOTHING
    const say = () => mailIn(zone, host)
    return factFinding('dns', zone.seenMs, say)
  },
} satisfies LiveSignal<'domain'>

function mailIn(zone: Zone, host: Host | undefined): string {
  if (zone.nullMx) return 'Says itself that it takes no mail (null MX)'
  // Without MX, mail goes to the address of the name itself, where usually no mail server runs.
  if (zone.mx.length === 0 && host?.addresses.length === 0) return 'Cannot receive mail: no MX, and no address'
  if (zone.mx.length === 0) return 'Has no mail server of its own (no MX)'
  const { spf, dmarc } = zone
  if (dmarc === 'absent') return 'Receives mail, but publishes no DMARC: anybody can write in its name'
  if (dmarc === 'invalid') return 'Receives mail, but its DMARC record cannot be read: anybody can write in its name'
  if (dmarc === 'none') return 'Receives mail; its DMARC record only watches who writes in its name'
  return `Set up to receive mail, with ${spf === 'absent' || spf === 'invalid' ? '' : 'SPF and '}DMARC ${dmarc}`
}

export const domainNameServers = {
  code: 'domain.name_servers',
  description: 'Several name servers answer for it',
  group: 'live',
  detect: ({ facts: { zone }, reading }) => {
    if (zone === undefined || reading.bins.servers < 0) return NOTHING
    const say = () => `${counted(zone.ns.length, 'name server')} answer for it, more than most names have`
    return factFinding('dns', zone.seenMs, say)
  },
} satisfies LiveSignal<'domain'>

/** Worded like the list of parked names, from its name servers. */
export const domainParkedBy = {
  code: 'domain.parked',
  description: 'Parked: registered but not in use',
  group: 'hosting',
  detect: ({ facts: { zone }, subject }) => {
    if (zone?.parkedBy === undefined || hasTag(ownElseAbove(subject), 'parked')) return NOTHING
    const by = zone.parkedBy
    const say = () => `Parked with ${quoted(by)}: registered but not in use`
    return factFinding('dns', zone.seenMs, say)
  },
} satisfies LiveSignal<'domain'>
