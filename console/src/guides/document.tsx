import { Box, Typography } from '@mantine/core'
import { createElement, type ReactNode } from 'react'
import { Link } from 'react-router'
import { titled } from '../shell/table.tsx'
import type { TreeElement, TreeNode } from './tree.ts'

export function Document({ body }: { body: readonly TreeNode[] }) {
  return <Typography className="guide-text">{body.map(draw)}</Typography>
}

function draw(node: TreeNode, at: number): ReactNode {
  return typeof node === 'string' ? node : drawElement(node, at)
}

function drawElement([tag, attributes, nodes]: TreeElement, key: number): ReactNode {
  const children = nodes.map(draw)
  const { id, href, guide, src, alt, start, column } = attributes
  switch (tag) {
    case 'a':
      return guide === undefined ? (
        <a key={key} href={href} {...(href?.startsWith('#') ? {} : { rel: 'noreferrer' })}>
          {children}
        </a>
      ) : (
        <Link key={key} to={`/guides/${guide}`}>
          {children}
        </Link>
      )
    case 'img':
      return <img key={key} src={src} alt={alt} loading="lazy" />
    // Both scroll by themselves where they are too wide, and take the focus so that the keyboard can scroll them.
    case 'pre':
      return (
        <Box key={key} component="pre" tabIndex={0}>
          {children}
        </Box>
      )
    case 'table':
      return (
        <Box key={key} component="div" className="scroll-x" mb="lg" tabIndex={0}>
          <table className={hasManyColumns(nodes) ? 'plain-table cards-when-narrow' : 'plain-table'}>{children}</table>
        </Box>
      )
    case 'td':
      return (
        <td key={key} style={titled(column ?? '')}>
          {children}
        </td>
      )
    case 'br':
    case 'hr':
      return createElement(tag, { key })
    default:
      return createElement(tag, { key, id, start }, children)
  }
}

/** Tables of two columns fit on a phone; rows of more become cards there. */
function hasManyColumns([head]: readonly TreeNode[]): boolean {
  const row = typeof head === 'object' ? head[2][0] : undefined
  return typeof row === 'object' && row[2].length > 2
}
