import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A registry on this machine: answers `GET {base}/domain/{name}` as RFC 9083 says, records the requests, and misbehaves
 * on request.
 *
 *     const registry = await startRdapServer({ 'example.com': { registered: '1995-08-14T04:00:00Z' } })
 *     registry.behave({ status: 429, headers: { 'retry-after': '30' } })
 *     registry.asked // ['example.com']
 */
export interface RdapServer {
  /** Base address with a final slash: the value for `ASSAY_RDAP_URL`. */
  readonly url: string
  /** The requested names, in order, for any answer. */
  readonly asked: string[]
  /** The headers of the last request. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Connections opened so far: 0 shows that nobody connected. */
  readonly connections: number
  register(name: string, registration: Registered): void
  /** Sets the behaviour for all questions, or for questions about one name. */
  behave(behaviour: Behaviour, name?: string): void
  close(): Promise<void>
}

/** Dates are sent as written here, so that a test can send unusual ones. */
export interface Registered {
  readonly registered?: string
  readonly changed?: string
  readonly expires?: string
  readonly registrar?: string
  readonly status?: readonly string[]
  readonly signed?: boolean
}

export type Behaviour =
  /** As set by `register`; 404 for other names. */
  | 'normal'
  /** Accepts the question and never answers. */
  | 'silence'
  | 'garbage'
  /** A valid answer followed by a megabyte of blanks. */
  | 'huge'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** `{name}` in the address is replaced by the requested name. */
  | { readonly redirect: string }
  /** Answers normally after this has resolved. */
  | { readonly after: Promise<void> }
  | { readonly body: unknown }

export async function startRdapServer(registrations: Readonly<Record<string, Registered>> = {}): Promise<RdapServer> {
  const known = new Map(Object.entries(registrations))
  const behaviours = new Map<string, Behaviour>()
  const asked: string[] = []
  let headers: RdapServer['headers'] = {}
  let general: Behaviour = 'normal'
  let connections = 0

  const answer = (response: ServerResponse, name: string): void => {
    const registration = known.get(name)
    if (registration) sendJson(response, 200, rdapAnswer(name, registration))
    else sendJson(response, 404, { errorCode: 404, title: 'Not Found' })
  }

  const server = createServer((request, response) => {
    const name = decodeURIComponent(/\/domain\/([^/?]+)$/.exec(request.url ?? '')?.[1] ?? '')
    asked.push(name)
    headers = request.headers
    const behaviour = behaviours.get(name) ?? general
    if (behaviour === 'normal') answer(response, name)
    else if (behaviour === 'silence') return
    else if (behaviour === 'garbage') response.end('<!doctype html><title>Welcome</title>')
    else if (behaviour === 'huge') response.end(`${JSON.stringify(rdapAnswer(name, {}))}${' '.repeat(1024 * 1024)}`)
    else if ('status' in behaviour) response.writeHead(behaviour.status, behaviour.headers).end()
    else if ('redirect' in behaviour) {
      response.writeHead(302, { location: behaviour.redirect.replace('{name}', name) }).end()
    } else if ('after' in behaviour) void behaviour.after.then(() => answer(response, name))
    else sendJson(response, 200, behaviour.body)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    get headers() {
      return headers
    },
    get connections() {
      return connections
    },
    register(name, registration) {
      known.set(name, registration)
    },
    behave(behaviour, name) {
      if (name === undefined) general = behaviour
      else behaviours.set(name, behaviour)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(value))
}

/** A registry's answer about a name, with the members that real registries send. */
export function rdapAnswer(name: string, { registered, changed, expires, registrar, status, signed }: Registered) {
  const event = (eventAction: string, eventDate: string | undefined) =>
    eventDate === undefined ? [] : [{ eventAction, eventDate }]
  return {
    objectClassName: 'domain',
    handle: '2336799_DOMAIN',
    ldhName: name.toUpperCase(),
    status: status ?? ['active'],
    events: [
      ...event('registration', registered),
      ...event('expiration', expires),
      ...event('last changed', changed),
      ...event('last update of RDAP database', '2026-11-15T00:00:00Z'),
    ],
    ...(signed !== undefined && { secureDNS: { delegationSigned: signed } }),
    entities:
      registrar === undefined
        ? []
        : [
            {
              objectClassName: 'entity',
              roles: ['registrar'],
              publicIds: [{ type: 'IANA Registrar ID', identifier: '376' }],
              vcardArray: [
                'vcard',
                [
                  ['version', {}, 'text', '4.0'],
                  ['fn', {}, 'text', registrar],
                ],
              ],
              entities: [
                {
                  objectClassName: 'entity',
                  roles: ['abuse'],
                  vcardArray: ['vcard', [['fn', {}, 'text', 'Abuse desk']]],
                },
              ],
            },
          ],
    nameservers: [{ objectClassName: 'nameserver', ldhName: 'A.IANA-SERVERS.NET' }],
    rdapConformance: ['rdap_level_0', 'icann_rdap_response_profile_0'],
  }
}
