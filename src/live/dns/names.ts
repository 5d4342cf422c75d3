import { hostParts, reservedName } from '../../lib/domain.ts'

/** Names in DNS records. Strangers write them, and some end up before a reader: only plain host names pass. */

// An underscore is in no host name by RFC 952, and in many that work.
const LABELS = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/

/** Lower case, without the dot at the end; undefined for what is no host name, the root included. */
export function hostName(text: string): string | undefined {
  if (text.length > 254) return undefined
  const name = (text.endsWith('.') ? text.slice(0, -1) : text).toLowerCase()
  return name.length <= 253 && LABELS.test(name) ? name : undefined
}

/** Whether strangers may make us ask about it: not names of private networks. */
export function isPublicName(name: string): boolean {
  return reservedName(hostParts(name)) === undefined
}

/** The first `max` different host names among them. */
export function hostNames(texts: readonly string[], max: number): string[] {
  return [...new Set(texts.flatMap((text) => hostName(text) ?? []))].slice(0, max)
}
