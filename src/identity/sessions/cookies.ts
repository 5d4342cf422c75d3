/** Our own few cookies; the OAuth library handles its own. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value !== undefined && /^[A-Za-z0-9_-]{1,200}$/.test(value)) return value
  }
  return undefined
}

export function writeCookie(
  name: string,
  value: string,
  { path, secure, maxAgeSeconds }: { path: string; secure: boolean; maxAgeSeconds: number },
): string {
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}
