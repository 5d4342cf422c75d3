import { expect, it } from 'vitest'
import { withFilter } from '../shell/filters.ts'
import { queryOf, readFilter } from './filter.ts'

const read = (text: string) => readFilter(new URLSearchParams(text))

it('a filter is read from the address, without what means nothing', () => {
  expect(read('action=key.&actor=usr_1&from=2026-03-01&to=2026-03-31')).toEqual({
    action: 'key.',
    actor: 'usr_1',
    from: '2026-03-01',
    to: '2026-03-31',
  })
  expect(read('action=nothing&actor=a%20b&from=soon&to=2026-13-01')).toEqual({
    action: '',
    actor: '',
    from: '',
    to: '',
  })
})

it('the last day is shown whole', () => {
  const { from, to } = queryOf(read('from=2026-03-01&to=2026-03-01'))
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(24 * 3_600_000)
  expect(queryOf(read(''))).toEqual({})
})

it('one part is changed and the others stay', () => {
  const search = new URLSearchParams('action=key.&from=2026-03-01')
  expect(withFilter(search, 'actor', 'usr_1').toString()).toBe('action=key.&from=2026-03-01&actor=usr_1')
  expect(withFilter(search, 'action', '').toString()).toBe('from=2026-03-01')
})
