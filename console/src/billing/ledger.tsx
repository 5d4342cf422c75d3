import { KIND_WORDS } from '@assay/reader/kinds'
import type { Family } from '@assay/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Entry, ledgerQuery } from '../api/billing.ts'
import { kindOfFamily } from '../check/families.ts'
import { LogPanel } from '../shell/log-panel.tsx'
import { counted, money } from '../shell/money.ts'
import type { Column } from '../shell/page.tsx'
import { moment } from '../shell/time.ts'
import { useApi } from '../shell/use-organisation.ts'

const ENTRY_WORDS: Readonly<Record<string, string>> = {
  grant: 'Included credit',
  expire: 'Included credit expired',
  charge: 'Checks',
  credit: 'Prepaid credit',
  plan: 'Plan changed',
  refund: 'Refund',
  settle: 'Overage settled',
  reversal: 'Payment went back',
}

function familyWords(family: Family, units: number): string {
  const { one, many } = KIND_WORDS[kindOfFamily(family)]
  return counted(units, one, many)
}

export const LEDGER_COLUMNS: readonly Column[] = [
  'When',
  'What',
  { number: 'Credit' },
  { number: 'Beyond credit' },
  { number: 'Credit after' },
]

/** Every entry of the account. */
export function Ledger() {
  return (
    <LogPanel
      title="Ledger"
      query={useInfiniteQuery(ledgerQuery(useApi()))}
      csv={{ name: 'GET /v1/billing/ledger', fileName: 'assay-ledger.csv' }}
      empty="No entry yet: the first check or top-up makes one."
      columns={LEDGER_COLUMNS}
      row={(entry) => <LedgerRow key={entry.id} entry={entry} />}
    />
  )
}

export function LedgerRow({ entry }: { entry: Entry }) {
  return (
    <tr>
      <td className="when">{moment(entry.created_at)}</td>
      <td>
        {ENTRY_WORDS[entry.kind] ?? entry.kind}
        {entry.family ? `: ${familyWords(entry.family, entry.units)}` : ''}
        {entry.free_units > 0 ? ' (free)' : ''}
        {entry.detail ? (
          <>
            {' · '}
            <bdi>{entry.detail}</bdi>
          </>
        ) : null}
      </td>
      <td className="number">{signed(entry.included_delta_pence + entry.prepaid_delta_pence)}</td>
      <td className="number">{signed(entry.overage_delta_pence)}</td>
      <td className="number">{money(entry.included_after_pence + entry.prepaid_after_pence)}</td>
    </tr>
  )
}

const signed = (pence: number) => (pence === 0 ? '–' : pence > 0 ? `+${money(pence)}` : `−${money(-pence)}`)
