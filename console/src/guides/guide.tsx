import './guides.css'
import { Box, Grid, NavLink, Text, Typography } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createElement, type ReactNode, useLayoutEffect } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { Heading, Loaded, PageLink } from '../shell/page.tsx'
import { Site } from '../shell/site.tsx'
import { titled } from '../shell/table.tsx'
import { findGuide, LISTED, type PublishedGuide } from './published.ts'
import type { GuideDocument, TreeElement, TreeNode } from './tree.ts'

export function Component() {
  const { name } = useParams()
  const guide = findGuide(name)
  return (
    <Site>
      {/* Another guide is a new page: its heading takes the focus, and open sections close. */}
      <Grid className="site-width" gap={64} pt={40} key={name}>
        {guide ? (
          <Guide guide={guide} />
        ) : (
          <Grid.Col span={12}>
            <Heading>There is no such guide</Heading>
            <p>
              The address may be wrong. <PageLink to="/guides">See all guides</PageLink>.
            </p>
          </Grid.Col>
        )}
      </Grid>
    </Site>
  )
}

function Guide({ guide }: { guide: PublishedGuide }) {
  const document = useQuery({
    queryKey: ['guide', guide.name],
    queryFn: guide.load,
    // A document is part of the build and never changes while the page is open.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <>
      <Grid.Col span={{ base: 12, md: 3 }}>
        <GuideNavigation current={guide.name} sections={document.data?.sections ?? []} />
      </Grid.Col>
      <Grid.Col component="article" span={{ base: 12, md: 9 }} miw={0} maw="54rem">
        <Heading>{guide.title}</Heading>
        <Loaded query={document} heightPx={400}>
          {({ body }) => (
            <>
              <Typography className="guide-text">{body.map(draw)}</Typography>
              <GoToPlace />
            </>
          )}
        </Loaded>
      </Grid.Col>
    </>
  )
}

/** Scrolls to the anchor of the address. The browser looked for it before the document was loaded. */
function GoToPlace() {
  const { hash } = useLocation()
  useLayoutEffect(() => {
    // Ids consist of ASCII letters: no decoding is needed, and an unknown anchor does nothing.
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
  return null
}

function GuideNavigation({ current, sections }: { current: string; sections: GuideDocument['sections'] }) {
  const list = (
    <nav aria-label="Guides">
      {LISTED.map(({ audience, words, guides }) => (
        <div key={audience}>
          <Text size="xs" fw={600} c="dimmed" mt="md">
            {words}
          </Text>
          <ul className="bare" aria-label={words}>
            {guides.map(({ name, shortTitle }) => (
              <li key={name}>
                <NavLink
                  component={Link}
                  to={`/guides/${name}`}
                  label={shortTitle}
                  active={name === current}
                  aria-current={name === current ? 'page' : undefined}
                  py={4}
                />
                {name === current && sections.length > 0 ? (
                  <ul className="bare">
                    {sections.map(({ id, title: section }) => (
                      <li key={id}>
                        <NavLink href={`#${id}`} label={section} c="dimmed" py={2} pl="xl" />
                      </li>
                    ))}
                  </ul>
                ) : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
  return (
    <>
      <Box visibleFrom="md" pos="sticky" top="1.5rem" mah="calc(100dvh - 3rem)" style={{ overflowY: 'auto' }}>
        {list}
      </Box>
      <Box component="details" className="panel" hiddenFrom="md">
        <summary style={{ fontWeight: 600 }}>All guides</summary>
        {list}
      </Box>
    </>
  )
}

const draw = (node: TreeNode, at: number): ReactNode => (typeof node === 'string' ? node : drawElement(node, at))

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
      return <img key={key} width={320} src={src} alt={alt} loading="lazy" />
    // Both scroll on their own when too wide, and are focusable so that the keyboard can scroll them.
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

/** Tables of two columns fit on a phone; rows of wider tables become cards. */
function hasManyColumns([head]: readonly TreeNode[]): boolean {
  const row = typeof head === 'object' ? head[2][0] : undefined
  return typeof row === 'object' && row[2].length > 2
}
