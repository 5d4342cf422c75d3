import { Checkbox, Group, NativeSelect, Stack, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { BASE_PATH } from '../api/client.ts'
import type { Client, Key, NewClient, NewKey } from '../api/organisation.ts'
import { Answers, CloseContext, DialogButton, Form, options, Secret, useClose, useFields } from '../shell/form.tsx'
import { ago, day, moment } from '../shell/format.ts'
import { ConsolePage, MainButton, ProblemNotice, Quiet, QuietButton, State, SureButton } from '../shell/page.tsx'
import { TablePanel, twoLines } from '../shell/table.tsx'
import { useAbility, useCall, useChange, useList, useRights } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'
import { FindRequest } from './find-request.tsx'
import { lastUsed, useChangeClient, useMaker, useRevokeKey } from './made.tsx'
import { KEY_SCOPES, RISK_SCOPES, SERVICE_SCOPES, scopeWords, USER_SCOPES } from './scopes.ts'

export function Component() {
  return (
    <ConsolePage of="keys">
      <Keys />
      <Applications />
      <FindRequest name="GET /v1/requests/{request_id}" />
    </ConsolePage>
  )
}

function MakingPanel<Row extends object>(
  props: Omit<ComponentProps<typeof TablePanel<Row>>, 'action'> & { label: string; form: ReactNode },
) {
  const { form, label, children, ...panel } = props
  const mayMake = useAbility('make-keys')
  const [making, setMaking] = useState(false)
  return (
    <TablePanel<Row>
      {...panel}
      action={mayMake && !making ? <MainButton size="sm" onClick={() => setMaking(true)} label={label} /> : null}
    >
      {making ? <CloseContext value={() => setMaking(false)}>{form}</CloseContext> : null}
      {children}
    </TablePanel>
  )
}

function MakeButtons(props: { label: string; busy: boolean; disabled?: boolean }) {
  return (
    <Group>
      <MainButton type="submit" loading={props.busy} disabled={props.disabled ?? false} label={props.label} />
      <QuietButton onClick={useClose()} label="Not now" />
    </Group>
  )
}

function ScopeChoice(props: {
  offered: readonly string[]
  chosen: readonly string[]
  onChange: (scopes: string[]) => void
}) {
  return (
    <Checkbox.Group
      label="Permissions"
      value={[...props.chosen]}
      onChange={props.onChange}
      error={props.chosen.length === 0 ? 'Choose at least one.' : undefined}
    >
      <Stack gap={6} mt={4}>
        {props.offered.map((scope) => (
          <Checkbox key={scope} value={scope} label={scopeWords(scope)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

const GRACE_HOURS = 24

function Keys() {
  const { mayKeep } = useRights()
  const keys = useList('keys')
  const [shown, setShown] = useState<NewKey & { replaces?: Key }>()
  const revoke = useRevokeKey()
  const maker = useMaker()
  const old = shown?.replaces?.expires_at
  return (
    <MakingPanel
      title="API keys"
      label="New key"
      error={revoke.error}
      failed="The key was not changed"
      form={<NewKeyForm onMade={setShown} />}
      empty="No key yet. Create one to check from your own programs."
      rows={keys}
      columns={{
        Name: [({ name }) => name, 'name'],
        'Begins with': [({ hint }) => `${hint}…`, 'mono'],
        May: ({ scopes }) => scopes.map(scopeWords).join(', '),
        State: ({ state, expires_at: ends }) =>
          twoLines(<State name={state} />, state === 'active' && ends && `ends ${ago(ends)}`),
        'Made by': maker,
        'Last used': lastUsed,
        Change: (key) =>
          mayKeep(key.scopes) && key.state === 'active' ? (
            <Group gap="xs" wrap="nowrap">
              <DialogButton label="Rotate" title={say`Rotate the key ${key.name}?`}>
                <RotateKey of={key} onMade={setShown} />
              </DialogButton>
              <SureButton label="Revoke" of={revoke} input={{ path: { key_id: key.id } }} />
            </Group>
          ) : null,
      }}
    >
      {shown ? (
        <Stack gap="md" role="status">
          <Secret
            label="API key"
            value={shown.api_key}
            words={`Save it now: it is shown only once.${old ? ` The old key works until ${day(old)}, in ${GRACE_HOURS} hours.` : ''}`}
          />
          <Secret label="A first request" value={firstCurl(shown.api_key)} words="Paste it into a terminal." />
        </Stack>
      ) : null}
    </MakingPanel>
  )
}

function RotateKey({ of: key, onMade }: { of: Key; onMade: (made: NewKey & { replaces?: Key }) => void }) {
  const change = useCall('POST /v1/organisation/keys/{key_id}/rotate', onMade)
  const rotate = () => change.submit({ path: { key_id: key.id }, body: { grace_hours: GRACE_HOURS } })
  return (
    <Answers submission={change} yes="Rotate the key" onYes={rotate}>
      You get a new key with the same permissions. The old one works for {GRACE_HOURS} more hours: put the new one into
      your programs in this time. To stop a leaked key at once, revoke it instead.
    </Answers>
  )
}

function firstCurl(apiKey: string): string {
  const base = window.location.origin + BASE_PATH
  return `curl -s ${base}/v1/payment-risk -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' -d '{"email":"accounts@paypa1-login.com"}'`
}

function NewKeyForm({ onMade }: { onMade: (key: NewKey) => void }) {
  const { mayGive } = useRights()
  const { values, field } = useFields({ name: '', days: '0' })
  const [scopes, setScopes] = useState<string[]>(RISK_SCOPES)
  const { submit, busy, error } = useCall('POST /v1/organisation/keys', onMade)
  const name = values.name.trim()
  const isFilled = name !== '' && scopes.length > 0
  const make = () => {
    const expiresAt = values.days === '0' ? {} : { expires_at: endOfDayIn(Number(values.days)) }
    const wanted = KEY_SCOPES.filter((scope) => scopes.includes(scope))
    return isFilled && submit({ body: { name, scopes: wanted, ...expiresAt } })
  }
  return (
    <Form label="New key" className="panel" maw={480} error={error} failed="No key was created" onSubmit={make}>
      <TextInput
        label="Purpose"
        placeholder="Accounts payable"
        maxLength={100}
        required
        data-autofocus
        {...field('name')}
      />
      <ScopeChoice offered={SERVICE_SCOPES.filter(mayGive)} chosen={scopes} onChange={setScopes} />
      <NativeSelect
        label="Expires"
        data={options({ 0: 'Never', 30: 'After 30 days', 90: 'After 90 days', 365: 'After a year' })}
        {...field('days')}
      />
      <MakeButtons label="Create the key" busy={busy} disabled={!isFilled} />
    </Form>
  )
}

/** Stable for a day, so that a retried request is identical. */
function endOfDayIn(days: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days + 1)).toISOString()
}

function Applications() {
  const { mayKeep } = useRights()
  const clients = useList('clients')
  const [shown, setShown] = useState<NewClient>()
  const [rotating, setRotating] = useState<Client>()
  const setState = useChangeClient()
  const maker = useMaker()
  const remove = useCall('DELETE /v1/organisation/clients/{client_id}')
  return (
    <MakingPanel
      title="Applications"
      label="New application"
      error={setState.error ?? remove.error}
      failed="The application was not changed"
      form={<NewClientForm onMade={setShown} />}
      empty="No application yet. Register one to use OAuth instead of keys."
      rows={clients}
      columns={{
        Name: [({ name }) => name, 'name'],
        Kind: ({ kind }) => kind,
        'Client id': [({ id }) => id, 'mono'],
        'Made by': maker,
        'Last used': lastUsed,
        State: (client) => (
          <>
            <State name={client.state} />
            <FormerSecret client={client} mayEnd={mayKeep(client.scopes)} />
          </>
        ),
        Change: (client) =>
          mayKeep(client.scopes) ? (
            <Group gap="xs" wrap="nowrap">
              {client.authentication === 'client_secret' ? (
                <QuietButton size="xs" onClick={() => setRotating(client)} label="New secret" />
              ) : null}
              {client.kind === 'service' ? null : (
                <DialogButton label="Pages" title={say`Pages of ${client.name}`}>
                  <EditPages client={client} />
                </DialogButton>
              )}
              <QuietButton
                size="xs"
                onClick={() =>
                  setState.submit({ id: client.id, state: client.state === 'active' ? 'disabled' : 'active' })
                }
                label={client.state === 'active' ? 'Disable' : 'Enable'}
              />
              <SureButton label="Delete" of={remove} input={{ path: { client_id: client.id } }} />
            </Group>
          ) : null,
      }}
    >
      {rotating ? (
        <CloseContext value={() => setRotating(undefined)}>
          <RotateSecretForm key={rotating.id} client={rotating} onRotated={setShown} />
        </CloseContext>
      ) : null}
      {shown ? (
        <Stack gap="md" role="status">
          <Secret label="Client id" value={shown.id} words="Not a secret." />
          {shown.client_secret ? (
            <Secret label="Client secret" value={shown.client_secret} words="Save it now: it is shown only once." />
          ) : null}
        </Stack>
      ) : null}
    </MakingPanel>
  )
}

const CLIENT_KINDS = {
  service: 'A server, without users',
  web: 'A website with users',
  native: 'An app or command line',
}

function NewClientForm({ onMade }: { onMade: (client: NewClient) => void }) {
  const { values, field } = useFields({ name: '', kind: 'service', uris: '', ...NO_PAGES })
  const [scopes, setScopes] = useState<string[]>(RISK_SCOPES)
  const { submit, busy, error } = useCall('POST /v1/organisation/clients', onMade)
  const kind = values.kind as Client['kind']
  const name = values.name.trim()
  const offered = (kind === 'service' ? SERVICE_SCOPES : USER_SCOPES).filter(useRights().mayGive)
  const wanted = scopes.filter((scope) => offered.includes(scope))
  const isFilled = name !== '' && wanted.length > 0
  const register = () => {
    const redirectUris = values.uris.split(/\s+/).filter((uri) => uri !== '')
    const ofPeople = kind === 'service' ? {} : { redirect_uris: redirectUris, ...pagesToSend(values) }
    return isFilled && submit({ body: { kind, name, scopes: wanted, ...ofPeople } })
  }
  return (
    <Form
      label="New application"
      className="panel"
      maw={480}
      error={error}
      failed="No application was created"
      onSubmit={register}
    >
      <TextInput label="Name, as people see it" maxLength={100} required {...field('name')} />
      <NativeSelect label="Type" data={options(CLIENT_KINDS)} {...field('kind')} />
      {kind === 'service' ? null : (
        <>
          <Textarea
            label="Redirect addresses"
            description="One on each line; https, or http on this machine."
            autosize
            minRows={2}
            {...field('uris')}
          />
          <PageFields field={(page) => field(page, error)} />
        </>
      )}
      <ScopeChoice offered={offered} chosen={wanted} onChange={setScopes} />
      <MakeButtons label="Register it" busy={busy} disabled={!isFilled} />
    </Form>
  )
}

const LEAKED = 'leaked'
const GRACES = [
  { value: '24', label: 'For 24 more hours' },
  { value: '168', label: 'For 7 more days' },
  { value: '0', label: 'No longer: it ends immediately' },
  { value: LEAKED, label: 'No longer, and all tokens end too: it leaked' },
]

function RotateSecretForm({ client, onRotated }: { client: Client; onRotated: (rotated: NewClient) => void }) {
  const { values, field } = useFields({ hours: '24' })
  const { submit, busy, error } = useChange(async (api, hours: string) => {
    const path = { client_id: client.id }
    const query = hours === LEAKED ? { end_tokens: true } : { grace_hours: Number(hours) }
    const rotate = 'POST /v1/organisation/clients/{client_id}/rotate-secret'
    onRotated(await api.call(rotate, { path, query }))
  })
  return (
    <Form
      label={`New secret for ${client.name}`}
      className="panel"
      maw={480}
      error={error}
      failed="The secret was not changed"
      onSubmit={() => submit(values.hours)}
    >
      <div>
        A new secret for <bdi>{client.name}</bdi>. Put it into the application while the current one still works.
      </div>
      <NativeSelect label="The current secret works" data={GRACES} data-autofocus {...field('hours')} />
      <MakeButtons label="Give a new secret" busy={busy} />
    </Form>
  )
}

function FormerSecret({ client, mayEnd }: { client: Client; mayEnd: boolean }) {
  const end = useCall('DELETE /v1/organisation/clients/{client_id}/former-secret')
  if (!client.former_secret_expires_at) return null
  return (
    <Stack gap={4} align="flex-start">
      {twoLines(null, `former secret works until ${moment(client.former_secret_expires_at)}`)}
      {mayEnd ? (
        <SureButton
          label="End former secret"
          sure="Yes, it stops now"
          of={end}
          input={{ path: { client_id: client.id } }}
        />
      ) : null}
      <ProblemNotice error={end.error} title="The former secret still works" />
    </Stack>
  )
}

export const NO_PAGES = { policy_uri: '', terms_uri: '' }

type Pages = typeof NO_PAGES

export const pagesToSend = ({ policy_uri, terms_uri }: Pages) => ({
  policy_uri: policy_uri.trim() || null,
  terms_uri: terms_uri.trim() || null,
})

export function PageFields({ field }: { field: (name: keyof Pages) => TextInputProps }) {
  const shared = { type: 'url', inputMode: 'url', placeholder: 'https://', maxLength: 1000 } as const
  return (
    <>
      <TextInput
        label="Privacy policy"
        description="Linked on the consent page."
        {...shared}
        {...field('policy_uri')}
      />
      <TextInput label="Terms" description="Linked on the consent page." {...shared} {...field('terms_uri')} />
    </>
  )
}

export function EditPages({ client }: { client: Client }) {
  const { values, field } = useFields({ policy_uri: client.policy_uri ?? '', terms_uri: client.terms_uri ?? '' })
  const change = useChangeClient()
  return (
    <Form label="Pages" onSubmit={() => change.submit({ id: client.id, ...pagesToSend(values) })}>
      <Quiet>People can read these pages before they allow the application. Leave a field empty to link nothing.</Quiet>
      <PageFields field={(name) => field(name, change.error)} />
      <Answers submission={change} yes="Keep them" />
    </Form>
  )
}
