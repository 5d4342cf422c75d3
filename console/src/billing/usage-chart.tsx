import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { Usage } from '../api/billing.ts'
import { counted, money } from '../shell/money.ts'
import { Empty } from '../shell/page.tsx'

const DAY_MS = 24 * 60 * 60 * 1000

const SERIES = [
  { name: 'payment-risk', label: 'Emails', color: 'var(--assay-chart-1)' },
  { name: 'supply-chain-risk', label: 'Domains', color: 'var(--assay-chart-2)' },
  { name: 'infrastructure-risk', label: 'IP addresses', color: 'var(--assay-chart-3)' },
] as const

/** Records checked, by day and family. */
export function UsageChart({ usage, days }: { usage: Usage; days: number }) {
  if (usage.totals.units === 0) {
    return <Empty>Nothing was checked in these {days} days. The first check shows up here at once.</Empty>
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
  const words = `${counted(usage.totals.units, 'record')} in ${days} days for ${money(usage.totals.total_price_pence)}`
  return (
    <div role="img" aria-label={words}>
      <BarChart h={240} data={data} dataKey="day" type="stacked" series={[...SERIES]} withLegend tickLine="none" />
    </div>
  )
}
