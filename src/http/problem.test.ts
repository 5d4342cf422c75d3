import Type from 'typebox'
import { Errors } from 'typebox/schema'
import { expect, it } from 'vitest'
import { type SchemaError, toFieldErrors } from './problem.ts'
import { Moment } from './schema.ts'

it('says what is wrong with a field in words that also a form can show', () => {
  const schema = Type.Object({
    token: Type.String({ minLength: 1 }),
    password: Type.String({ minLength: 12 }),
    name: Type.String({ maxLength: 3, pattern: '^[^\\u0000-\\u001f]*$' }),
    days: Type.Integer({ minimum: 1 }),
    events: Type.Array(Type.String(), { minItems: 1 }),
    change: Type.Object({}, { minProperties: 1 }),
  })
  const told = toFieldErrors(
    Errors(schema, { token: '', password: 'a', name: 'a\nbc', days: 0, events: [], change: {} })[1] as SchemaError[],
  )
  expect(told.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
    '/token This must not be empty.',
    '/password This needs at least 12 characters.',
    '/name This may have at most 3 characters.',
    '/name This must not contain control characters.',
    '/days This must be at least 1.',
    '/events This must not be empty.',
    '/change This needs at least one field.',
  ])
})

it('names types, times and forms as people do', () => {
  const schema = Type.Object({
    note: Type.Union([Type.String(), Type.Null()]),
    account: Type.Object({}),
    days: Type.Integer(),
    from: Moment('From'),
    until: Type.String({ format: 'date-time' }),
    person: Type.String({ pattern: '^usr_' }),
  })
  const value = { note: 5, account: 'DE89', days: '3', from: 'yesterday', until: 'May', person: 'Ada' }
  const told = toFieldErrors(Errors(schema, value)[1] as SchemaError[])
  expect(told.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
    '/note This must be a text.',
    '/account This must be a JSON object.',
    '/days This must be a whole number.',
    '/from This must be a day (2026-05-31) or a time (2026-05-31T14:00:00Z).',
    '/until This must be a time, such as 2026-05-31T14:00:00Z.',
    '/person This does not have the form that is described for it.',
  ])
})
