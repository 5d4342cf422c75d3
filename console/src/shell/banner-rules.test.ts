import { describe, expect, it } from 'vitest'
import type { Source } from '../api/generated/pages.ts'
import type { Alert, Billing, Standing } from '../api/organisation.ts'
import { type Banner, type BannerInput, bannersFor, lowCreditPence, staleFeeds } from './banner-rules.ts'

const NOW_MS = Date.UTC(2026, 10, 16)
const PLAN: Billing['plan'] = {
  id: 'growth',
  name: 'Growth',
  monthly_price_pence: 9900,
  included_credit_pence: 12_000,
  unit_price_pence: { 'payment-risk': 3, 'supply-chain-risk': 2, 'infrastructure-risk': 1 },
  free_units: 0,
  overage_allowed: false,
  requests_per_second: 10,
  bulk_allowed: true,
}
const PREPAID = { ...PLAN, included_credit_pence: 0 }
const ZERO = { 'payment-risk': 0, 'supply-chain-risk': 0, 'infrastructure-risk': 0 }

const standing = (more: Partial<Standing> = {}): Standing => ({
  state: 'active',
  served: true,
  reason: null,
  detail: null,
  owed_pence: 0,
  pay_first: null,
  waiting_plan: null,
  month_paid: true,
  overage_limit_pence: null,
  overage_left_pence: null,
  ...more,
})
const billing = (credit: number, plan = PLAN, free = 0): Billing => ({
  organisation_id: 'org_1',
  state: 'active',
  plan,
  credit_pence: credit,
  included_credit_pence: credit,
  prepaid_credit_pence: 0,
  overage_pence: 0,
  overage_owed_pence: 0,
  free_units: free,
  free_units_used: 0,
  free_units_left: free,
  period: { starts_at: '2026-11-01T00:00:00Z', ends_at: '2026-12-01T00:00:00Z' },
  subscription: null,
})
const reached = (kind: Alert['kind']): Alert => ({
  id: 'alr_1',
  kind,
  threshold_pence: 5000,
  triggered: true,
  triggered_at: '2026-11-15T00:00:00Z',
  created_at: '2026-11-01T00:00:00Z',
})
const source = (state: Source['state'], asOf: string | null): Source => ({
  id: `${state} ${asOf}`,
  name: 'A list',
  licence: 'CC0',
  rows: 1,
  as_of: asOf,
  state,
  last_error: null,
  last_error_at: null,
  next_due_at: null,
})

const titles = (known: Partial<BannerInput>): string[] =>
  bannersFor({
    organisation: { state: 'active' },
    operator: false,
    standing: standing(),
    billing: billing(12_000),
    alerts: [],
    intelligence: { version: '1', built_at: null, counts: null, sources: [] },
    nowMs: NOW_MS,
    ...known,
  }).map(({ title }: Banner) => title)

describe('banners', () => {
  it('are none while all is well, or nothing is read yet', () => {
    expect(titles({})).toEqual([])
    expect(titles({ standing: undefined, billing: undefined, alerts: undefined, intelligence: undefined })).toEqual([])
    expect(titles({ organisation: { state: 'inactive' }, standing: undefined })).toEqual([])
  })

  it('say that checks are refused before all else, even where the reason could not be read', () => {
    const stopped = standing({ served: false, reason: 'ended', detail: 'The subscription has ended.' })
    expect(titles({ standing: stopped, alerts: [reached('overage_above')], billing: billing(0) })).toEqual([
      'Checks are refused',
      'Overage is above £50.00',
    ])
    expect(titles({ organisation: { state: 'inactive' }, standing: null })).toEqual(['Checks are refused'])
    expect(titles({ organisation: { state: 'disabled' }, standing: undefined })).toEqual(['Checks are refused'])
  })

  it('call credit low below a tenth of the month, or below twenty checks where that is more', () => {
    expect(lowCreditPence(PLAN)).toBe(1200)
    expect(lowCreditPence(PREPAID)).toBe(60)
    expect(titles({ billing: billing(1200) })).toEqual([])
    expect(titles({ billing: billing(1199) })).toEqual(['Credit is low: £11.99 left'])
    expect(titles({ billing: billing(59, PREPAID, 20) })).toEqual([])
    expect(titles({ billing: billing(0, PREPAID, 19) })).toHaveLength(1)
    // By the plan, or by the limit that the owner set: beyond the credit nothing is answered.
    const nothingBeyond = standing({ overage_left_pence: 0 })
    expect(titles({ billing: billing(0, PREPAID), standing: nothingBeyond })).toEqual(['There is no credit left'])
    const beyond = standing({ overage_left_pence: 500 })
    const overage = { ...PREPAID, overage_allowed: true }
    expect(titles({ billing: billing(0, overage), standing: beyond })[0]).toMatch(/^Credit is low/)
    expect(titles({ billing: billing(0, overage), standing: nothingBeyond })).toEqual(['There is no credit left'])
    expect(titles({ billing: billing(0, { ...PREPAID, unit_price_pence: ZERO }) })).toEqual([])
  })

  it('tell once of low credit that somebody has an alert on', () => {
    expect(titles({ billing: billing(100), alerts: [reached('credit_below')] })).toEqual(['Credit is below £50.00'])
  })

  it('bother only the operator with stale feeds, and everybody with missing intelligence', () => {
    const sources = [
      source('failing', '2026-11-01T00:00:00Z'),
      source('held', null),
      source('failing', '2026-11-15T12:00:00Z'),
      source('off', null),
      source('bundled', '2020-01-01T00:00:00Z'),
    ]
    expect(staleFeeds(sources, NOW_MS)).toEqual(sources.slice(0, 2))
    const intelligence = { version: '1', built_at: null, counts: null, sources }
    expect(titles({ intelligence })).toEqual([])
    expect(titles({ intelligence, operator: true })).toEqual(['2 feeds are stale or missing'])
    expect(titles({ intelligence: { ...intelligence, version: null, sources: [] } })).toEqual([
      'Nothing can be checked',
    ])
  })
})
