import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { BASE_PATH } from '../api/base.ts'
import type { Body } from '../api/client.ts'
import { type Client, clientsQuery, type Key, keysQuery, type NewClient, type NewKey } from '../api/people.ts'
import { ConsolePage, Empty, Loaded, Panel, State, SureButton, WideTable } from '../shell/page.tsx'
import { ProblemNotice } from '../shell/problem-notice.tsx'
import { Secret } from '../shell/secret.tsx'
import { ago, day } from '../shell/time.ts'
import { useChange } from '../shell/use-change.ts'
import { useAbility, useApi, useRights } from '../shell/use-organisation.ts'
import { EditPages, NO_PAGES, PageFields, pagesToSend } from './client-links.tsx'
import { FormerSecret, RotateSecretForm } from './rotate-secret.tsx'
import { ScopeChoice } from './scope-choice.tsx'
import { KEY_SCOPES, RISK_SCOPES, SERVICE_SCOPES, scopeWords, USER_SCOPES } from './scopes.ts'

export function Component() {
  return (
    <ConsolePage
      title="Keys and applications"
      lead="What programs use to check on behalf of the organisation. Every key can be ended at once."
    >
      <Keys />
      <Applications />
    </ConsolePage>
  )
}

/** A panel in which whoever may make keys opens a form for a new one. */
function MakingPanel(props: {
  title: string
  label: string
  form: (close: () => void) => ReactNode
  children: ReactNode
}) {
  const mayMake = useAbility('make-keys')
  const [making, setMaking] = useState(false)
  return (
    <Panel
      title={props.title}
      action={
        mayMake && !making ? (
          <Button size="sm" onClick={() => setMaking(true)}>
            {props.label}
          </Button>
        ) : null
      }
    >
      <Stack gap="md">
        {making ? props.form(() => setMaking(false)) : null}
        {props.children}
      </Stack>
    </Panel>
  )
}

const GRACE_HOURS = 24

function Keys() {
  const api = useApi()
  const { mayKeep } = useRights()
  const keys = useQuery(keysQuery(api))
  const [shown, setShown] = useState<NewKey>()
  const rotate = useChange(async (own, key: Key, idempotencyKey) => {
    setShown(
      await own.call('POST /v1/organisation/keys/{key_id}/rotate', {
        path: { key_id: key.id },
        body: { grace_hours: GRACE_HOURS },
        idempotencyKey,
      }),
    )
  })
  const revoke = useChange(async (own, key: Key) =>
    own.call('DELETE /v1/organisation/keys/{key_id}', { path: { key_id: key.id } }),
  )
  const error = rotate.error ?? revoke.error
  return (
    <MakingPanel
      title="API keys"
      label="New key"
      form={(close) => (
        <NewKeyForm
          done={(key) => {
            if (key) setShown(key)
            close()
          }}
        />
      )}
    >
      {shown ? <ShownKey shown={shown} /> : null}
      {error ? <ProblemNotice error={error} title="The key is as it was" /> : null}
      <Loaded query={keys}>
        {(data) =>
          data.length === 0 ? (
            <Empty>No key yet. Make one to check from your own programs.</Empty>
          ) : (
            <WideTable label="API keys" columns={['Name', 'Begins with', 'May', 'State', 'Last used', 'Change']}>
              {data.map((key) => (
                <tr key={key.id}>
                  <td>
                    <bdi>{key.name}</bdi>
                  </td>
                  <td className="mono">{key.hint}…</td>
                  <td>{key.scopes.map(scopeWords).join(', ')}</td>
                  <td>
                    <State name={key.state} />
                    {key.state === 'active' && key.expires_at ? (
                      <Text size="xs" c="dimmed">
                        ends {ago(key.expires_at)}
                      </Text>
                    ) : null}
                  </td>
                  <td>{key.last_used_at ? ago(key.last_used_at) : 'never'}</td>
                  <td>
                    {mayKeep(key.scopes) && key.state === 'active' ? (
                      <Group gap="xs" wrap="nowrap">
                        <SureButton
                          label="Rotate"
                          sure="Yes, rotate"
                          busy={rotate.busy}
                          onSure={() => rotate.submit(key)}
                        />
                        <SureButton
                          label="Revoke"
                          sure="Yes, revoke"
                          busy={revoke.busy}
                          onSure={() => revoke.submit(key)}
                        />
                      </Group>
                    ) : null}
                  </td>
                </tr>
              ))}
            </WideTable>
          )
        }
      </Loaded>
    </MakingPanel>
  )
}

