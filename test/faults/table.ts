/** Gathers the rows that faults leave behind, prints them as one table, and writes it into a document when asked. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { textTable } from '../../src/lib/text-table.ts'
import type { FaultRow } from './fault.ts'

const HEADINGS = [
  'Fault',
  'Rounds',
  'Requests',
  '200',
  'Lost',
  'Double',
  'Refunded',
  'Unheard',
  'Recovery',
  'Besides 200',
] as const

const BEGIN = '<!-- measured: npm run faults -- --table docs/faults.md -->'
const END = '<!-- end -->'

export class FaultTable implements Reporter {
  readonly #document: string | undefined
  readonly #whole: boolean

  /** `whole`: every fault was run, so that no row of an earlier run stays. */
  constructor(document: string | undefined, { whole }: { readonly whole: boolean }) {
    this.#document = document
    this.#whole = whole
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows: string[][] = []
    const skipped: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const meta = test.meta()
        if (meta.fault) rows.push(cellsOf(meta.fault))
        if (meta.skipped !== undefined) skipped.push(`${test.name}: not run here, ${meta.skipped}`)
      }
    }
    console.log(`\n${textTable(HEADINGS, rows)}\n${skipped.map((line) => `\n${line}`).join('')}`)
    if (this.#document === undefined) return
    const text = readFileSync(this.#document, 'utf8')
    const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)]
    if (before < 0 || after < before) throw new Error(`${this.#document} has no place for the table: ${BEGIN} … ${END}`)
    const lines = new Map<string, string>()
    if (!this.#whole) {
      for (const line of text.slice(before, after).split('\n')) {
        const name = line.split(' | ')[0] ?? ''
        if (line.startsWith('| ') && name !== `| ${HEADINGS[0]}`) lines.set(name, line)
      }
    }
    for (const cells of rows) lines.set(`| ${cells[0]}`, `| ${cells.join(' | ')} |`)
    const table = [
      `| ${HEADINGS.join(' | ')} |`,
      `|${'---|'.repeat(HEADINGS.length)}`,
      ...lines.values(),
      ...(skipped.length > 0 ? ['', ...skipped.map((line) => `- ${line}`)] : []),
    ].join('\n')
    writeFileSync(this.#document, `${text.slice(0, before)}${BEGIN}\n${table}\n${text.slice(after)}`)
  }
}

function cellsOf(row: FaultRow): string[] {
  const count = (value: number) => value.toLocaleString('en-GB')
  return [
    row.fault,
    count(row.rounds),
    count(row.requests),
    count(row.answered),
    count(row.lost),
    count(row.double),
    count(row.refunded),
    count(row.unheard),
    row.recoveryMs === undefined ? '-' : `${(row.recoveryMs / 1000).toFixed(1)} s`,
    row.meanwhile,
  ]
}
