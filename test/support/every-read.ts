import { publicPages, signedInPages } from '../../src/page-operations.ts'
import type { Hostile } from './hostile.ts'
import { API_OPERATIONS } from './openapi.ts'

/** One request. */
export interface Read {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Queries that make an operation do the most, beside the longest page. */
const HEAVIEST: Readonly<Record<string, readonly string[]>> = {
  readUsage: ['granularity=hour&group_by=family,credential', 'granularity=hour&group_by=credential', 'granularity=day'],
  listLedger: ['kind=charge&family=payment-risk'],
  listAudit: ['action=client.', 'actor=operator'],
  listOwnEntries: ['search=zz', 'state=expired'],
  listCounterparties: ['search=a', 'search=gmbh+zz'],
  listCounterpartyDifferences: ['difference=gone', 'difference=changed'],
}

/** Every GET of openapi.json in every form it is offered in, and of the pages, with the things of this organisation. */
export function everyRead(hostile: Hostile): Read[] {
  const { filled, usable } = placesOf(hostile)
  const ofApi = API_OPERATIONS.filter(({ method, path }) => method === 'GET' && usable(path)).flatMap(
    ({ path, operationId, parameters = [], responses }) =>
      Object.keys(responses[200]?.content ?? {}).flatMap((accept) => {
        const most = parameters.find(({ name }) => name === 'limit')?.schema.maximum
        // As JSON a log has shorter pages than as CSV.
        const limit = most === undefined ? [] : [`limit=${accept === 'application/json' ? Math.min(most, 1000) : most}`]
        return ['', ...(HEAVIEST[operationId] ?? [])].map((query) => {
          const parts = [...limit, ...(query === '' ? [] : [query])]
          const address = `${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
          return {
            name: `GET ${address} as ${accept}`,
            path: filled(address),
            headers: { accept, 'x-api-key': hostile.key },
          }
        })
      }),
  )
  const parts = new Proxy(
    { baseUrl: 'http://localhost:8080' },
    { get: (known, name) => Reflect.get(known, name) ?? (() => undefined) },
  )
  const pages = [...publicPages(parts as never), ...signedInPages(parts as never)]
  const ofPages = pages
    .map(({ name }) => name)
    .filter((name) => name.startsWith('GET ') && usable(name))
    .map((name) => ({ name, path: filled(name.slice(4)), headers: { cookie: hostile.cookie } }))
  const ofAnybody = ['/openapi.json', '/docs', '/', '/livez', '/.well-known/openid-configuration'].map((path) => ({
    name: `GET ${path}`,
    path,
    headers: { 'accept-encoding': 'br' },
  }))
  return [...ofApi, ...ofPages, ...ofAnybody]
}

/** Every other operation of openapi.json, with the body of its example. */
export function everyChange(hostile: Hostile): (Read & { readonly method: string; readonly body: string })[] {
  const { filled, usable } = placesOf(hostile)
  return API_OPERATIONS.filter(({ method, path }) => method !== 'GET' && usable(path)).map(
    ({ method, path, requestBody }) => {
      const { example, examples = {} } = requestBody?.content['application/json'] ?? {}
      const body = JSON.stringify(example ?? Object.values(examples)[0]?.value ?? {})
      const headers = { 'x-api-key': hostile.key, 'content-type': 'application/json', 'if-match': '*' }
      return { name: `${method} ${path}`, method, path: filled(path), headers, body }
    },
  )
}

/** Paths with the ids of the organisation's things. */
function placesOf({ ids }: Hostile) {
  return {
    filled: (path: string) => path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'missing'),
    usable: (path: string) => [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) => ids[name!] !== undefined),
  }
}
