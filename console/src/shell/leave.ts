/**
 * Leaves the app for where the server sends the person. The promise stays open, so that the form that waits for it
 * stays shut until the next page has come.
 */
export function leaveTo(address: string): Promise<never> {
  const url = new URL(address, window.location.href)
  // The server never sends anything else; were it ever to, a script address must not run here.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return Promise.reject(new Error(`refused to go to ${url.protocol}`))
  }
  window.location.assign(url)
  return new Promise(() => {})
}

/** The address inside the console that `?next=` names, or its start: never another site. */
export function nextInConsole(next: string | null): string {
  if (next === null) return '/console'
  const url = URL.parse(next, window.location.origin)
  if (url === null || url.origin !== window.location.origin) return '/console'
  if (url.pathname !== '/console' && !url.pathname.startsWith('/console/')) return '/console'
  return `${url.pathname}${url.search}${url.hash}`
}
