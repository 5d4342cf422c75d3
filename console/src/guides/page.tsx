import { Box, Divider, Grid, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { withFilter } from '../shell/filters.ts'
import { Heading, Loaded, PageLink, Quiet } from '../shell/page.tsx'
import { Site } from '../shell/site.tsx'
import { LISTED } from './published.ts'
import { findPassages, passagesOf } from './search.ts'

export function Component() {
  const [address, setAddress] = useSearchParams()
  const wanted = address.get('search') ?? ''
  return (
    <Site>
      <Box className="site-width" pt={40}>
        <Heading>Guides</Heading>
        <Text c="dimmed" mt={6} maw="38rem">
          How to use Assay, build on it and run it. Every operation, field and error is in the{' '}
          <PageLink to="/docs" reloadDocument>
            API reference
          </PageLink>
          .
        </Text>
        <TextInput
          label="Search the guides"
          type="search"
          maw="38rem"
          mt="lg"
          value={wanted}
          onChange={({ currentTarget: { value } }) =>
            setAddress(withFilter(address, 'search', value), { replace: true })
          }
        />
        {wanted.trim() === '' ? <AllGuides /> : <PassagesFound wanted={wanted} />}
      </Box>
    </Site>
  )
}

/** Documents are loaded when somebody searches for the first time. */
function PassagesFound({ wanted }: { wanted: string }) {
  const passages = useQuery({
    queryKey: ['passages'],
    queryFn: async () => {
      const all = LISTED.flatMap(({ guides }) => guides)
      return (await Promise.all(all.map(async ({ name, load }) => passagesOf(name, await load())))).flat()
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Box mt="lg" aria-live="polite">
      <Loaded query={passages} heightPx={240}>
        {(all) => {
          const found = findPassages(all, wanted)
          if (found.length === 0) return <Quiet>No guide has all of these words. Try fewer of them.</Quiet>
          return (
            <Stack component="ul" className="bare" gap="md" maw="46rem">
              {found.map(({ to, title, excerpt }) => (
                <li key={to}>
                  <PageLink to={to} fw={600}>
                    {title}
                  </PageLink>
                  <Text c="dimmed">{excerpt}</Text>
                </li>
              ))}
            </Stack>
          )
        }}
      </Loaded>
    </Box>
  )
}

function AllGuides() {
  return LISTED.map(({ audience, words, guides }) => (
    <section key={audience} aria-labelledby={`for-${audience}`}>
      <Divider mt={40} mb="lg" />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 3 }}>
          <Title order={2} id={`for-${audience}`} fz="1.15rem">
            {words}
          </Title>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 9 }}>
          <SimpleGrid component="ul" className="bare" cols={{ base: 1, md: 2 }}>
            {guides.map(({ name, shortTitle, about }) => (
              <li key={name}>
                <PageLink to={`/guides/${name}`} fw={600}>
                  {shortTitle}
                </PageLink>
                <Text c="dimmed">{about}</Text>
              </li>
            ))}
          </SimpleGrid>
        </Grid.Col>
      </Grid>
    </section>
  ))
}
