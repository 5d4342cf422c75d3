import './check.css'
import { factRows } from '@assay/reader/facts'
import { KIND_WORDS } from '@assay/reader/kinds'
import { compareNames, differencesInWords, type Stretch, seenName } from '@assay/reader/look-alike'
import { type CheckAnswer, type Coverage, type Kind, type Knowledge, LEVELS, liveNote } from '@assay/sdk'
import { Checkbox, Group, List, Stack, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Billing } from '../api/organisation.ts'
import { CopyButton } from '../shell/form.tsx'
import { ago, capitalised, count, counted, day, moment, money } from '../shell/format.ts'
import { DescriptionList, Figures, PageLink, Panel, Quiet, QuietButton } from '../shell/page.tsx'
import { useOrganisation, useSession } from '../shell/use-session.ts'
import { Said } from '../shell/words.ts'
import { type Answered, hasNothingToCheck, levelMark, verdictOf } from './answered.ts'
import { LevelMark } from './found.tsx'
import { AccountPanel, OwnPanel } from './known.tsx'
import { Signals } from './signals.tsx'
import { summaryOf } from './summary.ts'
import { type Level, levelOf, nextSteps, visible } from './words.ts'

export function Answer(props: {
  answer: Answered
  billing: Billing | undefined
  /** A bank account from the pasted text. */
  account: string
  ticked: readonly number[]
  onTick: (step: number) => void
  /** The decision about a kept check: below its steps. */
  children?: ReactNode
}) {
  const { answer, billing, account, children, ...ticks } = props
  const { result } = answer
  const { changed_since } = result
  const nothing = hasNothingToCheck(result)
  return (
    <Stack gap="md" className="answer">
      <Verdict answer={answer} who={useAsker(answer)} ticked={ticks.ticked} />
      {changed_since ? <SincePanel {...changed_since} /> : null}
      {nothing ? null : (
        <>
          <OwnPanel result={result} />
          <LookAlikePanel value={answer.value} result={result} />
          <AccountPanel key={`${answer.value} ${account}`} answer={answer} suggested={account} />
          <StepsPanel answer={answer} {...ticks} isKept={children !== undefined} />
        </>
      )}
      {children}
      <Reasons answer={answer} />
      {billing ? (
        <section className="panel no-print" aria-label="Cost">
          <Figures
            of={{
              'This check cost': result.is_free ? 'Nothing' : money(result.total_price_pence),
              'Part beyond credit': result.overage_pence > 0 && money(result.overage_pence),
              'Credit left': money(result.remaining_credit_pence),
              'Free checks left this month': billing.free_units > 0 && count(billing.free_units_left),
            }}
          />
        </section>
      ) : null}
      <Quiet>
        {result.intelligence
          ? `Answered from the intelligence ${result.intelligence.version}, built ${ago(result.intelligence.built_at)}. `
          : ''}
        One signal among others, not the sole control.
        {result.check_id === undefined && answer.by === undefined
          ? ' This answer is not kept: your organisation keeps no history.'
          : ''}
      </Quiet>
    </Stack>
  )
}

/** A stranger's free check: as the answer of a member, without what only an organisation has. */
export function TriedAnswer({ answer }: { answer: Answered }) {
  return (
    <Stack gap="md" className="answer">
      <Verdict answer={answer} who="a free check" ticked={[]} />
      <LookAlikePanel value={answer.value} result={answer.result} />
      <Reasons answer={answer} />
    </Stack>
  )
}

function Reasons({ answer: { kind, result } }: { answer: Answered }) {
  const { signals, coverage, facts, base_score: start, risk_score: score } = result
  if (hasNothingToCheck(result)) return null
  return (
    <>
      {coverage ? <KnownPanel coverage={coverage} risk={result.risk} /> : null}
      {coverage && facts ? <FactsPanel kind={kind} facts={facts} live={coverage.live} /> : null}
      <Panel title={`Why ${score}`}>
        {signals ? (
          <Signals signals={signals} start={start} score={score} />
        ) : (
          <Quiet>The program that asked did not ask for reasons, so none are on record.</Quiet>
        )}
      </Panel>
    </>
  )
}

/** The difference to the last kept check of the same indicator. */
function SincePanel({ check_id, asked_at, risk, risk_score, changes }: NonNullable<CheckAnswer['changed_since']>) {
  return (
    <Panel title="Since the last check">
      <List listStyleType="none" spacing={4}>
        {(changes.length === 0 ? ['Nothing has changed.'] : changes).map((words) => (
          <List.Item key={words}>
            <bdi>{visible(words)}</bdi>
          </List.Item>
        ))}
      </List>
      <Quiet>
        <PageLink to={`/console/checks/${check_id}`}>The answer of {day(asked_at)}</PageLink>: {risk}, {risk_score} of
        100.
      </Quiet>
    </Panel>
  )
}

