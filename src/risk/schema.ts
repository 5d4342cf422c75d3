import Type, { type TSchema } from 'typebox'
import type { ProblemCode } from '../errors.ts'
import {
  BillingFields,
  CHANGE_PROBLEMS,
  ChangeHeaders,
  jsonResponse,
  named,
  pascalCase,
  REPLAYED_HEADER,
  resourceProblems,
  TextOrNull,
} from '../http/schema.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { FAMILIES, KIND_NAMES, KINDS, type Kind } from '../lib/kinds.ts'
import { LIMITS } from '../limits.ts'
import type { Zone } from '../live/facts.ts'
import { KNOWN, LEVEL_FLOORS, RECOMMENDED_ACTIONS } from './engine.ts'

/** The six risk endpoints as schemas: for the reference and for generated clients. */

const Risk = Type.String({
  $id: 'Risk',
  enum: ['low', 'medium', 'high'],
  description: 'low: no significant signal. medium: review before deciding. high: escalate.',
})
const { medium, high } = LEVEL_FLOORS
const RiskScore = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: `low 0–${medium - 1}, medium ${medium}–${high - 1}, high ${high}–100.`,
})

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const text = (description: string) => Type.String({ description })
const SHARE_OF_SCORE =
  'Points the score moved by: positive raises the risk. `base_score` and all effects add up to `risk_score`.'
const SignalSchema = named('Signal', {
  code: text('Stable code, such as `domain.lookalike`.'),
  description: text('The reason in words; may change.'),
  effect: Type.Integer({ description: SHARE_OF_SCORE }),
  source: text('Where the evidence came from.'),
  first_seen: Moment,
  last_seen: Moment,
})
const Signals = Type.Optional(
  Type.Array(SignalSchema, { description: 'Only with explain=true: every reason, strongest first.' }),
)
const Intelligence = named('Intelligence', { version: Type.String(), built_at: Type.String({ format: 'date-time' }) })
const Resembles = Type.Array(Type.String(), {
  description:
    'Only with explain=true, and only where there is one: the real names that this one may be taken for, such as `paypal.com`.',
})
const International = named(
  'International',
  {
    ascii: text('The name as the DNS has it, such as `xn--pypal-4ve.com`.'),
    unicode: text('The name as a browser may show it.'),
    mixed: TextOrNull(
      'Which letters of another alphabet stand within a word, in words; null where no word mixes alphabets.',
    ),
  },
  {
    description:
      'Only with explain=true, and only for a name, or the domain of an email address, with other than ASCII letters.',
  },
)
const BaseScore = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'Only with explain=true: where every score starts. With the effects of its signals it is `risk_score`.',
})

const listsConsulted = {
  status: Type.String({
    enum: ['consulted', 'none', 'not_applicable'],
    description: 'none: no such list is loaded. not_applicable: such lists say nothing about this indicator.',
  }),
  sources: Type.Integer({ minimum: 0, description: 'How many lists.' }),
  oldest: Moment,
  newest: Moment,
}
const consulted = {
  lists: Type.Object(
    { ...listsConsulted, threat_sources: Type.Integer({ minimum: 0, description: 'How many of them list threats.' }) },
    { description: 'Lists of threats, of what things are, and of what is known to be good.' },
  ),
  model: Type.Object(
    {
      status: Type.String({ enum: ['consulted', 'not_applicable'] }),
      version: text('The release that brought it.'),
    },
    {
      description:
        'What was learnt beforehand: about names for email addresses and domains, about networks for IP addresses.',
    },
  ),
  popularity: Type.Object(listsConsulted, { description: 'Lists of much visited sites.' }),
  live: Type.Object(
    {
      status: Type.String({
        enum: ['complete', 'partial', 'off'],
        description:
          'complete: every look-up was answered in time. partial: some were not; a later question may have the rest. off: nothing was looked up, because this server does not, or cannot.',
      }),
    },
    { description: 'Facts looked up at the time of the question: who registered a name, its mail and its servers.' },
  ),
}
const CoverageSchema = named('Coverage', consulted)
const KnowledgeSchema = named('Knowledge', {
  ...consulted,
  known: Type.String({
    enum: [...KNOWN],
    description:
      'What the sources know about it. neutral: what it is, neither good nor bad. nothing: no source names it, so that a low score is not a clean bill of health. not_public: a private or reserved address or name, with nothing to check.',
  }),
  summary: text('The signal in words; may change.'),
})

const Time = Type.String({ format: 'date-time' })
const Texts = Type.Array(Type.String())

