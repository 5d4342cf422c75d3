import { type Finding, NOTHING, type Signal } from '../signal.ts'

export const ipNeighbourhood = {
  code: 'ip.neighbourhood',
  description: 'Addresses close by are listed by threat feeds',
  group: 'network',
  detect: ({ ip, density }): readonly Finding[] => {
    if (density.near === 0) return NOTHING
    const where = ip.version === 4 ? 'of the 256 addresses around it' : 'prefixes around it'
    return [
      {
        source: 'rules',
        confidence: density.near,
        sentence: `${density.near} ${where} ${density.near === 1 ? 'is' : 'are'} listed by threat feeds`,
      },
    ]
  },
} satisfies Signal<'ip'>

const ASN_PER_10K_MIN = 1

export const ipNetworkDensity = {
  code: 'ip.network_density',
  description: 'Its network holds many addresses listed by threat feeds',
  group: 'network',
  detect: ({ asn, density }): readonly Finding[] => {
    if (density.asnPer10k < ASN_PER_10K_MIN) return NOTHING
    const name = asn ? `AS${asn.number} (${asn.name})` : 'its network'
    return [
      {
        source: 'rules',
        confidence: density.asnPer10k,
        sentence: `${Math.round(density.asnPer10k)} in 10,000 addresses of ${name} are listed by threat feeds`,
      },
    ]
  },
} satisfies Signal<'ip'>
