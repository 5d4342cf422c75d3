import { Alert, Stack } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { intelligenceQuery, readQuery } from '../api/organisation.ts'
import { type Banner, bannersFor } from './banner-rules.ts'
import { PageLink } from './page.tsx'
import { useApi, useOrganisation, useRights, useSession } from './use-session.ts'

const SHOWN_MAX = 2
const LOOK_MS = 5 * 60_000

/** Notices that matter on every page. The page that helps explains the subject itself in detail. */
export function Banners() {
  const { pathname } = useLocation()
  const [dismissed, setDismissed] = useSessionStorage<readonly string[]>({
    key: `assay.dismissed.${useOrganisation().id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const shown = useBanners()
    .filter(({ id, stays }) => stays || !dismissed.includes(id))
    .filter(({ to }) => to === undefined || !isWithin(pathname, to.path))
    .slice(0, SHOWN_MAX)
  if (shown.length === 0) return null
  return (
    <Stack gap="sm" mb="lg" maw={1100}>
      {shown.map((banner) => (
        <BannerNotice key={banner.id} banner={banner} onDismiss={() => setDismissed([...dismissed, banner.id])} />
      ))}
    </Stack>
  )
}

function BannerNotice({ banner: { title, words, to, stays }, onDismiss }: { banner: Banner; onDismiss: () => void }) {
  return (
    <Alert
      role="status"
      title={title}
      withCloseButton={!stays}
      closeButtonLabel={`Dismiss: ${title}`}
      onClose={onDismiss}
      {...(stays ? { className: 'problem' } : {})}
    >
      {words} {to ? <PageLink to={to.path}>{to.label}</PageLink> : null}
    </Alert>
  )
}

const isWithin = (pathname: string, path: string) => pathname === path || pathname.startsWith(`${path}/`)

/** Reads only data that the role may read, so that no page makes a request that would be refused. */
function useBanners(): Banner[] {
  const api = useApi()
  const organisation = useOrganisation()
  const operator = useSession().operator ?? false
  const rights = useRights()
  // The server refuses every request of a disabled organisation.
  const reads = organisation.state !== 'disabled' && rights.has('billing:read')
  const standing = useQuery({ ...readQuery(api, 'GET /v1/billing/standing'), enabled: reads })
  const billing = useQuery({ ...readQuery(api, 'GET /v1/billing'), enabled: reads })
  const alerts = useQuery({ ...readQuery(api, 'GET /v1/billing/alerts'), enabled: reads })
  const intelligence = useQuery({ ...intelligenceQuery(api), staleTime: LOOK_MS })
  return bannersFor({
    organisation,
    operator,
    standing: standing.data ?? (standing.isError ? null : undefined),
    billing: billing.data,
    alerts: alerts.data?.data,
    intelligence: intelligence.data,
    nowMs: Date.now(),
  })
}