function useAsker({ by }: Answered): string {
  const { user } = useSession()
  return `${by ?? user.name ?? user.email}, ${useOrganisation().name}`
}

function Verdict({ answer, who, ticked }: { answer: Answered; who: string; ticked: readonly number[] }) {
  const { kind, value, result, checkedAt } = answer
  const nothing = hasNothingToCheck(result)
  const action = nothing
    ? capitalised((result.coverage?.summary ?? '').replace(/^Nothing to check: /, ''))
    : // A list may be asked without explanations.
      result.recommended_action === undefined
      ? nextSteps(kind, result.risk).short
      : `${capitalised(result.recommended_action)}.`
  return (
    <section className="panel verdict" data-level={levelMark(result)} aria-label="Result">
      {nothing ? null : <Gauge score={result.risk_score} />}
      <div>
        <Text c="dimmed" mb="xs" className="breakable">
          <bdi>{value}</bdi>{' '}
          <Text component="span" size="sm">
            ({KIND_WORDS[kind].one})
          </Text>
        </Text>
        <Text c="var(--level-ink)" ff="heading" fz="1.9rem" lh={1.2} fw={600}>
          {verdictOf(result)}
          {nothing ? null : <span className="print-only">, {result.risk_score} of 100</span>}
        </Text>
        <Text className="verdict-action" fz="1.2rem" mt={6}>
          {action}
        </Text>
        <BothForms international={result.international} />
        <Group gap="sm" mt="sm" justify="space-between">
          <Text size="sm" c="dimmed">
            Checked {moment(checkedAt)}
            <span className={answer.by === undefined ? 'print-only' : undefined}> by {who}</span>
          </Text>
          <Group gap="xs" className="no-print">
            <CopyButton value={summaryOf(answer, ticked, who)} label="summary" word="Copy summary" size="xs" />
            <QuietButton size="xs" onClick={() => window.print()} label="Print" />
          </Group>
        </Group>
      </div>
    </section>
  )
}

