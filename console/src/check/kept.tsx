import { Alert, Group, NativeSelect, Radio, Text, Textarea } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { asAssayError, type Body } from '../api/client.ts'
import type { Billing } from '../api/organisation.ts'
import { AssignedTo, useMayDecide } from '../history/assigned-to.tsx'
import { EraseButton } from '../history/erase.tsx'
import {
  askerOf,
  DECISION_NAMES,
  DECISIONS,
  type Decision,
  DecisionMark,
  isWaiting,
  type KeptCheck,
  nameOf,
} from '../history/words.tsx'
import { Answers, DialogButton, Form, options, useFields } from '../shell/form.tsx'
import { moment, money } from '../shell/format.ts'
import { DescriptionList, LinkLine, Loaded, MainButton, Panel, Quiet, QuietButton } from '../shell/page.tsx'
import { useAbility, useCall, useFile, useSession } from '../shell/use-session.ts'
import { Answer } from './answer.tsx'
import type { Answered, useTicks } from './answered.ts'
import { nextSteps } from './words.ts'

/** A kept check with its record. `shown` is its answer of a moment ago: it is there before the record is read. */
export function Kept(props: {
  id: string
  query: UseQueryResult<KeptCheck>
  shown: Answered | undefined
  ticks: ReturnType<typeof useTicks>
  billing: Billing | undefined
  account: string
}) {
  const { id, query, shown, ticks, ...common } = props
  const { data: check, error } = query
  const answer = shown ?? (check && answeredIn(check))
  if (!check && !answer) {
    if (error && asAssayError(error).status === 404) {
      return (
        <Alert title="This check is not on record">
          It was erased, its days are over, it belongs to another organisation, or your role may not read it.
        </Alert>
      )
    }
    return <Loaded query={query}>{() => null}</Loaded>
  }
  const steps: readonly string[] = check ? nextSteps(check.kind, check.risk).steps : []
  const saved = check?.decision?.steps.map((step) => steps.indexOf(step)).filter((at) => at >= 0)
  const own = ticks(id, saved)
  const decision = check && <DecisionPanel check={check} steps={steps.filter((_, at) => own.ticked.includes(at))} />
  // One shape before and after the record is read: an answer that is drawn anew would lose what was typed into it.
  return (
    <>
      {answer ? (
        <Answer answer={answer} {...own} {...common}>
          {decision}
        </Answer>
      ) : (
        <>
          <Alert>The answer was sealed with a key that the server no longer has. It cannot be read.</Alert>
          {decision}
        </>
      )}
      {check ? <RecordPanel check={check} /> : null}
    </>
  )
}

function answeredIn({ indicator, answer, kind, asked_at, asked_by }: KeptCheck): Answered | undefined {
  if (indicator === null || answer === null) return undefined
  return { entry: '', kind, value: indicator, result: answer, checkedAt: asked_at, by: askerOf(asked_by) }
}

/** The decision about a check, by whom and why; the ticked steps are saved with it. */
function DecisionPanel({ check, steps }: { check: KeptCheck; steps: readonly string[] }) {
  const { decision, review } = check
  const mayDecide = useMayDecide(check.kind)
  const { user } = useSession()
  const [changing, setChanging] = useState(false)
  const decide = useCall('PUT /v1/checks/{check_id}/decision', () => setChanging(false))
  const save = (decision: Decision['decision'], note: string) =>
    decide.submit({ path: { check_id: check.id }, body: { decision, note: note.trim() || null, steps: [...steps] } })
  const waits = isWaiting(decision)
  const isSecond = waits && decision.by.id !== user.id
  const asks = mayDecide && (changing || decision === null)
  return (
    <Panel
      title="Decision and note"
      className={decision ? '' : 'no-print'}
      error={decide.error}
      failed="The decision was not saved"
    >
      {decision ? <Decided decision={decision} /> : mayDecide ? null : <Quiet>Nobody has decided yet.</Quiet>}
      {waits ? (
        <Text size="sm" role="status">
          {isSecond
            ? 'It counts when you make the same decision. Another decision replaces it and waits for a second person in turn.'
            : 'It counts when a second person makes the same decision.'}
        </Text>
      ) : null}
      {asks ? (
        <DecisionForm decision={isSecond ? null : decision} busy={decide.busy} save={save} />
      ) : mayDecide ? (
        <Group gap="sm" className="no-print">
          {isSecond ? (
            <MainButton
              size="sm"
              loading={decide.busy}
              onClick={() => save(decision.decision, '')}
              label={`Agree: ${DECISIONS[decision.decision].word.toLowerCase()}`}
            />
          ) : null}
          <QuietButton size="sm" onClick={() => setChanging(true)} label="Decide otherwise" />
        </Group>
      ) : null}
      {review?.state === 'open' || (mayDecide && (decision === null || waits)) ? (
        <Group gap="sm" className="no-print">
          <Quiet>{review?.state === 'open' ? 'To review, assigned to' : 'Or ask somebody to review it:'}</Quiet>
          <AssignedTo check={check} />
        </Group>
      ) : null}
    </Panel>
  )
}

function Decided({ decision }: { decision: Decision }) {
  const { note, by, at, second_by: second, second_at: secondAt } = decision
  return (
    <div>
      <DecisionMark of={decision} />
      {note ? (
        <Text mt={6} className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
          <bdi>{note}</bdi>
        </Text>
      ) : null}
      <Quiet>
        <bdi>{nameOf(by)}</bdi>, {moment(at)}
        {second ? (
          <>
            ; second: <bdi>{nameOf(second)}</bdi>, {moment(secondAt ?? at)}
          </>
        ) : null}
      </Quiet>
    </div>
  )
}

