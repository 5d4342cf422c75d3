import Type, { type Static } from 'typebox'
import Format from 'typebox/format'
import { ACTOR_KINDS } from '../../access/actor.ts'
import { notFound } from '../../errors.ts'
import { etagOf } from '../../http/change.ts'
import { answerLog, logForms } from '../../http/log-page.ts'
import { change, type Operation, type OperationDependencies, oneOf, operation, readOne } from '../../http/operation.ts'
import {
  ETAG_HEADER,
  jsonResponse,
  named,
  noContent,
  TextOrNull,
  Time,
  TimeOrNull,
  withSample,
} from '../../http/schema.ts'
import { WRITING } from '../../identity/members/http.ts'
import { KIND_NAMES } from '../../lib/kinds.ts'
import { LIMITS } from '../../limits.ts'
import { READING_OWN, tellOthers } from '../counterparties/http.ts'
import {
  addEntry,
  approveEntry,
  changeEntry,
  ENTRY_STATES,
  type Entry,
  importEntries,
  type NewEntry,
  removeEntry,
  requireEntry,
} from './entries.ts'
import { ENTRY_FIELDS, entryLog, entryView } from './entry-log.ts'
import { LISTS, type ListName, WARNINGS } from './listed.ts'

const { schema, sample } = withSample('OwnListEntry', {
  id: [Type.String(), 'own_3bCdEfGhIjKlMnOpQrSt'],
  list: [oneOf(LISTS), 'block'],
  kind: [oneOf(KIND_NAMES), 'domain'],
  indicator: [
    Type.String({
      description: 'In normal form. A domain stands for itself and everything below it; an IP may be a network.',
    }),
    'acme-invoices.example',
  ],
  reason: [TextOrNull('Why it is on the list; part of the answer to a check.'), 'Sent us a forged invoice'],
  expires_at: [TimeOrNull('When it stops having an effect; null: never.'), null],
  state: [oneOf(ENTRY_STATES, { description: 'Only active entries have an effect.' }), 'active'],
  approvals_missing: [
    Type.Integer({ minimum: 0, maximum: 2, description: 'How many people still have to approve it.' }),
    0,
  ],
  proposed_by: [
    TextOrNull('Id of the person who proposed it as it is now: another one must approve it. Null: a program did.'),
    'usr_7Jk2mNpQrStUvWxYz012',
  ],
  author: [
    Type.Object(
      { kind: oneOf(ACTOR_KINDS), id: Type.String(), name: TextOrNull() },
      { description: 'Author of the entry.' },
    ),
    { kind: 'person', id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe' },
  ],
  approved_by: [
    Type.Union([Type.Object({ id: Type.String(), name: TextOrNull() }), Type.Null()], {
      description: 'The second person; null if there was none.',
    }),
    null,
  ],
  approved_at: [TimeOrNull('When the second person approved it.'), null],
  created_at: [Time('When it was added.'), '2026-03-02T10:15:30.000Z'],
  updated_at: [Time('When it was last changed.'), '2026-03-02T10:15:30.000Z'],
})

const warning = {
  code: oneOf(WARNINGS),
  detail: Type.String(),
}
const sampleWarning = {
  code: 'own_domain_blocked',
  detail: 'acme.example is your own domain: checks of it and of names below it will be high.',
}
const Added = named('NewOwnListEntry', {
  ...schema.properties,
  warnings: Type.Array(Type.Object(warning), {
    description: 'Why the entry may be a mistake. It has its effect nevertheless.',
  }),
})
const Imported = named('OwnListImport', {
  added: Type.Integer({ minimum: 0 }),
  changed: Type.Integer({ minimum: 0 }),
  unchanged: Type.Integer({ minimum: 0 }),
  pending: Type.Integer({ minimum: 0, description: 'Of the added and changed ones, those that wait for approval.' }),
  warnings: Type.Array(
    Type.Object({ entry: Type.Integer({ minimum: 0, description: 'Place in `entries`, from 0.' }), ...warning }),
    { description: `The first ${LIMITS.requests.errorsNamedMax}.` },
  ),
})

const Reason = Type.Union(
  [Type.String({ minLength: 1, maxLength: LIMITS.requests.reasonCharactersMax }), Type.Null()],
  { description: 'Why it is on the list, on one line.' },
)
const Expiry = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'When it stops having an effect; null: never.',
})
const NewEntryFields = {
  indicator: Type.String({
    minLength: 1,
    maxLength: 1024,
    description:
      'An email address, a domain (with everything below it), an ending such as `zip`, an IP address or a network such as `192.0.2.0/24`.',
  }),
  reason: Type.Optional(Reason),
  expires_at: Type.Optional(Expiry),
}
const newEntrySchema = Type.Object(NewEntryFields, {
  additionalProperties: false,
  examples: [{ indicator: 'acme-invoices.example', reason: 'Sent us a forged invoice' }],
})
/** Read without the schema of its values, so that one answer names all invalid rows. */
const ImportedEntry = Type.Object(
  {
    indicator: Type.String({ maxLength: 1024, description: 'As for one entry.' }),
    reason: Type.Optional(TextOrNull('As for one entry.')),
    expires_at: Type.Optional(TextOrNull('As for one entry.')),
  },
  { additionalProperties: false },
)
/** Not sensitive: clerks add entries all day, and where that is too easy the organisation asks for a second person. */
const ENTERING = { scope: 'organisation:write', problems: ['conflict'] } as const
const FOUR_EYES =
  'If the organisation asks for it (`allow_needs_approval`), an allow entry is pending until a second person approves it.'

