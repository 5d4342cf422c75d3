import { ROLES } from '@assay/sdk'
import {
  Alert,
  AppShell,
  Avatar,
  Badge,
  Box,
  Burger,
  Divider,
  Group,
  NavLink,
  Radio,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure, useSessionStorage } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { FactorGate } from '../account/factors.tsx'
import type { Membership, Session } from '../api/generated/pages.ts'
import {
  chosenOrganisation,
  intelligenceQuery,
  readQuery,
  rememberOrganisation,
  unreadQuery,
} from '../api/organisation.ts'
import { sessionQuery, signOut } from '../api/session.ts'
import { Wordmark } from '../brand/mark.tsx'
import { ProveAgain, SignInAgain } from './ask-again.tsx'
import { type Banner, bannersFor } from './banner-rules.ts'
import { DropAnywhere } from './drops.tsx'
import { capitalised, count } from './format.ts'
import { ConsolePage, PAGES, PageLink, ProblemNotice, QuietButton } from './page.tsx'
import { Loading, NotLoaded } from './sheet.tsx'
import {
  OrganisationContext,
  SessionContext,
  type Submission,
  useApi,
  useOrganisation,
  useOwnApi,
  useRead,
  useRights,
  useSession,
  useSubmit,
} from './use-session.ts'

const NAVIGATION = Object.entries(PAGES).map(([name, page]) => ({
  to: name ? `/console/${name}` : '/console',
  ...page,
}))

