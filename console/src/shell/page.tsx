import type { AssayError } from '@assay/sdk'
import {
  Alert,
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  ColorSwatch,
  DataList,
  type ElementProps,
  Group,
  List,
  NavLink,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Link, type LinkProps } from 'react-router'
import { asAssayError } from '../api/client.ts'
import { errorWords } from '../error/words.ts'
import pages from './pages.json' with { type: 'json' }
import type { Submission } from './use-session.ts'
import { plainWords, Said, type Words } from './words.ts'

interface ListedPage {
  readonly title: string
  readonly lead?: string
  /** The scope or the role that sees the page in the navigation. */
  readonly scope?: string
  readonly role?: string
  /** For people whom the operator of the server allows to manage every organisation. */
  readonly operator?: true
}

/** The pages of the console's navigation, in order. A page is added there and in routes.tsx. */
export const PAGES = pages as Readonly<Record<keyof typeof pages, ListedPage>>

/** A page of the navigation, or one that has its own title. */
export function ConsolePage(props: {
  of?: keyof typeof PAGES
  title?: Words
  lead?: Words | undefined
  children?: ReactNode
}) {
  const listed: Partial<ListedPage> = props.of ? PAGES[props.of] : {}
  const { title = listed.title ?? '', lead = listed.lead ?? '', children } = props
  return (
    <Stack gap="lg" maw={1100}>
      <div>
        <Heading>{title}</Heading>
        <Text c="dimmed" mt={6}>
          <Said of={lead} />
        </Text>
      </div>
      {children}
    </Stack>
  )
}

export type Read<Data> = Pick<UseQueryResult<unknown>, 'isError' | 'error'> & {
  readonly data: Data | undefined
  readonly refetch: () => unknown
}

export function Loaded<Data>(props: { query: Read<Data>; heightPx?: number; children: (data: Data) => ReactNode }) {
  const { query, heightPx = 120 } = props
  if (query.data !== undefined) return props.children(query.data)
  if (!query.isError) return <Skeleton height={heightPx} aria-label="Loading" />
  return (
    <Stack gap="sm" align="flex-start">
      <ProblemNotice error={asAssayError(query.error)} title="This part did not load" />
      <QuietButton size="sm" label="Try again" onClick={() => void query.refetch()} />
    </Stack>
  )
}

export interface PanelProps {
  readonly title: Words
  readonly action?: ReactNode
  readonly lead?: ReactNode
  readonly error?: Problem
  readonly failed?: string
  readonly className?: string
  readonly children?: ReactNode
}

