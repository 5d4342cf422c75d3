import '@mantine/charts/styles.css'
import { KIND_WORDS } from '@assay/reader/kinds'
import { KIND_NAMES, KINDS } from '@assay/sdk'
import { BarChart } from '@mantine/charts'
import type { Usage } from '../api/organisation.ts'
import { capitalised, counted, DAY_MS, money } from '../shell/format.ts'
import { Quiet } from '../shell/page.tsx'

const SERIES = KIND_NAMES.map((kind, i) => ({
  name: KINDS[kind].family,
  label: capitalised(KIND_WORDS[kind].many),
  color: `var(--assay-chart-${i + 1})`,
}))

const CHART = {
  h: 240,
  dataKey: 'day',
  type: 'stacked',
  series: SERIES,
  withLegend: true,
  tickLine: 'none',
  // Half a record is never checked.
  yAxisProps: { allowDecimals: false },
} as const

export function UsageChart({ usage }: { usage: Usage }) {
  if (usage.totals.units === 0) {
    return <Quiet>Nothing was checked this month. The first check appears here immediately.</Quiet>
  }
  const byDay = new Map<string, Record<string, number>>()
  for (let dayMs = Date.parse(usage.from); dayMs < Date.parse(usage.to); dayMs += DAY_MS) {
    byDay.set(new Date(dayMs).toISOString().slice(0, 10), {})
  }
  for (const { starts_at, family, units } of usage.data) {
    const row = byDay.get(starts_at.slice(0, 10))
    if (row && family) row[family] = (row[family] ?? 0) + units
  }
  const data = [...byDay].map(([day, row]) => ({ day: day.slice(5), ...row }))
  const words = `${counted(usage.totals.units, 'record')} this month for ${money(usage.totals.total_price_pence)}`
  return (
    <div role="img" aria-label={words}>
      <BarChart {...CHART} data={data} />
    </div>
  )
}
