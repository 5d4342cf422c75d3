import { type Maker, reportMaker } from '../../documents/maker.ts'
import { csvLine } from '../../lib/csv.ts'
import { EXPORT_HEADER, exportCells, readUsage, usageOfMonth } from './usage.ts'

/** Usage by family or credential, as a document: it may sum up a million rows. */
export const usageReport = reportMaker(import.meta.url, 'usageReport', readUsage)

/** The file of `assayd usage export` for one organisation. */
export const usageExport: Maker<{ readonly organisationId: string; readonly month: string }, undefined> = {
  module: import.meta.url,
  name: 'usageExport',
  async make(sql, { organisationId, month }) {
    let text = csvLine(EXPORT_HEADER)
    for await (const row of usageOfMonth(sql, organisationId, month)) text += csvLine(exportCells(row))
    return { head: undefined, bytes: new TextEncoder().encode(text) }
  },
}
