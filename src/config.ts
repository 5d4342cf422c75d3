import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import {
  databaseAddress,
  dnsServers,
  documentLine,
  documentText,
  feedKey,
  filePath,
  integer,
  mailSender,
  mailServer,
  metricsPort,
  monthsOrNever,
  oneOf,
  pairs,
  planIds,
  ratio,
  secretText,
  trustProxy,
  trustsAnybody,
  webAddress,
} from './config-values.ts'
import { DEFAULT_LIFETIMES } from './lib/lifetimes.ts'
import { weaknessOf } from './lib/secret-strength.ts'
import { TRACE_SAMPLERS } from './lib/trace-samplers.ts'

/**
 * Configuration: one table of keys, and the only place that reads the environment. Types, validation, the error
 * messages and the table in the README derive from it.
 */

interface KeySpec<T> {
  /** Parses text; throws an Error that describes what is wrong with the value. */
  readonly parse: (text: string) => T
  /** Used when the key is absent; undefined means "no value". */
  readonly fallback: T
  /** The default as the documentation shows it. */
  readonly fallbackText: string
  readonly about: string
  readonly example: string
  readonly secret?: boolean
}

const FEED_KEY_PREFIX = 'ASSAY_FEED_KEY_'

const PACKAGE_ROOT = resolve(import.meta.dirname, '..')

type Words = Pick<KeySpec<unknown>, 'about' | 'example' | 'secret'> & Partial<Pick<KeySpec<unknown>, 'fallbackText'>>

function key<T>(parse: (text: string) => T, fallback: NoInfer<T>, words: Words): KeySpec<T> {
  return { parse, fallback, fallbackText: String(fallback) || 'none', ...words }
}

function optional<T>(parse: (text: string) => T, words: Words): KeySpec<T | undefined> {
  return { parse, fallback: undefined, fallbackText: 'none', ...words }
}

/** A value that no message may repeat. */
function secret<T>(parse: (text: string) => T, words: Words): KeySpec<T | undefined> {
  return { ...optional(parse, words), secret: true }
}

/** At least 32 random characters. */
const randomSecret = (about: string, fallbackText = 'none') =>
  secret(secretText, { about, fallbackText, example: 'the output of: openssl rand -base64 48' })

/** The example is the other choice. */
const onOff = (fallback: 'on' | 'off', about: string) =>
  key(oneOf('on', 'off'), fallback, { about, example: fallback === 'on' ? 'off' : 'on' })

const NO_PAIRS: Readonly<Record<string, string>> = {}

