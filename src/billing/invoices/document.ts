/**
 * An invoice as a document: what it says, and as a page to print. The PDF says the same words (document-pdf.ts).
 * Pure.
 */

import { escapeHtml } from '../../lib/html.ts'
import { pounds, printedPage, printedTable } from './printing.ts'

export interface InvoiceDocument {
  readonly number: string
  readonly state: 'open' | 'paid' | 'void' | 'refunded'
  /** Days as YYYY-MM-DD. */
  readonly issuedOn: string
  readonly dueOn: string
  readonly settledOn: string | null
  /** Paid in advance: it takes effect when paid, so nobody owes it. */
  readonly inAdvance: boolean
  readonly issuer: Party
  readonly customer: Party & { readonly organisationId: string }
  readonly lines: readonly {
    readonly description: string
    /** Calendar month it is about, as YYYY-MM. */
    readonly month: string
    readonly amount_pence: number
  }[]
  readonly totalPence: number
  readonly refundedPence: number
  readonly payment: {
    /** How to pay without a card, as the operator wrote it. */
    readonly instructions: string | null
    /** The reference that identifies the payment. */
    readonly reference: string
  }
}

export interface Party {
  readonly name: string
  /** Lines separated by line breaks; may be empty. */
  readonly address: string
  readonly taxId: string | null
}

/** The words of the document, in the order of reading. */
export interface InvoiceWords {
  readonly title: string
  /** Stamp across the document: paid or cancelled; null while open. */
  readonly stamp: string | null
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly parties: readonly { readonly role: string; readonly name: string; readonly lines: readonly string[] }[]
  readonly header: readonly [string, string, string]
  readonly lines: readonly (readonly [description: string, month: string, amount: string])[]
  readonly sums: readonly (readonly [name: string, amount: string])[]
  /** Only while there is something to pay. */
  readonly payment: { readonly title: string; readonly lines: readonly string[]; readonly reference: string } | null
}

export function invoiceWords(document: InvoiceDocument): InvoiceWords {
  const { number, customer, issuer, payment, state } = document
  const open = state === 'open'
  return {
    title: `Invoice ${number}`,
    stamp: stampOf(document),
    facts: [
      ['Issued', day(document.issuedOn)],
      ['Due', document.inAdvance ? 'In advance' : day(document.dueOn)],
      // The title already shows the number.
      ...(payment.reference === number ? [] : ([['Reference', payment.reference]] as const)),
    ],
    parties: [
      { role: 'From', name: issuer.name, lines: partyLines(issuer) },
      { role: 'To', name: customer.name, lines: [...partyLines(customer), `Account ${customer.organisationId}`] },
    ],
    header: ['Description', 'Month', 'Amount'],
    lines: document.lines.map((line) => [line.description, month(line.month), pounds(line.amount_pence)]),
    sums: [
      ['Total', pounds(document.totalPence)],
      ...(document.refundedPence > 0 ? ([['Refunded', pounds(-document.refundedPence)]] as const) : []),
    ],
    payment: open
      ? {
          title: `Please pay ${pounds(document.totalPence)}${document.inAdvance ? '' : ` by ${day(document.dueOn)}`}`,
          lines: [
            ...(payment.instructions === null ? ['Pay in the console, under Billing.'] : linesOf(payment.instructions)),
            ...(document.inAdvance ? ['What this invoice is for begins when it is paid.'] : []),
          ],
          reference: `Give this reference with the payment: ${payment.reference}`,
        }
      : null,
  }
}

function stampOf({ state, settledOn }: InvoiceDocument): string | null {
  switch (state) {
    case 'open':
      return null
    case 'paid':
      return settledOn === null ? 'Paid' : `Paid on ${day(settledOn)}`
    case 'void':
      return 'Cancelled'
    case 'refunded':
      return 'Refunded'
  }
}

function partyLines({ address, taxId }: Party): string[] {
  return [...linesOf(address), ...(taxId === null ? [] : [`Tax number ${taxId}`])]
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const day = (date: string) => DAY.format(new Date(date))
const month = (period: string) => MONTH.format(new Date(`${period}-01`))

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

/** The invoice as a page to print. */
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
