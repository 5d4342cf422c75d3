import './site.css'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { BASE_PATH } from '../api/base.ts'
import { sessionQuery } from '../api/session.ts'
import { Wordmark } from '../brand/mark.tsx'

/** The reference is a page of the server's own, not one of this app. */
export const REFERENCE = `${BASE_PATH}/docs`

/** The frame of pages that anybody may read: what leads on stands above, and again below. */
export function Site({ children }: { children: ReactNode }) {
  return (
    <div className="site">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <SiteHeader />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-foot">
        <p>A result is one signal among others, not the sole control.</p>
        <nav aria-label="At the end of the page">
          <SiteLinks />
        </nav>
      </footer>
    </div>
  )
}

function SiteHeader() {
  return (
    <header className="site-head">
      <Link to="/" className="site-brand" aria-label="Assay, front page">
        <Wordmark />
      </Link>
      <nav aria-label="Site">
        <SiteLinks />
      </nav>
      <SiteDoor />
    </header>
  )
}

function SiteLinks() {
  return (
    <ul className="site-links">
      <li>
        <Anchor component={Link} to="/pricing">
          Prices
        </Anchor>
      </li>
      <li>
        <Anchor component={Link} to="/guides">
          Guides
        </Anchor>
      </li>
      <li>
        <Anchor href={REFERENCE}>API reference</Anchor>
      </li>
    </ul>
  )
}

/** The way in. Where it cannot be learned who is there, signing in finds out. */
function SiteDoor() {
  const session = useQuery(sessionQuery)
  return session.data ? (
    <Button component={Link} to="/console" variant="default" size="sm">
      Open the console
    </Button>
  ) : (
    <Button component={Link} to="/sign-in" variant="default" size="sm">
      Sign in
    </Button>
  )
}
