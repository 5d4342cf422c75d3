import type { Coverage, Knowledge } from '@assay/sdk'
import { Text } from '@mantine/core'
import { count, counted } from '../shell/money.ts'
import { ago } from '../shell/time.ts'

/** What the sources know, and which were asked: a low score that nobody vouches for must not read like a good name. */
export function KnownPanel({ coverage }: { coverage: Knowledge }) {
  return (
    <section className="panel" aria-labelledby="known">
      <h2 id="known">What is known</h2>
      <Text>{coverage.summary}</Text>
      <Text size="sm" c="dimmed" mt={6}>
        {consulted(coverage)}
      </Text>
    </section>
  )
}

function consulted({ lists, popularity, live }: Coverage): string {
  const asked = [`${counted(lists.sources, 'list')} (${count(lists.threat_sources)} of threats)${newest(lists.newest)}`]
  if (popularity.sources > 0) {
    asked.push(`${counted(popularity.sources, 'list')} of much visited sites${newest(popularity.newest)}`)
  }
  return `Asked: ${asked.join('; ')}. ${LIVE_WORDS[live.status]}`
}

function newest(iso: string | null): string {
  return iso === null ? '' : `, newest from ${ago(iso)}`
}

const LIVE_WORDS: Readonly<Record<Coverage['live']['status'], string>> = {
  complete: 'Live facts were looked up.',
  partial: 'Some live facts were looked up.',
  off: 'No live facts were looked up.',
}
