import type { OneOrganisation, OperatorWord, PaymentRow } from '../../api/generated/pages.ts'
import type { Invoice } from '../../api/organisation.ts'
import { invoiceName, money } from '../../shell/format.ts'

interface Act {
  readonly label: string
  readonly effect: (organisation: OneOrganisation) => string
  readonly done: string
  readonly grave?: true
}

export const ACTS: Readonly<Record<OperatorWord, Act>> = {
  disable: {
    label: 'Disable',
    effect: ({ billing }) =>
      `Its keys, tokens and members get 403 until you enable it. Its credit of ${money(billing.credit_pence)} and its plan stay.`,
    done: 'The organisation is disabled.',
    grave: true,
  },
  enable: {
    label: 'Enable',
    effect: () => 'It returns to its state from before it was disabled.',
    done: 'The organisation is enabled.',
  },
  deactivate: {
    label: 'End its subscription',
    effect: ({ billing }) =>
      `Its checks are refused; its members can still sign in, pay and choose a plan. ${money(billing.prepaid_credit_pence)} of prepaid credit stays.`,
    done: 'The subscription is ended.',
    grave: true,
  },
  activate: {
    label: 'Take back the end',
    effect: () => 'Its subscription continues, unless something else has ended it, such as an unpaid invoice or month.',
    done: 'The end of the subscription is taken back.',
  },
  approve: {
    label: 'Approve',
    effect: ({ standing }) =>
      standing.pay_first?.in_advance
        ? `It can start. Its plan begins when invoice ${invoiceName(standing.pay_first)} over ${money(standing.pay_first.total_pence)} is settled.`
        : `It can start: its checks are answered from now on.${standing.owed_pence > 0 ? ` ${money(standing.owed_pence)} is due on its open invoices.` : ''}`,
    done: 'The organisation is approved.',
  },
}

export const paidWords = ({ amount_pence: pence, currency }: PaymentRow) =>
  currency === 'gbp' ? money(pence) : `${pence / 100} ${currency.toUpperCase()}`

/** How much went back, and the disputes. */
export function returnedWords({ amount_pence, refunded_pence, lost_pence, disputes }: PaymentRow): string {
  const parts = [
    ...(refunded_pence > 0 ? [`${money(refunded_pence)} refunded`] : []),
    ...(lost_pence > 0 ? [`${money(lost_pence)} lost`] : []),
    ...(refunded_pence + lost_pence > amount_pence ? ['more than was paid'] : []),
    ...disputes.map(({ id, state }) => `${DISPUTES[state]} (${id})`),
  ]
  return parts.join(', ')
}

const DISPUTES: Readonly<Record<PaymentRow['disputes'][number]['state'], string>> = {
  inquiry: 'inquiry of the bank, answer it at the provider',
  inquiry_closed: 'inquiry closed',
  open: 'disputed',
  won: 'dispute won',
  lost: 'dispute lost',
}

export type Asked =
  | { readonly what: 'credit' }
  | { readonly what: 'word'; readonly word: OperatorWord }
  | { readonly what: 'settle' | 'void'; readonly invoice: Invoice }
  | { readonly what: 'reset'; readonly member: OneOrganisation['members'][number] }

export interface ActProps {
  readonly organisation: OneOrganisation
  readonly onDone: (words: string) => void
}
