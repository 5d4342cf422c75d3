const START = '/console'

/** The console address in `?next=`, or the start page: never another site, never another part of this one. */
export function nextInConsole(next: string | null, origin: string): string {
  const url = next === null ? null : URL.parse(next, origin)
  if (url === null || url.origin !== origin) return START
  if (url.pathname !== START && !url.pathname.startsWith(`${START}/`)) return START
  return `${url.pathname}${url.search}${url.hash}`
}
