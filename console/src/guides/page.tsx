import { Anchor, Box, Divider, Grid, SimpleGrid, Text, Title } from '@mantine/core'
import { Heading, PageLink } from '../shell/page.tsx'
import { REFERENCE, Site } from '../shell/site.tsx'
import { LISTED } from './published.ts'

export function Component() {
  return (
    <Site>
      <Box className="site-width" pt={40}>
        <Heading>Guides</Heading>
        <Text c="dimmed" mt={6} maw="38rem">
          How to use Assay, build on it and run it. Every operation, field and error is in the{' '}
          <Anchor href={REFERENCE}>API reference</Anchor>.
        </Text>
        {LISTED.map(({ audience, words, guides }) => (
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
        ))}
      </Box>
    </Site>
  )
}
