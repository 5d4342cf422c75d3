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
import { HELD_BACK, type Zone } from '../live/facts.ts'
import { KNOWN, LEVEL_FLOORS, OUTCOMES, RECOMMENDED_ACTIONS, RELATIONS } from './engine.ts'

/** The six risk endpoints as schemas: for the reference and for generated clients. */

const Risk = Type.String({
  $id: 'Risk',
  enum: ['low', 'medium', 'high'],
  description: 'low: no significant signal. medium: review before deciding. high: escalate.',
})
const { medium, high } = LEVEL_FLOORS
export const RiskScore = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: `low 0–${medium - 1}, medium ${medium}–${high - 1}, high ${high}–100.`,
})

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const text = (description: string) => Type.String({ description })
const SHARE_OF_SCORE =
  'Points that the signal adds to the score: a positive effect raises the risk. `base_score` and all effects add up to `risk_score`.'
const SignalSchema = named('Signal', {
  code: text('Stable code, such as `domain.lookalike`.'),
  description: text('The reason in words; may change.'),
  effect: Type.Integer({ description: SHARE_OF_SCORE }),
  source: text('Sources of the evidence.'),
  first_seen: Moment,
  last_seen: Moment,
})
const Signals = Type.Optional(
  Type.Array(SignalSchema, {
    description: 'Only with explain=true: every reason, own knowledge first, then the strongest.',
  }),
)
const Intelligence = named('Intelligence', { version: Type.String(), built_at: Type.String({ format: 'date-time' }) })
const Resembles = Type.Array(Type.String(), {
  description:
    'Only with explain=true, and only if there is one: the real names that this name imitates, such as `paypal.com` or the domain of your counterparty.',
})
const International = named(
  'International',
  {
    ascii: text('The name in the DNS, such as `xn--pypal-4ve.com`.'),
    unicode: text('The name as a browser may display it.'),
    mixed: TextOrNull(
      'Letters of another alphabet within a word, described in words; null if no word mixes alphabets.',
    ),
  },
  {
    description:
      'Only with explain=true, and only for a name or the domain of an email address with letters outside ASCII.',
  },
)
const CounterpartySchema = named(
  'CounterpartyRelation',
  {
    id: text('The counterparty.'),
    name: Type.String(),
    reference: TextOrNull('Its number in your own books.'),
    state: Type.String({ enum: ['active', 'former', 'blocked'] }),
    since: TextOrNull('Since when you know it.'),
    relation: word(RELATIONS),
  },
  {
    description:
      'Only with explain=true, and only if your organisation has such a counterparty: the one that the indicator belongs to, or may be mistaken for.',
  },
)
export const DecisionSchema = named(
  'Decision',
  {
    outcome: Type.String({ enum: [...OUTCOMES] }),
    rule: text('Name of the rule that decided.'),
    text: text('Instruction for the clerk.'),
  },
  {
    description:
      'Only with explain=true, and only if a decision rule of the organisation matches: the first one that does. For a bank account that was compared: the first rule about accounts that matches.',
  },
)
const BaseScore = Type.Integer({
  minimum: 0,
  maximum: 100,
  description:
    'Only with explain=true: the starting score. Together with the effects of the signals it is `risk_score`.',
})

