/**
 * Leaves the app for the address from the server. The promise never settles, so that the waiting form stays disabled
 * until the next page is loaded.
 */
export function leaveTo(address: string): Promise<never> {
  const url = new URL(address, window.location.href)
  // The server never sends another scheme; if it ever does, a script address must not run here.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return Promise.reject(new Error(`refused to go to ${url.protocol}`))
  }
  window.location.assign(url)
  return new Promise(() => {})
}
