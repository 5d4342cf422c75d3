import { type Level, levelOf } from './level.ts'

const RADIUS = 80
const ZONES: readonly (readonly [Level, number, number])[] = [
  ['low', 0, 29.3],
  ['medium', 30.7, 69.3],
  ['high', 70.7, 100],
]

function at(score: number, radius: number): string {
  const angle = Math.PI * (1 - score / 100)
  return `${(100 + radius * Math.cos(angle)).toFixed(2)} ${(100 - radius * Math.sin(angle)).toFixed(2)}`
}

const arc = (from: number, to: number) => `M${at(from, RADIUS)}A${RADIUS} ${RADIUS} 0 0 1 ${at(to, RADIUS)}`

const needle = (score: number) => `M${at(score, RADIUS - 24)}L${at(score, RADIUS + 13)}`

export function Gauge({ score }: { score: number }) {
  const level = levelOf(score)
  return (
    <svg
      className="gauge"
      viewBox="0 0 200 124"
      style={{ display: 'block', width: '100%', maxWidth: '15rem', margin: '0 auto' }}
      role="img"
      aria-label={`Score ${score} of 100, ${level} risk`}
    >
      {ZONES.map(([zone, from, to]) => (
        <g key={zone} data-level={zone} fill="none" stroke="var(--level-colour)" opacity={zone === level ? 1 : 0.28}>
          <path d={arc(from, to)} strokeWidth="14" />
        </g>
      ))}
      <path d={needle(score)} stroke="var(--assay-ink)" strokeWidth="4" strokeLinecap="round" />
      <text x="100" y="97" fontSize="40" fontWeight="600" textAnchor="middle" fill="var(--assay-ink)">
        {score}
      </text>
      <text x="100" y="118" fontSize="12" textAnchor="middle" fill="var(--assay-quiet)">
        of 100
      </text>
    </svg>
  )
}
