import { expect, it } from 'vitest'
import { textTable } from './text-table.ts'

it('aligns columns by their widest cell and leaves no space at the end of a line', () => {
  const rows = [
    ['acme', 'active', ''],
    ['a-longer-name', 'off', 'late'],
  ]
  expect(textTable(['name', 'state', 'note'], rows)).toBe(
    ['name           state   note', 'acme           active', 'a-longer-name  off     late'].join('\n'),
  )
})

it('shows the header alone when there is no row', () => {
  expect(textTable(['name', 'state'], [])).toBe('name  state')
})
