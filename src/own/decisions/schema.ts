import Type from 'typebox'
import { oneOf } from '../../http/operation.ts'
import { Name, named } from '../../http/schema.ts'
import { FAMILIES } from '../../lib/kinds.ts'
import { LIMITS } from '../../limits.ts'
import { COUNTERPARTY_RELATIONS, LEVELS, OWN_LIST_RELATIONS } from '../../risk/decide.ts'
import { OUTCOMES } from '../../risk/engine.ts'

const words = <const T extends string>(names: readonly T[], description: string) =>
  Type.Optional(Type.Array(oneOf(names), { minItems: 1, maxItems: names.length, description }))

const Conditions = Type.Object(
  {
    families: words(FAMILIES, 'Families of checks.'),
    levels: words(LEVELS, 'Risk of the answer.'),
    signals: Type.Optional(
      Type.Array(Type.String({ maxLength: 100, pattern: '^(email|domain|ip|own)\\.[a-z0-9_]+$' }), {
        minItems: 1,
        maxItems: 50,
        description: 'Codes of signals, of which the answer has at least one.',
      }),
    ),
    own_lists: words(OWN_LIST_RELATIONS, 'Own lists with the indicator; none: it is on none of them.'),
    counterparties: words(COUNTERPARTY_RELATIONS, 'known: a counterparty. lookalike: imitates one. none: neither.'),
    account_differs: Type.Optional(
      Type.Boolean({
        description:
          'True: the bank account is not one of the counterparty. Matches only where an account was compared.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Every given condition must hold; of a list, one of its words. Empty: every answer.',
  },
)
export const Rule = named(
  'DecisionRule',
  {
    name: Name('Name of the rule, which the decision shows.'),
    when: Conditions,
    outcome: oneOf(OUTCOMES),
    text: Type.String({
      maxLength: 500,
      pattern: '^[^\\u0000-\\u0008\\u000b-\\u001f]*$',
      description: 'Instruction for the clerk.',
    }),
  },
  { additionalProperties: false },
)

export const Rules = Type.Array(Rule, { maxItems: LIMITS.counts.decisionRulesMax })