export function Panel(props: PanelProps) {
  const id = useId()
  return (
    <section className={`panel ${props.className ?? ''}`} aria-labelledby={id}>
      <Group justify="space-between" gap="0.5rem 1rem" mb="sm">
        <Text component="h2" id={id} fw={600}>
          <Said of={props.title} />
        </Text>
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

/** Absent facts and figures are left out. */
const isAbsent = (value: ReactNode) => value === null || value === undefined || value === false

/** Figures by their names; `nameOf` draws a name. */
export function Figures(props: {
  of: Readonly<Record<string, ReactNode>>
  mt?: 'md'
  nameOf?: (name: string) => ReactNode
}) {
  return (
    <Group component="dl" gap="0.75rem 2rem" m={0} mt={props.mt ?? 0}>
      {Object.entries(props.of).map(([name, value]) =>
        isAbsent(value) ? null : (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {props.nameOf?.(name) || name}
            </Text>
            <Text component="dd" m={0} fz="1.25rem" className="tabular">
              {value}
            </Text>
          </div>
        ),
      )}
    </Group>
  )
}

export function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

/** A level in its colour and shape. */
export function Level({ of, children = of }: { of: string; children?: ReactNode }) {
  return (
    <span className="level" data-level={of}>
      {children}
    </span>
  )
}

/** A name that leads to the page of its thing. */
export function NameLink({ to, name }: { to: string; name: string }) {
  return (
    <PageLink to={to}>
      <bdi>{name}</bdi>
    </PageLink>
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

export function DescriptionList({ of }: { of: Readonly<Record<string, ReactNode>> }) {
  return (
    <DataList size="md" gap={6} labelWidth="7rem" m={0}>
      {Object.entries(of).map(([name, value]) =>
        isAbsent(value) ? null : (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
          </DataList.Item>
        ),
      )}
    </DataList>
  )
}

/** This document has shown a page before. */
let shownBefore = false

/** Names the tab, and takes the focus on a page change, before drawing; a page with a form moves it to its field. */
export function Heading({ children }: { children: Words }) {
  const title = plainWords(children)
  const ref = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // After a load the browser automatically starts at the top, where the console has its skip link.
    if (shownBefore) ref.current?.focus()
    shownBefore = true
  }, [])
  useLayoutEffect(() => {
    document.title = `${title} · Assay`
  }, [title])
  return (
    <Title order={1} ref={ref} tabIndex={-1} fz={{ base: '1.7rem', sm: '2rem' }} lh={1.2}>
      <Said of={children} />
    </Title>
  )
}

export type Problem = AssayError | undefined

export function ProblemNotice({ error, title }: { error: Problem; title?: string | undefined }) {
  if (!error) return null
  return (
    <Alert role="alert" title={title} className="problem">
      <Text size="sm">
        {errorWords(error)}
        {error.status === 402 ? (
          <>
            {' '}
            <PageLink to="/console/billing">Top up</PageLink>
          </>
        ) : null}
      </Text>
      {error.requestId ? <RequestId id={error.requestId} /> : null}
    </Alert>
  )
}

export function problemAt(error: Problem, field: string): string | undefined {
  return error?.errors.find(({ pointer }) => pointer === `/${field}`)?.detail
}

/** The error, unless the fields of the form show it. */
export function problemBeside(error: Problem, ...fields: readonly string[]): Problem {
  return fields.some((field) => problemAt(error, field) !== undefined) ? undefined : error
}

export function RequestId({ id }: { id: string }) {
  return (
    <Text size="xs" mt={6} component="p">
      Request <span className="mono">{id}</span>
    </Text>
  )
}

/** `reloadDocument` is for a page of the server, which is none of this app. */
export function PageLink(props: AnchorProps & Pick<LinkProps, 'to' | 'children' | 'reloadDocument'>) {
  return <Anchor component={Link} inherit {...props} />
}

/** A link in a line of small print. */
export function LinkLine(props: { to: string; label: string }) {
  return (
    <Text size="sm">
      <PageLink to={props.to}>{props.label}</PageLink>
    </Text>
  )
}

/** A button that looks like a link in a line of small print. */
export function ButtonLine(props: { label: string; onClick: () => void }) {
  return (
    <Text size="sm">
      <Anchor component="button" type="button" onClick={props.onClick}>
        {props.label}
      </Anchor>
    </Text>
  )
}

/** Sentences to look at before the person goes on; each may contain foreign text. */
export function Warnings({ title = 'Look twice', of }: { title?: string; of: readonly string[] }) {
  if (of.length === 0) return null
  return (
    <Alert role="alert" title={title}>
      <List listStyleType="none" spacing={6}>
        {of.map((words) => (
          <List.Item key={words}>
            <bdi>{words}</bdi>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

/** The parts of a page, each under its own address below `at`. */
export function Tabs(props: { label: string; at: string; current: string; of: Readonly<Record<string, string>> }) {
  return (
    <Group component="nav" gap="xs" aria-label={props.label}>
      {Object.entries(props.of).map(([path, title]) => (
        <NavLink
          key={path}
          w="auto"
          component={Link}
          to={`${props.at}${path && `/${path}`}`}
          label={title}
          active={path === props.current}
          aria-current={path === props.current ? 'page' : undefined}
        />
      ))}
    </Group>
  )
}

/** A result in words, which a screen reader says when it changes. */
export function Status({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" role="status">
      {children}
    </Text>
  )
}

/** A click on the button makes the submission `of`, with its `input`. */
type Acts<Input> = { of: Submission<Input>; input: Input } | { of: Submission; input?: undefined }
type OwnButtonProps<Input> = ButtonProps &
  ElementProps<'button', keyof ButtonProps> & { label?: string } & (Acts<Input> | { of?: undefined; input?: undefined })

export function MainButton<Input = void>({ label, children = label, of, input, ...props }: OwnButtonProps<Input>) {
  const acts = of && { loading: of.busy, onClick: () => void (of as Submission<Input>).submit(input as Input) }
  return (
    <Button {...acts} {...props}>
      {children}
    </Button>
  )
}

export function QuietButton<Input = void>(props: OwnButtonProps<Input>) {
  return <MainButton variant="default" {...props} />
}

export function ButtonLink({ label, ...props }: ButtonProps & Pick<LinkProps, 'to'> & { label: string }) {
  return (
    <Button component={Link} size="md" {...props}>
      {label}
    </Button>
  )
}

/** Asks before it acts. Red, unless the action is `mild`: it takes nothing away at once. */
export function SureButton<Input = void>(
  props: { label: string; sure?: string; mild?: true } & (Acts<Input> | { onSure: () => void; of?: undefined }),
) {
  const colour = props.mild ? {} : { color: 'red.9' }
  const { label, sure = `Yes, ${label.charAt(0).toLowerCase()}${label.slice(1)}` } = props
  const [asking, setAsking] = useState(false)
  if (!asking) return <QuietButton size="xs" label={label} onClick={() => setAsking(true)} />
  const onClick = () => {
    if (props.of) void (props.of as Submission<Input>).submit(props.input as Input)
    else props.onSure()
    setAsking(false)
  }
  const onBlur = () => setAsking(false)
  const loading = props.of?.busy ?? false
  return <MainButton {...colour} size="xs" autoFocus label={sure} {...{ loading, onBlur, onClick }} />
}
