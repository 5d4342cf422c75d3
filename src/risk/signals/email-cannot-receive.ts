import { factFinding } from './explained.ts'
import { type LiveSignal, NOTHING } from './signal.ts'

/** A request for money from an address that cannot receive a reply hides something, or has a typing error. */
export const emailCannotReceive = {
  code: 'email.cannot_receive',
  description: 'This address cannot receive mail',
  group: 'mailbox',
  detect: ({ subject: { domain, parts }, facts: { registration, zone, host }, reading }) => {
    const found = (why: string, seenMs: number | undefined) =>
      factFinding('dns', seenMs, () => `Cannot receive mail: ${why}`)
    if (reading.isUnregistered && registration !== undefined) {
      return found(`nobody has registered ${parts.registrable ?? domain}`, registration.seenMs)
    }
    if (reading.isUnregistered) return found(`${parts.registrable ?? domain} does not exist`, zone?.seenMs)
    if (host?.exists === false) return found(`${domain} does not exist`, host.seenMs)
    // The mail setup of the registrable name says nothing about a name below it.
    if (zone === undefined || parts.registrable !== domain || reading.takesMail !== false) return NOTHING
    if (zone.nullMx) return found(`${domain} says itself that it takes none`, zone.seenMs)
    // Without MX, mail goes to the address of the name itself.
    return host !== undefined && host.addresses.length === 0 && host.aliases.length === 0
      ? found(`${domain} has neither a mail server nor an address`, zone.seenMs)
      : NOTHING
  },
} satisfies LiveSignal<'email'>
