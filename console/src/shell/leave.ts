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
