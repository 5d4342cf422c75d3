/** The interlaced line-work of banknotes and certificates, drawn from three numbers a ring. */

interface Ring {
  readonly radius: number
  readonly swing: number
  readonly waves: number
  readonly strands: number
}

const RINGS: readonly Ring[] = [
  { radius: 330, swing: 44, waves: 24, strands: 9 },
  { radius: 232, swing: 58, waves: 14, strands: 10 },
  { radius: 118, swing: 62, waves: 8, strands: 10 },
]

function strand({ radius, swing, waves }: Ring, phase: number): string {
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
