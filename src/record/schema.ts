import Type, { type Static } from 'typebox'
import { CHANNELS, CHECK_OUTCOMES, DECISIONS, LEVELS, REVIEW_STATES } from '../db/kept-checks.ts'
import { oneOf } from '../http/operation.ts'
import { BillingFields, Count, named, TextOrNull, Time, TimeOrNull, withSample } from '../http/schema.ts'
import { KIND_NAMES } from '../lib/kinds.ts'
import { RiskResultSchema, RiskScore } from '../risk/schema.ts'
import { WRONG } from './remarks.ts'

const ASKER_KINDS = ['person', 'key', 'application'] as const
const DECISION_STATES = ['waiting_for_second', 'made'] as const

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const Person = Type.Object({ id: Type.String(), name: TextOrNull() })
const SAMPLE_PERSON = { id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe' }

const DecisionOfCheck = named('CheckDecision', {
  decision: oneOf(DECISIONS),
  state: oneOf(DECISION_STATES, {
    description: 'waiting_for_second: the organisation asks for two people, and another has to set the same decision.',
  }),
  note: TextOrNull('Why, in words.'),
  steps: Type.Array(Type.String(), { description: 'The steps that were taken.' }),
  by: Person,
  at: Time('When it was put.'),
  second_by: Type.Union([Person, Type.Null()]),
  second_at: TimeOrNull('When the second person put it; null if nobody did.'),
})

const ReviewOfCheck = named('CheckReview', {
  state: oneOf(REVIEW_STATES),
  assigned_to: Type.Union([Person, Type.Null()], { description: 'The person who reviews it; null: anybody.' }),
  since: Time('When the review was opened.'),
})

const FeedbackOnCheck = named('CheckFeedback', {
  wrong: oneOf(WRONG, { description: 'The risk was too high, or too low.' }),
  reason: Type.String(),
  by: Person,
  at: Time('When it was given.'),
})

const { charged, is_free, unit_price_pence, total_price_pence } = BillingFields

export const { schema: CheckSchema, sample: SAMPLE_CHECK } = withSample('Check', {
  id: [Type.String(), 'chk_Xk29fPq0LmZt00000001'],
  asked_at: [Time('When it was asked.'), '2026-03-02T10:15:30.000Z'],
  kind: [oneOf(KIND_NAMES), 'email'],
  indicator: [TextOrNull('As submitted; null if no key of the server opens it.'), 'accounts@example.com'],
  risk: [oneOf(LEVELS), 'low'],
  risk_score: [RiskScore, 4],
  channel: [
    oneOf(CHANNELS, { description: 'console: a person asked in the console. api: a program asked.' }),
    'console',
  ],
  asked_by: [
    Type.Object(
      { kind: oneOf(ASKER_KINDS), id: Type.String(), name: TextOrNull() },
      { description: 'The person, key or application, with its current name.' },
    ),
    { kind: 'person', ...SAMPLE_PERSON },
  ],
  request_id: [Type.String({ description: 'As in the ledger.' }), 'req_Xk29fPq0LmZt00000001'],
  price: [
    orNull(
      Type.Object({ charged, is_free, unit_price_pence, total_price_pence }),
      'For the record of a list, its share of the price. Null like the indicator.',
    ),
    { charged: true, is_free: false, unit_price_pence: 2, total_price_pence: 2 },
  ],
  intelligence_version: [Type.String(), '2026-03-02T09:00:00Z'],
  rule_decision: [orNull(oneOf(CHECK_OUTCOMES), 'The outcome of the decision rules; null if none matched.'), null],
  decision: [orNull(DecisionOfCheck, 'The decision of people; null before the first one.'), null],
  review: [orNull(ReviewOfCheck, 'Null if nobody asked for a review.'), null],
  feedback: [orNull(FeedbackOnCheck, 'Null unless somebody said that the answer is wrong.'), null],
})

export const FullCheckSchema = named('CheckWithAnswer', {
  ...CheckSchema.properties,
  answer: orNull(
    RiskResultSchema,
    'The answer as it was given, with its reasons; null if no key of the server opens it. Reasons that nobody asked for are kept for single checks only.',
  ),
})

const outcome = orNull(oneOf(CHECK_OUTCOMES), 'Null: no rule matched.')
export const { schema: TrialSchema, sample: SAMPLE_TRIAL } = withSample('DecisionRulesTrial', {
  tried: [Count(812, 'Checks on record whose reasons are kept.'), 812],
  would_change: [Count(3, 'Checks that the rules would decide differently.'), 3],
  by: [
    Type.Array(Type.Object({ from: outcome, to: outcome, count: Type.Integer({ minimum: 1 }) })),
    [{ from: 'approve', to: 'review', count: 3 }],
  ],
  examples: [
    Type.Array(
      Type.Object({
        check_id: Type.String(),
        asked_at: Type.String({ format: 'date-time' }),
        kind: oneOf(KIND_NAMES),
        risk: oneOf(LEVELS),
        from: outcome,
        to: outcome,
        rule: TextOrNull('The rule that would decide.'),
      }),
      { description: 'The newest 20 of them.' },
    ),
    [],
  ],
})
export type Trial = Static<typeof TrialSchema>
