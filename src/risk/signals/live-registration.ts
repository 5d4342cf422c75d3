import type { Facts, Registration } from '../../live/facts.ts'
import { type LiveSignal, NOTHING, tagged } from '../signal.ts'
import { Explained } from './explained.ts'
import { past, quoted, soon } from './fact-texts.ts'

/** What the registry says about a name. */

type Found = NonNullable<Facts['registration']>

function fromRegistry({ seenMs }: Found, confidence: number, say: () => string, variant?: string) {
  return [new Explained({ source: 'rdap', confidence, lastSeenMs: seenMs }, say, variant)]
}

export const domainRegistered = {
  code: 'domain.registered',
  description: 'Registered for the first time on a known day',
  group: 'live',
  detect: ({ facts: { registration }, reading, worths, nowMs }) => {
    const registeredMs = registration?.registeredMs
    if (registration === undefined || registeredMs === undefined || reading.ageDays === undefined) return NOTHING
    return fromRegistry(
      registration,
      worths.registered,
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
  detect: ({ subject: { own, above }, reading, worths }) => {
    if (!reading.isYoung || reading.ageDays !== undefined) return NOTHING
    const [item] = [...tagged(own, 'newly_registered'), ...tagged(above, 'newly_registered')]
    // One list is enough, and its confidence is not what the youth is worth.
    return item === undefined ? NOTHING : [{ ...item, confidence: worths.registered }]
  },
} satisfies LiveSignal<'domain'>

/** From so many days before on, the end of a registration is told. */
const ENDS_SOON_DAYS = 30

export const domainExpires = {
  code: 'domain.expires',
  description: 'Its registration ends on a known day',
  group: 'live',
  detect: ({ facts: { registration }, reading: { daysLeft, bins }, worths, nowMs }) => {
    const expiresMs = registration?.expiresMs
    if (registration === undefined || expiresMs === undefined || daysLeft === undefined) return NOTHING
    if (bins.left < 0 && daysLeft > ENDS_SOON_DAYS) return NOTHING
    return fromRegistry(registration, worths.expires, () => {
      if (daysLeft < 0) return `Its registration ended ${past(expiresMs, nowMs)} and was not renewed`
      if (daysLeft <= ENDS_SOON_DAYS) return `Expires ${soon(expiresMs, nowMs)}`
      return `Paid for until ${new Date(expiresMs).getUTCFullYear()}`
    })
  },
} satisfies LiveSignal<'domain'>

const SUSPENDED = /^(client|server) ?hold$/i
const ENDING = /^(pending ?delete|redemption ?period)$/i

/** The status that takes a name out of use; undefined for a name in use. */
export function heldBy({ registration }: Facts): { readonly status: string; readonly variant: string } | undefined {
  const statuses = registration?.statuses ?? []
  const suspended = statuses.find((status) => SUSPENDED.test(status))
  if (suspended !== undefined) return { status: suspended, variant: 'suspended' }
  const ending = statuses.find((status) => ENDING.test(status))
  return ending === undefined ? undefined : { status: ending, variant: 'ending' }
}

export const domainHeld = {
  code: 'domain.held',
  description: 'Suspended by its registry or registrar',
  group: 'live',
  detect: ({ facts }) => {
    const held = heldBy(facts)
    if (held === undefined || facts.registration === undefined) return NOTHING
    const words =
      held.variant === 'suspended' ? 'Suspended by its registry or registrar' : 'Not renewed, and about to be deleted'
    return fromRegistry(facts.registration, 1, () => `${words} (${held.status.toLowerCase()})`, held.variant)
  },
} satisfies LiveSignal<'domain'>

export const domainUnregistered = {
  code: 'domain.unregistered',
  description: 'Nobody has registered this name',
  group: 'live',
  detect: ({ facts: { registration, zone }, reading, worths }) => {
    if (!reading.isUnregistered) return NOTHING
    const confidence = worths.unregistered
    return [
      registration === undefined
        ? {
            source: 'dns',
            confidence,
            lastSeenMs: zone?.seenMs,
            sentence: 'Does not exist: the DNS knows no such name',
          }
        : { source: 'rdap', confidence, lastSeenMs: registration.seenMs },
    ]
  },
} satisfies LiveSignal<'domain'>
