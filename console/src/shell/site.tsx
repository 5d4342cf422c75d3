import './site.css'
import { Box, Divider, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { sessionQuery } from '../api/session.ts'
import { Wordmark } from '../brand/mark.tsx'
import { ButtonLink, PageLink, Quiet } from './page.tsx'

export function Site({ children }: { children: ReactNode }) {
  return (
    <Stack gap={0} mih="100dvh">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <Group component="header" className="site-width" gap="0.5rem 2rem" justify="space-between" py="sm">
        <Link to="/" style={{ textDecoration: 'none' }} aria-label="Assay, front page">
          <Wordmark />
        </Link>
        <nav className="site-nav" aria-label="Site">
          <SiteLinks />
        </nav>
        <SiteDoor />
      </Group>
      <Box component="main" id="content" flex={1} tabIndex={-1} style={{ outline: 'none' }}>
        {children}
      </Box>
      <footer className="site-width">
        <Divider mt={64} />
        <Group gap="0.75rem 2rem" justify="space-between" pt="lg" pb="xl">
          <Quiet>A result is one signal among others, not the sole control.</Quiet>
          <nav aria-label="At the end of the page">
            <SiteLinks />
          </nav>
        </Group>
      </footer>
    </Stack>
  )
}

const LINKS = [
  { label: 'Prices', to: '/pricing' },
  { label: 'Guides', to: '/guides' },
  { label: 'API reference', to: '/docs', reloadDocument: true },
]

function SiteLinks() {
  return (
    <Group component="ul" className="bare site-links" gap="0.25rem 1.5rem" fz="sm">
      {LINKS.map(({ label, ...link }) => (
        <li key={label}>
          <PageLink {...link}>{label}</PageLink>
        </li>
      ))}
    </Group>
  )
}

/** The sign-in button. If the session cannot be read, the sign-in page finds out. */
function SiteDoor() {
  const signedIn = Boolean(useQuery(sessionQuery).data)
  return (
    <ButtonLink
      to={signedIn ? '/console' : '/sign-in'}
      variant="default"
      size="sm"
      label={signedIn ? 'Open the console' : 'Sign in'}
    />
  )
}
