import { LEVELS } from '@assay/sdk'
import { useMemo } from 'react'
import { type Level, levelOf } from '../check/level.ts'
import { count, counted } from '../shell/money.ts'
import type { Answered } from './answered.ts'
import { type List, standingOf } from './list.ts'
import { hasScore } from './table.ts'

const LEVEL_NAMES = Object.keys(LEVELS) as Level[]
const BINS = 20
/** Where the score begins and ends, and where the levels meet. */
const MARKS = [...Object.values(LEVELS).map(({ from }) => from), 100]

/** How the scores spread, and how many rows of each level there are. */
export function Distribution({ list, answered }: { list: List; answered: Answered }) {
  const { rows } = answered
  const bins = useMemo(() => binsOf(list, answered), [list, answered])
  const most = Math.max(1, ...bins.map(({ height }) => height))
  const total = LEVEL_NAMES.reduce((sum, level) => sum + rows[level], 0)
  const words = LEVEL_NAMES.map((level) => `${count(rows[level])} ${level}`).join(', ')
  return (
    <section className="panel distribution" aria-labelledby="spread">
      <h2 id="spread">Levels</h2>
      <div className="distribution-grid">
        <dl className="figures">
          {LEVEL_NAMES.map((level) => (
            <div key={level}>
              <dt>
                <span className="level" data-level={level}>
                  {level}
                </span>
              </dt>
              <dd>
                {count(rows[level])}{' '}
                <span className="share">{total === 0 ? 0 : Math.round((rows[level] / total) * 100)}%</span>
              </dd>
            </div>
          ))}
          {rows.nothing > 0 ? (
            <div>
              <dt>Nothing to check</dt>
              <dd>{count(rows.nothing)}</dd>
            </div>
          ) : null}
        </dl>
        <div>
          <div className="histogram" role="img" aria-label={`Scores from 0 to 100: ${words}`}>
            {bins.map(({ from, height }) => (
              <span
                key={from}
                data-level={levelOf(from)}
                title={`Score ${from} and up: ${counted(height, 'row')}`}
                // A single row is still to be seen beside a hundred thousand.
                style={{ height: height === 0 ? 0 : `${Math.max(4, (height / most) * 100)}%` }}
              />
            ))}
          </div>
          <div className="histogram-axis" aria-hidden="true">
            {MARKS.map((mark) => (
              <span key={mark} style={{ left: `${mark}%` }}>
                {mark}
              </span>
            ))}
          </div>
        </div>
      </div>
    </section>
  )
}

function binsOf({ times }: List, { scores, standings }: Answered): { readonly from: number; height: number }[] {
  const bins = Array.from({ length: BINS }, (_, bin) => ({ from: (bin * 100) / BINS, height: 0 }))
  for (const [record, score] of scores.entries()) {
    if (!hasScore(standingOf(standings[record]))) continue
    const bin = bins[Math.min(BINS - 1, Math.floor((score * BINS) / 100))]
    if (bin) bin.height += times[record] ?? 0
  }
  return bins
}
