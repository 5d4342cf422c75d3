/**
 * An invoice as a document: what it says, and as a page to print. The PDF says the same words (document-pdf.ts).
 * Pure.
 */

import { dayWords } from '../../lib/clock.ts'
import { escapeHtml } from '../../lib/html.ts'
import type { BillingSettings } from '../settings.ts'
import type { Invoice, InvoiceLine } from './invoices.ts'
import { pounds, printedPage, printedTable } from './printing.ts'

type InvoiceFields = 'in_advance' | 'issued_at' | 'due_at' | 'settled_at' | 'total_pence' | 'refunded_pence'

export interface InvoiceDocument extends Pick<Invoice, InvoiceFields | 'customer' | 'organisation_id'> {
  readonly number: string
  readonly state: 'open' | 'paid' | 'void' | 'refunded'
  readonly lines: readonly Pick<InvoiceLine, 'description' | 'month' | 'amount_pence'>[]
  readonly issuer: BillingSettings['issuer']
  readonly paymentInstructions: string | null
  readonly reference: string
}

export function invoiceWords(document: InvoiceDocument) {
  const { number, reference, customer, issuer, state, in_advance: inAdvance, paymentInstructions: how } = document
  const total = pounds(document.total_pence)
  const due = dayWords(document.due_at)
  const facts: [name: string, value: string][] = [
    ['Issued', dayWords(document.issued_at)],
    ['Due', inAdvance ? 'In advance' : due],
  ]
  // Otherwise the title already shows it.
  if (reference !== number) facts.push(['Reference', reference])
  const sums: [name: string, amount: string][] = [['Total', total]]
  if (document.refunded_pence > 0) sums.push(['Refunded', pounds(-document.refunded_pence)])
  const account = `Account ${document.organisation_id}`
  return {
    title: `Invoice ${number}`,
    /** Stamp across the document: paid or cancelled; null while open. */
    stamp: stampOf(document),
    facts,
    parties: [
      { role: 'From', name: issuer.name, lines: partyLines(issuer.address, issuer.taxId) },
      { role: 'To', name: customer.name, lines: [...partyLines(customer.address, customer.tax_id), account] },
    ],
    header: ['Description', 'Month', 'Amount'] as const,
    lines: document.lines.map(({ description, month, amount_pence }) => {
      return [description, monthText(month), pounds(amount_pence)] as const
    }),
    sums,
    payment:
      state === 'open'
        ? {
            title: `Please pay ${total}${inAdvance ? '' : ` by ${due}`}`,
            lines: [
              ...(how === null ? ['Pay in the console, under Billing.'] : linesOf(how)),
              ...(inAdvance ? ['The plan or credit on this invoice begins when it is paid.'] : []),
            ],
            reference: `Use this reference for the payment: ${reference}`,
          }
        : null,
  }
}

function stampOf({ state, settled_at }: InvoiceDocument): string | null {
  const paid = settled_at === null ? 'Paid' : `Paid on ${dayWords(settled_at)}`
  return { open: null, paid, void: 'Cancelled', refunded: 'Refunded' }[state]
}

function partyLines(address: string, taxId: string | null): string[] {
  return [...linesOf(address), ...(taxId === null ? [] : [`Tax number ${taxId}`])]
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthText = (period: string) => MONTH.format(new Date(`${period}-01`))

const STYLE = `
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 2rem }
h1 { margin: 0 }
.stamp { border: 2px solid; border-radius: .3rem; padding: .2rem .7rem; font-weight: 600; text-transform: uppercase; letter-spacing: .05em }
.paid { color: #17692f } .void { color: #a11 } .refunded { color: #7a4a00 }
dl { display: grid; grid-template-columns: max-content auto; gap: .1rem 1rem; margin: 1rem 0 } dt { color: #555 } dd { margin: 0 }
.parties { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; margin: 1.5rem 0 }
.parties h2 { margin: 0; font-size: .9rem; font-weight: normal; color: #555 }
.parties p, .pay p { margin: 0; text-align: left; overflow-wrap: anywhere } td { overflow-wrap: anywhere; vertical-align: top }
td:first-child { width: 100% } td:nth-child(2), td:nth-child(3) { white-space: nowrap }
.sums { margin-top: .5rem } .sums td { border: 0; text-align: right } .sums tr:first-child { font-weight: 600; font-size: 1.1rem }
.pay { border: 1px solid #999; border-radius: .3rem; padding: .8rem 1rem; margin-top: 1.5rem; break-inside: avoid }
.pay h2 { margin: 0 0 .4rem }
`

export function invoicePage(document: InvoiceDocument): string {
  const words = invoiceWords(document)
  const { stamp, payment } = words
  // Each name and line finds its own direction: an address may be in Arabic and the page is in English.
  const paragraph = (text: string) => `<p dir="auto">${escapeHtml(text)}</p>`
  const parties = words.parties.map(
    ({ role, name, lines }) =>
      `<section><h2>${role}</h2><p dir="auto"><strong>${escapeHtml(name)}</strong></p>${lines.map(paragraph).join('')}</section>`,
  )
  const facts = words.facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
  const sums = words.sums.map(([name, amount]) => `<tr><td>${name}</td><td class="n">${amount}</td></tr>`)
  const pay = payment
    ? `<section class="pay"><h2>${escapeHtml(payment.title)}</h2>${payment.lines.map(paragraph).join('')}<p><strong>${escapeHtml(payment.reference)}</strong></p></section>`
    : ''
  return printedPage({
    title: `${words.title}, ${document.issuer.name}`,
    style: STYLE,
    content: `<header><h1>${escapeHtml(words.title)}</h1>${stamp === null ? '' : `<span class="stamp ${document.state}">${escapeHtml(stamp)}</span>`}</header>
<dl>${facts.join('')}</dl>
<div class="parties">${parties.join('')}</div>
${printedTable(words.header, words.lines)}
<table class="sums"><tbody>${sums.join('')}</tbody></table>
${pay}`,
  })
}
