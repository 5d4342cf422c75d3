/** Countries of AS numbers. Rows of one AS may disagree, so each row is a vote. */
export class CountryVotes {
  /** Votes by AS number and country in one number: an object for each AS would cost more than all the rest of the table. */
  readonly #votes = new Map<number, number>()

  /** False when it is no country code. */
  add(asn: number, country: string): boolean {
    if (!/^[A-Z]{2}$/.test(country)) return false
    const key = asn * 0x10000 + country.charCodeAt(0) * 0x100 + country.charCodeAt(1)
    this.#votes.set(key, (this.#votes.get(key) ?? 0) + 1)
    return true
  }

  /** The country with the most votes, by AS number; of several the first in the alphabet, so that order does not matter. */
  winners(): Map<number, string> {
    const best = new Map<number, { country: string; votes: number }>()
    for (const [key, votes] of this.#votes) {
      const asn = Math.floor(key / 0x10000)
      const country = String.fromCharCode((key % 0x10000) >>> 8, key % 0x100)
      const other = best.get(asn)
      if (!other || votes > other.votes || (votes === other.votes && country < other.country)) {
        best.set(asn, { country, votes })
      }
    }
    return new Map(Array.from(best, ([asn, { country }]) => [asn, country]))
  }
}
