import Type from 'typebox'
import { Errors } from 'typebox/schema'
import { expect, it } from 'vitest'
import { type SchemaError, toFieldErrors } from './problem.ts'

it('says what is wrong with a field in words that also a form can show', () => {
  const schema = Type.Object({
    token: Type.String({ minLength: 1 }),
    password: Type.String({ minLength: 12 }),
    name: Type.String({ maxLength: 3, pattern: '^[^\\u0000-\\u001f]*$' }),
    days: Type.Integer({ minimum: 1 }),
    events: Type.Array(Type.String(), { minItems: 1 }),
  })
  const told = toFieldErrors(
    Errors(schema, { token: '', password: 'a', name: 'a\nbc', days: 0, events: [] })[1] as SchemaError[],
  )
  expect(told.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
    '/token This must not be empty.',
    '/password This needs at least 12 characters.',
    '/name This may have at most 3 characters.',
    '/name This must not contain control characters.',
    '/days This must be at least 1.',
    '/events This must not be empty.',
  ])
})
