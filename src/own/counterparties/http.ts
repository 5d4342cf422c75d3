import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { callerOf } from '../../access/gate.ts'
import { etagOf } from '../../http/change.ts'
import { answerLog, logForms } from '../../http/log-page.ts'
import { change, type Operation, type OperationDependencies, oneOf, operation, readOne } from '../../http/operation.ts'
import { closed } from '../../http/page-operation.ts'
import { ETAG_HEADER, jsonResponse, Name, named, noContent, TextOrNull, Time, withSample } from '../../http/schema.ts'
import { READING, WRITING } from '../../identity/members/http.ts'
import { ACCOUNT_FORMS, ACCOUNT_KINDS } from '../accounts/account.ts'
import { LIST_LENGTHS, type ListField, STATES } from './content.ts'
import {
  CONTENT_FIELDS,
  changeCounterparty,
  createCounterparty,
  deleteCounterparty,
  putByReference,
  type Remarked,
  requireCounterparty,
} from './counterparties.ts'
import { lastApplied } from './imports.ts'
import { counterpartyLog, counterpartyView } from './logs.ts'
import type { Counterparty } from './register.ts'

export const tellOthers =
  ({ onOwnChanged }: OperationDependencies) =>
  ({ request }: { readonly request: FastifyRequest }) =>
    onOwnChanged(callerOf(request).organisationId)

/** People who check payments read counterparties too, without a right to read the organisation. */
export const READING_OWN = { ...READING, roles: ['checker'] } as const

export const AccountSchema = named(
  'BankAccount',
  {
    kind: oneOf(ACCOUNT_KINDS, { description: 'An IBAN, or a UK or US account number.' }),
    country: Type.String({ description: 'ISO 3166 code.' }),
    last4: Type.String({ description: 'The last four characters.' }),
  },
  { description: 'A bank account on record. Only a keyed digest and the last four characters of it are stored.' },
)
export const ACCOUNT_SAMPLE = { kind: 'iban', country: 'DE', last4: '4417' }

const { schema, sample } = withSample('Counterparty', {
  id: [Type.String(), 'cpy_4dEfGhIjKlMnOpQrStUv'],
  name: [Type.String(), 'Acme Ltd'],
  reference: [TextOrNull('Its number in your own books; unique.'), '4711'],
  state: [oneOf(STATES), 'active'],
  domains: [Type.Array(Type.String()), ['acme.com']],
  emails: [Type.Array(Type.String()), ['accounts@acme.com']],
  networks: [Type.Array(Type.String(), { description: 'IP addresses and networks.' }), ['192.0.2.0/24']],
  accounts: [Type.Array(AccountSchema), [ACCOUNT_SAMPLE]],
  since: [TextOrNull('Known since this year or day.'), '2019'],
  note: [TextOrNull(), null],
  created_at: [Time('When it was added.'), '2026-01-05T09:00:00.000Z'],
  updated_at: [Time('When it was last changed.'), '2026-01-05T09:00:00.000Z'],
})

export { sample as COUNTERPARTY_SAMPLE, schema as CounterpartySchema }

export const RemarksSchema = Type.Array(
  Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() }),
  { description: 'Findings that a person should know, such as `shared_domain`: others have the domain too.' },
)
const oneSchema = named('CounterpartyWithRemarks', { ...schema.properties, remarks: RemarksSchema })
const oneSample = { ...sample, remarks: [] }

const texts = (field: ListField, description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: LIST_LENGTHS[field], description }))
const orNothing = (description: string) => Type.Optional(TextOrNull(description))

export const CONTENT_SCHEMA = {
  state: Type.Optional(oneOf(STATES, { description: 'Default `active`.' })),
  domains: texts(
    'domains',
    'Domains of the counterparty alone. Default: the domains of its email addresses, except public mail providers.',
  ),
  emails: texts('emails', 'Email addresses, also those at public mail providers.'),
  networks: texts('networks', 'IP addresses and networks, as in 192.0.2.0/24.'),
  accounts: texts(
    'accounts',
    `Bank accounts: ${ACCOUNT_FORMS}. The list replaces the former one; \`…4417\` keeps the account on record that ends so.`,
  ),
  since: orNothing('A year (2019) or a day (2019-04-01).'),
  note: orNothing('A note for your colleagues.'),
}
const Reference = { reference: orNothing('Its number in your own books; unique.') }
const EXAMPLE = { name: 'Acme Ltd', reference: '4711', domains: ['acme.com'], since: '2019' }