function ShownKey({ shown }: { shown: NewKey & { replaces?: Key } }) {
  const old = shown.replaces?.expires_at
  return (
    <Stack gap="md" role="status">
      <Secret
        label="API key"
        value={shown.api_key}
        words={`Keep it now: it is shown this once.${old ? ` The old key works until ${day(old)}, in ${GRACE_HOURS} hours.` : ''}`}
      />
      <Secret label="A first request" value={firstCurl(shown.api_key)} words="Paste it into a terminal." />
    </Stack>
  )
}

/** What makes a key tangible: it can be pasted and answers. */
export function firstCurl(apiKey: string): string {
  const base = window.location.origin + BASE_PATH
  return `curl -s ${base}/v1/payment-risk -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' -d '{"email":"accounts@example.com"}'`
}

function NewKeyForm({ done }: { done: (key?: NewKey) => void }) {
  const { mayGive } = useRights()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(RISK_SCOPES)
  const [days, setDays] = useState('0')
  const { submit, busy, error } = useChange(async (api, body: Body<'POST /v1/organisation/keys'>, idempotencyKey) => {
    done(await api.call('POST /v1/organisation/keys', { body, idempotencyKey }))
  })
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (name.trim() === '' || scopes.length === 0) return
    const expiresAt = days === '0' ? {} : { expires_at: endOfDayIn(Number(days)) }
    submit({ name: name.trim(), scopes: KEY_SCOPES.filter((scope) => scopes.includes(scope)), ...expiresAt })
  }
  return (
    <form onSubmit={onSubmit} aria-label="New key" className="panel">
      <Stack gap="md" maw={480}>
        {error ? <ProblemNotice error={error} title="No key was made" /> : null}
        <TextInput
          label="What it is for"
          placeholder="Accounts payable"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          data-autofocus
        />
        <ScopeChoice offered={SERVICE_SCOPES.filter(mayGive)} chosen={scopes} onChange={setScopes} />
        <NativeSelect
          label="Ends by itself"
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          data={[
            { value: '0', label: 'Never' },
            { value: '30', label: 'After 30 days' },
            { value: '90', label: 'After 90 days' },
            { value: '365', label: 'After a year' },
          ]}
        />
        <Group>
          <Button type="submit" loading={busy} disabled={name.trim() === '' || scopes.length === 0}>
            Make the key
          </Button>
          <Button variant="default" onClick={() => done()}>
            Not now
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The same all day long, so that a repeated request is the same request. */
function endOfDayIn(days: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days + 1)).toISOString()
}

const CLIENT_KINDS: readonly { value: Client['kind']; label: string }[] = [
  { value: 'service', label: 'A server, without users' },
  { value: 'web', label: 'A website with users' },
  { value: 'native', label: 'An app or command line' },
]

