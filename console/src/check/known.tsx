import type { Coverage, Knowledge } from '@assay/sdk'
import { Text } from '@mantine/core'
import { count, counted } from '../shell/money.ts'
import { ago } from '../shell/time.ts'
import { visible } from './visible.ts'

/** What the sources know, and which were asked: a low score that nobody vouches for must not read like a good name. */
export function KnownPanel({ coverage }: { coverage: Knowledge }) {
  return (
    <section className="panel" aria-labelledby="known">
      <h2 id="known">What is known</h2>
      <Text>
        <bdi>{visible(coverage.summary)}</bdi>
      </Text>
      <Text size="sm" c="dimmed" mt={6}>
        {coverage.known === 'nothing' ? 'That is not a clean bill of health: it may be new or rare.' : asked(coverage)}
      </Text>
    </section>
  )
}

function asked({ lists, popularity }: Coverage): string {
  const all = [`${counted(lists.sources, 'list')} (${count(lists.threat_sources)} of threats)${newest(lists.newest)}`]
  if (popularity.sources > 0) {
    all.push(`${counted(popularity.sources, 'list')} of much visited sites${newest(popularity.newest)}`)
  }
  return `Asked: ${all.join('; ')}.`
}

function newest(iso: string | null): string {
  return iso === null ? '' : `, newest from ${ago(iso)}`
}
