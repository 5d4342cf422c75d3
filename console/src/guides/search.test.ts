import { expect, it } from 'vitest'
import { findPassages, passagesOf } from './search.ts'

it('a search finds the section that has every word, titles first, and shows the place', () => {
  const passages = passagesOf('api', {
    title: 'The HTTP interface',
    sections: [],
    body: [
      ['p', {}, ['Every answer is JSON.']],
      ['h2', { id: 'errors' }, ['Errors']],
      ['p', {}, ['A ', ['code', {}, ['429']], ' says when to retry.']],
      ['h2', { id: 'retry' }, ['When to retry']],
      ['p', {}, ['Send the key again after a 429.']],
    ],
  })
  expect(findPassages(passages, ' Retry  429 ')).toEqual([
    { to: '/guides/api#retry', title: 'The HTTP interface: When to retry', excerpt: 'Send the key again after a 429.' },
    { to: '/guides/api#errors', title: 'The HTTP interface: Errors', excerpt: 'A 429 says when to retry.' },
  ])
  expect(findPassages(passages, 'nothing of that')).toEqual([])
  const [long] = findPassages(
    [{ to: '/x', title: 'X', text: `${'before '.repeat(50)}needle${' after'.repeat(50)}` }],
    'needle',
  )
  expect(long?.excerpt).toMatch(/^… .*needle.* …$/)
})
