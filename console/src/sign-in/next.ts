const START = '/console'

/** The address inside the console that `?next=` names, or its start: never another site, never another part of ours. */
export function nextInConsole(next: string | null, origin: string): string {
  const url = next === null ? null : URL.parse(next, origin)
  if (url === null || url.origin !== origin) return START
  if (url.pathname !== START && !url.pathname.startsWith(`${START}/`)) return START
  return `${url.pathname}${url.search}${url.hash}`
}