export function listOperations(deps: OperationDependencies): Operation[] {
  const { sql, clock } = deps
  const after = tellOthers(deps)
  const view = (entry: Entry, nowMs = clock.now()) => entryView({ entry, nowMs })

  return [
    operation({
      ...READING_OWN,
      name: 'GET /v1/own-lists/{list}',
      id: 'listOwnEntries',
      summary: 'List the entries of an own list, oldest first',
      description: 'With `Accept: text/csv` as CSV, whose first three columns are those of an import.',
      ...logForms({
        about: 'A page of entries.',
        schema,
        sample,
        columns: ENTRY_FIELDS,
        filters: {
          search: Type.Optional(
            Type.String({ minLength: 1, maxLength: 200, description: 'Part of the indicator or the reason.' }),
          ),
          state: Type.Optional(oneOf(ENTRY_STATES)),
        },
      }),
      handle(context) {
        const { organisationId } = context.caller
        const list = listIn(context.params)
        const { search, state } = context.query
        return answerLog(context, deps, {
          maker: entryLog,
          query: { organisationId, list, search, state, nowMs: clock.now() },
          list: ['own-lists', list, search, state],
          shape: ['number', 'text'],
          fileName: `${list}-list-${organisationId}.csv`,
        })
      },
    }),
    readOne({
      ...READING_OWN,
      name: 'GET /v1/own-lists/{list}/{entry_id}',
      id: 'readOwnEntry',
      summary: 'Read one entry of an own list',
      answers: { 200: jsonResponse('The entry.', schema, sample, ETAG_HEADER) },
      read: ({ organisationId }, params) => requireEntry(sql, organisationId, placeIn(params)),
      etag: entryEtag,
      view: (entry) => view(entry),
    }),
    change({
      ...ENTERING,
      name: 'POST /v1/own-lists/{list}',
      id: 'addOwnEntry',
      summary: 'Add an entry to an own list',
      description: `An entry decides before feeds and models: block first, then allow. ${FOUR_EYES}`,
      body: newEntrySchema,
      answers: { 201: jsonResponse('The entry.', Added, { ...sample, warnings: [sampleWarning] }) },
      async handle(tx, { actor, params, body }) {
        const { entry, warnings } = await addEntry(tx, actor, listIn(params), newEntryOf(body))
        return { status: 201, body: { ...view(entry, tx.nowMs), warnings } }
      },
      after,
    }),
    change({
      ...ENTERING,
      edit: true,
      name: 'PATCH /v1/own-lists/{list}/{entry_id}',
      id: 'editOwnEntry',
      summary: 'Change the reason or the expiry of an entry',
      description: `${FOUR_EYES} A later expiry counts as a new entry.`,
      body: Type.Object(
        { reason: Type.Optional(Reason), expires_at: Type.Optional(Expiry) },
        { additionalProperties: false, minProperties: 1, examples: [{ expires_at: '2099-12-31T00:00:00Z' }] },
      ),
      answers: { 200: jsonResponse('The current state.', schema, sample, ETAG_HEADER) },
      async handle(tx, { actor, params, body: { reason, expires_at }, requireMatch }) {
        const expiresAtMs = expires_at === undefined ? undefined : timeOf(expires_at)
        const entry = await changeEntry(tx, actor, placeIn(params), { reason, expiresAtMs }, (before) =>
          requireMatch(entryEtag(before)),
        )
        return { status: 200, body: view(entry, tx.nowMs), headers: { etag: entryEtag(entry) } }
      },
      after,
    }),
    change({
      ...WRITING,
      name: 'POST /v1/own-lists/{list}/{entry_id}/approve',
      id: 'approveOwnEntry',
      summary: 'Approve a pending entry',
      description:
        'Only a signed-in person, and not the author. An entry that a key or an application added needs two people.',
      answers: { 200: jsonResponse('The entry.', schema, sample) },
      async handle(tx, { actor, params }) {
        return { status: 200, body: view(await approveEntry(tx, actor, placeIn(params)), tx.nowMs) }
      },
      after,
    }),
    change({
      ...ENTERING,
      name: 'DELETE /v1/own-lists/{list}/{entry_id}',
      id: 'removeOwnEntry',
      summary: 'Remove an entry from an own list',
      answers: { 204: noContent('Removed.') },
      handle: (tx, { actor, params }) => removeEntry(tx, actor, placeIn(params)),
      after,
    }),
    change({
      ...ENTERING,
      name: 'POST /v1/own-lists/{list}/imports',
      id: 'importOwnEntries',
      summary: 'Add or change many entries of an own list',
      description: `All of them, or none: an invalid one refuses the whole import and is named by its place. An indicator that the list has already gets the new reason and expiry. ${FOUR_EYES}`,
      weight: () => 'export',
      longBody: { bytesMax: LIMITS.requests.ownImportBytesMax, marksMax: 16 * LIMITS.requests.ownImportEntriesMax },
      body: Type.Object(
        {
          entries: Type.Array(ImportedEntry, {
            minItems: 1,
            maxItems: LIMITS.requests.ownImportEntriesMax,
          }),
        },
        {
          additionalProperties: false,
          examples: [{ entries: [{ indicator: 'acme-invoices.example', reason: 'Forged invoice' }] }],
        },
      ),
      answers: { 200: jsonResponse('What was imported.', Imported, SAMPLE_IMPORT) },
      async handle(tx, { actor, params, body }) {
        const { warnings, ...counts } = await importEntries(tx, actor, listIn(params), body.entries.map(newEntryOf))
        const placed = warnings.map(({ row: entry, ...rest }) => ({ entry, ...rest }))
        return { status: 200, body: { ...counts, warnings: placed } }
      },
      after,
    }),
  ]
}

const SAMPLE_IMPORT = { added: 1, changed: 0, unchanged: 0, pending: 0, warnings: [] }

function listIn({ list }: { readonly list: string }): ListName {
  const found = LISTS.find((name) => name === list)
  if (!found) throw notFound(`The own lists are ${LISTS.join(', ')}.`)
  return found
}

const placeIn = (params: { readonly list: string; readonly entry_id: string }) => ({
  list: listIn(params),
  id: params.entry_id,
})

/** NaN for a text that is no time. */
const timeOf = (text: string | null) =>
  text === null ? null : Format.Test('date-time', text) ? Date.parse(text) : Number.NaN

const newEntryOf = ({ indicator, reason = null, expires_at = null }: Static<typeof newEntrySchema>): NewEntry => ({
  indicator,
  reason,
  expiresAtMs: timeOf(expires_at),
})

const entryEtag = ({ id, updated_at, pending, reason, expires_at }: Entry): string =>
  etagOf([id, updated_at, pending, reason, expires_at])
