import type { Command } from 'commander'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import { csvLine } from '../../lib/csv.ts'
import { type VerbContext, VerbError } from '../../verb/context.ts'
import { withStore } from '../../verb/store.ts'
import { optional, required, verbsOf } from '../../verb/verb.ts'
import { isPeriod } from '../period.ts'
import { EXPORT_HEADER, exportCells, exportUsage, type UsageRow } from './usage.ts'

export function registerUsageVerbs(program: Command, context: VerbContext): void {
  const add = verbsOf(program.command('usage').description('usage of organisations'), context, withStore)
  add('export', 'print the usage of a month as CSV, by day, family and credential', {
    month: required('--month <month>', 'calendar month, UTC: 2026-10', checkedMonth),
    org: optional('--org <id>', 'only that of one organisation'),
  }).runs(async ({ sql }, { month, org, json }) => {
    if (org !== undefined) await requireOrganisation(sql, org)
    const value: UsageRow[] = []
    // Every line but the last is written as soon as it is made: all organisations may have millions of rows.
    let last = csvLine(EXPORT_HEADER)
    for await (const row of exportUsage(sql, month, org)) {
      if (json) value.push(row)
      else context.write(last)
      last = csvLine(exportCells(row))
    }
    return { value, text: last.trimEnd() }
  })
}

function checkedMonth(text: string): string {
  if (isPeriod(text)) return text
  throw new VerbError(`--month: ${JSON.stringify(text)} is not a month. Write it as 2026-10.`)
}
