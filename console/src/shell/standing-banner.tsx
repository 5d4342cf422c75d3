import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { standingQuery } from '../api/billing.ts'
import { useApi, useOrganisation } from './use-organisation.ts'

const BILLING = '/console/billing'

/** Says on every page why checks are refused; the billing page says it at length. */
export function StandingBanner() {
  const { state } = useOrganisation()
  const { pathname } = useLocation()
  // For a disabled organisation the server answers nothing at all.
  const standing = useQuery({ ...standingQuery(useApi()), enabled: state !== 'disabled' })
  if (state === 'disabled') {
    return <Refused words="The operator has disabled this organisation. Contact the operator." />
  }
  if (pathname === BILLING) return null
  if (standing.data) return standing.data.served ? null : <Refused words={standing.data.detail ?? ''} link />
  return standing.isError && state === 'inactive' ? <Refused words="The account does not run." link /> : null
}

function Refused({ words, link = false }: { words: string; link?: boolean }) {
  return (
    <Alert mb="lg" title="Checks are refused" role="status">
      <Text size="sm">
        {words}{' '}
        {link ? (
          <Anchor component={Link} to={BILLING} size="sm">
            Usage and billing
          </Anchor>
        ) : null}
      </Text>
    </Alert>
  )
}
