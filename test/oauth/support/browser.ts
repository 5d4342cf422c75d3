/** A browser as far as the protocol needs one: a cookie jar with paths, and the pages' requests. */
interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

export class Browser {
  readonly origin: string
  #server: string
  #cookies: Cookie[] = []

  /** `origin` is the address in the address bar; behind a proxy the server listens at another. */
  constructor(origin: string, server: string = origin) {
    this.origin = new URL(origin).origin
    this.#server = server
  }

  /** From now on a balancer sends it to another node. */
  sendTo(server: string): void {
    this.#server = server
  }

  get cookies(): readonly Cookie[] {
    return this.#cookies
  }

  async fetch(target: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(target, this.origin)
    if (url.origin !== this.origin) throw new Error(`the browser was sent to ${url.origin}`)
    const cookie = this.#cookies
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(new URL(url.pathname + url.search, this.#server), {
      ...init,
      headers,
      redirect: 'manual',
    })
    for (const line of response.headers.getSetCookie()) this.#store(line, url.pathname)
    return response
  }

  #store(line: string, requestPath: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    const attribute = (key: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
    const path = attribute('path') ?? requestPath
    this.#cookies = this.#cookies.filter((one) => one.name !== name || one.path !== path)
    const expires = attribute('expires')
    const gone = attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now())
    if (!gone && value !== '') this.#cookies.push({ name, value, path })
  }

  async post(path: string, csrf: string, body: unknown): Promise<Response> {
    return this.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify(body),
    })
  }

  /** Follows redirects within the server; returns where it ends: an address elsewhere, a page, or an answer. */
  async follow(start: string): Promise<{ location: string; response: Response | undefined }> {
    let location = new URL(start, this.origin).href
    for (let hop = 0; hop < 20; hop++) {
      const url = new URL(location)
      if (url.origin !== this.origin) return { location, response: undefined }
      const response = await this.fetch(location)
      const next = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || next === null) return { location, response }
      await response.arrayBuffer()
      location = new URL(next, location).href
    }
    throw new Error('redirected for ever')
  }
}

export interface Answers {
  readonly email: string
  readonly password: string
  readonly decision?: 'allow' | 'deny'
  readonly organisationId?: string
}

/** Goes through whatever pages come up from an address on, as a person would; returns where it ends. */
export async function answerPages(
  browser: Browser,
  start: string,
  answers: Answers,
): Promise<{ location: string; response: Response | undefined; pages: string[] }> {
  const pages: string[] = []
  let from = start
  for (let page = 0; page < 5; page++) {
    const at = await browser.follow(from)
    const uid = /\/interaction\/([\w-]+)$/.exec(new URL(at.location).pathname)?.[1]
    if (at.response === undefined || uid === undefined) return { ...at, pages }
    const details = (await (await browser.fetch(`/api/interaction/${uid}`)).json()) as {
      kind: string
      csrf: string
      organisations: { id: string }[]
    }
    pages.push(details.kind)
    const answer =
      details.kind === 'login'
        ? await browser.post(`/api/interaction/${uid}/login`, details.csrf, answers)
        : await browser.post(`/api/interaction/${uid}/consent`, details.csrf, {
            decision: answers.decision ?? 'allow',
            organisation_id: answers.organisationId ?? details.organisations[0]?.id,
          })
    const body = (await answer.json()) as { redirect_to?: string }
    if (!body.redirect_to) throw new Error(`${details.kind} page: ${answer.status} ${JSON.stringify(body)}`)
    from = body.redirect_to
  }
  throw new Error('pages without end')
}