/** A fact with the time it was seen; null if it was not. */
function fact(value: TSchema, description: string) {
  const seen = Type.Object({ value, seen_at: Type.String({ format: 'date-time', description: 'When it was seen.' }) })
  return Type.Union([seen, Type.Null()], { description })
}

/** One of the words of a table, each with its meaning. */
function word(means: Readonly<Record<string, string>>) {
  const description = Object.entries(means).map(([name, meaning]) => `${name}: ${meaning}.`)
  return Type.String({ enum: Object.keys(means), description: description.join(' ') })
}

const SPF: Readonly<Record<Zone['spf'], string>> = {
  absent: 'no record',
  pass: 'every server may send in its name',
  neutral: 'nothing is said of other servers',
  softfail: 'mail of other servers is suspicious',
  fail: 'mail of other servers is to be refused',
  invalid: 'two records, or one that cannot be read',
}
const DMARC: Readonly<Record<Zone['dmarc'], string>> = {
  absent: 'no record, so that anybody can write in its name',
  none: 'mail that fails the checks is only reported',
  quarantine: 'mail that fails the checks is suspicious',
  reject: 'mail that fails the checks is to be refused',
  invalid: 'two records, or one that cannot be read',
}

export const FactsSchema = named(
  'Facts',
  {
    registered: fact(Time, 'When the name was registered.'),
    changed: fact(Time, 'When the registration last changed.'),
    expires: fact(Time, 'When the registration ends unless it is renewed.'),
    registrar: fact(Type.String(), 'Who registered it for its holder.'),
    status: fact(Texts, 'What the registry says about it, such as `active` or `client hold`.'),
    mail: fact(
      Type.Object({
        mx: Type.Array(Type.String(), {
          description: 'Hosts that take its mail, the preferred first. Empty: it cannot receive mail.',
        }),
        null_mx: Type.Boolean({ description: 'It says itself that it takes no mail (RFC 7505).' }),
        spf: word(SPF),
        dmarc: word(DMARC),
      }),
      'How the name is set up for mail.',
    ),
    name_servers: fact(Texts, 'The servers of its DNS zone.'),
    parked_by: fact(Type.String(), 'The service that shows a parking page in its place.'),
    networks: fact(
      Type.Array(
        Type.Object({
          address: Type.String(),
          asn: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Autonomous system number.' }),
          name: TextOrNull('Who runs the network.'),
          country: TextOrNull('Where the network is registered, as two letters (ISO 3166-1).'),
        }),
      ),
      'The addresses that a host has, and the networks they lie in; empty where it has none. For an IP address its own network, known without a look-up: `seen_at` is then when the table of networks was current.',
    ),
    certificate: fact(
      Type.Object({ issuer: TextOrNull(), not_before: Moment, not_after: Moment, names: Texts }),
      'The certificate that the host showed on port 443.',
    ),
    reverse_dns: fact(
      Type.Object({
        names: Texts,
        confirmed: Type.Array(Type.String(), { description: 'Those of the names that lead back to the address.' }),
      }),
      'The names that the DNS has for an IP address.',
    ),
  },
  {
    description:
      'What was seen about a name or an address, each fact with its time; null where it was not seen. For an email address, the facts of its domain.',
  },
)

const RiskResultSchema = named('RiskResult', {
  endpoint: Type.String({ enum: FAMILIES }),
  risk: Risk,
  risk_score: RiskScore,
  source_type: Type.String({ enum: KIND_NAMES.map((kind) => KINDS[kind].sourceType) }),
  target: text('The indicator in normal form; an email address only as a digest.'),
  ...BillingFields,
  signals: Signals,
  intelligence: Type.Optional(Intelligence),
  recommended_action: Type.Optional(
    Type.String({ enum: FAMILIES.flatMap((family) => Object.values(RECOMMENDED_ACTIONS[family])) }),
  ),
  base_score: Type.Optional(BaseScore),
  coverage: Type.Optional(KnowledgeSchema),
  facts: Type.Optional(FactsSchema),
  resembles: Type.Optional(Resembles),
  international: Type.Optional(International),
})

