const LENGTH_MAX = 64

/**
 * What somebody sent, for a text that says what is wrong with it: cut when it is long, and not repeated at all when it
 * may be an email address or an address with a password in it.
 */
export function quoted(text: string): string {
  if (text.includes('@')) return 'one with an @ in it'
  return JSON.stringify(text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text)
}
