import { checkable, type Indicator, indicatorKey, isIndicator } from '@assay/reader/indicator'
import type { MailReading, MailRole } from '@assay/reader/mail'
import { type CheckAnswer, KINDS } from '@assay/sdk'
import { CloseButton, Grid, Group, Text } from '@mantine/core'
import type { Billing } from '../api/organisation.ts'
import type { useHandOver } from '../shell/drops.tsx'
import { money } from '../shell/format.ts'
import { MainButton, Panel, Quiet, QuietButton, Warnings } from '../shell/page.tsx'
import { type Answered, levelMark, verdictOf } from './answered.ts'
import { MailFindings } from './known.tsx'

export interface Reading {
  readonly title: string
  readonly findings: readonly string[]
  readonly groups: readonly { readonly title: string; readonly indicators: readonly Indicator[] }[]
  readonly senders: MailReading['senders']
  readonly accounts: readonly string[]
  readonly attachments: readonly string[]
}

const ROLE_TITLES: Readonly<Record<MailRole, string>> = {
  from: 'Written by (From)',
  sender: 'Sent on their behalf by (Sender)',
  reply_to: 'Replies go to (Reply-To)',
  return_path: 'Sent from (Return-Path)',
  received: 'Received through (Received)',
  link: 'Its links lead to',
  text: 'In its text',
}

export function readingOfMail({ subject, indicators, ...rest }: MailReading): Reading {
  const roles = Object.keys(ROLE_TITLES) as MailRole[]
  return {
    ...rest,
    title: subject ? `In the mail “${subject}”` : 'In this mail',
    groups: roles
      .map((role) => ({
        title: ROLE_TITLES[role],
        indicators: indicators.filter((one) => one.role === role).map(({ indicator }) => indicator),
      }))
      .filter(({ indicators: own }) => own.length > 0),
  }
}

export function readingOfSeveral(indicators: readonly Indicator[], accounts: readonly string[] = []): Reading {
  const groups = indicators.length === 0 ? [] : [{ title: 'Choose one', indicators }]
  return { title: 'In this text', findings: [], groups, senders: [], accounts, attachments: [] }
}

interface FoundIndicatorsProps {
  readonly reading: Reading
  readonly answers: readonly Answered[]
  readonly choose: (value: string) => void
  /** Undefined while the text is still in the box. */
  readonly forget: (() => void) | undefined
  readonly billing: Billing | undefined
  /** Undefined for a role that may not check. */
  readonly checkAll: ((indicators: readonly Indicator[]) => void) | undefined
  readonly busy: boolean
  readonly handOver: ReturnType<typeof useHandOver>
}

const SHOWN_MAX = 12
/** More are checked as a list. */
const CHECKED_MAX = 20

/** The indicators of a pasted text as buttons. A button fills the box; nothing is spent before *Check*. */
export function FoundIndicators(props: FoundIndicatorsProps) {
  const { reading, answers, choose, forget } = props
  return (
    <Panel
      title={[{ name: reading.title }]}
      className="no-print"
      action={forget ? <CloseButton aria-label="Clear this text" onClick={forget} /> : null}
    >
      <Warnings of={reading.findings} />
      <MailFindings reading={reading} />
      {reading.accounts.length === 0 ? null : (
        <Quiet>
          Bank account: <bdi>{reading.accounts.join(', ')}</bdi>
          {reading.senders.length === 0 ? '. Check who sent it, then compare the account.' : ''}
        </Quiet>
      )}
      {reading.groups.map(({ title, indicators }) => (
        <Grid key={title} gap="xs" align="center">
          <Grid.Col span={{ base: 12, sm: 3 }}>
            <Quiet>{title}</Quiet>
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 9 }}>
            <Group gap="xs">
              {indicators.slice(0, SHOWN_MAX).map((indicator) => (
                <FoundButton key={indicatorKey(indicator)} {...{ indicator, answers, choose }} />
              ))}
            </Group>
            {indicators.length > SHOWN_MAX ? (
              <Text size="sm" mt={6}>
                And {indicators.length - SHOWN_MAX} more.
              </Text>
            ) : null}
          </Grid.Col>
        </Grid>
      ))}
      <CheckAll {...props} />
      {reading.attachments.length === 0 ? null : (
        <Quiet>
          Attached: <bdi>{reading.attachments.slice(0, SHOWN_MAX).join(', ')}</bdi>
        </Quiet>
      )}
    </Panel>
  )
}

/** All indicators without an answer, except private addresses and names that nobody can register. */
function CheckAll({ reading, answers, billing, checkAll, busy, handOver }: FoundIndicatorsProps) {
  const open = reading.groups
    .flatMap(({ indicators }) => indicators)
    .filter((one) => isIndicator(checkable(one)) && !answers.some(({ value }) => value === one.value))
  if (!checkAll || open.length < 2) return null
  const asList = () =>
    handOver('/console/bulk', { name: reading.title, source: open.map(({ value }) => value).join('\n') })
  return (
    <Group gap="sm">
      {open.length > CHECKED_MAX ? (
        <MainButton size="sm" onClick={asList} label={`Check all ${open.length} as a list`} />
      ) : (
        <MainButton size="sm" loading={busy} onClick={() => checkAll(open)} label={`Check all ${open.length}`} />
      )}
      {billing && open.length <= CHECKED_MAX ? <Quiet>{costOf(open, billing)}</Quiet> : null}
    </Group>
  )
}

function costOf(indicators: readonly Indicator[], { plan, free_units_left }: Billing): string {
  const prices = indicators.map(({ kind }) => plan.unit_price_pence[KINDS[kind].family]).sort((a, b) => b - a)
  // The dearest are counted: which of them are free depends on the order.
  const pence = prices.slice(0, Math.max(0, prices.length - free_units_left)).reduce((sum, price) => sum + price, 0)
  return pence === 0 ? 'Free' : `At most ${money(pence)}`
}

function FoundButton(props: Pick<FoundIndicatorsProps, 'answers' | 'choose'> & { indicator: Indicator }) {
  const { value } = props.indicator
  const answered = props.answers.find((answer) => answer.value === value)
  return (
    <QuietButton size="sm" h="auto" maw="100%" py={7} onClick={() => props.choose(value)}>
      <span className="wrapping">
        <bdi>{value}</bdi>
        {answered ? (
          <>
            {' '}
            <LevelMark result={answered.result} />
          </>
        ) : null}
      </span>
    </QuietButton>
  )
}

export function LevelMark({ result }: { result: CheckAnswer }) {
  return (
    <span className="level" style={{ textTransform: 'none' }} data-level={levelMark(result)}>
      {verdictOf(result)}
    </span>
  )
}
