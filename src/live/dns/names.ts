import { hostParts, reservedName } from '../../lib/domain.ts'

/** Names in DNS records. Strangers write them, and some are shown to readers: only plain host names pass. */

// RFC 952 allows no underscore in a host name, but many working names have one.
const LABELS = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/

/** Lower case, without the final dot; undefined for text that is not a host name, the root included. */
export function hostName(text: string): string | undefined {
  if (text.length > 254) return undefined
  const name = (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase()
  return name.length <= 253 && LABELS.test(name) ? name : undefined
}

/** True if strangers may make us ask about it: not for names of private networks. */
export function isPublicName(name: string): boolean {
  return reservedName(hostParts(name)) === undefined
}

/** The first `max` distinct host names among them. */
export function hostNames(texts: readonly string[], max: number): string[] {
  return [...new Set(texts.flatMap((text) => hostName(text) ?? []))].slice(0, max)
}
