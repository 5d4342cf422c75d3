import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { preferredType } from './csv.ts'

describe('the form a caller prefers', () => {
  const of = (accept?: string) =>
    preferredType({ headers: accept === undefined ? {} : { accept } } as FastifyRequest, [
      'application/json',
      'text/csv',
      'text/html',
    ])
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['text/csv;q=0.1, application/json', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['image/png', 'application/json'],
    ['nonsense;;q=x', 'application/json'],
  ])('for %j is %s', (accept, type) => expect(of(accept)).toBe(type))
})
