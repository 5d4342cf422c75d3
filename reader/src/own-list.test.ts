import { expect, it } from 'vitest'
import { readTable } from './list.ts'
import { lineProblems, ownEntries } from './own-list.ts'

const read = async (text: string) => ownEntries(await readTable(text))

it('reads indicators with reasons and days below other lines, and knows the line of each', async () => {
  const text =
    'Our block list\n\nReason;Indicator;Expires\nForged; acme.com ;31.12.2099\n;192.0.2.0/24;2099-01-31\n;;\nwhy;;soon\n'
  expect(await read(text)).toEqual({
    entries: [
      { indicator: 'acme.com', reason: 'Forged', expires_at: '2099-12-31T23:59:59Z' },
      { indicator: '192.0.2.0/24', reason: null, expires_at: '2099-01-31T23:59:59Z' },
      { indicator: '', reason: 'why', expires_at: 'soon' },
    ],
    lines: [4, 5, 7],
  })
})

it('reads one indicator on each line', async () => {
  const { entries, lines } = await read('acme.com\njane@acme.com\n')
  expect([entries.map(({ indicator }) => indicator), lines]).toEqual([
    ['acme.com', 'jane@acme.com'],
    [1, 2],
  ])
})

it('names the line of an entry that the service refused', () => {
  const errors = [
    { pointer: '/entries/1/reason', detail: 'Too long.' },
    { pointer: '/entries', detail: 'Too many.' },
  ]
  expect(lineProblems(errors, [2, 4])).toEqual(['line 4: Too long.', 'Too many.'])
})
