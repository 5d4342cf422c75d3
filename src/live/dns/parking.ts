import services from './parking.json' with { type: 'json' }

/**
 * Services that show advertisements or an offer of sale at unused names, by the ending of their name servers. The list
 * contains only name servers that do nothing else: those of registrars and hosts, such as registrar-servers.com,
 * domaincontrol.com and even dns-parking.com, also serve the names of people who did not choose others.
 */
// A Map: an object would also find the properties of every object, such as `constructor`.
const PARKING = new Map(Object.entries(services))

/** The service behind any of the name servers; undefined where none is known. */
export function parkedBy(nameServers: readonly string[]): string | undefined {
  for (const server of nameServers) {
    const labels = server.split('.')
    for (let i = 0; i < labels.length; i++) {
      const service = PARKING.get(labels.slice(i).join('.'))
      if (service !== undefined) return service
    }
  }
  return undefined
}
