import { Group } from '@mantine/core'

/** The name beside the mark: the cut-cornered punch of an assay office, and an A whose bar is the beam of a balance. */
export function Wordmark({ inverted = false }: { inverted?: boolean }) {
  const punch = inverted ? '#f6f4ee' : 'var(--assay-accent)'
  const letter = inverted ? 'var(--assay-panel)' : 'var(--assay-page)'
  const line = { fill: 'none', strokeWidth: 2.6, strokeLinecap: 'round', strokeLinejoin: 'round' } as const
  const c = inverted ? '#f6f4ee' : 'var(--assay-ink)'
  return (
    <Group component="span" display="inline-flex" gap={10} ff="heading" fz="1.45rem" fw={600} c={c}>
      <svg width={30} height={30} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path fill={punch} d="M9 1h14l8 8v14l-8 8H9l-8-8V9z" />
        <path {...line} stroke={letter} d="M9.5 24 16 7.5 22.5 24M8 18.2h16" />
      </svg>
      <span>Assay</span>
    </Group>
  )
}

export type Outcome = 'done' | 'refused' | 'failed'

const STROKES: Readonly<Record<Outcome, { path: string; color: string }>> = {
  done: { path: 'M10 16.5 14.3 21 22.5 11.5', color: 'var(--assay-accent)' },
  refused: { path: 'M9.5 16h13', color: 'var(--assay-quiet)' },
  failed: { path: 'M16 9v9M16 22.5v.2', color: 'var(--assay-bad)' },
}

/** The mark again, as a seal on an outcome. The heading below it says the same in words. */
export function Seal({ outcome }: { outcome: Outcome }) {
  const { path, color } = STROKES[outcome]
  return (
    <svg color={color} width="56" height="72" viewBox="0 0 32 41" aria-hidden="true">
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinejoin="round"
        d="M9.5 2h13l7.5 7.5v13l-7.5 7.5h-13L2 22.5v-13z"
      />
      <path fill="none" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" d={path} />
    </svg>
  )
}

/** The interlaced line-work of banknotes and certificates, drawn from three numbers a ring. */

const RINGS = [
  { radius: 330, swing: 44, waves: 24, strands: 9 },
  { radius: 232, swing: 58, waves: 14, strands: 10 },
  { radius: 118, swing: 62, waves: 8, strands: 10 },
]

function strand({ radius, swing, waves }: (typeof RINGS)[number], phase: number): string {
  const steps = waves * 22
  const points = Array.from({ length: steps }, (_, step) => {
    const angle = (step / steps) * 2 * Math.PI
    const distance = radius + swing * Math.sin(waves * angle + phase) * (0.75 + 0.25 * Math.cos(phase))
    return `${(distance * Math.cos(angle)).toFixed(1)} ${(distance * Math.sin(angle)).toFixed(1)}`
  })
  return `M${points.join('L')}Z`
}

const PATHS = RINGS.map((ring) =>
  Array.from({ length: ring.strands }, (_, index) => strand(ring, (index / ring.strands) * 2 * Math.PI)).join(''),
)

export function Guilloche() {
  return (
    <svg className="guilloche" viewBox="-400 -400 800 800" aria-hidden="true" focusable="false">
      {PATHS.map((path, index) => (
        <path key={RINGS[index]?.radius} d={path} fill="none" stroke="currentColor" strokeWidth="0.9" />
      ))}
    </svg>
  )
}