function DecisionForm(props: {
  decision: KeptCheck['decision']
  busy: boolean
  save: (name: Decision['decision'], note: string) => void
}) {
  const [chosen, setChosen] = useState<string>(props.decision?.decision ?? '')
  const { values, field } = useFields({ note: props.decision?.note ?? '' })
  const name = DECISION_NAMES.find((one) => one === chosen)
  return (
    <Form label="Decision" className="no-print" onSubmit={() => name && props.save(name, values.note)}>
      <Radio.Group aria-label="Decision" value={chosen} onChange={setChosen}>
        <Group gap="0.75rem 1.5rem" align="flex-start">
          {DECISION_NAMES.map((one) => (
            <Radio
              key={one}
              value={one}
              label={DECISIONS[one].word}
              description={DECISIONS[one].about}
              flex="1 1 11rem"
            />
          ))}
        </Group>
      </Radio.Group>
      <Textarea
        label="Note"
        placeholder="Verified by telephone with …"
        autosize
        minRows={2}
        maxLength={2000}
        {...field('note')}
      />
      <div>
        <MainButton type="submit" size="sm" loading={props.busy} disabled={!name} label="Save the decision" />
      </div>
    </Form>
  )
}

/** The person, time and price of a check, the proofs of it, and what somebody says against the answer. */
function RecordPanel({ check }: { check: KeptCheck }) {
  const mayManage = useAbility('manage')
  const mayDecide = useMayDecide(check.kind)
  const path = { check_id: check.id }
  const file = useFile((own, what: keyof typeof FILES) =>
    own.download({ ...FILES[what], options: { path }, fileName: `assay-${check.id}.${what}` }),
  )
  const { price, feedback, channel, indicator } = check
  return (
    <Panel title="On the record" className="no-print" error={file.error} failed="The file was not made">
      <DescriptionList
        of={{
          Asked: `${moment(check.asked_at)}, ${channel === 'console' ? 'in the console' : 'by the API'}`,
          By: <bdi>{askerOf(check.asked_by)}</bdi>,
          Cost: !price ? null : price.is_free ? 'Nothing' : money(price.total_price_pence),
          Check: <span className="mono">{check.id}</span>,
          Request: <span className="mono">{check.request_id}</span>,
          'Called wrong': feedback ? (
            <>
              <bdi>{nameOf(feedback.by)}</bdi>, {moment(feedback.at)}: {WRONG[feedback.wrong].toLowerCase()}.{' '}
              <bdi>{feedback.reason}</bdi>
            </>
          ) : null,
        }}
      />
      <Group gap="xs">
        <QuietButton size="xs" of={file} input="pdf" label="Evidence as PDF" />
        <QuietButton size="xs" of={file} input="jws" label="Signed receipt" />
        {mayDecide ? (
          <DialogButton label="This answer is wrong" title="This answer is wrong">
            <FeedbackForm check={check} />
          </DialogButton>
        ) : null}
        {mayManage && indicator !== null ? <EraseButton indicator={indicator} /> : null}
      </Group>
      <Group gap="0.25rem 1.5rem">
        {indicator === null ? null : (
          <LinkLine
            to={`/console/checks?indicator=${encodeURIComponent(indicator)}`}
            label="Every check of this indicator"
          />
        )}
        <LinkLine to="/receipt" label="Verify a receipt" />
      </Group>
    </Panel>
  )
}

const FILES = {
  pdf: { name: 'GET /v1/checks/{check_id}/evidence.pdf', type: 'application/pdf' },
  jws: { name: 'GET /v1/checks/{check_id}/receipt', type: 'application/jose' },
} as const

const WRONG = { too_high: 'It warns without need', too_low: 'It should have warned' } as const
const OWN_LISTS = {
  allow: 'Add it to the allow list: always low',
  review: 'Add it to the review list: at least medium',
  block: 'Add it to the block list: always high',
}
type Feedback = Body<'PUT /v1/checks/{check_id}/feedback'>

function FeedbackForm({ check }: { check: KeptCheck }) {
  const mayManage = useAbility('manage')
  const { values, field, set } = useFields({
    wrong: check.feedback?.wrong ?? (check.risk === 'low' ? 'too_low' : 'too_high'),
    reason: check.feedback?.reason ?? '',
    own_list: '',
  } as Record<'wrong' | 'reason' | 'own_list', string>)
  const send = useCall('PUT /v1/checks/{check_id}/feedback')
  const reason = values.reason.trim()
  const submit = () =>
    reason !== '' &&
    send.submit({
      path: { check_id: check.id },
      body: { wrong: values.wrong, reason, own_list: values.own_list || null } as Feedback,
    })
  return (
    <Form label="This answer is wrong" onSubmit={submit}>
      <Text size="sm">
        The operator of this server reads the indicator, your reason and the signals that decided, to improve the
        answers.
      </Text>
      <Radio.Group label="In which way" {...field('wrong')} onChange={(value) => set('wrong', value)}>
        <Group mt={4}>
          {Object.entries(WRONG).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
        {...field('reason', send.error)}
      />
      {mayManage ? (
        <NativeSelect
          label="For your organisation, from now on"
          data={options(OWN_LISTS, 'Nothing else')}
          {...field('own_list', send.error)}
        />
      ) : null}
      <Answers submission={send} yes="Send it" />
    </Form>
  )
}