export function EarlierAnswers(props: { answers: readonly Answered[]; choose: (entry: string) => void }) {
  if (props.answers.length === 0) return null
  return (
    <Panel title="Earlier answers" className="no-print">
      <ul className="bare lines-between">
        {props.answers.map(({ entry, value, result, checkedAt }) => (
          <li key={entry}>
            <UnstyledButton w="100%" py="xs" onClick={() => props.choose(entry)}>
              <Group gap="0.15rem 1rem">
                <Text component="span" flex="1 1 14rem" td="underline" className="breakable">
                  Answer for <bdi>{value}</bdi>
                  {result.international ? ` (${result.international.ascii})` : null}
                </Text>
                <LevelMark result={result} />
                <Text component="span" size="sm" c="dimmed">
                  {ago(checkedAt)}
                </Text>
              </Group>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The person's ticks: they are printed, and a decision keeps them. */
function StepsPanel(props: {
  answer: Answered
  ticked: readonly number[]
  onTick: (step: number) => void
  isKept: boolean
}) {
  const { answer, ticked, onTick } = props
  const { steps } = nextSteps(answer.kind, answer.result.risk)
  return (
    <Panel title="What to do">
      <Stack gap="sm" component="ol" className="bare steps">
        {steps.map((step, index) => (
          <li key={step}>
            <Checkbox size="md" label={step} checked={ticked.includes(index)} onChange={() => onTick(index)} />
          </li>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" className="no-print">
        {props.isKept
          ? 'Ticks are kept with the decision below, and appear in the copy and the print.'
          : 'Ticks are for you: they stay until you leave the page, and appear in the copy and the print.'}
      </Text>
    </Panel>
  )
}

/** Names the sources: a low score without any source must not look like a good reputation. */
function KnownPanel({ coverage, risk }: { coverage: Knowledge; risk: Level }) {
  return (
    <Panel title="What is known">
      <bdi>{visible(coverage.summary)}</bdi>
      <Quiet>
        {coverage.known === 'nothing' && risk === 'low'
          ? 'This does not mean that it is safe: it may be new or rare.'
          : asked(coverage)}
      </Quiet>
    </Panel>
  )
}

function asked({ lists, popularity }: Coverage): string {
  const threats = lists.threat_sources === 0 ? ', no threat list' : ` (${count(lists.threat_sources)} of threats)`
  const all = [`${counted(lists.sources, 'list')}${threats}${newest(lists.newest)}`]
  if (popularity.sources > 0) {
    all.push(`${counted(popularity.sources, 'list')} of popular sites${newest(popularity.newest)}`)
  }
  return `Asked: ${all.join('; ')}.`
}

const newest = (iso: string | null) => (iso === null ? '' : `, newest from ${ago(iso)}`)

const RADIUS = 80
const ZONE_GAP = 0.7
const ZONES = {
  low: [LEVELS.low.from, LEVELS.medium.from - ZONE_GAP],
  medium: [LEVELS.medium.from + ZONE_GAP, LEVELS.high.from - ZONE_GAP],
  high: [LEVELS.high.from + ZONE_GAP, 100],
} as const

function at(score: number, radius: number): string {
  const angle = Math.PI * (1 - score / 100)
  return `${(100 + radius * Math.cos(angle)).toFixed(2)} ${(100 - radius * Math.sin(angle)).toFixed(2)}`
}

const arc = (from: number, to: number) => `M${at(from, RADIUS)}A${RADIUS} ${RADIUS} 0 0 1 ${at(to, RADIUS)}`

const needle = (score: number) => `M${at(score, RADIUS - 24)}L${at(score, RADIUS + 13)}`

function Gauge({ score }: { score: number }) {
  const level = levelOf(score)
  return (
    <svg
      className="gauge no-print"
      viewBox="0 0 200 124"
      style={{ width: '100%', maxWidth: '15rem', margin: '0 auto' }}
      role="img"
      aria-label={`Score ${score} of 100, ${level} risk`}
    >
      {Object.entries(ZONES).map(([zone, [from, to]]) => (
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

/** The checked name above the real one, aligned letter by letter; differences are also explained in words. */
function LookAlikePanel({ value, result }: { value: string; result: CheckAnswer }) {
  const { resembles = [], international } = result
  if (resembles.length === 0) return null
  const name = seenName(value, international?.unicode)
  return (
    <Panel title="Not the name it may be taken for">
      {resembles.map((real) => (
        <NamePair key={real} name={name} real={real} />
      ))}
    </Panel>
  )
}

function NamePair({ name, real }: { name: string; real: string }) {
  const stretches = compareNames(name, real)
  const words = differencesInWords(stretches)
  return (
    <div>
      <DescriptionList
        of={{
          'This one': <Letters stretches={stretches} side="seen" />,
          'Real one': <Letters stretches={stretches} side="real" />,
        }}
      />
      <Text mt="xs">
        <bdi>{visible(name)}</bdi> is not <bdi>{visible(real)}</bdi>
        {words === '' ? '.' : <>: {visible(words)}.</>}
      </Text>
    </div>
  )
}

function Letters({ stretches, side }: { stretches: readonly Stretch[]; side: keyof Stretch }) {
  return (
    <bdi className="name-letters">
      {stretches.map((stretch, index) => {
        const text = visible(stretch[side])
        const key = `${index} ${text}`
        if (stretch.seen === stretch.real) return <span key={key}>{text}</span>
        const missing = Math.max(visible(stretch.seen).length, visible(stretch.real).length) - text.length
        return (
          <mark key={key}>
            {text}
            <span aria-hidden="true">{'\u00a0'.repeat(missing)}</span>
          </mark>
        )
      })}
    </bdi>
  )
}

function BothForms({ international }: { international: CheckAnswer['international'] | undefined }) {
  if (!international) return null
  return (
    <Text size="sm" mt={4}>
      The name reads <bdi className="mono">{visible(international.unicode)}</bdi> and is{' '}
      <bdi className="mono">{international.ascii}</bdi> in the DNS.
      {international.mixed === null ? null : (
        <>
          {' '}
          <span className="fact-mark">Mixed alphabets</span> <bdi>{visible(international.mixed)}</bdi>.
        </>
      )}
    </Text>
  )
}

/** Facts about a name or an address, each with its time. */
export function FactsPanel({
  kind,
  facts,
  live,
}: {
  kind: Kind
  facts: NonNullable<CheckAnswer['facts']>
  live: Coverage['live']
}) {
  const rows = factRows(facts, { kind, nowMs: Date.now(), day })
  const note = liveNote(live) ?? (rows.length === 0 ? 'Nothing was found.' : undefined)
  return (
    <Panel title={kind === 'email' ? 'Facts about its domain' : 'Facts'}>
      {rows.length === 0 ? null : (
        <dl className="seen-facts lines-between">
          {rows.map(({ term, words, mark, seenAt }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>
                {mark ? <span className="fact-mark">{mark}</span> : null} <Said of={words} />
              </dd>
              <dd className="fact-seen" title={moment(seenAt)}>
                seen {ago(seenAt)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {note ? <Quiet>{note}</Quiet> : null}
    </Panel>
  )
}
