import { KIND_WORDS } from '@assay/reader/kinds'
import type { Family } from '@assay/sdk'
import type { Entry } from '../api/organisation.ts'
import { kindOfFamily } from '../check/families.ts'
import { counted, moment, money } from '../shell/format.ts'
import type { Columns } from '../shell/table.tsx'

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

const signed = (pence: number) => (pence === 0 ? '–' : pence > 0 ? `+${money(pence)}` : `−${money(-pence)}`)

export const LEDGER_COLUMNS: Columns<Entry> = {
  When: [(entry) => moment(entry.created_at), 'when'],
  What: (entry) => <What entry={entry} />,
  Credit: [(entry) => signed(entry.included_delta_pence + entry.prepaid_delta_pence), 'number'],
  'Beyond credit': [(entry) => signed(entry.overage_delta_pence), 'number'],
  'Credit after': [(entry) => money(entry.included_after_pence + entry.prepaid_after_pence), 'number'],
}

function What({ entry: { kind, family, units, free_units, detail } }: { entry: Entry }) {
  return (
    <>
      {ENTRY_WORDS[kind] ?? kind}
      {family ? `: ${familyWords(family, units)}` : ''}
      {free_units > 0 ? ' (free)' : ''}
      {detail ? (
        <>
          {' · '}
          <bdi>{detail}</bdi>
        </>
      ) : null}
    </>
  )
}
