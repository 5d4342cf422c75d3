import Type from 'typebox'
import type { SqlQueries } from '../../db/sql.ts'
import { ORDINARY_JSON } from '../../http/json-bounds.ts'
import { answerLog, logForms } from '../../http/log-page.ts'
import {
  answerPage,
  change,
  LIST_LIMITS,
  type Operation,
  type OperationDependencies,
  oneOf,
  operation,
  pageQuery,
} from '../../http/operation.ts'
import { closed, Text } from '../../http/page-operation.ts'
import { Count, jsonResponse, named, noContent, pageResponse, TextOrNull, Time, withSample } from '../../http/schema.ts'
import { WRITING } from '../../identity/members/http.ts'
import { shown } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { CONTENT_FIELDS } from './counterparties.ts'
import {
  CONTENT_SCHEMA,
  COUNTERPARTY_SAMPLE,
  CounterpartySchema,
  READING_OWN,
  RemarksSchema,
  tellOthers,
} from './http.ts'
import {
  addRows,
  applyImport,
  beginImport,
  canUndo,
  DAY_FORMS,
  DIFFERENCES,
  discardImport,
  GONE,
  goneCount,
  IMPORT_STATES,
  type Import,
  INVALID_ROWS,
  listImports,
  requireImport,
  SEPARATORS,
  undoImport,
} from './imports.ts'
import { DIFFERENCE_FIELDS, differenceLog, REMARK_FIELDS, remarkLog, remarkView } from './logs.ts'
import { type Register, readRegister } from './register.ts'

const Gone = oneOf(GONE, { description: 'Treatment of counterparties that are not in the file; default `keep`.' })
const InvalidRows = oneOf(INVALID_ROWS, {
  description: 'Rows with an error: `refuse` the whole import (default), or `skip` these rows.',
})
const Columns = Type.Array(
  closed({
    title: Text(200),
    field: Type.Union([oneOf(CONTENT_FIELDS), Type.Null()], { description: 'Null: the column is not used.' }),
  }),
  { maxItems: 1000, description: 'The columns of the file: an export has the same.' },
)

const Format = Type.Object(
  {
    separator: Type.Optional(oneOf(SEPARATORS, { description: 'Default a comma.' })),
    days: Type.Optional(oneOf(DAY_FORMS, { description: 'Default `yyyy-mm-dd`.' })),
  },
  { additionalProperties: false, description: 'How the file is written: an export has the same.' },
)

const { schema, sample } = withSample('CounterpartyImport', {
  id: [Type.String(), 'imp_3cDeFgHiJkLmNoPqRsTu'],
  state: [oneOf(IMPORT_STATES), 'open'],
  file_name: [TextOrNull(), 'vendors.csv'],
  columns: [Columns, [{ title: 'Vendor', field: 'name' }]],
  format: [Format, { separator: ';', days: 'dd.mm.yyyy' }],
  gone: [Gone, 'keep'],
  invalid_rows: [InvalidRows, 'refuse'],
  rows: [Count(50_000, 'Rows of the file.'), 50_000],
  counts: [
    Type.Object(
      {
        received: Count(50_000, 'Rows that have arrived.'),
        new: Count(120),
        changed: Count(30),
        same: Count(49_000),
        merged: Count(850, 'Rows of a counterparty that an earlier row names.'),
        invalid: Count(0),
        gone: Count(12, 'Counterparties that are not in the file; final when all rows have arrived.'),
      },
      { description: 'The differences between the file and the counterparties.' },
    ),
    { received: 50_000, new: 120, changed: 30, same: 49_000, merged: 850, invalid: 0, gone: 12 },
  ],
  progress: [
    Type.Object(
      { done: Count(0), total: Count(12) },
      { description: 'Of applying: counterparties copied because they are not in the file.' },
    ),
    { done: 0, total: 12 },
  ],
  can_undo: [Type.Boolean(), false],
  created_at: [Time('When it was begun.'), '2026-03-02T10:15:30.000Z'],
  updated_at: [Time('When it last changed.'), '2026-03-02T10:15:30.000Z'],
})

