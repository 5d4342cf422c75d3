import { Group, NativeSelect, Radio, Text, Textarea } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { Body } from '../api/client.ts'
import { useMayDecide } from '../history/assigned-to.tsx'
import { EraseButton } from '../history/erase.tsx'
import { askerOf, type KeptCheck, nameOf } from '../history/words.ts'
import { Answers, DialogButton, Form, useFields } from '../shell/form.tsx'
import { moment, money } from '../shell/format.ts'
import { Facts, LinkLine, Panel, QuietButton } from '../shell/page.tsx'
import { useAbility, useChange, useFile } from '../shell/use-session.ts'

/** The person, time and price of a check, the proofs of it, and what somebody says against the answer. */
export function RecordPanel({ check }: { check: KeptCheck }) {
  const navigate = useNavigate()
  const mayManage = useAbility('manage')
  const mayDecide = useMayDecide(check.kind)
  const path = { check_id: check.id }
  const file = useFile((own, what: keyof typeof FILES) =>
    own.download({ ...FILES[what], options: { path }, fileName: `assay-${check.id}.${what}` }),
  )
  const { price, feedback, channel, indicator } = check
  return (
    <Panel title="On the record" className="no-print" error={file.error} failed="The file was not made">
      <Facts
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
        <QuietButton size="xs" loading={file.busy} onClick={() => file.submit('pdf')} label="Evidence as PDF" />
        <QuietButton size="xs" loading={file.busy} onClick={() => file.submit('jws')} label="Signed receipt" />
        {mayDecide ? <FeedbackButton check={check} /> : null}
        {mayManage && indicator !== null ? (
          <EraseButton indicator={indicator} onErased={() => navigate('/console/checks', { replace: true })} />
        ) : null}
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
const OWN_LISTS = [
  { value: '', label: 'Nothing else' },
  { value: 'allow', label: 'Add it to the allow list: always low' },
  { value: 'review', label: 'Add it to the review list: at least medium' },
  { value: 'block', label: 'Add it to the block list: always high' },
]

function FeedbackButton({ check }: { check: KeptCheck }) {
  return (
    <DialogButton label="This answer is wrong" title="This answer is wrong">
      {(close) => <FeedbackForm check={check} close={close} />}
    </DialogButton>
  )
}

function FeedbackForm({ check, close }: { check: KeptCheck; close: () => void }) {
  const mayManage = useAbility('manage')
  const { values, field } = useFields({
    wrong: check.feedback?.wrong ?? (check.risk === 'low' ? 'too_low' : 'too_high'),
    reason: check.feedback?.reason ?? '',
    own_list: '',
  } as Record<'wrong' | 'reason' | 'own_list', string>)
  const send = useChange(async (own, body: Body<'PUT /v1/checks/{check_id}/feedback'>, idempotencyKey) => {
    await own.call('PUT /v1/checks/{check_id}/feedback', { path: { check_id: check.id }, body, idempotencyKey })
    close()
  })
  const reason = values.reason.trim()
  function submit(): void {
    if (reason === '') return
    const list = OWN_LISTS.find(({ value }) => value !== '' && value === values.own_list)?.value
    send.submit({ wrong: values.wrong, reason, own_list: list ?? null } as Body<'PUT /v1/checks/{check_id}/feedback'>)
  }
  return (
    <Form label="This answer is wrong" onSubmit={submit}>
      <Text size="sm">
        The operator of this server reads the indicator, your reason and the signals that decided, to improve the
        answers.
      </Text>
      <Radio.Group
        label="In which way"
        {...field('wrong')}
        onChange={(value) => field('wrong').onChange({ currentTarget: { value } })}
      >
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
        <NativeSelect label="For your organisation, from now on" data={OWN_LISTS} {...field('own_list', send.error)} />
      ) : null}
      <Answers submission={send} yes="Send it" no="Leave it" onYes={submit} onNo={close} />
    </Form>
  )
}
