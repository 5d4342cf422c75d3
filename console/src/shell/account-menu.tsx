import './account-menu.css'
import { Button, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { Membership } from '../api/generated/pages.ts'
import { capitalised } from './money.ts'
import { REFERENCE } from './site.tsx'
import { useSession } from './use-session.ts'
import type { Submission } from './use-submit.ts'

interface Props {
  readonly organisation: Membership | undefined
  readonly choose: (organisationId: string) => void
  readonly leaving: Submission<undefined>
}

/**
 * Who is signed in, and what is theirs wherever they are. The browser's own popover opens and closes it: by click, Enter,
 * Escape, or a click elsewhere, with the focus where it belongs.
 */
export function AccountMenu(props: Props) {
  const { user } = useSession()
  const id = useId()
  const [open, setOpen] = useState(false)
  const name = user.name ?? user.email
  return (
    <>
      <button type="button" className="account-button" popoverTarget={id}>
        <span className="account-initials" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <bdi className="account-name">{name}</bdi>
        <VisuallyHidden>account menu</VisuallyHidden>
      </button>
      <div
        id={id}
        popover="auto"
        className="account-menu"
        role="dialog"
        aria-label="Account"
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        // Not before: the browser gives the focus back only from what is still there.
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {open ? <MenuContent {...props} menuId={id} /> : null}
      </div>
    </>
  )
}

function MenuContent({ menuId, organisation, choose, leaving }: Props & { readonly menuId: string }) {
  const { user, organisations } = useSession()
  return (
    <>
      <div className="account-part">
        <p className="account-who">
          <bdi>{user.name ?? user.email}</bdi>
        </p>
        {user.name === null ? null : (
          <p>
            <bdi>{user.email}</bdi>
          </p>
        )}
        {organisation ? (
          <p>
            {capitalised(organisation.role)} of <bdi>{organisation.name}</bdi>
          </p>
        ) : null}
      </div>
      {organisations.length > 1 ? (
        <ul className="account-part account-organisations" aria-label="Organisation">
          {organisations.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                aria-current={id === organisation?.id}
                onClick={() => choose(id)}
                popoverTarget={menuId}
                popoverTargetAction="hide"
              >
                <bdi>{name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <ul className="account-part account-links">
        <li>
          <Link to="/console/account">Your account</Link>
        </li>
        <li>
          <Link to="/guides">Guides</Link>
        </li>
        <li>
          <a href={REFERENCE}>API reference</a>
        </li>
        <li>
          <Link to="/">Front page</Link>
        </li>
      </ul>
      <ThemeChoice />
      <div className="account-part">
        <Button variant="default" fullWidth onClick={() => leaving.submit(undefined)} loading={leaving.busy}>
          Sign out
        </Button>
      </div>
    </>
  )
}

const THEMES = { light: 'Light', dark: 'Dark', auto: 'As the system' } as const

/** Kept by the component library, in this browser. */
function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset className="account-part account-themes">
      <legend>Theme</legend>
      {(Object.keys(THEMES) as (keyof typeof THEMES)[]).map((theme) => (
        <label key={theme}>
          <input type="radio" name="theme" checked={colorScheme === theme} onChange={() => setColorScheme(theme)} />
          {THEMES[theme]}
        </label>
      ))}
    </fieldset>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@]+/).filter((word) => word !== '')
  const [first = '', last = ''] = [words[0], words.length > 1 && !name.includes('@') ? words.at(-1) : '']
  return `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase()
}