function Applications() {
  const api = useApi()
  const { mayKeep } = useRights()
  const clients = useQuery(clientsQuery(api))
  const [shown, setShown] = useState<NewClient>()
  const [rotating, setRotating] = useState<Client>()
  const toggle = useChange(async (own, client: Client) => {
    const path = { client_id: client.id }
    const { etag } = await own.callForVersion('GET /v1/organisation/clients/{client_id}', { path })
    const state = client.state === 'active' ? 'disabled' : 'active'
    await own.call('PATCH /v1/organisation/clients/{client_id}', {
      path,
      body: { state },
      headers: { 'if-match': etag ?? '' },
    })
  })
  const remove = useChange(async (own, client: Client) =>
    own.call('DELETE /v1/organisation/clients/{client_id}', { path: { client_id: client.id } }),
  )
  const error = toggle.error ?? remove.error
  return (
    <MakingPanel
      title="Applications"
      label="New application"
      form={(close) => (
        <NewClientForm
          done={(client) => {
            if (client) setShown(client)
            close()
          }}
        />
      )}
    >
      {rotating ? (
        <RotateSecretForm
          key={rotating.id}
          client={rotating}
          done={(rotated) => {
            if (rotated) setShown(rotated)
            setRotating(undefined)
          }}
        />
      ) : null}
      {shown ? (
        <Stack gap="md" role="status">
          <Secret label="Client id" value={shown.id} words="Not a secret." />
          {shown.client_secret ? (
            <Secret label="Client secret" value={shown.client_secret} words="Keep it now: it is shown this once." />
          ) : null}
        </Stack>
      ) : null}
      {error ? <ProblemNotice error={error} title="The application is as it was" /> : null}
      <Loaded query={clients}>
        {(data) =>
          data.length === 0 ? (
            <Empty>No application yet. Register one to use OAuth instead of keys.</Empty>
          ) : (
            <WideTable label="Applications" columns={['Name', 'Kind', 'Client id', 'State', 'Change']}>
              {data.map((client) => (
                <tr key={client.id}>
                  <td>
                    <bdi>{client.name}</bdi>
                  </td>
                  <td>{client.kind}</td>
                  <td className="mono">{client.id}</td>
                  <td>
                    <State name={client.state} />
                    <FormerSecret client={client} mayEnd={mayKeep(client.scopes)} />
                  </td>
                  <td>
                    {mayKeep(client.scopes) ? (
                      <Group gap="xs" wrap="nowrap">
                        {client.authentication === 'client_secret' ? (
                          <Button size="xs" variant="default" onClick={() => setRotating(client)}>
                            New secret
                          </Button>
                        ) : null}
                        {client.kind === 'service' ? null : <EditPages client={client} />}
                        <Button size="xs" variant="default" onClick={() => toggle.submit(client)}>
                          {client.state === 'active' ? 'Disable' : 'Enable'}
                        </Button>
                        <SureButton label="Delete" sure="Yes, delete" onSure={() => remove.submit(client)} />
                      </Group>
                    ) : null}
                  </td>
                </tr>
              ))}
            </WideTable>
          )
        }
      </Loaded>
    </MakingPanel>
  )
}

function NewClientForm({ done }: { done: (client?: NewClient) => void }) {
  const [kind, setKind] = useState<Client['kind']>('service')
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(RISK_SCOPES)
  const [uris, setUris] = useState('')
  const [pages, setPages] = useState(NO_PAGES)
  const { submit, busy, error } = useChange(
    async (api, body: Body<'POST /v1/organisation/clients'>, idempotencyKey) => {
      done(await api.call('POST /v1/organisation/clients', { body, idempotencyKey }))
    },
  )
  const offered = (kind === 'service' ? SERVICE_SCOPES : USER_SCOPES).filter(useRights().mayGive)
  const wanted = scopes.filter((scope) => offered.includes(scope))
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (name.trim() === '' || wanted.length === 0) return
    const redirectUris = uris.split(/\s+/).filter((uri) => uri !== '')
    const ofPeople = kind === 'service' ? {} : { redirect_uris: redirectUris, ...pagesToSend(pages) }
    submit({ kind, name: name.trim(), scopes: wanted, ...ofPeople })
  }
  return (
    <form onSubmit={onSubmit} aria-label="New application" className="panel">
      <Stack gap="md" maw={480}>
        {error ? <ProblemNotice error={error} title="No application was made" /> : null}
        <TextInput
          label="Name, as people see it"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
        />
        <NativeSelect
          label="What it is"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as Client['kind'])}
          data={CLIENT_KINDS.map((each) => ({ ...each }))}
        />
        {kind === 'service' ? null : (
          <>
            <Textarea
              label="Addresses to come back to"
              description="One on each line; https, or http on this machine."
              value={uris}
              onChange={(event) => setUris(event.currentTarget.value)}
              autosize
              minRows={2}
            />
            <PageFields
              pages={pages}
              onChange={setPages}
              problemAt={(pointer) => error?.errors.find((one) => one.pointer === pointer)?.detail}
            />
          </>
        )}
        <ScopeChoice offered={offered} chosen={wanted} onChange={setScopes} />
        <Group>
          <Button type="submit" loading={busy} disabled={name.trim() === '' || wanted.length === 0}>
            Register it
          </Button>
          <Button variant="default" onClick={() => done()}>
            Not now
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