const RowRemarksSchema = named('CounterpartyImportRemarks', {
  row: Count(17, 'Number of the row in the file.'),
  invalid: Type.Boolean({ description: 'True if the row is left out.' }),
  remarks: RemarksSchema,
})
const remarksSample = {
  row: 17,
  invalid: true,
  remarks: [
    { pointer: '/accounts/0', code: 'invalid_account', detail: 'The account has 21 characters; an IBAN of DE has 22.' },
  ],
}
const PartSchema = named('CounterpartyImportPart', {
  ...schema.properties,
  remarks: Type.Array(RowRemarksSchema, { description: 'About the rows of this request.' }),
})
const DifferenceSchema = named('CounterpartyDifference', {
  difference: oneOf(DIFFERENCES),
  changed: Type.Array(oneOf(CONTENT_FIELDS), { description: 'The fields that change.' }),
  before: Type.Union([CounterpartySchema, Type.Null()]),
  after: Type.Union([CounterpartySchema, Type.Null()]),
})

export function importOperations(deps: OperationDependencies): Operation[] {
  const { sql, ring } = deps
  const after = tellOthers(deps)
  const answer = { 200: jsonResponse('The import.', schema, sample) }
  const answerOf = async (status: 200 | 201, queries: SqlQueries, one: Import) => ({
    status,
    body: view(one, await readRegister(queries, one.organisation_id)),
  })

  return [
    operation({
      ...READING_OWN,
      name: 'GET /v1/counterparties/imports',
      id: 'listCounterpartyImports',
      summary: 'List the imports, newest first',
      description: 'Without discarded imports.',
      query: pageQuery({}, LIST_LIMITS),
      answers: { 200: pageResponse('A page of imports.', schema, sample) },
      async handle(context) {
        const { organisationId } = context.caller
        const register = await readRegister(sql, organisationId)
        return answerPage(context, deps, {
          list: ['imports'],
          limitDefault: LIST_LIMITS.limitDefault,
          read: (from, limit) => listImports(sql, organisationId, { from, limit }),
          view: (one) => view(one, register),
        })
      },
    }),
    operation({
      ...READING_OWN,
      name: 'GET /v1/counterparties/imports/{import_id}',
      id: 'readCounterpartyImport',
      summary: 'Read one import',
      answers: answer,
      async handle({ params, caller }) {
        const one = await requireImport(sql, caller.organisationId, params.import_id)
        return (await answerOf(200, sql, one)).body
      },
    }),
    operation({
      ...READING_OWN,
      name: 'GET /v1/counterparties/imports/{import_id}/differences',
      id: 'listCounterpartyDifferences',
      summary: 'List the differences of an import',
      description: 'Empty when the import was undone or discarded. With `Accept: text/csv` as CSV.',
      ...logForms({
        about: 'A page of differences.',
        schema: DifferenceSchema,
        sample: { difference: 'new', changed: [], before: null, after: COUNTERPARTY_SAMPLE },
        columns: DIFFERENCE_FIELDS,
        filters: { difference: Type.Optional(oneOf(DIFFERENCES, { description: 'Default `new`.' })) },
      }),
      handle(context) {
        const { organisationId } = context.caller
        const { import_id: importId } = context.params
        const { difference = 'new' } = context.query
        return answerLog(context, deps, {
          maker: differenceLog,
          query: { organisationId, importId, difference },
          list: ['differences', importId, difference],
          shape: ['number', 'text'],
          fileName: `${difference}-${importId}.csv`,
        })
      },
    }),
    operation({
      ...READING_OWN,
      name: 'GET /v1/counterparties/imports/{import_id}/remarks',
      id: 'listCounterpartyImportRemarks',
      summary: 'List the remarks about the rows of an import',
      description: `Of the first ${LIMITS.counts.importRemarksMax} rows with remarks. With \`Accept: text/csv\` as CSV.`,
      ...logForms({
        about: 'A page of rows with remarks.',
        schema: RowRemarksSchema,
        sample: remarksSample,
        columns: REMARK_FIELDS,
        filters: {},
      }),
      async handle(context) {
        const one = await requireImport(sql, context.caller.organisationId, context.params.import_id)
        return answerLog(context, deps, {
          maker: remarkLog,
          query: { importId: one.id },
          list: ['remarks', one.id],
          shape: ['number'],
          fileName: `remarks-${one.id}.csv`,
        })
      },
    }),
    change({
      ...WRITING,
      name: 'POST /v1/counterparties/imports',
      id: 'beginCounterpartyImport',
      summary: 'Begin an import of counterparties',
      description:
        'Send the rows next, then read the differences, then apply it. Nothing changes before it is applied. An import that is still open is discarded.',
      body: closed(
        {
          rows: Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Rows of the file.' }),
          file_name: Type.Optional(Text(200)),
          columns: Type.Optional(Columns),
          format: Type.Optional(Format),
          gone: Type.Optional(Gone),
          invalid_rows: Type.Optional(InvalidRows),
        },
        { rows: 2, file_name: 'vendors.csv' },
      ),
      answers: { 201: jsonResponse('The import.', schema, sample) },
      problems: ['too_many_records'],
      async handle(tx, { actor, body }) {
        const { file_name: fileName, invalid_rows: invalidRows } = body
        return answerOf(201, tx, await beginImport(tx, actor, { ...body, fileName, invalidRows }))
      },
    }),
    change({
      ...WRITING,
      name: 'POST /v1/counterparties/imports/{import_id}/rows',
      id: 'addCounterpartyRows',
      longBody: { bytesMax: LIMITS.requests.bodyBytesMax, marksMax: ORDINARY_JSON.marksMax },
      weight: () => 'report',
      summary: 'Send rows of the file',
      description:
        'A row with an error is named in `remarks` and left out. Rows with the same reference, or without one the same name, are one counterparty. A field that no row has keeps its value.',
      body: closed(
        {
          rows: Type.Array(
            closed({
              row: Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'Number of the row in the file.' }),
              name: Type.Optional(Type.String({ maxLength: 1024 })),
              reference: Type.Optional(TextOrNull('Its number in your own books.')),
              ...CONTENT_SCHEMA,
              state: Type.Optional(Type.String({ maxLength: 100 })),
            }),
            { minItems: 1, maxItems: LIMITS.counts.importRowsMax },
          ),
        },
        { rows: [{ row: 2, name: 'Acme Ltd', reference: '4711', domains: ['acme.com'] }] },
      ),
      answers: {
        200: jsonResponse('The import, and remarks about these rows.', PartSchema, {
          ...sample,
          remarks: [remarksSample],
        }),
      },
      problems: ['conflict', 'too_many_records'],
      async handle(tx, { actor, params, body }) {
        const added = await addRows(tx, actor, ring, params.import_id, body.rows)
        const { status, body: shown } = await answerOf(200, tx, added.import)
        return { status, body: { ...shown, remarks: added.remarks.map(remarkView) } }
      },
    }),
    change({
      ...WRITING,
      name: 'POST /v1/counterparties/imports/{import_id}/apply',
      id: 'applyCounterpartyImport',
      weight: () => 'report',
      summary: 'Apply an import',
      description:
        'One request does a part of the work: repeat it while the state is `applying`. Everybody sees the import as a whole when its state is `applied`. Refused (409) if counterparties were changed since it began.',
      answers: answer,
      handle: async (tx, { actor, params }) => answerOf(200, tx, await applyImport(tx, actor, params.import_id)),
      after,
    }),
    change({
      ...WRITING,
      name: 'POST /v1/counterparties/imports/{import_id}/undo',
      id: 'undoCounterpartyImport',
      summary: 'Undo the last import',
      description: `Possible for ${LIMITS.counts.importUndoDays} days, until the next import is applied.`,
      body: closed(
        {
          discard_changes: Type.Optional(
            Type.Boolean({ description: 'Lose changes that were made after the import.' }),
          ),
        },
        {},
      ),
      answers: answer,
      async handle(tx, { actor, params, body }) {
        const { discard_changes: discardChanges } = body
        return answerOf(200, tx, await undoImport(tx, actor, params.import_id, { discardChanges }))
      },
      after,
    }),
    change({
      ...WRITING,
      name: 'DELETE /v1/counterparties/imports/{import_id}',
      id: 'discardCounterpartyImport',
      summary: 'Discard an import that was not applied',
      answers: { 204: noContent('Discarded.') },
      handle: async (tx, { actor, params }) => void (await discardImport(tx, actor, params.import_id)),
    }),
  ]
}

function view(one: Import, register: Register) {
  const { remarked: _remarked, ...counts } = one.counts
  const isOver = one.former_counterparties !== null
  const gone = isOver
    ? goneCount({ ...register, counterparties: one.former_counterparties ?? 0 }, one)
    : goneCount(register, one)
  return {
    ...shown(one, 'id', 'state', 'file_name', 'columns', 'format', 'gone', 'invalid_rows', 'created_at', 'updated_at'),
    rows: one.rows_announced,
    counts: { ...counts, gone },
    progress: { done: one.copied, total: one.gone === 'delete' ? 0 : gone },
    can_undo: canUndo(one, register),
  }
}
