import { Box, Button, Skeleton, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, type Ref, useState } from 'react'
import { asAssayError } from '../api/client.ts'
import { Heading } from './heading.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import type { Words } from './words.ts'

/** The frame of a page of the console. */
export function ConsolePage({ title, lead, children }: { title: Words; lead: string; children: ReactNode }) {
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

/** A part of a page that is read from the server: its skeleton, its trouble, or itself. */
export function Loaded<Data>({
  query,
  heightPx = 120,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>
  heightPx?: number
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) {
    return (
      <Stack gap="sm" align="flex-start">
        <ProblemNotice error={asAssayError(query.error)} title="This part did not load" />
        <Button variant="default" size="sm" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Stack>
    )
  }
  return <Skeleton height={heightPx} aria-label="Loading" />
}

export function Panel({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = `panel-${title.toLowerCase().replace(/\W+/g, '-')}`
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** One number or word with its name, in a list of `figures`. */
export function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** Says what to do next where there is nothing yet. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

/** Asks once more before something that cannot be taken back. */
export function SureButton({
  label,
  sure,
  busy = false,
  onSure,
}: {
  label: string
  sure: string
  busy?: boolean
  onSure: () => void
}) {
  const [asking, setAsking] = useState(false)
  if (!asking) {
    return (
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  }
  return (
    <Button
      variant="filled"
      color="red.9"
      size="xs"
      autoFocus
      loading={busy}
      onBlur={() => setAsking(false)}
      onClick={() => {
        onSure()
        setAsking(false)
      }}
    >
      {sure}
    </Button>
  )
}

/** A part of the page that scrolls by itself. It takes the focus, so that the keyboard can scroll it too. */
export function Scroller(props: { className: string; label: string; ref?: Ref<HTMLElement>; children: ReactNode }) {
  return (
    <Box component="section" ref={props.ref} className={props.className} tabIndex={0} aria-label={props.label}>
      {props.children}
    </Box>
  )
}

/** The title of a column; of one with numbers as `{ number: title }`. */
export type Column = string | { readonly number: string }

const titleOf = (column: Column) => (typeof column === 'string' ? column : column.number)

/**
 * A table whose rows become cards where the page is narrow, each cell with the title of its column. Its children are its
 * rows. The titles reach the cells as properties of the style, so that no page writes them twice.
 */
export function WideTable(props: { label: string; columns: readonly Column[]; children: ReactNode }) {
  const titles = props.columns.map((column, index) => [`--column-${index + 1}`, JSON.stringify(titleOf(column))])
  return (
    <Scroller className="scroll-x" label={`${props.label}, table`}>
      <table className="plain-table cards-when-narrow" style={Object.fromEntries(titles)}>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={titleOf(column)} className={typeof column === 'string' ? undefined : 'number'}>
                {titleOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </Scroller>
  )
}

/** The state of a thing, in the colour of that state. */
export function State({ name, children = name }: { name: string; children?: ReactNode }) {
  return (
    <span className="state" data-state={name}>
      {children}
    </span>
  )
}
