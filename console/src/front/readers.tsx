import { Anchor, Box, SimpleGrid, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { BASE_PATH } from '../api/base.ts'
import { PageLink } from '../shell/links.tsx'
import { REFERENCE } from '../shell/site.tsx'

export function Part({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <Box component="section" className="site-width" mt={72} aria-labelledby={id}>
      <Title order={2} id={id} fz="1.65rem">
        {title}
      </Title>
      <Text c="dimmed" maw="46rem" mb="lg" mt={6}>
        {lead}
      </Text>
      {children}
    </Box>
  )
}

interface Reader {
  readonly who: string
  readonly why: string
  readonly guide: { readonly to: string; readonly words: string }
}

const READERS: readonly Reader[] = [
  {
    who: 'Accounts payable',
    why: 'An invoice names a new address or a new account. Check who wrote it before the payment run: one address, or the whole list from a spreadsheet.',
    guide: { to: '/guides/console', words: 'The console' },
  },
  {
    who: 'Procurement',
    why: 'A supplier applies. See since when its domain exists, who vouches for it, and whose name it comes close to.',
    guide: { to: '/guides/intelligence', words: 'How a score comes about' },
  },
  {
    who: 'Security operations',
    why: 'An address turns up in a log. Learn whether it is a resolver, an exit node or a known attacker, with the source and its date.',
    guide: { to: '/guides/feeds', words: 'Every source and its licence' },
  },
  {
    who: 'Developers',
    why: 'One request gives one answer, or ten thousand. Repeats are safe, every charge is in the answer, and the client is typed.',
    guide: { to: '/guides/api', words: 'The HTTP interface' },
  },
]

export function Readers() {
  return (
    <Part title="Who it is for">
      <SimpleGrid component="ul" className="bare" cols={{ base: 1, sm: 2, lg: 4 }} spacing="xl">
        {READERS.map(({ who, why, guide }) => (
          <Box component="li" key={who} pt="sm" style={{ borderTop: '2px solid var(--assay-accent)' }}>
            <Title order={3} fz="1.15rem">
              {who}
            </Title>
            <Text my="xs">{why}</Text>
            <PageLink to={guide.to}>{guide.words}</PageLink>
          </Box>
        ))}
      </SimpleGrid>
    </Part>
  )
}

const EXAMPLE = (origin: string) => `curl '${origin}/v1/payment-risk?explain=true' \\
  -H "x-api-key: $ASSAY_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"email":"accounts@supplier.example"}'`

export function Developers() {
  return (
    <Part
      title="In your own systems"
      lead={
        <>
          The <Anchor href={REFERENCE}>API reference</Anchor> names every operation, field and error. The{' '}
          <PageLink to="/guides/sdk">TypeScript client</PageLink> and the{' '}
          <PageLink to="/guides/cli">command line</PageLink> send lists of any length. All of it is in the{' '}
          <PageLink to="/guides">guides</PageLink>.
        </>
      }
    >
      {/* It takes the focus, so that the keyboard can scroll it. */}
      <Box component="pre" className="panel mono scroll-x" m={0} tabIndex={0} aria-label="A request">
        {EXAMPLE(window.location.origin + BASE_PATH)}
      </Box>
    </Part>
  )
}
