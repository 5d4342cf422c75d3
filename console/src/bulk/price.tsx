import { KIND_WORDS } from '@assay/reader/kinds'
import { KINDS } from '@assay/sdk'
import { Alert, Box, Group, Skeleton, Stack, Text } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { asAssayError } from '../api/client.ts'
import { count, counted, day, money } from '../shell/format.ts'
import { Figures, PageLink, ProblemNotice, QuietButton } from '../shell/page.tsx'
import { useApi } from '../shell/use-session.ts'
import { type Cover, coverKinds, type PricedPart } from './cover.ts'
import type { KindCount } from './list.ts'
import { promised } from './lists.ts'

export interface Priced {
  readonly cover: Cover
  readonly parts: readonly PricedPart[]
  /** Of the dearest kind. */
  readonly unitPricePence: number
  /** When free units or included credit renew; undefined on plans that have none. */
  readonly renewsAt: string | undefined
}

/** Requested again whenever it is shown: other people and other lists use the same credit. */
export function usePrice(owner: string, counts: readonly KindCount[]): UseQueryResult<Priced> {
  const api = useApi()
  return useQuery({
    queryKey: [api.organisationId, 'price', counts],
    enabled: counts.length > 0,
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<Priced> => {
      const [billing, standing] = await Promise.all([
        api.call('GET /v1/billing', { signal }),
        api.call('GET /v1/billing/standing', { signal }),
      ])
      const { plan } = billing
      const others = promised(owner)
      const overageLeftPence = plan.overage_allowed ? (standing.overage_left_pence ?? Number.POSITIVE_INFINITY) : 0
      const creditPence = billing.credit_pence - others.pence
      const means = {
        freeUnits: billing.free_units_left - others.freeUnits,
        creditPence: Math.max(0, creditPence),
        overageLeftPence: Math.max(0, overageLeftPence + Math.min(0, creditPence)),
      }
      const renews = plan.free_units > 0 || plan.included_credit_pence > 0
      const { parts, cover } = coverKinds(means, counts, (kind) => plan.unit_price_pence[KINDS[kind].family])
      return {
        cover,
        parts,
        unitPricePence: Math.max(...parts.map(({ unitPricePence }) => unitPricePence)),
        renewsAt: renews ? billing.period.ends_at : undefined,
      }
    },
  })
}

/** True when a person may agree to the price: not while it is being requested, nor after that failed. */
export const isCurrent = ({ isFetching, isError }: UseQueryResult<Priced>) => !isFetching && !isError

export function Price({ price, records }: { price: UseQueryResult<Priced>; records: number }) {
  if (price.isError) {
    return (
      <Stack gap="sm">
        <ProblemNotice error={asAssayError(price.error)} title="The price could not be calculated" />
        <Group>
          <QuietButton onClick={() => void price.refetch()} loading={price.isFetching} label="Look again" />
        </Group>
      </Stack>
    )
  }
  if (!price.data) return <Skeleton height={96} aria-label="Calculating the price" />
  const { cover, parts } = price.data
  if (cover.free + cover.paid === 0) {
    return (
      <section aria-label="Price">
        <NotCovered priced={price.data} records={records} />
      </section>
    )
  }
  return (
    <section className="panel" aria-label="Price">
      <Figures
        of={{
          'Price, at most': cover.totalPence === 0 ? 'Free' : money(cover.totalPence),
          ...Object.fromEntries(
            parts.map(({ kind, unitPricePence }) => [
              parts.length === 1 ? 'Each' : `Each of the ${KIND_WORDS[kind].many}`,
              money(unitPricePence),
            ]),
          ),
          'Free records': cover.free > 0 && count(cover.free),
          'From credit': money(cover.fromCreditPence),
          'Beyond credit, by invoice': cover.overagePence > 0 && money(cover.overagePence),
          'Credit left afterwards': money(cover.creditLeftPence),
        }}
      />
      {cover.overagePence > 0 ? (
        <Text size="sm" mt="sm">
          {money(cover.overagePence)} of it is beyond your credit. It is added to the next invoice.
        </Text>
      ) : null}
      {cover.free + cover.paid < records ? (
        <Box mt="md">
          <NotCovered priced={price.data} records={records} />
        </Box>
      ) : null}
    </section>
  )
}

function NotCovered({ priced: { cover, renewsAt }, records }: { priced: Priced; records: number }) {
  const covered = cover.free + cover.paid
  const until = renewsAt ? ` or until ${day(renewsAt)}` : ''
  const words =
    covered === 0
      ? `None of the ${counted(records, 'record')} is covered. They can be checked after a top-up${until.replace(' or until', ' or from')}${until ? ' on' : ''}.`
      : `These ${count(covered)} are checked; the others wait here until a top-up${until}.`
  return (
    <Alert title={`Your plan covers ${count(covered)} of ${counted(records, 'record')} now`}>
      {words} All of them need {money(cover.shortfallPence)} more. <PageLink to="/console/billing">Top up</PageLink>
    </Alert>
  )
}
