import { Invoices } from './invoices.tsx'
import { Statements } from './statements.tsx'
import type { TabProps } from './tab.ts'

/** What is to be paid and how, what was paid, and what each month came to. */
export function InvoicesTab({ mayManage, onPay }: TabProps) {
  return (
    <>
      <Invoices mayManage={mayManage} onPay={onPay} />
      <Statements />
    </>
  )
}
