/**
 * Credentials and email addresses must never reach a log, whatever object, address or error message is logged: every
 * finished line passes here before it is written, and every text in it is checked.
 *
 * Most secrets have no recognisable mark (a session, a code, a claim), but all are long and random. So every long word
 * is removed that does not look like an id, a file name or the name of a function.
 */

const LINE_CHARACTERS_MAX = 8 * 1024
/** The longest text and the longest list, tried one after the other until the line fits. */
const CUTS = [
  [4096, 1000],
  [1024, 100],
  [256, 20],
  [64, 5],
] as const
/** No text of ours is longer; checking more would only cost time. */
const TEXT_CHARACTERS_MAX = 8 * 1024
const ENTRIES_MAX = 1000
/** The limit for all texts of a line together. */
const LOOKED_AT_MAX = 64 * 1024
const DEPTH_MAX = 8

const NAMES =
  'password|new_password|current_password|client_secret|secret|token|access_token|refresh_token|id_token|id_token_hint|' +
  'claim_token|csrf_token|x-csrf-token|device_code|user_code|code_verifier|code_challenge|api_key|x-api-key|authorization|' +
  'proxy-authorization|cookie|set-cookie|client_assertion|stripe-signature|login_hint'
const SECRET_NAME = new RegExp(`^(?:${NAMES})$`, 'i')
/** An OAuth code is a secret; an error code says what went wrong. */
const CODE_NAME = /^(?:code|state|nonce)$/i
const ERROR_CODE = /^(?:[A-Z0-9_]{1,40}|[a-z_]{1,40})$/

