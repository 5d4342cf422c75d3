import { type Ip, parseIp, specialAddress } from './ip.ts'

/** The location of an address, in words for the person who used it; null where it is unknown. */
export type PlaceOf = (ip: string) => string | null

export interface Network {
  readonly name: string
  /** Where the network is registered: two letters of ISO 3166. */
  readonly country: string | undefined
}

const NEARBY = 'this machine or a private network'

const COUNTRIES = new Intl.DisplayNames('en-GB', { type: 'region' })

/** Country and network, as far as they are known: the country is where the network is registered. */
export function createPlaceOf(networkOf: (ip: Ip) => Network | undefined): PlaceOf {
  return (text) => {
    const ip = parseIp(text)
    if (!ip) return null
    if (specialAddress(ip) !== undefined) return NEARBY
    const { name, country } = networkOf(ip) ?? { name: '', country: undefined }
    const land = country === undefined ? undefined : COUNTRIES.of(country)
    return [land, name].filter(Boolean).join(', ') || null
  }
}
