import type { Coverage, Knowledge } from '@assay/sdk'
import { count, counted } from '../shell/money.ts'
import { Panel, Quiet } from '../shell/page.tsx'
import { ago } from '../shell/time.ts'
import { visible } from './visible.ts'

/** A low score that nobody vouches for must not read like a good name: so the sources are named. */
export function KnownPanel({ coverage }: { coverage: Knowledge }) {
  return (
    <Panel title="What is known">
      <bdi>{visible(coverage.summary)}</bdi>
      <Quiet>
        {coverage.known === 'nothing' ? 'That is not a clean bill of health: it may be new or rare.' : asked(coverage)}
      </Quiet>
    </Panel>
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
