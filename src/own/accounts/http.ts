import Type from 'typebox'
import { type Operation, type OperationDependencies, oneOf, operation } from '../../http/operation.ts'
import { closed } from '../../http/page-operation.ts'
import { jsonResponse, TextOrNull, withSample } from '../../http/schema.ts'
import { shown } from '../../lib/clock.ts'
import { type DecisionRule, decideOnAccount } from '../../risk/decide.ts'
import { DecisionSchema } from '../../risk/schema.ts'
import { STATES } from '../counterparties/content.ts'
import { ACCOUNT_SAMPLE, AccountSchema } from '../counterparties/http.ts'
import { accountView } from '../counterparties/logs.ts'
import type { Counterparty } from '../counterparties/register.ts'
import { currentRules } from '../decisions/rules.ts'
import { ACCOUNT_FORMS } from './account.ts'
import { COMPARISONS, type Comparison, compareAccount } from './compare.ts'

const { schema: Known, sample: known } = withSample('KnownCounterparty', {
  id: [Type.String(), 'cpy_4dEfGhIjKlMnOpQrStUv'],
  name: [Type.String(), 'Acme Ltd'],
  reference: [TextOrNull(), '4711'],
  state: [oneOf(STATES), 'active'],
  since: [TextOrNull(), '2019'],
  accounts: [Type.Array(AccountSchema, { description: 'All its accounts on record.' }), [ACCOUNT_SAMPLE]],
})

const { schema, sample } = withSample('AccountComparison', {
  result: [
    oneOf(COMPARISONS, {
      description:
        '`matches`: an account on record. `differs`: there are others on record. `unknown`: no such counterparty, or none of its accounts is on record.',
    }),
    'differs',
  ],
  account: [
    Type.Union([AccountSchema, Type.Null()], { description: 'The compared account; null if none was given.' }),
    { ...ACCOUNT_SAMPLE, last4: '9920' },
  ],
  counterparties: [
    Type.Array(Known, {
      description: 'Counterparties with the email address or domain; if it matches, those that also have the account.',
    }),
    [known],
  ],
  account_of: [Type.Array(Known, { description: 'Other counterparties that have the account.' }), []],
  named: [
    Type.Array(Known, {
      description: 'Counterparties whose name the sender bears, if the address or domain belongs to none of yours.',
    }),
    [],
  ],
  decision: [Type.Optional(DecisionSchema), undefined],
})

export function accountOperations({ sql, ring }: OperationDependencies): Operation[] {
  return [
    operation({
      scope: 'risk:payment',
      name: 'POST /v1/payments/compare',
      id: 'compareAccount',
      summary: 'Compare a bank account or a name with the counterparties',
      description:
        'Free of charge. The account is compared by its digest; neither it nor the name is stored or logged. Give either `email` or `domain`, and an `account`, a `name` or both.',
      body: closed(
        {
          email: Type.Optional(Type.String({ maxLength: 1024, description: 'Address from which the account came.' })),
          domain: Type.Optional(Type.String({ maxLength: 1024, description: 'Domain from which the account came.' })),
          account: Type.Optional(Type.String({ maxLength: 1024, description: `A bank account: ${ACCOUNT_FORMS}.` })),
          name: Type.Optional(
            Type.String({ maxLength: 1024, description: 'The name that the sender of a mail shows.' }),
          ),
        },
        { email: 'accounts@acme.com', account: 'DE89 3704 0044 0532 0130 00' },
      ),
      answers: { 200: jsonResponse('The comparison.', schema, sample) },
      async handle({ caller: { organisationId }, body }) {
        const comparison = await compareAccount(sql, ring, organisationId, body)
        const { rules = [] } = (await currentRules(sql, organisationId)) ?? {}
        return view(comparison, rules)
      },
    }),
  ]
}

function view({ result, account, counterparties, accountOf, named }: Comparison, rules: readonly DecisionRule[]) {
  const states = counterparties.map(({ state }) => state)
  return {
    result,
    account,
    counterparties: counterparties.map(knownView),
    account_of: accountOf.map(knownView),
    named: named.map(knownView),
    decision: result === 'unknown' ? undefined : decideOnAccount(rules, { differs: result === 'differs', states }),
  }
}

const knownView = (one: Counterparty) => ({
  ...shown(one, 'id', 'name', 'reference', 'state', 'since'),
  accounts: one.accounts.map(accountView),
})