/** The frame of the console. It requires a session; its pages read the session with useSession(). */
export function Component() {
  const session = useQuery(sessionQuery)
  const location = useLocation()
  if (session.isPending) return <Loading />
  if (session.isError) return <NotLoaded query={session} />
  if (session.data === null) {
    const next = `${location.pathname}${location.search}`
    return <Navigate to={next === '/console' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`} replace />
  }
  return (
    <SessionContext value={session.data}>
      {/* Another person gets a new workspace: nothing typed or shown for one stays for the other. */}
      <Workspace key={session.data.user.id} session={session.data} />
      <ProveAgain />
      <SignInAgain />
    </SessionContext>
  )
}

function Workspace({ session }: { session: Session }) {
  const [open, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const leaving = useSubmit(() => signOut(queries))

  const [chosenId, setChosenId] = useState<string>()
  const organisation =
    session.organisations.find(({ id }) => id === chosenId) ?? chosenOrganisation(session.organisations)
  const choose = (id: string) => {
    rememberOrganisation(id)
    setChosenId(id)
    // The other organisation does not have this check.
    if (pathname.startsWith('/console/checks/')) void navigate('/console')
  }

  const scopes: readonly string[] = organisation ? ROLES[organisation.role].scopes.split(' ') : []
  const pages = NAVIGATION.filter(({ scope, role, operator }) => {
    if (operator) return session.operator
    // An operator need not be a member: then there are only the operator's pages.
    if (!organisation) return scope === undefined && !session.operator
    return scope === undefined || scopes.includes(scope) || role === organisation.role
  })
  const needsNoOrganisation =
    pathname === '/console/account' ||
    (session.operator && NAVIGATION.some(({ operator, to }) => operator && isWithin(pathname, to)))

  const isHeld = organisation?.requires_second_factor === true && session.second_factor?.given === false
  const mayAct = organisation !== undefined && organisation.state !== 'disabled' && !isHeld

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a phone closes whenever the page changes
  useEffect(close, [pathname])

  return (
    <OrganisationContext value={organisation}>
      <AppShell
        header={{ height: 60 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !open } }}
        padding={{ base: 'md', sm: 'xl' }}
        // Otherwise the content of a turned phone is too narrow for a moment, also for people who want no motion.
        transitionDuration={0}
      >
        <a className="skip-link" href="#content">
          Skip to the content
        </a>
        <AppShell.Header px="md">
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger opened={open} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" aria-expanded={open} />
              <Wordmark />
            </Group>
            {/* Another page or organisation gets a new menu: an open menu closes. An answer brings only another address. */}
            <AccountMenu
              key={`${pathname.replace(/\/checks\/.+/, '')} ${organisation?.id}`}
              organisation={organisation}
              choose={choose}
              leaving={leaving}
            />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" aria-label="Console">
          {organisation ? <OrganisationName organisation={organisation} /> : null}
          {pages.map(({ to, title }) => {
            const current = to === '/console' ? pathname === to : isWithin(pathname, to)
            return (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={title}
                active={current}
                aria-current={current ? 'page' : undefined}
                rightSection={
                  to === '/console/to-review' && mayAct ? (
                    <OpenReviews />
                  ) : to === '/console/inbox' && organisation ? (
                    <Unread />
                  ) : null
                }
              />
            )
          })}
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <ProblemNotice error={leaving.error} title="You are still signed in" />
          {isHeld ? (
            <FactorGate key={organisation.id} />
          ) : organisation ? (
            <>
              <Banners key={`banners of ${organisation.id}`} />
              <DropAnywhere />
              {/* Another organisation gets a new page: nothing typed or shown for one stays for the other. */}
              <Outlet key={organisation.id} />
            </>
          ) : needsNoOrganisation ? (
            <Outlet />
          ) : session.operator ? (
            <Navigate to="/console/organisations" replace />
          ) : (
            <ConsolePage
              title="You are not a member of an organisation yet"
              lead="Ask the owner of your organisation for an invitation, and open its link here."
            />
          )}
        </AppShell.Main>
      </AppShell>
    </OrganisationContext>
  )
}

function OpenReviews() {
  const open = useRead('GET /v1/reviews').data?.open ?? 0
  if (open === 0) return null
  return (
    <Badge size="sm" variant="outline">
      {count(open)}
      <VisuallyHidden> waiting</VisuallyHidden>
    </Badge>
  )
}

const UNREAD_MS = 60_000

/** The number of unread events, read again every minute. */
function Unread() {
  const { data } = useQuery({ ...unreadQuery(useOwnApi(), useOrganisation().id), refetchInterval: UNREAD_MS })
  if (!data || data.unread === 0) return null
  return (
    <Badge size="sm" variant="filled" color="var(--assay-panel)" className="tabular">
      {data.unread >= 100 ? '99+' : data.unread}
      <VisuallyHidden> unread</VisuallyHidden>
    </Badge>
  )
}

function OrganisationName({ organisation: { name, role } }: { organisation: Membership }) {
  return (
    <Box px="sm" py={4}>
      <Text fw={600} truncate title={name}>
        <bdi>{name}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        Your role: {role}
      </Text>
      <Divider mt="sm" />
    </Box>
  )
}

interface Props {
  readonly organisation: Membership | undefined
  readonly choose: (organisationId: string) => void
  readonly leaving: Submission
}

/** The browser's popover opens and closes the menu and handles the focus. */
function AccountMenu(props: Props) {
  const { user } = useSession()
  const id = useId()
  const [open, setOpen] = useState(false)
  const name = user.name ?? user.email
  return (
    <>
      <UnstyledButton p={4} style={{ borderRadius: 24 }} popoverTarget={id}>
        <Group gap="xs" wrap="nowrap">
          <Avatar size={36} variant="filled" color="var(--assay-panel)" aria-hidden>
            {initialsOf(name)}
          </Avatar>
          {/* A phone shows initials instead of the name; a screen reader says the name in both cases. */}
          <Text component="bdi" size="sm" maw="16rem" truncate visibleFrom="xs" aria-hidden>
            {name}
          </Text>
          <VisuallyHidden>
            <bdi>{name}</bdi> account menu
          </VisuallyHidden>
        </Group>
      </UnstyledButton>
      <Box
        id={id}
        popover="auto"
        pos="fixed"
        w="19rem"
        maw="calc(100vw - 1.5rem)"
        mah="calc(100dvh - 72px)"
        p={0}
        bg="var(--assay-sheet)"
        bd="1px solid var(--assay-line)"
        style={{
          inset: '60px 0.75rem auto auto',
          overflowY: 'auto',
          color: 'inherit',
          borderRadius: 'var(--mantine-radius-sm)',
          boxShadow: 'var(--mantine-shadow-md)',
        }}
        role="dialog"
        aria-label="Account"
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        // Not earlier: the browser returns the focus only from content that still exists.
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {open ? <MenuContent {...props} menuId={id} /> : null}
      </Box>
    </>
  )
}

function MenuContent({ menuId, organisation, choose, leaving }: Props & { readonly menuId: string }) {
  const { user, organisations } = useSession()
  return (
    <Stack gap="sm" p="md" className="breakable">
      <Text component="div" size="sm" c="dimmed">
        <Text fw={600} c="var(--assay-ink)" inherit>
          <bdi>{user.name ?? user.email}</bdi>
        </Text>
        {user.name === null ? null : <bdi>{user.email}</bdi>}
        {organisation ? (
          <div>
            {capitalised(organisation.role)} of <bdi>{organisation.name}</bdi>
          </div>
        ) : null}
      </Text>
      <Divider />
      {organisations.length > 1 ? (
        <>
          <ul className="bare" aria-label="Organisation">
            {organisations.map(({ id, name }) => (
              <li key={id}>
                <NavLink
                  component="button"
                  type="button"
                  active={id === organisation?.id}
                  aria-current={id === organisation?.id}
                  label={<bdi>{name}</bdi>}
                  onClick={() => choose(id)}
                  popoverTarget={menuId}
                  popoverTargetAction="hide"
                />
              </li>
            ))}
          </ul>
          <Divider />
        </>
      ) : null}
      <ul className="bare">
        {LINKS.map(({ label, ...link }) => (
          <li key={label}>
            <NavLink component={Link} label={label} {...link} />
          </li>
        ))}
      </ul>
      <Divider />
      <ThemeChoice />
      <QuietButton fullWidth of={leaving} label="Sign out" />
    </Stack>
  )
}

const LINKS = [
  { label: 'Your account', to: '/console/account' },
  { label: 'Guides', to: '/guides' },
  // A page of the server, not of this app.
  { label: 'API reference', to: '/docs', reloadDocument: true },
  { label: 'Front page', to: '/' },
]

const THEMES = { light: 'Light', dark: 'Dark', auto: 'As the system' } as const
type Theme = keyof typeof THEMES

/** The component library stores the choice in this browser. */
function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Radio.Group label="Theme" value={colorScheme} onChange={(theme) => setColorScheme(theme as Theme)}>
      <Group gap="0.25rem 1rem">
        {Object.entries(THEMES).map(([theme, label]) => (
          <Radio key={theme} size="xs" value={theme} label={label} />
        ))}
      </Group>
    </Radio.Group>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@]+/).filter((word) => word !== '')
  const [first = '', last = ''] = [words[0], words.length > 1 && !name.includes('@') ? words.at(-1) : '']
  return `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase()
}

const SHOWN_MAX = 2
const LOOK_MS = 5 * 60_000

/** Notices that matter on every page. The page that helps explains the subject itself in detail. */
function Banners() {
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
