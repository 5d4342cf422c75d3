import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * A promise without a test is a wish. Every row of a table in SECURITY.md that has a column "Proof" names at least one
 * test, as a file in backquotes followed by the title of a test in it: `test/a.test.ts` *does this*.
 */
const PROOF = /`([\w./-]+\.test\.ts)` ((?:\*[^*]+\*(?:, )?)+)/g

interface Row {
  readonly promise: string
  readonly proof: string
}

function rowsWithProof(markdown: string): Row[] {
  const rows: Row[] = []
  let column = -1
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|')) {
      column = -1
      continue
    }
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    if (column === -1) column = cells.indexOf('Proof')
    else if (column >= 0 && !/^-+$/.test(cells[0] ?? '')) {
      rows.push({ promise: cells[0] ?? '', proof: cells[column] ?? '' })
    }
  }
  return rows
}

describe('SECURITY.md', () => {
  const rows = rowsWithProof(readFileSync('SECURITY.md', 'utf8'))

  it('makes promises', () => {
    expect(rows.length).toBeGreaterThan(40)
  })

  it.each(rows)('“$promise” is proved by tests that exist', ({ proof }) => {
    const named = [...proof.matchAll(PROOF)].flatMap(([, file = '', titles = '']) =>
      [...titles.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => ({ file, title })),
    )
    expect(named, 'names a test').not.toEqual([])
    for (const { file, title } of named) {
      const titles = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) =>
          /\b(it|test|describe|describeEachStore|describeRules|fault)(\.each\(.*\))?\(|^\s*(\]\)\(|['`])/.test(line),
        )
      expect(titles.join('\n'), file).toContain(title)
    }
  })
})
