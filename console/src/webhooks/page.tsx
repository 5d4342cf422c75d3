import { EVENTS } from '@assay/sdk'
import { Checkbox, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../api/client.ts'
import type { Delivery, OrganisationApi, Webhook } from '../api/organisation.ts'
import { CODE, Form, Secret, useFields } from '../shell/form.tsx'
import { ago, DAY_MS, moment } from '../shell/format.ts'
import { ConsolePage, MainButton, Panel, problemBeside, Quiet, QuietButton, State, SureButton } from '../shell/page.tsx'
import { LogPanel, TablePanel, twoLines } from '../shell/table.tsx'
import { useAbility, useCall, useChange, usePages, useRead, useRights } from '../shell/use-session.ts'

type NewWebhook = Answer<'POST /v1/webhooks'>
type EventType = keyof typeof EVENTS

export function Component() {
  const mayManage = useAbility('manage')
  const [made, setMade] = useState<NewWebhook>()
  const [shown, setShown] = useState<Webhook>()
  return (
    <ConsolePage of="webhooks">
      {made ? (
        <Panel title="The secret of the webhook">
          <Secret
            label="Secret"
            value={made.secret}
            words={`It verifies the deliveries to ${hostOf(made)}. It is shown only now.`}
          />
        </Panel>
      ) : null}
      <Webhooks onSecret={setMade} onShow={setShown} />
      {shown ? <Deliveries key={shown.id} webhook={shown} /> : null}
      {mayManage ? <AddWebhook onSecret={setMade} /> : null}
    </ConsolePage>
  )
}

const hostOf = ({ url }: Pick<Webhook, 'url'>) => new URL(url).host

async function enable(own: OrganisationApi, { id, enabled }: Webhook) {
  const path = { webhook_id: id }
  const { etag } = await own.callForVersion('GET /v1/webhooks/{webhook_id}', { path })
  const headers = { 'if-match': etag ?? '' }
  await own.call('PATCH /v1/webhooks/{webhook_id}', { path, body: { enabled: !enabled }, headers })
}

function Webhooks({ onSecret, onShow }: { onSecret: (made: NewWebhook) => void; onShow: (one: Webhook) => void }) {
  const mayManage = useAbility('manage')
  const webhooks = useRead('GET /v1/webhooks')
  const test = useChange(async (own, webhook: Webhook) => {
    await own.call('POST /v1/webhooks/{webhook_id}/test', { path: { webhook_id: webhook.id } })
    onShow(webhook)
  })
  const rotate = useCall('POST /v1/webhooks/{webhook_id}/rotate-secret', onSecret)
  const toggle = useChange(enable)
  const remove = useCall('DELETE /v1/webhooks/{webhook_id}')
  return (
    <TablePanel
      title="Addresses"
      error={test.error ?? rotate.error ?? toggle.error ?? remove.error}
      failed="Nothing was changed"
      empty="None yet. Add the address of a program of yours, or of a service such as n8n."
      rows={webhooks}
      columns={{
        Address: (one) => twoLines(<span className="breakable">{one.url}</span>, one.description || null),
        Events: ({ events }) => twoLines(`${events.length} of ${Object.keys(EVENTS).length}`, events.join(', ')),
        State: (one) =>
          twoLines(
            <State name={one.enabled ? 'active' : 'disabled'}>{one.enabled ? 'enabled' : 'disabled'}</State>,
            stateWords(one),
          ),
        Change: (one) => (
          <Group gap="xs">
            <QuietButton size="xs" label="Deliveries" onClick={() => onShow(one)} />
            {mayManage ? (
              <>
                {one.enabled ? <QuietButton size="xs" label="Send a test" of={test} input={one} /> : null}
                <QuietButton size="xs" label={one.enabled ? 'Disable' : 'Enable'} of={toggle} input={one} />
                <SureButton label="New secret" mild of={rotate} input={{ path: { webhook_id: one.id } }} />
                <SureButton label="Remove" of={remove} input={{ path: { webhook_id: one.id } }} />
              </>
            ) : null}
          </Group>
        ),
      }}
    >
      {webhooks.data?.data.length ? <Quiet>After a new secret, the former one signs too for 24 hours.</Quiet> : null}
    </TablePanel>
  )
}

const WHY = {
  person: 'by a member',
  gone: 'the receiver answered 410',
  failing: 'nothing was delivered for 5 days',
  queue: 'too many events waited',
} as const

function stateWords({ disabled_why: why, failing_since: since }: Webhook): string | null {
  if (why !== null) return WHY[why]
  return since === null ? null : `failing since ${moment(since)}`
}

function AddWebhook({ onSecret }: { onSecret: (made: NewWebhook) => void }) {
  const rights = useRights()
  const types = (Object.keys(EVENTS) as EventType[]).filter((type) => !EVENTS[type].money || rights.has('billing:read'))
  const { values, field, reset } = useFields({ url: '', description: '' })
  const [events, setEvents] = useState<readonly EventType[]>(types)
  const add = useCall('POST /v1/webhooks', (made) => {
    onSecret(made)
    reset()
  })
  const url = values.url.trim()
  return (
    <Panel title="Add a webhook">
      <Form
        label="Add a webhook"
        error={problemBeside(add.error, 'url')}
        failed="The webhook was not added"
        onSubmit={() => url !== '' && add.submit({ body: { url, description: values.description.trim(), events } })}
      >
        <TextInput
          label="Address"
          type="url"
          placeholder="https://"
          {...CODE}
          maxLength={2000}
          {...field('url', add.error)}
        />
        <TextInput label="Description" maxLength={200} {...field('description')} />
        <Checkbox.Group label="Events" value={[...events]} onChange={(chosen) => setEvents(chosen as EventType[])}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
            {types.map((type) => (
              <Checkbox key={type} value={type} label={type} description={EVENTS[type].about} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Group>
          <MainButton type="submit" loading={add.busy} disabled={url === '' || events.length === 0} label="Add" />
        </Group>
      </Form>
    </Panel>
  )
}

const REPLAY_DAYS = 7
const DELIVERY_COLOURS = { delivered: 'active', waiting: 'open', failed: 'disabled' } as const

function Deliveries({ webhook }: { webhook: Webhook }) {
  const mayManage = useAbility('manage')
  const path = { webhook_id: webhook.id }
  const name = 'GET /v1/webhooks/{webhook_id}/deliveries'
  // A delivery that waits is usually made within seconds.
  const deliveries = usePages(name, { limit: 50 }, path, ({ state }) => state === 'waiting')
  const replay = useCall('POST /v1/webhooks/{webhook_id}/replay')
  const replayAll = () =>
    replay.submit({ path, body: { since: new Date(Date.now() - REPLAY_DAYS * DAY_MS).toISOString() } })
  return (
    <LogPanel
      title={`Deliveries to ${hostOf(webhook)}`}
      query={deliveries}
      action={
        mayManage ? <SureButton label={`Replay what failed in ${REPLAY_DAYS} days`} mild onSure={replayAll} /> : null
      }
      error={replay.error}
      failed="Nothing was replayed"
      empty="None in the last month. Send a test to see the first one."
      columns={{
        When: [(one) => moment(one.created_at), 'when'],
        Event: (one) => twoLines(one.type, one.event_id, 'mono'),
        State: (one) =>
          twoLines(
            <State name={DELIVERY_COLOURS[one.state]}>{one.state}</State>,
            one.next_attempt_at === null ? null : `next attempt ${ago(one.next_attempt_at)}`,
          ),
        'Last attempt': (one) => <LastAttempt of={one} />,
        Change: ({ id, state }) =>
          mayManage && state !== 'waiting' ? (
            <QuietButton size="xs" label="Replay" of={replay} input={{ path, body: { delivery_id: id } }} />
          ) : null,
      }}
    />
  )
}

function LastAttempt({ of: { attempts, error } }: { of: Delivery }) {
  const last = attempts.at(-1)
  if (!last) return <Quiet>{error ?? 'none yet'}</Quiet>
  return twoLines(
    `${last.status ?? 'no answer'} after ${last.duration_ms} ms, attempt ${attempts.length}`,
    <Text component="span" inherit className="mono breakable">
      <bdi>{last.error ?? last.answer.slice(0, 200)}</bdi>
    </Text>,
  )
}
