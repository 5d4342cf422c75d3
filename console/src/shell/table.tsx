import { Box, Text } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { Quiet } from './page.tsx'

/** A part of the page that scrolls by itself. It takes the focus, so that the keyboard can scroll it too. */
export function Scroller(props: { className: string; label: string; ref?: Ref<HTMLElement>; children: ReactNode }) {
  return (
    <Box component="section" ref={props.ref} className={props.className} tabIndex={0} aria-label={props.label}>
      {props.children}
    </Box>
  )
}

/** The title of a column, what stands in its cells, and how: numbers to the right, times in one line. */
export type Column<Row> = readonly [
  title: string,
  cell: (row: Row) => ReactNode,
  look?: 'number' | 'when' | 'mono' | 'name',
]

/** A table whose rows become cards where the page is narrow, each cell with the title of its column. */
export function WideTable<Row extends { readonly id: string }>(props: {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** Said in place of a table without rows. */
  empty?: string
}) {
  if (props.rows.length === 0 && props.empty !== undefined) return <Quiet>{props.empty}</Quiet>
  return (
    <Scroller className="scroll-x" label={`${props.label}, table`}>
      <table className="plain-table cards-when-narrow">
        <thead>
          <tr>
            {props.columns.map(([title, , look]) => (
              <th key={title} className={look}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={row.id}>
              {props.columns.map(([title, cell, look]) => (
                <td key={title} className={look} style={titled(title)}>
                  {look === 'name' ? <bdi>{cell(row)}</bdi> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

/** The style of a cell of `cards-when-narrow`: the title stands before it in a card. */
export const titled = (title: string) => ({ '--column': JSON.stringify(title) }) as Record<string, string>

/** A cell of two lines; the second, in small print, is left out when it is empty. */
export function twoLines(first: ReactNode, second: ReactNode, look?: 'mono'): ReactNode {
  return (
    <>
      {first}
      {second === null || second === undefined || second === false ? null : (
        <Text size="xs" c="dimmed" className={look ?? ''}>
          {second}
        </Text>
      )}
    </>
  )
}
