import type { Registration } from '../../live/facts.ts'
import { tagged } from '../look-up/evidence.ts'
import { explained, factFinding } from './explained.ts'
import { past, quoted, soon } from './fact-texts.ts'
import { type LiveSignal, NOTHING } from './signal.ts'

export const domainRegistered = {
  code: 'domain.registered',
  description: 'Registered for the first time on a known day',
  group: 'live',
  detect: ({ facts: { registration }, reading, nowMs }) => {
    const registeredMs = registration?.registeredMs
    if (registration === undefined || registeredMs === undefined || reading.ageDays === undefined) return NOTHING
    return factFinding(
      'rdap',
      registration.seenMs,
      () => `Registered ${past(registeredMs, nowMs)}${withRegistrar(registration)}`,
    )
  },
} satisfies LiveSignal<'domain'>

function withRegistrar({ registrar }: Registration): string {
  return registrar === undefined || registrar === '' ? '' : `, with ${quoted(registrar)}`
}

export const domainNewlyRegistered = {
  code: 'domain.newly_registered',
  description: 'On a list of newly registered names',
  group: 'live',
  detect: ({ subject: { own, above }, reading }) => {
    if (!reading.isYoung || reading.ageDays !== undefined) return NOTHING
    const [item] = [...tagged(own, 'newly_registered'), ...tagged(above, 'newly_registered')]
    // One list is enough.
    return item === undefined ? NOTHING : [item]
  },
} satisfies LiveSignal<'domain'>

/** The end of a registration is reported from this many days before. */
const ENDS_SOON_DAYS = 30

export const domainExpires = {
  code: 'domain.expires',
  description: 'Its registration ends on a known day',
  group: 'live',
  detect: ({ facts: { registration }, reading: { daysLeft, bins }, nowMs }) => {
    const expiresMs = registration?.expiresMs
    if (registration === undefined || expiresMs === undefined || daysLeft === undefined) return NOTHING
    if (bins.left < 0 && daysLeft > ENDS_SOON_DAYS) return NOTHING
    return factFinding('rdap', registration.seenMs, () => {
      if (daysLeft < 0) return `Its registration ended ${past(expiresMs, nowMs)} and was not renewed`
      if (daysLeft <= ENDS_SOON_DAYS) return `Expires ${soon(expiresMs, nowMs)}`
      return `Paid for until ${new Date(expiresMs).getUTCFullYear()}`
    })
  },
} satisfies LiveSignal<'domain'>

export const domainHeld = {
  code: 'domain.held',
  description: 'Suspended by its registry or registrar',
  group: 'live',
  detect: ({ facts: { registration }, reading: { held } }) => {
    if (held === undefined || registration === undefined) return NOTHING
    const words =
      held.variant === 'suspended' ? 'Suspended by its registry or registrar' : 'Not renewed, and about to be deleted'
    const say = () => `${words} (${held.status.toLowerCase()})`
    return [explained({ source: 'rdap', confidence: 1, lastSeenMs: registration.seenMs }, say, held.variant)]
  },
} satisfies LiveSignal<'domain'>

export const domainUnregistered = {
  code: 'domain.unregistered',
  description: 'Nobody has registered this name',
  group: 'live',
  detect: ({ facts: { registration, zone }, reading }) => {
    if (!reading.isUnregistered) return NOTHING
    return registration === undefined
      ? factFinding('dns', zone?.seenMs, () => 'Does not exist: the DNS knows no such name')
      : [{ source: 'rdap', confidence: 1, lastSeenMs: registration.seenMs }]
  },
} satisfies LiveSignal<'domain'>
