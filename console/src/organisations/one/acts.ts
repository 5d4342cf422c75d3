import type { Invoice } from '../../api/billing.ts'
import type { OneOrganisation, OperatorWord } from '../../api/operator-operations.ts'

export type Asked =
  | { readonly what: 'credit' }
  | { readonly what: 'word'; readonly word: OperatorWord }
  | { readonly what: 'settle' | 'void'; readonly invoice: Invoice }
  | { readonly what: 'reset'; readonly member: OneOrganisation['members'][number] }

export interface ActProps {
  readonly organisation: OneOrganisation
  readonly onClose: () => void
  readonly onDone: (words: string) => void
}
