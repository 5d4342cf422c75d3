/** Countries of AS numbers. Rows of one AS may disagree, so each row is a vote. */
export class CountryVotes {
  readonly #votes = new Map<number, { readonly country: string; votes: number }[]>()

  /** False if it is no country code. */
  add(asn: number, country: string): boolean {
    if (!/^[A-Z]{2}$/.test(country)) return false
    const list = this.#votes.get(asn)
    const known = list?.find((each) => each.country === country)
    if (known) known.votes++
    else if (list) list.push({ country, votes: 1 })
    else this.#votes.set(asn, [{ country, votes: 1 }])
    return true
  }

  /** The country with the most votes; on a tie the first in the alphabet, so that the order of rows does not matter. */
  of(asn: number): string | undefined {
    const [most] = (this.#votes.get(asn) ?? []).sort((a, b) => b.votes - a.votes || (a.country < b.country ? -1 : 1))
    return most?.country
  }
}