export const CONFIG_KEYS = {
  NODE_ENV: key(oneOf('development', 'production', 'test'), 'development', {
    about:
      'In `production` a secret and an https base address are required, no demo organisation is created, and web applications and their keys cannot be on the loopback address.',
    example: 'production',
  }),
  PORT: key(integer(0, 65535), 8080, { about: 'Port of the API, the console and the reference.', example: '8080' }),
  HOST: key(String, 'localhost', {
    about: 'Interface to listen on; `0.0.0.0` accepts connections from other machines.',
    example: '0.0.0.0',
  }),
  ASSAY_BASE_URL: optional(webAddress, {
    fallbackText: '`http://localhost:PORT`',
    about: 'Public address of the service: OAuth issuer, links, error types.',
    example: 'https://assay.example.com',
  }),
  ASSAY_DATA_DIR: key(filePath, resolve('data'), {
    fallbackText: './data',
    about: 'Folder for the SQLite database, snapshots, feed copies and the generated secret.',
    example: '/var/lib/assay',
  }),
  ASSAY_DATABASE_URL: secret(databaseAddress, {
    fallbackText: 'SQLite in the data folder',
    about: 'PostgreSQL to use instead of SQLite.',
    example: 'postgres://assay:password@db.example.com:5432/assay?sslmode=verify-full',
  }),
  ASSAY_DATABASE_POOLER_URL: secret(databaseAddress, {
    fallbackText: 'ASSAY_DATABASE_URL',
    about:
      'A pooler such as pgbouncer in front of the same database, for checks and pages. Locks and notices go past it.',
    example: 'postgres://assay:password@db.example.com:6432/assay',
  }),
  ASSAY_DATABASE_READ_URL: secret(databaseAddress, {
    fallbackText: 'ASSAY_DATABASE_URL',
    about:
      'A standby of the same PostgreSQL, for usage, statements, the audit log, the ledger and the history of checks.',
    example: 'postgres://assay:password@standby.example.com:5432/assay',
  }),
  ASSAY_SECRET: randomSecret(
    'At least 32 random characters. It encrypts signing keys and signs cookies; the same on every node.',
    'created on first start and stored in the data folder (not in production)',
  ),
  ASSAY_SECRET_NEW: randomSecret('Only for `assayd secret rotate`: the secret that replaces ASSAY_SECRET.'),
  ASSAY_ENGINE_URL: optional(webAddress, {
    fallbackText: 'evaluate in this process',
    about: 'Address of an `assayd engine` that evaluates instead of this process.',
    example: 'http://engine.internal:8090',
  }),
  ASSAY_ENGINE_TOKEN: randomSecret(
    'Shared by the API nodes and `assayd engine`; at least 32 random characters. Needed with a separate engine.',
  ),
  ASSAY_ENGINE_PORT: key(integer(0, 65535), 8090, { about: 'Port `assayd engine` listens on.', example: '8090' }),
  ASSAY_ENGINE_TIMEOUT_MS: key(integer(10, 60_000), 2000, {
    about: 'Time an API node waits for the engine before it answers 502 (ten times that for a bulk request).',
    example: '1000',
  }),
  ASSAY_ENGINE_THREADS: key(integer(0, 64), 1, {
    about: 'Threads that evaluate bulk requests; 0 evaluates in the serving thread.',
    example: '4',
  }),
  ASSAY_TRUST_PROXY: key(trustProxy, false, {
    about:
      'Proxies whose `X-Forwarded-For` is trusted: addresses or ranges, `loopback`, or `private` for all private ranges.',
    example: '10.0.0.0/8',
  }),
  ASSAY_METRICS_PORT: key(metricsPort, 9464, {
    about: 'Port of Prometheus `/metrics`; `off` for none.',
    example: '9464',
  }),
  ASSAY_METRICS_HOST: key(String, '127.0.0.1', {
    about:
      'Interface of `/metrics`. Everyone who can reach it can read the metrics: choose one that customers cannot reach.',
    example: '10.0.0.5',
  }),
  ASSAY_PLANS_FILE: key(filePath, resolve(PACKAGE_ROOT, 'plans.json'), {
    fallbackText: 'plans.json beside the program',
    about: 'Plans and prices; read at start.',
    example: '/etc/assay/plans.json',
  }),
  ASSAY_SIGN_UP: key(oneOf('open', 'approval', 'closed'), 'open', {
    about:
      'Who may sign up: `open` for anybody, `approval` for anybody after approval by the operator, `closed` for nobody.',
    example: 'approval',
  }),
  ASSAY_SIGN_UP_PLANS: key(planIds, 'all', {
    about: 'Plans that customers may choose: ids separated by commas, or `all`. The operator may set any plan.',
    example: 'free,prepaid',
  }),
  ASSAY_TERMS_URL: optional(webAddress, {
    fallbackText: 'none: nothing to accept',
    about: 'Address of your terms of service. Newcomers must accept them, at sign-up and by invitation.',
    example: 'https://www.example.com/terms',
  }),
  ASSAY_TERMS_VERSION: optional(documentLine(100), {
    fallbackText: 'needed with ASSAY_TERMS_URL',
    about: 'Version of these terms. The audit log records which one a newcomer accepted, and when.',
    example: '2026-11-01',
  }),
  ASSAY_PRIVACY_URL: optional(webAddress, {
    fallbackText: 'none: no link',
    about: 'Address of your privacy notice, linked where newcomers join.',
    example: 'https://www.example.com/privacy',
  }),
  ASSAY_CREDIT_BEFORE_PAYMENT_PENCE: key(integer(0, 1_000_000_000), 0, {
    about:
      'Included credit given before the first payment of a customer. 0: a paid plan begins when its invoice is paid.',
    example: '500',
  }),
  ASSAY_ISSUER_NAME: key(documentLine(200), 'The operator of this server', {
    about: 'Name of the issuer on invoices.',
    example: 'Example Ltd',
  }),
  ASSAY_ISSUER_ADDRESS: key(documentText(1000), '', {
    about: 'Address of the issuer on invoices; `\\n` begins a new line.',
    example: '1 High Street\\nLondon\\nEC1A 1AA',
  }),
  ASSAY_ISSUER_TAX_ID: optional(documentLine(100), {
    about: 'Tax number of the issuer on invoices.',
    example: 'GB123456789',
  }),
  ASSAY_PAYMENT_INSTRUCTIONS: optional(documentText(2000), {
    about: 'Instructions for payment without a card, such as bank details; `\\n` begins a new line.',
    example: 'Example Bank\\nSort code 12-34-56\\nAccount 12345678',
  }),
  ASSAY_CONTACT: optional(documentLine(200), {
    about: 'How customers reach you, such as an email address: shown where they have to ask you, also how to pay.',
    example: 'billing@example.com',
  }),
  ASSAY_FREE_TRIES: key(integer(0, 100), 0, {
    about:
      'Free checks a day on the front page, for each address of a visitor; 0 for none. They show what your feeds know to anybody.',
    example: '3',
  }),
  ASSAY_ERASURE_DAYS: key(integer(0, 90), 7, {
    about:
      'Days between the request to erase an account or an organisation and the erasure. Until then it can be cancelled.',
    example: '30',
  }),
  ASSAY_INVOICES_KEPT_YEARS: key(integer(0, 100), 10, {
    about: 'Years for which the invoices and payments of an erased organisation are kept, as the law asks of you.',
    example: '6',
  }),
  ASSAY_LEDGER_KEPT_MONTHS: key(monthsOrNever, 0, {
    fallbackText: '0: all of them',
    about:
      'Whole months of the ledger that stay in the database, at least 2. The charges of earlier months go into archives, automatically.',
    example: '13',
  }),
  ASSAY_ARCHIVE_DIR: optional(filePath, {
    fallbackText: 'archive in the data folder',
    about: 'Folder for archives of the ledger; with several nodes, one that all of them share.',
    example: '/mnt/archive',
  }),
  ASSAY_ERASURES_FILE: optional(filePath, {
    fallbackText: 'erasures.log in the data folder',
    about:
      'List of erasures outside the database: a restored backup is erased again by it. Best on the disk of your backups.',
    example: '/mnt/backups/erasures.log',
  }),
  ASSAY_STRIPE_SECRET_KEY: secret(String, {
    fallbackText: 'the operator settles invoices',
    about: 'Secret key of a Stripe account, for payment by card.',
    example: 'sk_live_…',
  }),
  ASSAY_STRIPE_WEBHOOK_SECRET: secret(String, {
    about: 'Signing secret of the Stripe webhook at `/v1/webhooks/stripe`. Needed with the secret key.',
    example: 'whsec_…',
  }),
  ASSAY_STRIPE_API_BASE: optional(webAddress, {
    fallbackText: 'the Stripe API',
    about: 'Another address of the Stripe API, for tests.',
    example: 'http://localhost:12111',
  }),
  ASSAY_SMTP_URL: secret(mailServer, {
    fallbackText: 'none: links are shown to the person who creates them',
    about:
      'Mail server for invitations, confirmations, password resets and notices. `smtps://` for TLS from the first byte; `smtp://` uses STARTTLS if the server offers it.',
    example: 'smtps://user:password@mail.example.com:465',
  }),
  ASSAY_MAIL_FROM: optional(mailSender, {
    fallbackText: 'needed with ASSAY_SMTP_URL',
    about: 'Sender of mail: your address, with or without a name.',
    example: 'Assay <assay@example.com>',
  }),
  ASSAY_LIVE: optional(oneOf('auto', 'on', 'off'), {
    fallbackText: '`auto`, and `off` if `NODE_ENV` is `test`',
    about:
      'Look up registration, DNS and mail set-up during a check. `auto`: on while a resolver answers, tested every minute.',
    example: 'off',
  }),
  ASSAY_LIVE_BUDGET_MS: key(integer(0, 10_000), 400, {
    about:
      'Time a single check waits for facts that are not known yet. Facts that arrive later are stored for the next check.',
    example: '250',
  }),
  ASSAY_LIVE_BULK_BUDGET_MS: key(integer(0, 60_000), 3000, {
    about: 'Time a bulk request waits for the facts of all its records together.',
    example: '10000',
  }),
  ASSAY_LIVE_DNS: onOff('on', 'Ask the DNS about domains: addresses, mail, name servers.'),
  ASSAY_LIVE_RDAP: onOff('on', 'Ask the registries about domains: registration, expiry, registrar.'),
  ASSAY_LIVE_REVERSE_DNS: onOff('on', 'Ask the DNS which name an IP address has.'),
  ASSAY_LIVE_CERTIFICATES: onOff(
    'off',
    'Connect to port 443 of a domain and read its certificate. The only look-up that its owner can notice.',
  ),
  ASSAY_DNS_SERVERS: key(dnsServers, [], {
    fallbackText: 'the resolvers of the system',
    about: 'Resolvers to ask: addresses, with a port if it is not 53, separated by commas.',
    example: '192.0.2.53,[2001:db8::53]:5353',
  }),
  ASSAY_RDAP_URL: optional(webAddress, {
    fallbackText: 'the servers of the registries, from the IANA list',
    about: 'One RDAP server to ask about every domain: `GET {address}/domain/{name}`.',
    example: 'https://rdap.example.com',
  }),
  ASSAY_FEEDS_FILE: key(filePath, resolve(PACKAGE_ROOT, 'feeds.json'), {
    fallbackText: 'feeds.json beside the program',
    about: 'Catalogue of feeds.',
    example: '/etc/assay/feeds.json',
  }),
  ASSAY_FEEDS_REFRESH: optional(oneOf('on', 'off'), {
    fallbackText: 'on, except if `NODE_ENV` is `test`',
    about: 'Fetch the enabled feeds on their schedule. If off, feeds change only by `assayd feeds sync`.',
    example: 'off',
  }),
  ASSAY_FEED_KEY_ABUSE_CH: secret(feedKey, {
    fallbackText: 'none: the feeds of abuse.ch are off',
    about: 'Key for URLhaus and ThreatFox, free at https://auth.abuse.ch/.',
    example: '0123abcd…',
  }),
  ASSAY_FEED_KEY_PHISHTANK: secret(feedKey, {
    fallbackText: 'none: PhishTank is off',
    about:
      'Application key of PhishTank; the feed must be switched on as well. Your own feed may name another variable that begins with `ASSAY_FEED_KEY_`.',
    example: '0123abcd…',
  }),
  ASSAY_SHUTDOWN_DELAY_MS: optional(integer(0, 600_000), {
    fallbackText: '5000 in production, else 0',
    about:
      'Time a node continues to answer after SIGTERM while `/readyz` fails: longer than a load balancer needs to notice.',
    example: '10000',
  }),
  ASSAY_SHUTDOWN_GRACE_MS: key(integer(0, 600_000), 15_000, {
    about: 'Time that pending requests have to finish after that.',
    example: '30000',
  }),
  ASSAY_ACCESS_TOKEN_SECONDS: key(integer(30, 86_400), DEFAULT_LIFETIMES.accessTokenSeconds, {
    about: 'Lifetime of an OAuth access token.',
    example: '900',
  }),
  ASSAY_AUTHORIZATION_CODE_SECONDS: key(integer(10, 600), DEFAULT_LIFETIMES.authorizationCodeSeconds, {
    about: 'Lifetime of an authorization code.',
    example: '60',
  }),
  ASSAY_ID_TOKEN_SECONDS: key(integer(30, 86_400), DEFAULT_LIFETIMES.idTokenSeconds, {
    about: 'Lifetime of an ID token.',
    example: '3600',
  }),
  ASSAY_REFRESH_TOKEN_SECONDS: key(integer(60, 31_536_000), DEFAULT_LIFETIMES.refreshTokenSeconds, {
    about: 'Lifetime of an unused refresh token; each use gives a new one.',
    example: '1209600',
  }),
  ASSAY_REFRESH_CHAIN_SECONDS: key(integer(60, 31_536_000), DEFAULT_LIFETIMES.refreshChainSeconds, {
    about: 'Maximum time of refreshing before the person must consent again.',
    example: '7776000',
  }),
  ASSAY_DEVICE_CODE_SECONDS: key(integer(30, 3600), DEFAULT_LIFETIMES.deviceCodeSeconds, {
    about: 'Time a person has to approve a device.',
    example: '600',
  }),
  ASSAY_DEVICE_INTERVAL_SECONDS: key(integer(1, 60), DEFAULT_LIFETIMES.deviceIntervalSeconds, {
    about: 'Time a device waits between polls.',
    example: '5',
  }),
  ASSAY_SIGNING_KEY_PUBLISHED_SECONDS: key(integer(10, 2_592_000), DEFAULT_LIFETIMES.signingKeyPublishedSeconds, {
    about: 'Time a new signing key is published before it signs, so that applications that cache keys know it.',
    example: '86400',
  }),
  ASSAY_REFRESH_GRACE_SECONDS: key(integer(0, 60), DEFAULT_LIFETIMES.refreshGraceSeconds, {
    about:
      'Time a used refresh token of a browser application still works, for tabs that refresh at the same moment. 0: it works once.',
    example: '10',
  }),
  ASSAY_SESSION_SECONDS: key(integer(60, 2_592_000), DEFAULT_LIFETIMES.sessionSeconds, {
    about: 'Lifetime of a sign-in session.',
    example: '28800',
  }),
  LOG_LEVEL: key(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', {
    about: 'Lowest severity of log lines that are written.',
    example: 'warn',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(webAddress, {
    fallbackText: 'none: no traces',
    about: 'OpenTelemetry collector for traces, by OTLP over HTTP as JSON; `/v1/traces` is added.',
    example: 'http://collector.internal:4318',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(webAddress, {
    fallbackText: 'from OTEL_EXPORTER_OTLP_ENDPOINT',
    about: 'Complete collector address for traces; nothing is added.',
    example: 'https://traces.example.com/v1/traces',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: key(pairs, NO_PAIRS, {
    fallbackText: 'none',
    about: 'Headers for the collector, such as its key: `name=value` pairs with commas between them.',
    example: 'authorization=Bearer%20…',
    secret: true,
  }),
  OTEL_SERVICE_NAME: key(documentLine(100), 'assay', { about: 'Name of this service in traces.', example: 'assay-eu' }),
  OTEL_RESOURCE_ATTRIBUTES: key(pairs, NO_PAIRS, {
    fallbackText: 'none',
    about: 'Further attributes of this service in traces: `name=value` pairs with commas between them.',
    example: 'deployment.environment.name=production',
  }),
  OTEL_TRACES_SAMPLER: key(oneOf(...TRACE_SAMPLERS), 'parentbased_always_on', {
    about: `Sampler that selects the traced requests: ${TRACE_SAMPLERS.map((name) => `\`${name}\``).join(', ')}. Those that begin with \`parentbased_\` follow the caller's \`traceparent\`.`,
    example: 'traceidratio',
  }),
  OTEL_TRACES_SAMPLER_ARG: key(ratio, 1, {
    about: 'Share of requests that a sampler ending in `traceidratio` traces.',
    example: '0.01',
  }),
  OTEL_SDK_DISABLED: key(oneOf('true', 'false'), 'false', {
    about: '`true` sends no traces, regardless of other keys.',
    example: 'true',
  }),
} as const

type Values = { readonly [K in keyof typeof CONFIG_KEYS]: (typeof CONFIG_KEYS)[K] extends KeySpec<infer T> ? T : never }
export type ConfigKey = keyof typeof CONFIG_KEYS

/** Every value is validated. `explicit` holds the keys that were set rather than defaulted. */
export interface Config extends Values {
  /** ASSAY_BASE_URL, or its default with the port. */
  readonly baseUrl: string
  readonly production: boolean
  readonly refreshFeeds: boolean
  readonly live: 'auto' | 'on' | 'off'
  /** Keys of feeds by the name of their variable. */
  readonly feedKeys: Readonly<Record<string, string>>
  readonly shutdownDelayMs: number
  readonly explicit: ReadonlySet<ConfigKey>
}

export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigError'
  }
}

/** The process environment over an optional `.env` in the working folder. */
export function readEnvironment(dotenvFile = resolve('.env')): Record<string, string | undefined> {
  let fromFile: Record<string, string | undefined> = {}
  try {
    fromFile = parseEnv(readFileSync(dotenvFile, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new ConfigError([`.env cannot be read: ${(error as Error).message}`])
    }
  }
  return { ...fromFile, ...process.env }
}

export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const explicit = new Set<ConfigKey>()
  const values: Record<string, unknown> = {}
  for (const [name, spec] of Object.entries(CONFIG_KEYS) as [ConfigKey, KeySpec<unknown>][]) {
    const text = env[name]
    values[name] = spec.fallback
    // Compose files and unit files use an empty value for "not set".
    if (text === undefined || text === '') continue
    try {
      values[name] = spec.parse(text)
      explicit.add(name)
    } catch (error) {
      const shown = spec.secret ? 'the value' : JSON.stringify(text)
      problems.push(`${name}: ${shown} ${(error as Error).message}. Example: ${name}=${spec.example}`)
    }
  }
  const feedKeys: Record<string, string> = {}
  for (const [name, text] of Object.entries(env)) {
    const inTable = Object.hasOwn(CONFIG_KEYS, name)
    if (name.startsWith(FEED_KEY_PREFIX)) {
      if (text === undefined || text === '') continue
      try {
        feedKeys[name] = feedKey(text)
      } catch (error) {
        // The keys of the table have been checked above.
        if (!inTable) problems.push(`${name}: the value ${(error as Error).message}`)
      }
    } else if (name.startsWith('ASSAY_') && !inTable && !COMMAND_LINE_KEYS.includes(name)) {
      const hint = similarKey(name)
      const known = hint ? `Did you mean ${hint}?` : `Known keys: ${Object.keys(CONFIG_KEYS).join(', ')}`
      problems.push(`${name}: is an unknown key. ${known}`)
    }
  }
  const checked = values as unknown as Values
  const baseUrl = checked.ASSAY_BASE_URL ?? `http://localhost:${checked.PORT}`
  const production = checked.NODE_ENV === 'production'
  const lacks = (name: ConfigKey, why: string) =>
    problems.push(`${name}: ${why}. Example: ${name}=${shellExampleOf(name)}`)
  if (production && problems.length === 0) {
    if (!checked.ASSAY_SECRET) lacks('ASSAY_SECRET', 'is missing, and production needs one')
    if (!checked.ASSAY_BASE_URL || !baseUrl.startsWith('https:')) {
      lacks('ASSAY_BASE_URL', 'production needs the public https address of the service')
    }
  }
  if (production) {
    for (const name of ['ASSAY_SECRET_NEW', 'ASSAY_ENGINE_TOKEN'] as const) {
      const problem = weakValue(name, checked[name])
      if (problem) problems.push(problem)
    }
    if (trustsAnybody(checked.ASSAY_TRUST_PROXY)) {
      problems.push(
        'ASSAY_TRUST_PROXY: trusts X-Forwarded-For from anybody, so every client can choose its address and avoid limits by address. Name your proxies. Example: ASSAY_TRUST_PROXY=loopback',
      )
    }
  }
  for (const [given, needed] of NEEDED_WITH) {
    if (checked[given] && !checked[needed]) lacks(needed, `is missing, and ${given} needs one`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const refreshFeeds = (checked.ASSAY_FEEDS_REFRESH ?? (checked.NODE_ENV === 'test' ? 'off' : 'on')) === 'on'
  const live = checked.ASSAY_LIVE ?? (checked.NODE_ENV === 'test' ? 'off' : 'auto')
  const shutdownDelayMs = checked.ASSAY_SHUTDOWN_DELAY_MS ?? (production ? 5000 : 0)
  return { ...checked, baseUrl, production, refreshFeeds, live, feedKeys, shutdownDelayMs, explicit }
}

const NEEDED_WITH = [
  ['ASSAY_ENGINE_URL', 'ASSAY_ENGINE_TOKEN'],
  ['ASSAY_STRIPE_SECRET_KEY', 'ASSAY_STRIPE_WEBHOOK_SECRET'],
  ['ASSAY_SMTP_URL', 'ASSAY_MAIL_FROM'],
  ['ASSAY_DATABASE_POOLER_URL', 'ASSAY_DATABASE_URL'],
  ['ASSAY_DATABASE_READ_URL', 'ASSAY_DATABASE_URL'],
  ['ASSAY_TERMS_URL', 'ASSAY_TERMS_VERSION'],
] as const

const RANDOM_SECRET = '$(openssl rand -base64 48)'

function shellExampleOf(name: ConfigKey): string {
  const { parse, example } = CONFIG_KEYS[name]
  return parse === secretText ? RANDOM_SECRET : example
}

function weakValue(name: ConfigKey, value: string | undefined): string | undefined {
  const weakness = value === undefined ? undefined : weaknessOf(value)
  return weakness && `${name}: the value ${weakness}. Make a random one: ${name}=${RANDOM_SECRET}`
}

/** For the server only: verbs must work with a weak secret, since one of them replaces it. */
export function refuseWeakSecret({ production, ASSAY_SECRET }: Config): void {
  const problem = production && weakValue('ASSAY_SECRET', ASSAY_SECRET)
  if (problem) {
    throw new ConfigError([
      `${problem}. If a database is already sealed with it, replace it with \`assayd secret rotate\` first (docs/secret.md)`,
    ])
  }
}

/** Keys of the command line, which may be set in the same shell: accepted, without effect here. */
const COMMAND_LINE_KEYS = ['ASSAY_URL', 'ASSAY_API_KEY', 'ASSAY_CLIENT_ID', 'ASSAY_CLIENT_SECRET']

/** The key that shares most pairs of letters with a misspelt one, if that is most of them. */
function similarKey(misspelt: string): string | undefined {
  const pairsOf = (name: string) => {
    const letters = name.replace(/^ASSAY_/, '')
    return new Set(Array.from(letters, (letter, at) => letter + letters[at + 1]))
  }
  const wanted = pairsOf(misspelt)
  const likeness = (name: string) => {
    const pairs = pairsOf(name)
    return pairs.intersection(wanted).size / pairs.union(wanted).size
  }
  const nearest = Object.keys(CONFIG_KEYS).reduce((best, name) => (likeness(name) > likeness(best) ? name : best))
  return likeness(nearest) > 0.5 ? nearest : undefined
}

export function configTable(): string {
  const rows = Object.entries(CONFIG_KEYS).map(
    ([name, spec]) => `| \`${name}\` | ${spec.fallbackText} | ${spec.about} | \`${spec.example}\` |`,
  )
  return ['| Key | Default | What it does | Example |', '|---|---|---|---|', ...rows].join('\n')
}
