import './sheet.css'
import { AppShell, Burger, Button, Group, NavLink, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { Link, Navigate, Outlet, useLocation } from 'react-router'
import { asApiError } from '../api/client.ts'
import { type Session, sessionQuery, signOut } from '../api/session.ts'
import { Wordmark } from '../brand/mark.tsx'
import { Loading } from './loading.tsx'
import { NAVIGATION } from './navigation.ts'
import { ProblemNotice } from './problem-notice.tsx'
import { ProblemPage } from './problem-page.tsx'
import { useSubmit } from './use-submit.ts'

/** The console around its pages. Nobody gets past it without a session; its pages read it with useSession(). */
export function Component() {
  const session = useQuery(sessionQuery)
  const location = useLocation()
  if (session.isPending) return <Loading />
  if (session.isError) {
    return (
      <ProblemPage
        title="This page did not load"
        error={asApiError(session.error)}
        retry={() => void session.refetch()}
      />
    )
  }
  if (session.data === null) {
    const next = `${location.pathname}${location.search}`
    return <Navigate to={next === '/console' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`} replace />
  }
  return <Workspace session={session.data} />
}

function Workspace({ session }: { session: Session }) {
  const [open, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const queries = useQueryClient()
  const leaving = useSubmit(useCallback(() => signOut(session, queries), [session, queries]))

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a phone closes whenever the page changes
  useEffect(close, [pathname])

  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !open } }}
      padding={{ base: 'md', sm: 'xl' }}
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
          <Group gap="md" wrap="nowrap" miw={0}>
            <Text size="sm" c="dimmed" truncate visibleFrom="xs">
              {session.user.email}
            </Text>
            <Button variant="default" size="sm" onClick={() => leaving.submit(undefined)} loading={leaving.busy}>
              Sign out
            </Button>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Console">
        {NAVIGATION.map(({ to, label }) => {
          const current = to === '/console' ? pathname === to : pathname === to || pathname.startsWith(`${to}/`)
          return (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              active={current}
              aria-current={current ? 'page' : undefined}
            />
          )
        })}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {leaving.error ? <ProblemNotice error={leaving.error} title="You are still signed in" /> : null}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}
