import { KIND_WORDS } from '@assay/reader/kinds'
import { Button, Group, Stack, Text } from '@mantine/core'
import type { Billing } from '../api/billing.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { capitalised, count, money } from '../shell/money.ts'
import { ago, moment } from '../shell/time.ts'
import { useOrganisation } from '../shell/use-organisation.ts'
import { useSession } from '../shell/use-session.ts'
import { type Answered, hasNothingToCheck, levelMark, verdictOf } from './answered.ts'
import { FactsPanel } from './facts.tsx'
import { Gauge } from './gauge.tsx'
import { KnownPanel } from './known.tsx'
import { BothForms, LookAlikePanel } from './names.tsx'
import { Signals } from './signals.tsx'
import { StepsPanel } from './steps.tsx'
import { summaryOf } from './summary.ts'

interface AnswerProps {
  readonly answer: Answered
  readonly billing: Billing | undefined
  readonly onTick: (step: number) => void
}

/** One answer, from the verdict down to its price: a person acts on the first screen, and finds the proof below. */
export function Answer({ answer, billing, onTick }: AnswerProps) {
  const { kind, result } = answer
  const { signals = [], coverage, facts, base_score } = result
  const nothing = hasNothingToCheck(result)
  return (
    <Stack gap="md" className="answer">
      <Verdict answer={answer} />
      {nothing ? null : (
        <>
          <LookAlikePanel value={answer.value} result={result} />
          <StepsPanel answer={answer} onTick={onTick} />
          {coverage ? <KnownPanel coverage={coverage} /> : null}
          {coverage && facts ? <FactsPanel kind={kind} facts={facts} live={coverage.live.status} /> : null}
          <section className="panel" aria-labelledby="why">
            <h2 id="why">Why {result.risk_score}</h2>
            <Signals signals={signals} start={base_score} score={result.risk_score} />
          </section>
        </>
      )}
      <Cost answer={answer} billing={billing} />
      <Text size="sm" c="dimmed">
        {result.intelligence
          ? `Answered from the intelligence ${result.intelligence.version}, built ${ago(result.intelligence.built_at)}. `
          : ''}
        One signal among others, not the sole control.
      </Text>
    </Stack>
  )
}

function Verdict({ answer }: { answer: Answered }) {
  const { kind, value, result, checkedAt } = answer
  const { user } = useSession()
  const organisation = useOrganisation()
  const who = `${user.name ?? user.email}, ${organisation.name}`
  const nothing = hasNothingToCheck(result)
  const action = nothing
    ? capitalised((result.coverage?.summary ?? '').replace(/^Nothing to check: /, ''))
    : `${capitalised(result.recommended_action ?? '')}.`
  return (
    <section className="panel verdict" data-level={levelMark(result)} aria-label="Result">
      {nothing ? null : <Gauge score={result.risk_score} />}
      <div>
        <p className="verdict-target">
          <bdi>{value}</bdi>{' '}
          <Text component="span" size="sm">
            ({KIND_WORDS[kind].one})
          </Text>
        </p>
        <p className="verdict-level">
          {verdictOf(result)}
          {nothing ? null : <span className="print-only">, {result.risk_score} of 100</span>}
        </p>
        <p className="verdict-action">{action}</p>
        <BothForms international={result.international} />
        <Group gap="sm" mt="sm" justify="space-between">
          <Text size="sm" c="dimmed">
            Checked {moment(checkedAt)}
            <span className="print-only"> by {who}</span>
          </Text>
          <Group gap="xs" className="no-print">
            <CopyButton value={summaryOf(answer, who)} label="summary" word="Copy summary" size="xs" />
            <Button variant="default" size="xs" onClick={() => window.print()}>
              Print
            </Button>
          </Group>
        </Group>
      </div>
    </section>
  )
}

function Cost({ answer: { result }, billing }: { answer: Answered; billing: Billing | undefined }) {
  return (
    <section className="panel no-print" aria-label="Cost">
      <dl className="figures">
        <div>
          <dt>This check cost</dt>
          <dd>{result.is_free ? 'Nothing' : money(result.total_price_pence)}</dd>
        </div>
        {result.overage_pence > 0 ? (
          <div>
            <dt>Of it beyond credit</dt>
            <dd>{money(result.overage_pence)}</dd>
          </div>
        ) : null}
        <div>
          <dt>Credit left</dt>
          <dd>{money(result.remaining_credit_pence)}</dd>
        </div>
        {billing && billing.free_units > 0 ? (
          <div>
            <dt>Free checks left this month</dt>
            <dd>{count(billing.free_units_left)}</dd>
          </div>
        ) : null}
      </dl>
    </section>
  )
}

/** The other answers of this visit, each named by what it is about; choosing one puts that back into the box. */
export function EarlierAnswers(props: { answers: readonly Answered[]; choose: (entry: string) => void }) {
  if (props.answers.length === 0) return null
  return (
    <section className="panel no-print" aria-labelledby="earlier">
      <h2 id="earlier">Earlier answers</h2>
      <ul className="earlier">
        {props.answers.map(({ entry, value, result, checkedAt }) => (
          <li key={entry}>
            <button type="button" onClick={() => props.choose(entry)}>
              <span className="earlier-name">
                Answer for <bdi>{value}</bdi>
                {result.international ? ` (${result.international.ascii})` : null}
              </span>
              <span className="level" data-level={levelMark(result)}>
                {verdictOf(result)}
              </span>
              <Text component="span" size="sm" c="dimmed">
                {ago(checkedAt)}
              </Text>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
