import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { preferredType, toCsv } from './csv.ts'

describe('CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+44', "'+44"],
    ['-2', "'-2"],
    ['@sum', "'@sum"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['plain', 'plain'],
    ['', ''],
  ])('writes the text %j as %j', (cell, text) => {
    expect(toCsv(['h'], [[cell]])).toBe(`h\r\n${text}\r\n`)
  })

  it('leaves numbers as they are, negative ones too', () => {
    expect(toCsv(['h'], [[-5], [null], [true]])).toBe('h\r\n-5\r\n\r\ntrue\r\n')
  })
})

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
