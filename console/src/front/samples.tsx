import type { KINDS } from '@assay/sdk'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Sample } from '../api/generated/pages.ts'
import { samplesQuery } from '../api/samples.ts'
import { capitalised } from '../shell/money.ts'
import { day } from '../shell/time.ts'

const REASONS_MAX = 2

/** Three questions, and what the engine of this server says to them. */
export function Samples() {
  const samples = useQuery(samplesQuery)
  const builtAt = samples.data?.intelligence.built_at
  return (
    <section className="site-width front-samples" aria-labelledby="samples">
      <h2 id="samples">Three answers of this server</h2>
      {samples.isError ? (
        <p className="front-quiet">
          The engine of this server gives no samples at the moment. Come back a little later.
        </p>
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
        <p className="front-quiet">
          Given by its engine, from the intelligence of {day(builtAt)}. Scores go from 0 to 100: medium begins at 30,
          high at 70.
        </p>
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
    <article className="front-card" data-level={risk} aria-label={indicator}>
      <p className="front-occasion">{OCCASIONS[kind]}</p>
      <h3>{indicator}</h3>
      <p className="front-verdict">
        <span className="level" data-level={risk}>
          {capitalised(risk)} risk
        </span>
        <span className="front-score">
          {score}
          <span> of 100</span>
        </span>
      </p>
      <Scale score={score} />
      <ul>
        {reasons.length === 0 ? <li>{summary}</li> : null}
        {reasons.map(({ code, description }) => (
          <li key={code}>{description}</li>
        ))}
      </ul>
      <p className="front-action">
        <span>What to do</span> {capitalised(action)}.
      </p>
    </article>
  )
}

/** Where the score lies among the levels. The number beside it says the same. */
function Scale({ score }: { score: number }) {
  return (
    <div className="front-scale" aria-hidden="true">
      <span data-level="low" />
      <span data-level="medium" />
      <span data-level="high" />
      <i style={{ left: `${score}%` }} />
    </div>
  )
}
