import type { Command } from 'commander'
import { toCsv } from '../lib/csv.ts'
import type { VerbContext } from '../verb/context.ts'
import { type RingOpener, withStore } from '../verb/store.ts'
import { verbsOf } from '../verb/verb.ts'
import { LABELLED_FIELDS, type LabelledCheck, labelledCells, listFeedback } from './feedback.ts'

const ROWS_AT_ONCE = 100

export function registerFeedbackVerbs(program: Command, context: VerbContext, { openRing }: RingOpener): void {
  const add = verbsOf(
    program.command('feedback').description('answers that customers report as wrong'),
    context,
    withStore,
  )
  add('export', 'print labelled rows as CSV, for the laboratory', {}).runs(async (store) => {
    const ring = await openRing(store)
    const rows: LabelledCheck[] = []
    let page: Awaited<ReturnType<typeof listFeedback>> | undefined
    do {
      page = await listFeedback(store.sql, ring, { from: page?.next, limit: ROWS_AT_ONCE })
      rows.push(...page.rows)
    } while (page.next)
    return { value: rows, text: toCsv(LABELLED_FIELDS, rows.map(labelledCells)).trimEnd() }
  })
}