const listsConsulted = {
  status: Type.String({
    enum: ['consulted', 'none', 'not_applicable'],
    description: 'none: no such list is loaded. not_applicable: such lists do not apply to this indicator.',
  }),
  sources: Type.Integer({ minimum: 0, description: 'Number of lists.' }),
  oldest: Moment,
  newest: Moment,
}
const consulted = {
  lists: Type.Object(
    { ...listsConsulted, threat_sources: Type.Integer({ minimum: 0, description: 'Number of threat lists.' }) },
    { description: 'Lists of threats, of properties, and of known good names and addresses.' },
  ),
  model: Type.Object(
    {
      status: Type.String({ enum: ['consulted', 'not_applicable'] }),
      version: text('Release of the model.'),
    },
    {
      description: 'Trained models: of names for email addresses and domains, of networks for IP addresses.',
    },
  ),
  popularity: Type.Object(listsConsulted, { description: 'Lists of popular sites.' }),
  live: Type.Object(
    {
      status: Type.String({
        enum: ['complete', 'partial', 'off'],
        description:
          'complete: every look-up was answered in time. partial: some were not; a later check may have the rest. off: nothing was looked up, because look-ups are off or not possible.',
      }),
      held_back: Type.Optional(
        Type.Array(Type.String({ enum: [...HELD_BACK] }), {
          description:
            'Why facts were not looked up; absent if all were. server_silent: a resolver or registry does not answer, or asked to wait. zone_limit: the organisation asks about too many names of one zone. zone_silent: the name servers of the domain do not answer. queue_full: too many look-ups of the organisation wait. A later check may have these facts.',
        }),
      ),
    },
    { description: 'Facts looked up during the check: registration, mail and servers of a name.' },
  ),
}
const CoverageSchema = named('Coverage', consulted)
const KnowledgeSchema = named('Knowledge', {
  ...consulted,
  known: Type.String({
    enum: [...KNOWN],
    description:
      'Knowledge of the sources about the indicator. mixed: evidence for and against it, or a listing too weak to raise the level. neutral: a property, neither good nor bad. nothing: no source lists it, so a low score does not mean that it is safe. not_public: a private or reserved address or name, with nothing to check.',
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
  pass: 'every server may send mail in its name',
  neutral: 'no rule for other servers',
  softfail: 'mail from other servers is suspicious',
  fail: 'mail from other servers should be refused',
  invalid: 'two records, or one that cannot be read',
  unknown: 'its name servers did not answer',
}
const DMARC: Readonly<Record<Zone['dmarc'], string>> = {
  absent: 'no record, so anybody can send mail in its name',
  none: 'mail that fails the checks is only reported',
  quarantine: 'mail that fails the checks is suspicious',
  reject: 'mail that fails the checks should be refused',
  invalid: 'two records, or one that cannot be read',
  unknown: 'its name servers did not answer',
}

export const FactsSchema = named(
  'Facts',
  {
    registered: fact(Time, 'When the name was registered.'),
    changed: fact(Time, 'When the registration last changed.'),
    expires: fact(Time, 'When the registration expires unless it is renewed.'),
    registrar: fact(Type.String(), 'The registrar.'),
    status: fact(Texts, 'Registry status, such as `active` or `client hold`.'),
    mail: fact(
      Type.Object({
        mx: Type.Array(Type.String(), {
          description: 'Mail servers, preferred first. Empty: the name cannot receive mail.',
        }),
        null_mx: Type.Boolean({ description: 'True if the name declares that it accepts no mail (RFC 7505).' }),
        spf: word(SPF),
        dmarc: word(DMARC),
      }),
      'Mail set-up of the name.',
    ),
    name_servers: fact(Texts, 'Name servers of its DNS zone.'),
    parked_by: fact(Type.String(), 'The parking service that serves the name.'),
    networks: fact(
      Type.Array(
        Type.Object({
          address: Type.String(),
          asn: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Autonomous system number.' }),
          name: TextOrNull('Operator of the network.'),
          country: TextOrNull('Country of registration of the network, as two letters (ISO 3166-1).'),
        }),
      ),
      'Addresses of a host and their networks; empty if it has none. For an IP address its own network, known without a look-up: then `seen_at` is the date of the network table.',
    ),
    certificate: fact(
      Type.Object({ issuer: TextOrNull(), not_before: Moment, not_after: Moment, names: Texts }),
      'The certificate that the host showed on port 443.',
    ),
    reverse_dns: fact(
      Type.Object({
        names: Texts,
        confirmed: Type.Array(Type.String(), { description: 'Names that resolve back to the address.' }),
      }),
      'Reverse DNS names of an IP address.',
    ),
  },
  {
    description:
      'Facts about a name or an address, each with its time; null if unknown. For an email address, the facts of its domain.',
  },
)

const CheckId = text('Only with explain=true, and only if the check is kept: its id on record.')
const ChangedSinceSchema = named(
  'ChangedSince',
  {
    check_id: text('The last check of this indicator on record.'),
    asked_at: Time,
    risk: Risk,
    risk_score: RiskScore,
    changes: Type.Array(Type.String(), { description: 'Each difference as a sentence; may change.' }),
  },
  {
    description:
      'Only with explain=true, and only if the check is kept and the organisation has checked the indicator before.',
  },
)

export const RiskResultSchema = named('RiskResult', {
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
  counterparty: Type.Optional(CounterpartySchema),
  decision: Type.Optional(DecisionSchema),
  check_id: Type.Optional(CheckId),
  changed_since: Type.Optional(ChangedSinceSchema),
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
        'true adds the reasons, the consulted sources and the starting score to the response; for a single check also the facts.',
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
    description: `Answers low, medium or high for ${what}, with its price. An unknown indicator is low, too: with explain=true, \`coverage\` distinguishes it from a known good one. Needs the scope \`${scope}\`.`,
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
        counterparty: Type.Optional(CounterpartySchema),
        decision: Type.Optional(DecisionSchema),
        changed_since: Type.Optional(ChangedSinceSchema),
      }),
      { description: 'One per submitted record, in order, duplicates included.' },
    ),
    ...BillingFields,
    base_score: Type.Optional(BaseScore),
    coverage: Type.Optional(CoverageSchema),
    intelligence: Type.Optional(Intelligence),
    check_id: Type.Optional(
      text(
        'Only with explain=true, and only if checks are kept: record n, counted from 0, is the check `<check_id>-n`.',
      ),
    ),
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
