import { NumberInput, Radio, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer, Body } from '../api/client.ts'
import { Form } from '../shell/form.tsx'
import { counted } from '../shell/format.ts'
import { Loaded, MainButton, Panel, problemAt } from '../shell/page.tsx'
import { type Submission, useAbility, useOrganisation, useSettings } from '../shell/use-session.ts'

type Organisation = Answer<'GET /v1/organisation'>
type Settings = Body<'PATCH /v1/organisation'>
const DAYS = { min: 1, max: 3650 }

const MODES = {
  console: {
    word: 'Checks in the console',
    about: 'Checks that people make here, single or in a list. Calls of programs are not kept.',
  },
  all: { word: 'All checks', about: 'Also those of API keys and applications.' },
  off: { word: 'Nothing', about: 'An answer is shown once. Checks that are kept already stay until their days end.' },
} as const satisfies Record<Organisation['history'], object>

/** The settings of the history: owners and admins change them, others read them. */
export function Keeping() {
  const mayManage = useAbility('manage')
  const { role } = useOrganisation()
  const { settings, change } = useSettings()
  return (
    <Panel
      title="What is kept"
      lead="A kept check has the question, the answer with its reasons, who asked and when, the price and the decision. You can find it again, show it to an auditor and prove it. A low answer to a program keeps its reasons only if the program asked for them. Indicators are stored encrypted."
      error={change.error}
      failed="Nothing was changed"
    >
      <Loaded query={settings} heightPx={160}>
        {({ data, etag }) => (
          <>
            {mayManage ? (
              <KeepingForm key={etag} organisation={data} change={change} />
            ) : (
              <Text size="sm">
                {MODES[data.history].word}, for {counted(data.history_days, 'day')}.
              </Text>
            )}
            {role === 'owner' ? (
              <Switch
                label="Approved and false alarm need two people"
                description="The decision waits until another person makes the same one."
                checked={data.decisions_need_two}
                disabled={change.busy}
                onChange={(event) => change.submit({ decisions_need_two: event.currentTarget.checked })}
              />
            ) : (
              <Text size="sm">
                {data.decisions_need_two
                  ? 'Approved and false alarm need two people.'
                  : 'One person decides about a check. An owner can ask for two.'}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function KeepingForm({ organisation, change }: { organisation: Organisation; change: Submission<Settings> }) {
  const [history, setHistory] = useState<string>(organisation.history)
  const [days, setDays] = useState<number | string>(organisation.history_days)
  const isChanged = history !== organisation.history || days !== organisation.history_days
  const isFine = typeof days === 'number' && isChanged
  const submit = () => isFine && change.submit({ history: history as Organisation['history'], history_days: days })
  return (
    <Form label="What is kept" onSubmit={submit}>
      <Radio.Group label="Keep" value={history} onChange={setHistory}>
        <Stack gap="xs" mt={4}>
          {Object.entries(MODES).map(([value, { word, about }]) => (
            <Radio key={value} value={value} label={word} description={about} />
          ))}
        </Stack>
      </Radio.Group>
      <NumberInput
        label="Days"
        description="Older checks are erased. The ledger keeps what they cost."
        maw="16rem"
        {...DAYS}
        allowDecimal={false}
        value={days}
        onChange={setDays}
        error={problemAt(change.error, 'history_days')}
      />
      <div>
        <MainButton type="submit" loading={change.busy} disabled={!isFine} label="Save" />
      </div>
    </Form>
  )
}
