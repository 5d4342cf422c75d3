import { Alert, Group, NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useNavigate, useParams } from 'react-router'
import type { Body } from '../api/client.ts'
import type { Counterparty } from '../api/organisation.ts'
import { CODE, Form, SubmitButton, useFields } from '../shell/form.tsx'
import { capitalised, moment } from '../shell/format.ts'
import { ConsolePage, DescriptionList, LinkLine, Loaded, Panel, State, SureButton, Warnings } from '../shell/page.tsx'
import { useAbility, useCall, useChange, useVersion } from '../shell/use-session.ts'
import { accountWords, lines, listed, STATE_LOOKS } from './words.ts'

/** A new counterparty, or one on record: read, changed, deleted. */
export function Component() {
  const { id = 'new' } = useParams()
  return id === 'new' ? <New /> : <OnRecord key={id} id={id} />
}

const BACK = <LinkLine to="/console/counterparties" label="All counterparties" />

function New() {
  const navigate = useNavigate()
  const mayManage = useAbility('manage')
  const add = useChange(async (own, body: Content) => {
    const { id } = await own.call('POST /v1/counterparties', { body })
    await navigate(`/console/counterparties/${id}`)
  })
  return (
    <ConsolePage title="New counterparty" lead="A supplier, a customer or a payee.">
      {BACK}
      {mayManage ? (
        <Panel title="Its content">
          <ContentForm submission={add} label="Add it" />
        </Panel>
      ) : (
        <Alert>Your role may read but not change counterparties. Ask an owner or admin.</Alert>
      )}
    </ConsolePage>
  )
}

function OnRecord({ id }: { id: string }) {
  const navigate = useNavigate()
  const mayManage = useAbility('manage')
  const path = { counterparty_id: id }
  const query = useVersion('GET /v1/counterparties/{counterparty_id}', { path })
  const change = useChange((own, body: Content) => {
    const headers = { 'if-match': query.data?.etag ?? '' }
    return own.call('PATCH /v1/counterparties/{counterparty_id}', { path, body, headers })
  })
  const remove = useCall('DELETE /v1/counterparties/{counterparty_id}', () => navigate('/console/counterparties'))
  const one = query.data?.data
  return (
    <ConsolePage title={one ? [{ name: one.name }] : 'Counterparty'} lead="Your checks use this information.">
      {BACK}
      <Loaded query={query}>
        {({ data, etag }) => (
          <>
            <Warnings title="Worth knowing" of={data.remarks.map(({ detail }) => detail)} />
            <Panel
              title="On record"
              error={remove.error}
              failed="It was not deleted"
              action={mayManage ? <SureButton label="Delete" of={remove} input={{ path }} /> : null}
            >
              <OnRecordFacts of={data} />
            </Panel>
            {mayManage ? (
              <Panel title="Change it">
                {/* A change that was saved, or made by another person, fills the form again. */}
                <ContentForm key={etag} of={data} submission={change} label="Save" />
              </Panel>
            ) : null}
          </>
        )}
      </Loaded>
    </ConsolePage>
  )
}

function OnRecordFacts({ of: one }: { of: Counterparty }) {
  const all = (names: readonly string[]) => (names.length === 0 ? null : <bdi>{names.join(', ')}</bdi>)
  return (
    <DescriptionList
      of={{
        State: <State name={STATE_LOOKS[one.state]}>{one.state}</State>,
        Reference: one.reference && <bdi>{one.reference}</bdi>,
        'Known since': one.since,
        Domains: all(one.domains),
        Addresses: all(one.emails),
        Networks: all(one.networks),
        'Bank accounts': all(one.accounts.map(accountWords)),
        Note: one.note && <bdi>{one.note}</bdi>,
        Changed: moment(one.updated_at),
      }}
    />
  )
}

type Content = Body<'POST /v1/counterparties'>

function ContentForm(props: { of?: Counterparty; submission: ReturnType<typeof useChange<Content>>; label: string }) {
  const { of: one, submission } = props
  const { error } = submission
  const { values, field } = useFields({
    name: one?.name ?? '',
    reference: one?.reference ?? '',
    state: one?.state ?? 'active',
    since: one?.since ?? '',
    domains: one?.domains.join('\n') ?? '',
    emails: one?.emails.join('\n') ?? '',
    networks: one?.networks.join('\n') ?? '',
    accounts: one?.accounts.map(accountWords).join('\n') ?? '',
    note: one?.note ?? '',
  } as Record<keyof Omit<Content, 'state'> | 'state', string>)
  const name = values.name.trim()
  function submit(): void {
    const domains = listed(values.domains)
    submission.submit({
      name,
      reference: values.reference.trim() || null,
      state: values.state as Counterparty['state'],
      since: values.since.trim() || null,
      // Left out for a new one, so that the domains of its addresses are taken.
      ...(one || domains.length > 0 ? { domains } : {}),
      emails: listed(values.emails),
      networks: listed(values.networks),
      accounts: lines(values.accounts),
      note: values.note.trim() || null,
    })
  }
  const list = (name: 'domains' | 'emails' | 'networks' | 'accounts') => ({
    ...field(name, error),
    autosize: true,
    minRows: 2,
    maxRows: 10,
    ...CODE,
  })
  return (
    <Form label="Counterparty" error={error} failed="Nothing was changed" onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" maxLength={200} required {...field('name', error)} />
        <TextInput
          label="Reference"
          description="Its number in your books."
          maxLength={100}
          {...field('reference', error)}
        />
        <NativeSelect
          label="State"
          data={Object.keys(STATE_LOOKS).map((value) => ({ value, label: capitalised(value) }))}
          {...field('state', error)}
        />
        <TextInput label="Known since" placeholder="2019 or 2019-04-01" maxLength={10} {...field('since', error)} />
        <Textarea label="Domains" description="One on each line. Not those of mail providers." {...list('domains')} />
        <Textarea label="Email addresses" description="One on each line." {...list('emails')} />
        <Textarea
          label="Bank accounts"
          description="One on each line: an IBAN, a sort code and account, or a routing number and account. Only the last four digits are shown again; a line such as …4417 keeps that account."
          {...list('accounts')}
        />
        <Textarea label="Networks" description="IP addresses and networks, one on each line." {...list('networks')} />
        <Textarea label="Note" maxLength={500} autosize minRows={2} {...field('note', error)} />
      </SimpleGrid>
      <Group>
        <SubmitButton submission={submission} disabled={name === ''} label={props.label} />
      </Group>
    </Form>
  )
}