const view = ({ counterparty, remarks }: Remarked) => ({ ...counterpartyView(counterparty), remarks })
const etag = (one: Counterparty): string => etagOf([one.id, ...CONTENT_FIELDS.map((field) => one[field])])

export function counterpartyOperations(deps: OperationDependencies): Operation[] {
  const { sql, ring } = deps
  const after = tellOthers(deps)
  const answers = { 200: jsonResponse('The current state.', oneSchema, oneSample, ETAG_HEADER) }
  const made = { 201: jsonResponse('The counterparty.', oneSchema, oneSample, ETAG_HEADER) }
  const answerOf = (status: 200 | 201, one: Remarked) => ({
    status,
    body: view(one),
    headers: { etag: etag(one.counterparty) },
  })

  return [
    operation({
      ...READING_OWN,
      name: 'GET /v1/counterparties',
      id: 'listCounterparties',
      summary: 'List the counterparties, oldest first',
      description:
        'With `Accept: text/csv` as CSV, with the columns, the separator and the form of days of the last import. Of bank accounts only the last four characters are shown.',
      ...logForms({
        about: 'A page of counterparties.',
        schema,
        sample,
        columns: CONTENT_FIELDS,
        filters: {
          search: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'Beginnings of words of the name, the reference, a domain or an email address.',
              examples: ['acme'],
            }),
          ),
        },
      }),
      async handle(context) {
        const { organisationId } = context.caller
        const { search } = context.query
        const { columns, format } = (await lastApplied(sql, organisationId)) ?? { columns: [], format: {} }
        return answerLog(context, deps, {
          maker: counterpartyLog,
          query: { organisationId, search, columns, format },
          list: ['counterparties', search],
          shape: ['number', 'text'],
          fileName: `counterparties-${organisationId}.csv`,
        })
      },
    }),
    readOne({
      ...READING_OWN,
      name: 'GET /v1/counterparties/{counterparty_id}',
      id: 'readCounterparty',
      summary: 'Read one counterparty',
      answers,
      read: ({ organisationId }, params) => requireCounterparty(sql, organisationId, params.counterparty_id),
      etag: ({ counterparty }) => etag(counterparty),
      view: (one) => view(one),
    }),
    change({
      ...WRITING,
      name: 'POST /v1/counterparties',
      id: 'createCounterparty',
      summary: 'Add a counterparty',
      description: 'A public mail provider is refused as a domain; give the email address instead.',
      body: closed({ name: Name('Name of the counterparty.'), ...Reference, ...CONTENT_SCHEMA }, EXAMPLE),
      answers: made,
      handle: async (tx, { actor, body }) => answerOf(201, await createCounterparty(tx, actor, ring, body)),
      after,
    }),
    change({
      ...WRITING,
      edit: true,
      name: 'PATCH /v1/counterparties/{counterparty_id}',
      id: 'editCounterparty',
      summary: 'Change a counterparty',
      description: 'A field that is not given keeps its value.',
      body: Type.Object(
        { name: Type.Optional(Name('Name of the counterparty.')), ...Reference, ...CONTENT_SCHEMA },
        { additionalProperties: false, minProperties: 1, examples: [{ state: 'blocked' }] },
      ),
      answers,
      async handle(tx, { actor, params, body, requireMatch }) {
        const { counterparty_id: id } = params
        return answerOf(200, await changeCounterparty(tx, actor, ring, id, body, (old) => requireMatch(etag(old))))
      },
      after,
    }),
    change({
      ...WRITING,
      name: 'PUT /v1/counterparties/by-reference/{reference}',
      id: 'putCounterparty',
      summary: 'Add or change the counterparty with a reference',
      description: 'For systems that synchronise their own books. A field that is not given keeps its value.',
      body: closed(
        { name: Name('Name of the counterparty.'), ...CONTENT_SCHEMA },
        { name: 'Acme Ltd', domains: ['acme.com'] },
      ),
      answers: { ...answers, ...made },
      async handle(tx, { actor, params, body }) {
        const { created, ...one } = await putByReference(tx, actor, ring, params.reference, body)
        return answerOf(created ? 201 : 200, one)
      },
      after,
    }),
    change({
      ...WRITING,
      name: 'DELETE /v1/counterparties/{counterparty_id}',
      id: 'deleteCounterparty',
      summary: 'Delete a counterparty',
      answers: { 204: noContent('Deleted.') },
      handle: (tx, { actor, params }) => deleteCounterparty(tx, actor, params.counterparty_id),
      after,
    }),
  ]
}
