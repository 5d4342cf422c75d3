const LENGTH_MAX = 64

/**
 * A value that somebody sent, for an error text: cut when it is long, and not repeated at all when it may be an email
 * address or an address that contains a password.
 */
export function quoted(text: string): string {
  if (text.includes('@')) return 'one with an @ in it'
  return JSON.stringify(text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text)
}
