import { PROBLEMS } from '../../src/errors.ts'
import { type Attack, isOperation } from './attack.ts'
import { undocumented } from './document.ts'
import type { Answer, Exchange } from './wire.ts'
import { MARK, type World } from './world.ts'

/** Rules for every answer, for any request. Each fault is a sentence that begins with its kind. */

/** Answered by hand, before the request could be read: such an answer belongs to no operation. */
const UNREAD = /^(The request is not valid HTTP|The request headers are over)/

export function judge(world: World, attack: Attack, exchanged: Exchange): string[] {
  const { answers, fault } = exchanged
  const faults = fault === undefined ? [] : [`wire: ${fault}`]
  faults.push(...connectionFaults(attack, answers))
  const own = answers.slice(0, attack.methods.length)
  for (const [i, answer] of own.entries()) {
    faults.push(...answerFaults(world, attack, answer, i))
  }
  if (attack.judge) faults.push(...attack.judge(own).map((one) => `rule: ${one}`))
  return faults
}

/** Every request has one answer, in order, and the request sent after them is answered as if they had not been. */
function connectionFaults(attack: Attack, answers: readonly Answer[]): string[] {
  const expected = attack.methods.length + 1
  if (answers.length > expected) return [`smuggled: ${answers.length} answers to ${expected} requests`]
  const last = answers.at(-1)
  const closed = last !== undefined && last.headers.get('connection') === 'close'
  if (answers.length === expected) {
    const live = last?.status === 200 && last.text === '{"status":"live"}'
    // When the ends are unclear, the bytes of the last request may have become part of another.
    return live || (!attack.clear && closed) ? [] : [`smuggled: the last request was answered ${last?.status}`]
  }
  if (closed || !attack.clear) return []
  return [`lost: ${answers.length} answers to ${expected} requests, and no word that the connection closes`]
}

const STACK =
  /\bat [^\s"]+ \(|\.ts:\d+|\.js:\d+|node_modules|SqlError|SQLITE_|\bpg_|syntax error at|RangeError|TypeError/
const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.]+/

function answerFaults(world: World, attack: Attack, answer: Answer, at: number): string[] {
  const { status, headers, text, json } = answer
  const faults: string[] = []
  const type = headers.get('content-type')?.split(';')[0]?.trim() ?? ''
  const problem = type === 'application/problem+json' ? (json as Record<string, unknown> | undefined) : undefined
  const unread = UNREAD.test(String(problem?.detail))
  if (status >= 500) faults.push(`failed: ${status} ${text.slice(0, 300)}`)
  if (STACK.test(text) && !type.endsWith('/javascript')) faults.push(`leak: ${STACK.exec(text)?.[0]} in an answer`)

  const id = headers.get('x-request-id')
  if (!/^req_\w{10,40}$/.test(id ?? '')) faults.push(`header: x-request-id is ${id ?? 'missing'}`)
  if (headers.get('x-content-type-options') !== 'nosniff') faults.push('header: x-content-type-options is missing')
  if (type === 'text/html' && !headers.get('content-security-policy')?.includes('frame-ancestors')) {
    faults.push('header: a page without its content-security-policy')
  }
  const bodiless = attack.methods[at] === 'HEAD' && text === ''
  if (type === 'application/problem+json' && !bodiless) faults.push(...problemFaults(world, answer, problem))
  if (status === 401 && problem && problem.code !== 'session_missing' && problem.code !== 'sign_in_failed') {
    if (!headers.get('www-authenticate')?.startsWith('Bearer ')) faults.push('header: 401 without www-authenticate')
  }
  if (status === 405 && !headers.has('allow')) faults.push('header: 405 without allow')
  if (status === 429 && !/^\d+$/.test(headers.get('retry-after') ?? '')) faults.push('header: 429 without retry-after')
  if (status >= 300 && status < 400 && !headers.has('location')) faults.push(`header: ${status} without location`)
  if (status === 204 && text !== '') faults.push('wire: 204 with a body')
  if (status >= 400 && !bodiless && !problem) faults.push(...otherRefusalFaults(attack, answer, type))

  const first = at === 0
  const { target } = attack
  if (first && isOperation(target) && !unread && attack.methods[0] === target.method) {
    const wrong = undocumented(target, { status, type, json })
    if (wrong) faults.push(`undocumented: ${wrong}`)
  }
  if (first && target && !isOperation(target)) faults.push(...oauthFaults(target.oauth, answer, type))
  return [...faults, ...leaks(world, attack, answer)]
}

