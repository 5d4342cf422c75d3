import { ColorSwatch, DataList, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { asAssayError } from '../api/client.ts'
import { QuietButton } from './buttons.tsx'
import { Heading } from './heading.tsx'
import { type Problem, ProblemNotice } from './problem-notice.tsx'
import { Said, type Words } from './words.ts'

export function ConsolePage({ title, lead, children }: { title: Words; lead: ReactNode; children: ReactNode }) {
  return (
    <Stack gap="lg" maw={1100}>
      <div>
        <Heading>{title}</Heading>
        <Text c="dimmed" mt={6}>
          {lead}
        </Text>
      </div>
      {children}
    </Stack>
  )
}

export type Read<Data> = Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>

/** A part of a page that is read from the server: its skeleton, its error or its content. */
export function Loaded<Data>(props: { query: Read<Data>; heightPx?: number; children: (data: Data) => ReactNode }) {
  const { query, heightPx = 120 } = props
  if (query.data !== undefined) return props.children(query.data)
  if (!query.isError) return <Skeleton height={heightPx} aria-label="Loading" />
  return (
    <Stack gap="sm" align="flex-start">
      <ProblemNotice error={asAssayError(query.error)} title="This part did not load" />
      <QuietButton size="sm" onClick={() => void query.refetch()}>
        Try again
      </QuietButton>
    </Stack>
  )
}

export interface PanelProps {
  readonly title: Words
  readonly action?: ReactNode
  readonly lead?: ReactNode
  readonly error?: Problem
  /** The title of the error notice. */
  readonly failed?: string
  readonly className?: string
  readonly children?: ReactNode
}

/** A titled part of a page: its purpose, its error and its content. */
export function Panel(props: PanelProps) {
  const id = useId()
  return (
    <section className={`panel ${props.className ?? ''}`} aria-labelledby={id}>
      <Group justify="space-between" gap="0.5rem 1rem" mb="sm">
        <h2 id={id}>
          <Said of={props.title} />
        </h2>
        {props.action}
      </Group>
      <Stack gap="md">
        {props.lead ? <Quiet>{props.lead}</Quiet> : null}
        <ProblemNotice error={props.error} title={props.failed} />
        {props.children}
      </Stack>
    </section>
  )
}

/** Numbers and words with their names: children are `Figure`. */
export function Figures({ mt, children }: { mt?: 'md'; children: ReactNode }) {
  return (
    <Group component="dl" gap="0.75rem 2rem" m={0} mt={mt ?? 0}>
      {children}
    </Group>
  )
}

export function Figure({ label, value, title }: { label: ReactNode; value: ReactNode; title?: string }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz="1.25rem" className="tabular" title={title}>
        {value}
      </Text>
    </div>
  )
}

/** A sentence in a quiet style: an introduction, or the next step when there is no content yet. */
export function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

const STATE_COLOURS: Readonly<Record<string, string>> = {
  inactive: 'warn',
  expired: 'warn',
  open: 'warn',
  past_due: 'warn',
  disabled: 'bad',
  revoked: 'quiet',
  void: 'quiet',
  ended: 'quiet',
}

export function State({ name, children = name }: { name: string; children?: ReactNode }) {
  return (
    <Group component="span" display="inline-flex" gap={7} wrap="nowrap" fz="sm" style={{ whiteSpace: 'nowrap' }}>
      <ColorSwatch
        component="span"
        size={10}
        withShadow={false}
        color={`var(--assay-${STATE_COLOURS[name] ?? 'good'})`}
      />
      {children}
    </Group>
  )
}

/** Facts, each beside its name. Empty facts are left out. */
export function Facts({ of }: { of: Readonly<Record<string, ReactNode>> }) {
  return (
    <DataList size="md" gap={6} labelWidth="7rem" m={0}>
      {Object.entries(of).map(([name, value]) =>
        value === null || value === undefined ? null : (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
          </DataList.Item>
        ),
      )}
    </DataList>
  )
}
