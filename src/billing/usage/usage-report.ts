import { reportMaker } from '../../documents/maker.ts'
import { readUsage } from './usage.ts'

/** Usage by family or credential, as a document: it may sum up a million rows. */
export const usageReport = reportMaker(import.meta.url, 'usageReport', readUsage)
