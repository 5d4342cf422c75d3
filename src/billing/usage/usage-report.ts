import type { Maker } from '../../documents/maker.ts'
import { readUsage, type UsageQuery } from './usage.ts'

/** Usage by family or credential, as a document: it may sum up a million rows. The head is the answer. */
export const usageReport: Maker<UsageQuery, Awaited<ReturnType<typeof readUsage>>> = {
  module: import.meta.url,
  name: 'usageReport',
  make: async (sql, query) => ({ head: await readUsage(sql, query), bytes: new Uint8Array() }),
}
