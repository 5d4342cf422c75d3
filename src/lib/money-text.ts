/** An amount as people read it, such as £1,234.50. */
export const pounds = (pence: number) =>
  `£${(pence / 100).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** The one name of an invoice, on its document, in transfers and wherever people read of it. */
export const invoiceName = (number: number | string) => `INV-${number}`

/** The number in such a name; undefined for other text. */
export function invoiceNumberIn(text: string): number | undefined {
  const digits = /^\s*INV-(\d{1,15})\s*$/i.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