/** The words and samples of each kind; `odd` is an indicator with a high risk. */
const WORDS: Record<Kind, Record<'one' | 'many' | 'what' | 'format' | 'indicator' | 'odd', string>> = {
  email: {
    one: 'Check an email address before a payment',
    many: 'Check up to 10,000 email addresses',
    what: 'an email address',
    format: 'local@domain, at most 254 characters; internationalised addresses are accepted.',
    indicator: 'accounts@example.com',
    odd: 'paypal.security@gmail.com',
  },
  domain: {
    one: 'Check the domain of a supplier',
    many: 'Check up to 10,000 domains',
    what: 'a domain',
    format:
      'A host name with at least two labels; internationalised names are accepted, and so are suffixes of registries such as gov.uk. No URL, port or IP address.',
    indicator: 'example.com',
    odd: 'paypa1-login.com',
  },
  ip: {
    one: 'Check an IP address',
    many: 'Check up to 10,000 IP addresses',
    what: 'an IP address',
    format: 'IPv4 dotted quad or any IPv6 text form. No zone, prefix or port.',
    indicator: '198.41.0.4',
    odd: '185.220.101.1',
  },
}

const CHECK_PROBLEMS: readonly ProblemCode[] = [
  ...CHANGE_PROBLEMS,
  'invalid_query',
  'credit_exhausted',
  'account_inactive',
  'method_not_allowed',
  'upstream_unavailable',
]

const SECURITY = (scopes: readonly string[]) => [{ apiKey: [] }, { oauth2: [...scopes] }]

const QUERY = Type.Object({
  explain: Type.Optional(
    Type.Boolean({
      $id: 'Explain',
      description:
        'true adds the reasons to the answer, what was consulted, and where the score starts; to a single check also the facts seen.',
    }),
  ),
})

const billingSample = {
  charged: true,
  is_free: false,
  unit_price_pence: 2,
  billable_units: 1,
  total_price_pence: 2,
  charged_from_credit_pence: 2,
  overage_pence: 0,
  remaining_credit_pence: 998,
}

export function singleSchema(kind: Kind) {
  const { family, sourceType, scope } = KINDS[kind]
  const { one, what, format, indicator } = WORDS[kind]
  const target = kind === 'email' ? `sha256:${sha256Hex(indicator)}` : indicator
  const sample = { endpoint: family, risk: 'low', risk_score: 4, source_type: sourceType, target, ...billingSample }
  return {
    tags: ['Risk'],
    operationId: `check${pascalCase(family)}`,
    summary: one,
    description: `Answers low, medium or high for ${what}, with its price. Something nobody knows anything about is low, too: \`coverage\` tells it from what is known to be good, with explain=true. Needs the scope \`${scope}\`.`,
    security: SECURITY([scope]),
    querystring: QUERY,
    headers: ChangeHeaders,
    body: Type.Object({ [kind]: text(format) }, { additionalProperties: false, examples: [{ [kind]: indicator }] }),
    response: {
      200: jsonResponse('The answer.', RiskResultSchema, sample, REPLAYED_HEADER),
      ...resourceProblems(...CHECK_PROBLEMS),
    },
  }
}

export function bulkSchema(kind: Kind) {
  const { family, plural, scope } = KINDS[kind]
  const { many, what, format, indicator, odd } = WORDS[kind]
  const result = named(`Bulk${pascalCase(family)}Result`, {
    results: Type.Array(
      Type.Object({
        [kind]: text('The indicator exactly as submitted.'),
        risk: Risk,
        risk_score: RiskScore,
        signals: Signals,
      }),
      { description: 'One per submitted record, in order, duplicates included.' },
    ),
    ...BillingFields,
    base_score: Type.Optional(BaseScore),
    coverage: Type.Optional(CoverageSchema),
    intelligence: Type.Optional(Intelligence),
  })
  const sample = {
    results: [
      { [kind]: indicator, risk: 'low', risk_score: 4 },
      { [kind]: odd, risk: 'high', risk_score: 88 },
    ],
    ...billingSample,
    billable_units: 2,
    total_price_pence: 4,
    charged_from_credit_pence: 4,
  }
  const { recordsMax } = LIMITS.requests
  const records = Type.Array(text(format), { minItems: 1, maxItems: recordsMax })
  return {
    tags: ['Risk'],
    operationId: `check${pascalCase(family)}Bulk`,
    summary: many,
    description: `Answers low, medium or high for each of up to ${recordsMax} records, ${what} each. One unit per record. An invalid record refuses the whole request and names every bad index. Needs the scopes \`${scope}\` and \`risk:bulk\`.`,
    security: SECURITY([scope, 'risk:bulk']),
    querystring: QUERY,
    headers: ChangeHeaders,
    body: Type.Object(
      { [plural]: records },
      { additionalProperties: false, examples: [{ [plural]: [indicator, odd] }] },
    ),
    response: {
      200: jsonResponse('The answers.', result, sample, REPLAYED_HEADER),
      ...resourceProblems(...CHECK_PROBLEMS, 'bulk_not_in_plan', 'too_many_records', 'no_records'),
    },
  }
}
