import type { Billing, Invoice, Standing } from '../api/billing.ts'

export interface TabProps {
  readonly billing: Billing
  readonly standing: Standing
  readonly mayManage: boolean
  readonly onPay: (invoice: Invoice) => void
}
