import { SeenFilter, TwoGenerationCache } from '../../lib/two-generation-cache.ts'
import type { Facts } from '../../live/facts.ts'
import type { Snapshot } from '../../snapshot/types.ts'
import type { Indicator } from '../indicator.ts'
import type { Models } from '../model/models.ts'
import { lookUpDomain } from './domain.ts'
import { liveDomain } from './facts.ts'
import { lookUpIp } from './ip.ts'
import type { DomainSubject, EmailSubject, IpSubject, LiveAddress, LiveDomain } from './subject.ts'

// Step 1 of 4. An indicator becomes a subject: all data of the snapshot, the models and the facts about it.
// `HostSignals` is step 2's cache for the domain of a mailbox.
export type LookedUp<HostSignals> =
  | { readonly kind: 'domain'; readonly subject: DomainSubject; readonly live: LiveDomain | undefined }
  | {
      readonly kind: 'email'
      readonly subject: EmailSubject
      readonly live: LiveDomain | undefined
      readonly host: MailHost<HostSignals>
    }
  | { readonly kind: 'ip'; readonly subject: IpSubject; readonly live: LiveAddress | undefined }

/** The domain of a mailbox. Step 2 fills `signals` at its first mailbox. */
interface MailHost<HostSignals> {
  readonly subject: DomainSubject
  signals: HostSignals | undefined
}

export type LookUp<HostSignals> = (
  indicator: Indicator,
  facts: Facts | undefined,
  nowMs: number | undefined,
) => LookedUp<HostSignals>

// Mailboxes share domains, and a payee is checked again: the domain is cached for the next address.
const HOSTS_KEPT_MAX = 8192

/** The ages of facts are relative to `nowMs`, or to the newest fact if it is absent. */
export function createLookUp<HostSignals>(snapshot: Snapshot, models: Models): LookUp<HostSignals> {
  const hosts = new TwoGenerationCache<MailHost<HostSignals>>(HOSTS_KEPT_MAX)
  const met = new SeenFilter(HOSTS_KEPT_MAX)

  function hostOf(domain: string): MailHost<HostSignals> {
    // Do not cache domains that were seen only once.
    const wasMet = met.meet(domain)
    const kept = wasMet ? hosts.get(domain) : undefined
    if (kept) return kept
    const host = { subject: lookUpDomain(domain, snapshot, models), signals: undefined }
    if (wasMet) hosts.set(domain, host)
    return host
  }

  return (indicator, facts, nowMs) => {
    if (indicator.kind === 'domain') {
      const subject = lookUpDomain(indicator.domain, snapshot, models)
      return { kind: 'domain', subject, live: liveDomain(subject, facts, nowMs) }
    }
    if (indicator.kind === 'ip') {
      const subject = lookUpIp(indicator.ip, snapshot)
      return { kind: 'ip', subject, live: facts && { subject, facts } }
    }
    const { address, local, domain } = indicator
    const host = hostOf(domain)
    const subject = { address, local, host: host.subject, models, own: snapshot.email(address) }
    return { kind: 'email', subject, live: liveDomain(host.subject, facts, nowMs), host }
  }
}
