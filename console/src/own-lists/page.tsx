import { Group, NavLink, Switch, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { type OwnEntry, pagesQuery } from '../api/organisation.ts'
import { Component as NotFound } from '../not-found/inside.tsx'
import { Answers, DialogButton, Form, useFields } from '../shell/form.tsx'
import { ago, day } from '../shell/format.ts'
import { ConsolePage, Loaded, MainButton, Panel, problemAt, State, SureButton, Warnings } from '../shell/page.tsx'
import { LogPanel, twoLines } from '../shell/table.tsx'
import { useAbility, useApi, useChange, useSession } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'
import { ImportEntries } from './import.tsx'

const LISTS = {
  block: { title: 'Block', lead: 'Always high, before any other knowledge.' },
  allow: { title: 'Allow', lead: 'Always low, unless your block list names it too.' },
  review: { title: 'Review', lead: 'At least medium: a person looks at it first.' },
} as const satisfies Record<OwnEntry['list'], object>
type ListName = OwnEntry['list']

export function Component() {
  const { list = 'block' } = useParams()
  const mayManage = useAbility('manage')
  const mayRead = useAbility('read')
  const name = (Object.keys(LISTS) as ListName[]).find((one) => one === list)
  if (!name) return <NotFound />
  return (
    <ConsolePage
      title="Own lists"
      lead="Your own word on an address, a domain with everything below it, or a network. It comes before feeds and models."
    >
      <Group component="nav" gap="xs" aria-label="Own lists">
        {Object.entries(LISTS).map(([path, { title }]) => (
          <NavLink
            key={path}
            w="auto"
            component={Link}
            to={`/console/own-lists/${path}`}
            label={title}
            active={path === name}
            aria-current={path === name ? 'page' : undefined}
          />
        ))}
      </Group>
      <Entries key={name} list={name} />
      {mayManage ? <ImportEntries key={`import ${name}`} list={name} /> : null}
      {name === 'allow' && mayRead ? <SecondPerson /> : null}
    </ConsolePage>
  )
}

function Entries({ list }: { list: ListName }) {
  const api = useApi()
  const mayManage = useAbility('manage')
  const [search, setSearch] = useState('')
  const query = search.trim() === '' ? {} : { search: search.trim() }
  const entries = useInfiniteQuery({
    ...pagesQuery(api, 'GET /v1/own-lists/{list}', { ...query, limit: 50 }, { list }),
    placeholderData: keepPreviousData,
  })
  const { user } = useSession()
  const path = (entry: OwnEntry) => ({ list, entry_id: entry.id })
  const approve = useChange((own, entry: OwnEntry, idempotencyKey) =>
    own.call('POST /v1/own-lists/{list}/{entry_id}/approve', { path: path(entry), idempotencyKey }),
  )
  const remove = useChange((own, entry: OwnEntry) =>
    own.call('DELETE /v1/own-lists/{list}/{entry_id}', { path: path(entry) }),
  )
  return (
    <>
      {mayManage ? <AddEntry list={list} /> : null}
      <TextInput
        type="search"
        aria-label="Search the list"
        placeholder="Search: an indicator or a reason"
        maxLength={200}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <LogPanel
        title={`${LISTS[list].title} list`}
        query={entries}
        csv={{
          name: 'GET /v1/own-lists/{list}',
          options: { path: { list }, query },
          fileName: `assay-${list}-list.csv`,
        }}
        error={approve.error ?? remove.error}
        failed="Nothing was changed"
        more="More entries"
        empty={search === '' ? `None yet. ${LISTS[list].lead}` : 'No entry matches.'}
        columns={{
          Indicator: [({ indicator }) => indicator, 'name'],
          Reason: ({ reason }) => <bdi>{reason}</bdi>,
          State: (entry) => twoLines(<State name={STATE_LOOKS[entry.state]}>{entry.state}</State>, waitingWords(entry)),
          Ends: ({ expires_at: ends }) => (ends === null ? 'never' : day(ends)),
          Added: ({ author, created_at: at }) =>
            twoLines(<bdi>{author.name ?? author.kind.replace('_', ' ')}</bdi>, ago(at)),
          Change: (entry) =>
            mayManage ? (
              <Group gap="xs" wrap="nowrap">
                {entry.state === 'pending' && entry.proposed_by !== user.id ? (
                  <SureButton label="Approve" mild busy={approve.busy} onSure={() => approve.submit(entry)} />
                ) : null}
                <DialogButton label="Edit" title={say`Entry ${entry.indicator}`}>
                  {(close) => <EditEntry entry={entry} onClose={close} />}
                </DialogButton>
                <SureButton label="Remove" busy={remove.busy} onSure={() => remove.submit(entry)} />
              </Group>
            ) : null,
        }}
      />
    </>
  )
}

const STATE_LOOKS: Readonly<Record<OwnEntry['state'], string>> = {
  active: 'active',
  pending: 'open',
  expired: 'expired',
}

function waitingWords({ state, approvals_missing: missing, approved_by: by }: OwnEntry): string | null {
  if (state === 'pending') return missing > 1 ? 'two people must approve it' : 'a second person must approve it'
  return by === null ? null : `approved by ${by.name ?? 'a member who left'}`
}

function AddEntry({ list }: { list: ListName }) {
  const { values, field, reset } = useFields({ indicator: '', reason: '', until: '' })
  const [warnings, setWarnings] = useState<readonly { readonly detail: string }[]>([])
  const add = useChange(
    async (own, body: { indicator: string; reason: string | null; expires_at: string | null }, key) => {
      const made = await own.call('POST /v1/own-lists/{list}', { path: { list }, body, idempotencyKey: key })
      setWarnings(made.warnings)
      reset()
    },
  )
  const indicator = values.indicator.trim()
  function submit(): void {
    if (indicator === '') return
    add.submit({ indicator, reason: values.reason.trim() || null, expires_at: endOf(values.until) })
  }
  return (
    <Panel title={`Add to the ${list} list`} lead={LISTS[list].lead} error={add.error} failed="Nothing was added">
      <Form label={`Add to the ${list} list`} row onSubmit={submit}>
        <TextInput
          label="Address, domain or network"
          placeholder="supplier.com"
          flex="2 1 14rem"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={1024}
          {...field('indicator', add.error)}
        />
        <TextInput label="Reason" flex="2 1 14rem" maxLength={500} {...field('reason', add.error)} />
        <TextInput
          label="Until"
          type="date"
          flex="1 1 9rem"
          {...field('until')}
          error={problemAt(add.error, 'expires_at')}
        />
        <MainButton type="submit" loading={add.busy} disabled={indicator === ''} label="Add" />
      </Form>
      <Warnings of={warnings.map(({ detail }) => detail)} />
    </Panel>
  )
}

/** The whole day that was chosen still counts. */
const endOf = (day: string): string | null => (day === '' ? null : `${day}T23:59:59Z`)

function EditEntry({ entry, onClose }: { entry: OwnEntry; onClose: () => void }) {
  const before = { reason: entry.reason ?? '', until: entry.expires_at?.slice(0, 10) ?? '' }
  const { values, field } = useFields(before)
  const change = useChange(
    async (own, body: { reason?: string | null; expires_at?: string | null }, idempotencyKey) => {
      const path = { list: entry.list, entry_id: entry.id }
      const { etag } = await own.callForVersion('GET /v1/own-lists/{list}/{entry_id}', { path })
      const headers = { 'if-match': etag ?? '' }
      await own.call('PATCH /v1/own-lists/{list}/{entry_id}', { path, body, headers, idempotencyKey })
      onClose()
    },
  )
  function save(): void {
    const reason = values.reason.trim()
    const body = {
      ...(reason === before.reason ? {} : { reason: reason || null }),
      // The time of an expiry that was not touched stays.
      ...(values.until === before.until ? {} : { expires_at: endOf(values.until) }),
    }
    if (Object.keys(body).length === 0) onClose()
    else change.submit(body)
  }
  return (
    <Form label="Entry" onSubmit={save}>
      <TextInput label="Reason" maxLength={500} {...field('reason', change.error)} />
      <TextInput
        label="Until"
        type="date"
        description={entry.list === 'allow' ? 'A later end may need the approval of a second person again.' : undefined}
        {...field('until')}
        error={problemAt(change.error, 'expires_at')}
      />
      <Answers submission={change} yes="Save" onYes={save} onNo={onClose} />
    </Form>
  )
}

function SecondPerson() {
  const api = useApi()
  const mayManage = useAbility('manage')
  const organisation = useQuery({
    queryKey: [api.organisationId, 'organisation'],
    queryFn: ({ signal }) => api.callForVersion('GET /v1/organisation', { signal }),
  })
  const change = useChange((own, input: { needed: boolean; etag: string }, idempotencyKey) =>
    own.call('PATCH /v1/organisation', {
      body: { allow_needs_approval: input.needed },
      headers: { 'if-match': input.etag },
      idempotencyKey,
    }),
  )
  return (
    <Panel title="A second person" error={change.error} failed="Nothing was changed">
      <Loaded query={organisation} heightPx={60}>
        {({ data, etag }) =>
          mayManage ? (
            <Switch
              label="A new allow entry needs the approval of a second person"
              description="It has no effect before. An entry that a key or an application adds needs two people."
              checked={data.allow_needs_approval}
              disabled={change.busy}
              onChange={(event) => change.submit({ needed: event.currentTarget.checked, etag: etag ?? '' })}
            />
          ) : (
            <Text size="sm">
              {data.allow_needs_approval
                ? 'A new allow entry needs the approval of a second person.'
                : 'A new allow entry has its effect at once.'}
            </Text>
          )
        }
      </Loaded>
    </Panel>
  )
}