/** A text that quotes JSON, or JSON within JSON. If the text was cut, the rest of the value is removed. */
const QUOTED_FIELD = new RegExp(String.raw`("(?:${NAMES})\\*"\s*:\s*)\\*"(?:[^"\\]|\\.)*"?`, 'gi')
/** In a query, a form or a cookie. */
const PARAMETER = new RegExp(
  String.raw`((?<![\w-])(?:${NAMES}|code|state|nonce|session|key|sig|signature|\w*_session)(?:=|%3D))[^\s&;"'#]+`,
  'gi',
)
/** In the form of a header. */
const HEADER = /((?<![\w-])(?:x-api-key|x-csrf-token|(?:set-)?cookie|(?:proxy-)?authorization):\s*)[^\r\n]+/gi
const SCHEME = /((?:bearer|basic|dpop)(?:\s|\+|%20)+)[A-Za-z0-9\-._~+/=%]{6,}/gi
const DATABASE_PASSWORD = /(postgres(?:ql)?:\/\/[^:@/\s"]*:)[^@\s"]+@/g
const AT = /@|%(?:25){0,2}40/g
const MAILBOX_CHARACTER = /[^\s"'<>:,;()\\[\]{}]/
const MAILBOX_CHARACTERS_MAX = 128
const MAIL_DOMAIN = /\[[^\]\s"]{1,64}\]|(?:[\p{L}\p{N}%-]{1,190}\.){1,20}[\p{L}\p{N}%-]{2,190}/uy
const MARKED = /(?:whsec_|eyJ)[A-Za-z0-9+/=_.%-]{6,}/g
/** Base64 with its two special characters: paths consist of these too, but contain few capitals and digits. */
const BASE64 = /[A-Za-z0-9+/%]{32,}={0,2}/g
const LONG_WORD = /[A-Za-z0-9_-]{20,}/g
const USER_CODE = /(?<![A-Za-z])[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}(?![A-Za-z])/g

/** Field names, and most values: no secret of ours looks like this. */
const PLAIN = /^[a-z_]{0,40}$/
const NOT_SECRET = [
  // Our own ids, and the Stripe ids that an operator looks up.
  /^(?:org|key|ent|usr|ses|req|cli|inv|top|aud|alr|chk|job|bil|pay|owe|nod)_[0-9A-Za-z]{20}$/,
  /^(?:pi|ch|evt|in|cus|sub|re|dp|du|py|cs_live|cs_test)_[0-9A-Za-z]{8,70}$/,
  // 0001_lower-case_words2, camelCase and UPPER_CASE.
  /^(?:\d{1,4}[-_])?[a-z]+\d{0,3}(?:[-_](?:[a-z]+\d{0,3}|\d{1,4}))*$/,
  /^[a-z]*(?:[A-Z][a-z]{2,})+$/,
  /^[A-Z]+(?:_[A-Z]+)*$/,
]

export function scrub(line: string): string {
  const clean = scrubValue(JSON.parse(line), '', 0, { left: LOOKED_AT_MAX })
  const text = `${JSON.stringify(clean)}\n`
  return text.length <= LINE_CHARACTERS_MAX ? text : fitted(clean)
}

export function scrubWords(text: string): string {
  return scrubText(text, { left: LOOKED_AT_MAX })
}

/** A line leads to its trace: the only long random word that is allowed, in one field of the line itself. */
const isTraceId = (value: string, name: string, depth: number) =>
  depth === 1 && name === 'trace_id' && /^[0-9a-f]{32}$/.test(value)

function scrubValue(value: unknown, name: string, depth: number, characters: { left: number }): unknown {
  if (typeof value === 'string') {
    if (SECRET_NAME.test(name) || (CODE_NAME.test(name) && !ERROR_CODE.test(value))) return '[redacted]'
    return isTraceId(value, name, depth) ? value : scrubText(value, characters)
  }
  if (typeof value !== 'object' || value === null) return SECRET_NAME.test(name) ? '[redacted]' : value
  if (depth >= DEPTH_MAX) return '…'
  // The entries of a list take the name of the list.
  const inner = (entry: unknown, of: string) => scrubValue(entry, of, depth + 1, characters)
  if (Array.isArray(value)) {
    const kept = value.slice(0, ENTRIES_MAX).map((entry) => inner(entry, name))
    return value.length > ENTRIES_MAX ? [...kept, `… and ${value.length - ENTRIES_MAX} more`] : kept
  }
  const entries = Object.entries(value).slice(0, ENTRIES_MAX)
  return Object.fromEntries(entries.map(([key, entry]) => [scrubText(key, characters), inner(entry, key)]))
}

function scrubText(whole: string, characters: { left: number }): string {
  if (PLAIN.test(whole)) return whole
  if (characters.left <= 0) return '…'
  let text = cutText(whole, TEXT_CHARACTERS_MAX)
  characters.left -= text.length
  // Most texts contain none of these; a search for a typical character first keeps the patterns off the hot path.
  if (text.includes('"')) text = text.replace(QUOTED_FIELD, '$1"[redacted]"')
  if (text.includes(':')) text = text.replace(HEADER, '$1[redacted]')
  if (/earer|asic|dpop/i.test(text)) text = text.replace(SCHEME, '$1[redacted]')
  if (/@|%(?:25)*40/.test(text)) {
    text = scrubAddresses(text.replace(DATABASE_PASSWORD, '$1[redacted]@'))
  }
  if (/=|%3d/i.test(text)) text = text.replace(PARAMETER, '$1[redacted]')
  return text
    .replace(MARKED, '[redacted]')
    .replace(BASE64, (run) => (looksRandom(run) ? '[redacted]' : run))
    .replace(LONG_WORD, (word) => (NOT_SECRET.some((form) => form.test(word)) ? word : '[redacted]'))
    .replace(USER_CODE, '[redacted]')
}

/** By hand from each `@` outwards: a single pattern takes minutes for a text made to be slow. */
function scrubAddresses(text: string): string {
  let clean = ''
  let done = 0
  for (const { 0: at, index } of text.matchAll(AT)) {
    if (index < done) continue
    MAIL_DOMAIN.lastIndex = index + at.length
    if (!MAIL_DOMAIN.test(text)) continue
    const start = Math.max(done, mailboxStart(text, index))
    if (start === index) continue
    clean += `${text.slice(done, start)}[redacted email]`
    done = MAIL_DOMAIN.lastIndex
  }
  return clean + text.slice(done)
}

function mailboxStart(text: string, end: number): number {
  const least = Math.max(0, end - MAILBOX_CHARACTERS_MAX)
  if (text[end - 1] === '"') {
    const quote = text.lastIndexOf('"', end - 2)
    return quote >= least ? quote : end
  }
  let start = end
  while (start > least && MAILBOX_CHARACTER.test(text[start - 1] ?? '')) start--
  return start
}

function looksRandom(run: string): boolean {
  return count(run, /[A-Z]/g) >= 4 && count(run, /[a-z]/g) >= 4 && /\d/.test(run)
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Cuts long texts and lists in steps until the line fits. */
function fitted(value: unknown): string {
  for (const [charactersMax, entriesMax] of CUTS) {
    const cut = `${JSON.stringify(cutValue(value, charactersMax, entriesMax))}\n`
    if (cut.length <= LINE_CHARACTERS_MAX) return cut
  }
  const { level, time, request_id, msg } = value as Record<string, unknown>
  const about = { level, time, request_id: cutText(String(request_id), 100), msg: cutText(String(msg), 1000) }
  return `${JSON.stringify({ ...about, cut: 'the rest of this line was too long' })}\n`
}

function cutValue(value: unknown, charactersMax: number, entriesMax: number): unknown {
  if (typeof value === 'string') return cutText(value, charactersMax)
  if (typeof value !== 'object' || value === null) return value
  const inner = (entry: unknown) => cutValue(entry, charactersMax, entriesMax)
  if (Array.isArray(value)) {
    const kept = value.slice(0, entriesMax).map(inner)
    return value.length > entriesMax ? [...kept, `… and ${value.length - entriesMax} more`] : kept
  }
  const entries = Object.entries(value).slice(0, entriesMax)
  return Object.fromEntries(entries.map(([name, entry]) => [cutText(name, 200), inner(entry)]))
}

/** Cuts between words: the first half of a secret would no longer be recognised as one. */
function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  let end = charactersMax
  while (end > 0 && !/[\s"'<>(),;]/.test(text[end - 1] ?? '')) end--
  return `${text.slice(0, end)}… (${text.length} characters)`
}
