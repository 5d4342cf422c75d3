import {
  Avatar,
  Divider,
  Group,
  NavLink,
  Paper,
  Radio,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { Membership } from '../api/generated/pages.ts'
import { capitalised } from './format.ts'
import { QuietButton } from './page.tsx'
import { type Submission, useSession } from './use-session.ts'

interface Props {
  readonly organisation: Membership | undefined
  readonly choose: (organisationId: string) => void
  readonly leaving: Submission
}

/** The browser's popover opens and closes the menu and handles the focus. */
export function AccountMenu(props: Props) {
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
      <Paper
        id={id}
        popover="auto"
        pos="fixed"
        w="19rem"
        maw="calc(100vw - 1.5rem)"
        mah="calc(100dvh - 72px)"
        p={0}
        bg="var(--assay-sheet)"
        bd="1px solid var(--assay-line)"
        shadow="md"
        style={{ inset: '60px 0.75rem auto auto', overflowY: 'auto', color: 'inherit' }}
        role="dialog"
        aria-label="Account"
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        // Not earlier: the browser returns the focus only from content that still exists.
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {open ? <MenuContent {...props} menuId={id} /> : null}
      </Paper>
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
      <QuietButton fullWidth onClick={() => leaving.submit()} loading={leaving.busy} label="Sign out" />
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
