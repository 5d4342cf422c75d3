import { isIP } from 'node:net'
import { type Clock, MINUTE_MS, SECOND_MS } from '../lib/clock.ts'
import { LIMITS } from '../limits.ts'
import { certificateObserver } from './certificate/certificate.ts'
import { hostObserver } from './dns/host.ts'
import { askAddresses, createDnsResolver } from './dns/resolver.ts'
import { reverseObserver } from './dns/reverse.ts'
import { zoneObserver } from './dns/zone.ts'
import type { Observer, Sort } from './facts.ts'
import type { ObserverSettings, Observers } from './observers.ts'
import { Bootstrap, bundledBootstrap, readCompactText } from './rdap/bootstrap.ts'
import { RdapObserver } from './rdap/rdap.ts'

/** An organisation alone gets 500: more than its lists have in progress, so that silent names do not take all of them. */
const QUESTIONS_AT_ONCE = 750

export function createObservers(settings: ObserverSettings, clock: Clock): Observers {
  const resolver = createDnsResolver({
    servers: settings.dnsServers,
    concurrencyMax: QUESTIONS_AT_ONCE,
    timeoutMs: Math.max(2 * SECOND_MS, settings.budgetMs),
    clock,
  })
  let bootstrap = new Bootstrap(bundledBootstrap())
  const addressesOf = async (host: string) => {
    const { records } = await askAddresses(resolver, host, { urgent: true })
    return records.map(({ address }) => ({ address, family: isIP(address) }))
  }
  const rdap = new RdapObserver({
    clock,
    ownBase: settings.rdapUrl,
    bootstrap: () => bootstrap,
    resolve: addressesOf,
    timeoutMs: Math.max(4 * SECOND_MS, settings.budgetMs),
  })
  const observers: { readonly [S in Sort]: Observer<S> } = {
    registration: rdap,
    zone: zoneObserver(resolver),
    host: hostObserver(resolver),
    certificate: certificateObserver({ resolver }),
    reverse: reverseObserver(resolver),
  }
  return {
    sorts: new Set(settings.sorts),
    async observe(sort, name, options) {
      try {
        const questions = { left: LIMITS.requests.lookUpQuestionsMax }
        const seen = await observers[sort].observe(name, { ...options, questions })
        return seen.outcome === 'seen' ? { ...seen, value: JSON.stringify(seen.value) } : seen
      } catch (error) {
        return { outcome: 'failed', why: String(error), retryMs: MINUTE_MS }
      }
    },
    answers: () => resolver.answers(),
    servers: async () => [...resolver.state(), ...rdap.state()],
    useBootstrap(text) {
      const read = readCompactText(text)
      // A release may contain a newer list than the last fetched one.
      if (!('problem' in read) && read.publication > bootstrap.publication) bootstrap = new Bootstrap(read)
    },
    async close() {
      resolver.close()
      await rdap.close()
    },
  }
}
