import { Group, Radio, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Body } from '../api/client.ts'
import { AssignedTo, useMayDecide } from '../history/assigned-to.tsx'
import { DecisionMark } from '../history/cells.tsx'
import { DECISION_NAMES, DECISIONS, type Decision, isWaiting, type KeptCheck, nameOf } from '../history/words.ts'
import { Form, useFields } from '../shell/form.tsx'
import { moment } from '../shell/format.ts'
import { MainButton, Panel, Quiet, QuietButton } from '../shell/page.tsx'
import { useChange, useSession } from '../shell/use-session.ts'

/** The decision about a check, by whom and why; the ticked steps are saved with it. */
export function DecisionPanel({ check, steps }: { check: KeptCheck; steps: readonly string[] }) {
  const { decision, review } = check
  const mayDecide = useMayDecide(check.kind)
  const { user } = useSession()
  const [changing, setChanging] = useState(false)
  const decide = useChange(async (own, body: Body<'PUT /v1/checks/{check_id}/decision'>, idempotencyKey) => {
    await own.call('PUT /v1/checks/{check_id}/decision', { path: { check_id: check.id }, body, idempotencyKey })
    setChanging(false)
  })
  const save = (name: Decision['decision'], note: string) =>
    decide.submit({ decision: name, note: note.trim() || null, steps: [...steps] })
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
