import type { Indicator } from '@assay/reader/indicator'
import { indicatorKey } from '@assay/reader/indicator'
import type { MailReading, MailRole } from '@assay/reader/mail'
import { Alert, Anchor, Button, CloseButton, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type Answered, levelMark, verdictOf } from './answered.ts'

/** What a pasted text holds: a mail, or several indicators in a table or a sentence. */
export interface Reading {
  readonly title: string
  /** What to look at twice, as sentences. */
  readonly findings: readonly string[]
  readonly groups: readonly { readonly title: string; readonly indicators: readonly Indicator[] }[]
}

const ROLE_TITLES: Readonly<Record<MailRole, string>> = {
  from: 'Written by (From)',
  sender: 'Sent for them by (Sender)',
  reply_to: 'An answer goes to (Reply-To)',
  return_path: 'Sent from (Return-Path)',
  received: 'Came by way of (Received)',
  link: 'Its links lead to',
  text: 'In its text',
}

export function readingOfMail({ subject, findings, indicators }: MailReading): Reading {
  const roles = Object.keys(ROLE_TITLES) as MailRole[]
  return {
    title: subject ? `In the mail “${subject}”` : 'In this mail',
    findings,
    groups: roles
      .map((role) => ({
        title: ROLE_TITLES[role],
        indicators: indicators.filter((one) => one.role === role).map(({ indicator }) => indicator),
      }))
      .filter(({ indicators: own }) => own.length > 0),
  }
}

export function readingOfSeveral(indicators: readonly Indicator[]): Reading {
  return { title: 'In this text', findings: [], groups: [{ title: 'Choose one', indicators }] }
}

interface FoundProps {
  readonly reading: Reading
  readonly answers: readonly Answered[]
  readonly choose: (value: string) => void
  /** Undefined where the text still stands in the box. */
  readonly forget: (() => void) | undefined
}

const SHOWN_MAX = 12

/** The indicators of a pasted text as buttons. A button fills the box; nothing is spent before *Check*. */
export function Found({ reading, answers, choose, forget }: FoundProps) {
  return (
    <section className="panel no-print" aria-labelledby="found">
      <div className="found-head">
        <h2 id="found">
          <bdi>{reading.title}</bdi>
        </h2>
        {forget ? <CloseButton aria-label="Forget this text" onClick={forget} /> : null}
      </div>
      <Stack gap="sm">
        {reading.findings.length === 0 ? null : (
          <Alert role="alert" title="Look twice">
            <ul className="findings">
              {reading.findings.map((finding) => (
                <li key={finding}>
                  <bdi>{finding}</bdi>
                </li>
              ))}
            </ul>
          </Alert>
        )}
        {reading.groups.map(({ title, indicators }) => (
          <div key={title} className="found-group">
            <Text size="sm" c="dimmed">
              {title}
            </Text>
            <div>
              <div className="found-buttons">
                {indicators.slice(0, SHOWN_MAX).map((indicator) => (
                  <FoundButton key={indicatorKey(indicator)} {...{ indicator, answers, choose }} />
                ))}
              </div>
              {indicators.length > SHOWN_MAX ? <More count={indicators.length - SHOWN_MAX} /> : null}
            </div>
          </div>
        ))}
      </Stack>
    </section>
  )
}

function FoundButton(props: Pick<FoundProps, 'answers' | 'choose'> & { indicator: Indicator }) {
  const { value } = props.indicator
  const answered = props.answers.find((answer) => answer.value === value)
  return (
    <Button variant="default" size="sm" className="found-button" onClick={() => props.choose(value)}>
      <bdi>{value}</bdi>
      {answered ? (
        <span className="level" data-level={levelMark(answered.result)}>
          {verdictOf(answered.result)}
        </span>
      ) : null}
    </Button>
  )
}

function More({ count }: { count: number }) {
  return (
    <Text size="sm" mt={6}>
      And {count} more. To check them all, open{' '}
      <Anchor component={Link} to="/console/bulk" size="sm">
        Check a list
      </Anchor>
      .
    </Text>
  )
}