/** RFC 9457, with our members. */
function problemFaults(world: World, { status, headers }: Answer, body: Record<string, unknown> | undefined): string[] {
  if (!body) return ['problem: the body is not JSON']
  const known = Object.entries(PROBLEMS).find(([code]) => code === body.code)?.[1]
  const faults: string[] = []
  if (known?.status !== status || body.status !== status)
    faults.push(`problem: code ${body.code} with status ${status}`)
  if (body.type !== `${world.baseUrl}/problems/${body.code}`) faults.push(`problem: type ${body.type}`)
  if (body.title !== known?.title) faults.push(`problem: title ${body.title}`)
  if (typeof body.detail !== 'string' || body.detail === '') faults.push('problem: no detail')
  if (body.instance !== headers.get('x-request-id')) faults.push('problem: another instance')
  return faults
}

/** A refusal that is no problem is a page for a person or an error of OAuth. */
function otherRefusalFaults(attack: Attack, { status, json }: Answer, type: string): string[] {
  if (type === 'text/html') return []
  const oauth = attack.target !== undefined && !isOperation(attack.target)
  const error = typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined
  if (typeof error === 'string' && (oauth || attack.target === undefined)) return []
  return [`undocumented: ${status} as ${type || 'nothing'}, neither a problem, a page nor an OAuth error`]
}

/** RFC 6749 §5.2, 6750, 7009, 7662, 8628, 9126 and OpenID Connect: the errors a client library knows. */
const OAUTH_ERRORS = new Set(
  `invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope access_denied
   unsupported_response_type server_error temporarily_unavailable authorization_pending slow_down expired_token
   invalid_token insufficient_scope login_required consent_required interaction_required account_selection_required
   invalid_request_uri invalid_request_object request_not_supported request_uri_not_supported
   registration_not_supported unsupported_token_type unmet_authentication_requirements unsupported_response_mode`.split(
    /\s+/,
  ),
)

const OAUTH_STATUSES = new Set([200, 201, 204, 302, 303, 400, 401, 403, 404, 405, 413, 415, 429])

function oauthFaults(endpoint: string, { status, headers, json, text }: Answer, type: string): string[] {
  const faults: string[] = []
  if (!OAUTH_STATUSES.has(status) && status < 500) faults.push(`oauth: ${endpoint} answered ${status}`)
  if (type === 'application/json' && status >= 400) {
    const { error, error_description: description } = (json ?? {}) as Record<string, unknown>
    if (typeof error !== 'string' || !OAUTH_ERRORS.has(error))
      faults.push(`oauth: ${endpoint} says ${text.slice(0, 100)}`)
    // RFC 6749 §5.2: printable ASCII without quotes and backslashes.
    if (description !== undefined && !/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/.test(String(description))) {
      faults.push(`oauth: ${endpoint} describes an error in characters the standard does not allow`)
    }
    if (status === 401 && !headers.has('www-authenticate')) faults.push(`oauth: ${endpoint} 401 without a challenge`)
  }
  if (type === 'application/json' && /\/(token|introspect|device_authorization|par)$/.test(endpoint)) {
    if (headers.get('cache-control') !== 'no-store') faults.push(`oauth: ${endpoint} may be kept by a cache`)
  }
  return faults
}

/** Nothing planted where it does not belong, and no address in a refusal. */
function leaks(world: World, attack: Attack, { status, headers, text }: Answer): string[] {
  const everything = `${[...headers.values()].join('\n')}\n${text}`
  const faults: string[] = []
  for (const { text: planted, what, sort, organisationId } of world.planted) {
    if (!everything.includes(planted)) continue
    if (sort === 'private' && attack.caller?.organisationId === organisationId) continue
    // Who names a thing learns nothing when the name comes back; a secret must not even do that.
    if (sort === 'private' && attack.bytes.some((piece) => piece.includes(planted))) continue
    faults.push(
      `leak: ${what} of ${organisationId === attack.caller?.organisationId ? 'the caller' : 'another tenant'}`,
    )
  }
  if (status >= 400) {
    if (text.toLowerCase().includes(MARK)) faults.push('leak: what was sent as an address or a password')
    if (ADDRESS.test(text)) faults.push(`leak: an email address in a refusal`)
  }
  return faults
}

/** The log of the whole run: no secret, no password, no email address. */
export function logFaults(world: Pick<World, 'logs' | 'planted'>): string[] {
  const log = world.logs()
  const faults = world.planted
    .filter(({ sort, what, text }) => (sort === 'secret' || what === 'email address') && log.includes(text))
    .map(({ what }) => `log: ${what}`)
  const marked = log.toLowerCase().indexOf(MARK)
  if (marked >= 0)
    faults.push(`log: what was sent as an address or a password: ${log.slice(Math.max(0, marked - 300), marked + 100)}`)
  const errors = log
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line) || /Unhandled|uncaught/i.test(line))
    // A busy machine may make the store slow; the log says so, and it is no fault.
    .filter((line) => !line.includes('"cause":"did not answer in time","msg":"not ready"'))
  return [...faults, ...errors.slice(0, 5).map((line) => `log: ${line.slice(0, 600)}`)]
}
