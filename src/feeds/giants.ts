import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names and addresses of giants.txt: from the first start they must not be condemned, or are shared by strangers. */
export const GIANTS: Readonly<Record<GiantsList, readonly string[]>> = readLists()

type GiantsList =
  | 'mail_providers'
  | 'mail_relays'
  | 'known_good_domains'
  | 'further_names'
  | 'dynamic_dns_domains'
  | 'documentation_domains'
  | 'resolvers'
  | 'mail_addresses'
  | 'own_addresses'
  | 'cdn_addresses'
  | 'tor_addresses'
  | 'hosting_networks'
  | 'shared_hosts'
  | 'free_mail_domains'
  | 'not_disposable'

function readLists(): Record<GiantsList, string[]> {
  const text = readFileSync(join(import.meta.dirname, 'giants.txt'), 'utf8').replace(/^#.*$/gm, '')
  const lists = text.split(/^\[(\w+)\]$/m).slice(1)
  return Object.fromEntries(
    Array.from({ length: lists.length / 2 }, (_, at) => [
      lists[2 * at],
      [...new Set(lists[2 * at + 1]!.split(/\s+/).filter((word) => word !== ''))],
    ]),
  )
}
