import { Anchor, Group, List, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Application, AskedFor, ScopeWords } from '../api/generated/pages.ts'
import { MainButton, Quiet, QuietButton } from '../shell/page.tsx'

/** An application of another organisation is marked: nobody here is responsible for it. */
export function Owner({ client: { owner } }: { client: Pick<Application, 'owner'> }) {
  if (owner === null) return 'Part of this server'
  return (
    <>
      By <bdi>{owner.name}</bdi>
      {owner.yours === false ? (
        <>
          ,{' '}
          <Text span inherit fw={700} c="var(--assay-warn-ink)">
            not your organisation
          </Text>
        </>
      ) : null}
      {owner.yours === true ? ', your organisation' : null}
    </>
  )
}

export function Asked({ asked, who }: { asked: AskedFor; who: string }) {
  const { charged, about_you: aboutYou, stays_days: days } = asked
  return (
    <Stack gap="md">
      {charged.length > 0 ? (
        <Part title="Spend money">
          <Quiet>Each check is charged to the organisation you choose, at the price of its plan.</Quiet>
          <ScopeList scopes={charged} label={`Paid actions that ${who} could perform`} />
        </Part>
      ) : null}
      {aboutYou.length > 0 ? (
        <Part title="About you">
          <ScopeList scopes={aboutYou} label={`Data that ${who} would get about you`} />
        </Part>
      ) : null}
      {days === null ? null : (
        <Part title={`Stay connected for ${days === 1 ? 'a day' : `${days} days`}`}>
          <Quiet>It can do all this while you are away, until you withdraw it.</Quiet>
        </Part>
      )}
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} fz="md" ff="text">
        {title}
      </Title>
      {children}
    </section>
  )
}

function ScopeList({ scopes, label }: { scopes: readonly ScopeWords[]; label: string }) {
  return (
    <List className="lines-between" listStyleType="none" mt={6} aria-label={label}>
      {scopes.map((scope) => (
        <List.Item key={scope.name} icon={<Tick />} py={8}>
          {scope.words}
        </List.Item>
      ))}
    </List>
  )
}

function Tick() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" color="var(--assay-accent)" aria-hidden="true" focusable="false">
      <path d="M2.5 8.5 6.3 12.2 13.5 4" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

export function Links({ client }: { client: Application }) {
  const links = [
    ['Privacy policy', client.policy_uri],
    ['Terms', client.terms_uri],
  ] as const
  const given = links.filter(([, uri]) => uri !== null)
  if (given.length === 0) return null
  return (
    <Group component="ul" className="bare" gap="0.4rem 1.25rem" aria-label={`Pages of ${client.name}`}>
      {given.map(([label, uri]) => (
        <li key={label}>
          <Anchor href={uri ?? ''} target="_blank" rel="noopener noreferrer" size="sm">
            {label} of <bdi>{client.name}</bdi>
          </Anchor>
        </li>
      ))}
    </Group>
  )
}

export function Person({ user: { name, email } }: { user: { readonly name: string | null; readonly email: string } }) {
  if (name === null) return <bdi>{email}</bdi>
  return (
    <>
      <bdi>{name}</bdi> (<bdi>{email}</bdi>)
    </>
  )
}

export type Decision = 'allow' | 'deny'

/** Refuse or allow: the chosen button shows progress, and the other one is disabled. */
export function DecisionButtons(props: {
  allowLabel: string
  mayAllow?: boolean
  busy: boolean
  onDecide: (decision: Decision) => void
}) {
  const { busy, mayAllow = true } = props
  const [decision, setDecision] = useState<Decision>()
  const button = (own: Decision) => ({
    size: 'md',
    loading: busy && decision === own,
    disabled: (own === 'allow' && !mayAllow) || (busy && decision !== own),
    onClick: () => {
      setDecision(own)
      props.onDecide(own)
    },
  })
  return (
    <Group grow gap="sm">
      <QuietButton {...button('deny')} label="Refuse" />
      <MainButton {...button('allow')} label={props.allowLabel} />
    </Group>
  )
}
