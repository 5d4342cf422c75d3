import type { Clock } from '../lib/clock.ts'
import { certificateObserver } from './certificate/certificate.ts'
import { hostObserver } from './dns/host.ts'
import { createDnsResolver, recordsOf } from './dns/resolver.ts'
import { reverseObserver } from './dns/reverse.ts'
import { zoneObserver } from './dns/zone.ts'
import type { Observation, Observer, Sort } from './facts.ts'
import type { ObserverSettings, Observers } from './observers.ts'
import { Bootstrap, bundledBootstrap, readCompactText } from './rdap/bootstrap.ts'
import { RdapObserver } from './rdap/rdap.ts'
import { ServerClosed, ServerGate } from './server-gate.ts'

/** Of each sort. Measured with a resolver that takes 20 ms: fewer leave it idle, more see fewer names whole in time. */
const LIST_NAMES_AT_ONCE = 100
const LIST_NAMES_MAX = 50_000
/** More than lists have under way, so that names whose servers are silent do not take every place. */
const QUESTIONS_AT_ONCE = 500

/** All observers, in this thread. */
export function createObservers(settings: ObserverSettings, clock: Clock): Observers {
  const resolver = createDnsResolver({ servers: settings.dnsServers, concurrencyMax: QUESTIONS_AT_ONCE, clock })
  let bootstrap = new Bootstrap(bundledBootstrap())
  const addressesOf = async (host: string) => {
    const options = { urgent: true }
    const [v4, v6] = await Promise.all([resolver.ask('A', host, options), resolver.ask('AAAA', host, options)])
    return [
      ...recordsOf(v4).map(({ address }) => ({ address, family: 4 })),
      ...recordsOf(v6).map(({ address }) => ({ address, family: 6 })),
    ]
  }
  const rdap = new RdapObserver({
    clock,
    ownBase: settings.rdapUrl,
    bootstrap: () => bootstrap,
    resolve: addressesOf,
  })
  const observers: { readonly [S in Sort]: Observer<S> } = {
    registration: rdap,
    zone: zoneObserver(resolver),
    host: hostObserver(resolver),
    certificate: certificateObserver({ resolver }),
    reverse: reverseObserver(resolver),
  }
  const lists = new ServerGate({
    concurrencyMax: LIST_NAMES_AT_ONCE,
    perSecondMax: Number.POSITIVE_INFINITY,
    waitingMax: LIST_NAMES_MAX,
    failuresToOpen: Number.POSITIVE_INFINITY,
    openMs: 0,
    clock,
  })

  /** Names of lists take turns, so that within a budget some are seen whole instead of all in part. */
  async function inTurn<T>(sort: Sort, look: () => Promise<Observation<T>>): Promise<Observation<T>> {
    try {
      return await lists.ask(sort, false, async () => ({ verdict: 'answered', answer: await look() }))
    } catch (error) {
      if (!(error instanceof ServerClosed)) throw error
      return { outcome: 'failed', why: error.message, retryMs: error.retryMs }
    }
  }

  return {
    sorts: new Set(settings.sorts),
    async observe(sort, name, options) {
      const look = (): Promise<Observation<unknown>> => observers[sort].observe(name, options)
      // Registries have turns of their own, and slower ones.
      const seen = options.urgent || sort === 'registration' ? await look() : await inTurn(sort, look)
      return seen.outcome === 'seen' ? { ...seen, value: JSON.stringify(seen.value) } : seen
    },
    answers: () => resolver.answers(),
    servers: async () => [...resolver.state(), ...rdap.state()],
    useBootstrap(text) {
      const read = readCompactText(text)
      // A release may bring a newer list than the one that was fetched last.
      if (!('problem' in read) && read.publication > bootstrap.publication) bootstrap = new Bootstrap(read)
    },
    async close() {
      lists.close()
      resolver.close()
      await rdap.close()
    },
  }
}
