import { useMemo } from 'react'
import { type Level, levelOf } from '../check/gauge.tsx'
import { count } from '../shell/money.ts'
import type { Run } from './run.ts'
import { standingOf } from './view.ts'

const LEVELS: readonly Level[] = ['low', 'medium', 'high']
const BINS = 20

/** How the scores spread, and how many records of each level there are. */
export function Distribution({ run: { scores, reserved } }: { run: Run }) {
  const { bins, levels, total, nothing } = useMemo(() => {
    const bins = Array.from({ length: BINS }, (_, bin) => ({ from: (bin * 100) / BINS, height: 0 }))
    const levels: Record<Level, number> = { low: 0, medium: 0, high: 0 }
    let total = 0
    let nothing = 0
    for (const [index, score] of scores.entries()) {
      if (score < 0) continue
      const standing = standingOf(score, reserved[index])
      if (standing === 'none') {
        nothing++
        continue
      }
      const bin = bins[Math.min(BINS - 1, Math.floor((score * BINS) / 100))]
      if (bin) bin.height++
      levels[standing]++
      total++
    }
    return { bins, levels, total, nothing }
  }, [scores, reserved])
  const most = Math.max(1, ...bins.map(({ height }) => height))
  const words = LEVELS.map((level) => `${count(levels[level])} ${level}`).join(', ')
  return (
    <section className="panel distribution" aria-labelledby="spread">
      <h2 id="spread">Levels</h2>
      <div className="distribution-grid">
        <dl className="figures">
          {LEVELS.map((level) => (
            <div key={level}>
              <dt>
                <span className="level" data-level={level}>
                  {level}
                </span>
              </dt>
              <dd>
                {count(levels[level])}{' '}
                <span className="share">{total === 0 ? 0 : Math.round((levels[level] / total) * 100)}%</span>
              </dd>
            </div>
          ))}
          {nothing > 0 ? (
            <div>
              <dt>Nothing to check</dt>
              <dd>{count(nothing)}</dd>
            </div>
          ) : null}
        </dl>
        <div className="histogram" role="img" aria-label={`Scores from 0 to 100: ${words}`}>
          {bins.map(({ from, height }) => (
            <span
              key={from}
              data-level={levelOf(from)}
              title={`Score ${from} and up: ${count(height)}`}
              // A single record is still to be seen beside a hundred thousand.
              style={{ height: height === 0 ? 0 : `${Math.max(4, (height / most) * 100)}%` }}
            />
          ))}
        </div>
      </div>
    </section>
  )
}
