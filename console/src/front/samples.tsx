import type { KINDS } from '@assay/sdk'
import { Box, Divider, Group, List, Paper, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { server } from '../api/client.ts'
import type { Sample } from '../api/generated/pages.ts'
import { capitalised, day } from '../shell/format.ts'

const REASONS_MAX = 2

export function Samples() {
  const samples = useQuery({
    queryKey: ['samples'],
    queryFn: ({ signal }) => server.call('GET /api/samples', { signal }),
  })
  const builtAt = samples.data?.intelligence.built_at
  return (
    <section className="site-width front-samples" aria-labelledby="samples">
      <Title order={2} id="samples" fz="md" ff="text" mb="sm" c="#f6f4ee">
        Three answers of this server
      </Title>
      {samples.isError ? (
        <Paper className="panel" c="dimmed">
          The engine of this server gives no samples at the moment. Come back a little later.
        </Paper>
      ) : samples.data ? (
        <div className="front-cards">
          {samples.data.samples.map((sample) => (
            <SampleCard key={sample.indicator} sample={sample} />
          ))}
        </div>
      ) : (
        <Skeleton height={320} aria-label="Loading" />
      )}
      {builtAt ? (
        <Text size="sm" c="dimmed" mt="md">
          Given by its engine, from the intelligence of {day(builtAt)}. Scores go from 0 to 100: medium begins at 30,
          high at 70.
        </Text>
      ) : null}
    </section>
  )
}

const OCCASIONS: Readonly<Record<keyof typeof KINDS, string>> = {
  email: 'An address on an invoice',
  domain: 'The domain of a supplier',
  ip: 'A visitor in a log',
}

function SampleCard({ sample }: { sample: Sample }) {
  const { kind, indicator, risk, risk_score: score, recommended_action: action, signals, summary } = sample
  const reasons = signals.filter(({ effect }) => effect !== 0).slice(0, REASONS_MAX)
  return (
    <article className="panel front-card" data-level={risk} aria-label={indicator}>
      <Text size="xs" c="dimmed">
        {OCCASIONS[kind]}
      </Text>
      <Title order={3} ff="monospace" fz="1.0625rem" className="breakable">
        {indicator}
      </Title>
      <Group justify="space-between" mt="md" ff="heading" fz="1.35rem">
        <span className="level" style={{ textTransform: 'none' }} data-level={risk}>
          {capitalised(risk)} risk
        </span>
        <Text fz="1.35rem" fw={600} className="tabular">
          {score}
          <Text span size="xs" c="dimmed">
            {' '}
            of 100
          </Text>
        </Text>
      </Group>
      <Scale score={score} />
      <List size="sm" mb="md" className="breakable">
        {reasons.length === 0 ? <List.Item>{summary}</List.Item> : null}
        {reasons.map(({ code, description }) => (
          <List.Item key={code}>{description}</List.Item>
        ))}
      </List>
      <div className="front-action">
        <Divider mb="sm" />
        <Text size="xs" c="dimmed">
          What to do
        </Text>
        <Text fw={600}>{capitalised(action)}.</Text>
      </div>
    </article>
  )
}

function Scale({ score }: { score: number }) {
  return (
    <Box aria-hidden pos="relative" display="grid" m="0.6rem 0 0.9rem" style={SCALE}>
      {(['low', 'medium', 'high'] as const).map((level) => (
        <Box key={level} data-level={level} h={5} bg="var(--level-colour)" opacity={0.45} />
      ))}
      <Box pos="absolute" top={-5} left={`${score}%`} w={3} h={15} ml={-1.5} bg="var(--assay-ink)" />
    </Box>
  )
}

/** Each of the three parts is as wide as its level. */
const SCALE = { gridTemplateColumns: '30fr 40fr 30fr', gap: 2 }
