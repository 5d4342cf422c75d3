import { type ListTable, readTable } from '@assay/reader/list'
import { lineProblems, ownEntries } from '@assay/reader/own-list'
import { Group, Switch, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useParams } from 'react-router'
import type { Answer } from '../api/client.ts'
import type { OwnEntry } from '../api/organisation.ts'
import { Component as NotFound } from '../not-found/inside.tsx'
import { FileDrop, useListReader } from '../shell/file-drop.tsx'
import { Answers, CODE, DialogButton, Form, useFields } from '../shell/form.tsx'
import { ago, count, counted, day } from '../shell/format.ts'
import {
  ConsolePage,
  Loaded,
  MainButton,
  Panel,
  problemAt,
  QuietButton,
  State,
  Status,
  SureButton,
  Tabs,
  Warnings,
} from '../shell/page.tsx'
import { LogPanel, twoLines } from '../shell/table.tsx'
import { useAbility, useCall, useChange, usePages, useSession, useSettings } from '../shell/use-session.ts'
import { say } from '../shell/words.ts'

type ListName = OwnEntry['list']
const TITLES: Readonly<Record<ListName, string>> = { block: 'Block', allow: 'Allow', review: 'Review' }
const LEADS: Readonly<Record<ListName, string>> = {
  block: 'Always high, before any other knowledge.',
  allow: 'Always low, unless your block list names it too.',
  review: 'At least medium: a person looks at it first.',
}

export function Component() {
  const { list = 'block' } = useParams()
  const mayManage = useAbility('manage')
  const mayRead = useAbility('read')
  const name = (Object.keys(TITLES) as ListName[]).find((one) => one === list)
  if (!name) return <NotFound />
  return (
    <ConsolePage of="own-lists">
      <Tabs label="Own lists" at="/console/own-lists" current={name} of={TITLES} />
      <Entries key={name} list={name} />
      {mayManage ? <ImportEntries key={`import ${name}`} list={name} /> : null}
      {name === 'allow' && mayRead ? <SecondPerson /> : null}
    </ConsolePage>
  )
}

function Entries({ list }: { list: ListName }) {
  const mayManage = useAbility('manage')
  const { values, field } = useFields({ search: '' })
  const search = values.search.trim()
  const query = search === '' ? {} : { search }
  const entries = usePages('GET /v1/own-lists/{list}', { ...query, limit: 50 }, { list })
  const { user } = useSession()
  const at = (entry: OwnEntry) => ({ path: { list, entry_id: entry.id } })
  const approve = useCall('POST /v1/own-lists/{list}/{entry_id}/approve')
  const remove = useCall('DELETE /v1/own-lists/{list}/{entry_id}')
  return (
    <>
      {mayManage ? <AddEntry list={list} /> : null}
      <TextInput
        type="search"
        aria-label="Search the list"
        placeholder="Search: an indicator or a reason"
        maxLength={200}
        {...field('search')}
      />
      <LogPanel
        title={`${TITLES[list]} list`}
        query={entries}
        csv={{
          name: 'GET /v1/own-lists/{list}',
          options: { path: { list }, query },
          fileName: `assay-${list}-list.csv`,
        }}
        error={approve.error ?? remove.error}
        failed="Nothing was changed"
        more="More entries"
        empty={search === '' ? `None yet. ${LEADS[list]}` : 'No entry matches.'}
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
                  <SureButton label="Approve" mild of={approve} input={at(entry)} />
                ) : null}
                <DialogButton label="Edit" title={say`Entry ${entry.indicator}`}>
                  <EditEntry entry={entry} />
                </DialogButton>
                <SureButton label="Remove" of={remove} input={at(entry)} />
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
  const add = useCall('POST /v1/own-lists/{list}', (made) => {
    setWarnings(made.warnings)
    reset()
  })
  const indicator = values.indicator.trim()
  const submit = () =>
    indicator !== '' &&
    add.submit({
      path: { list },
      body: { indicator, reason: values.reason.trim() || null, expires_at: endOf(values.until) },
    })
  return (
    <Panel title={`Add to the ${list} list`} lead={LEADS[list]} error={add.error} failed="Nothing was added">
      <Form label={`Add to the ${list} list`} row onSubmit={submit}>
        <TextInput
          label="Address, domain or network"
          placeholder="supplier.com"
          flex="2 1 14rem"
          {...CODE}
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

function EditEntry({ entry }: { entry: OwnEntry }) {
  const before = { reason: entry.reason ?? '', until: entry.expires_at?.slice(0, 10) ?? '' }
  const { values, field } = useFields(before)
  const change = useChange(async (own, body: { reason?: string | null; expires_at?: string | null }) => {
    const path = { list: entry.list, entry_id: entry.id }
    const { etag } = await own.callForVersion('GET /v1/own-lists/{list}/{entry_id}', { path })
    const headers = { 'if-match': etag ?? '' }
    await own.call('PATCH /v1/own-lists/{list}/{entry_id}', { path, body, headers })
  })
  function save() {
    const reason = values.reason.trim()
    const body = {
      ...(reason === before.reason ? {} : { reason: reason || null }),
      // The time of an expiry that was not touched stays.
      ...(values.until === before.until ? {} : { expires_at: endOf(values.until) }),
    }
    return Object.keys(body).length === 0 || change.submit(body)
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
      <Answers submission={change} yes="Save" />
    </Form>
  )
}

function SecondPerson() {
  const mayManage = useAbility('manage')
  const { settings, change } = useSettings()
  return (
    <Panel title="A second person" error={change.error} failed="Nothing was changed">
      <Loaded query={settings} heightPx={60}>
        {({ data }) =>
          mayManage ? (
            <Switch
              label="A new allow entry needs the approval of a second person"
              description="It has no effect before. An entry that a key or an application adds needs two people."
              checked={data.allow_needs_approval}
              disabled={change.busy}
              onChange={(event) => change.submit({ allow_needs_approval: event.currentTarget.checked })}
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

type Opened = { readonly name: string; readonly table: ListTable }
type Result = Omit<Answer<'POST /v1/own-lists/{list}/imports'>, 'warnings'> & { readonly warnings: readonly string[] }

/** CSV or a workbook with the columns of an export: indicator, reason, expires_at; or one indicator on each line. */
export function ImportEntries({ list }: { list: ListName }) {
  const [file, setFile] = useState<Opened>()
  const [result, setResult] = useState<Result>()
  const reader = useListReader(readTable, (opened) => {
    setFile(opened)
    setResult(undefined)
  })
  const close = (answer?: Result) => {
    setResult(answer)
    setFile(undefined)
  }
  if (file) return <AddFile list={list} file={file} close={close} />
  return (
    <Panel title="Import a file">
      <FileDrop reader={reader}>
        With the columns indicator, reason and expires_at, as in a download of this list; or one indicator on each line.
      </FileDrop>
      {result ? (
        <>
          <Status>
            {count(result.added)} added, {count(result.changed)} changed, {count(result.unchanged)} as before
            {result.pending > 0 ? `; ${count(result.pending)} wait for approval` : ''}.
          </Status>
          <Warnings of={result.warnings} />
        </>
      ) : null}
    </Panel>
  )
}

function AddFile({ list, file, close }: { list: ListName; file: Opened; close: (result?: Result) => void }) {
  const { entries, lines } = useMemo(() => ownEntries(file.table), [file])
  const add = useCall('POST /v1/own-lists/{list}/imports', (answer) => {
    const warnings = answer.warnings.map(({ entry, detail }) => ({ pointer: `/entries/${entry}`, detail }))
    close({ ...answer, warnings: lineProblems(warnings, lines) })
  })
  return (
    <Panel title="Import a file" error={add.error} failed="Nothing was imported">
      <Warnings title="Correct these lines" of={lineProblems(add.error?.errors ?? [], lines)} />
      <Text>
        <bdi>{file.name}</bdi>: {counted(entries.length, 'entry', 'entries')}, beginning with{' '}
        <bdi>{entries[0]?.indicator}</bdi>.
      </Text>
      <Group>
        <MainButton
          disabled={entries.length === 0}
          of={add}
          input={{ path: { list }, body: { entries } }}
          label={`Add ${counted(entries.length, 'entry', 'entries')} to the ${list} list`}
        />
        <QuietButton onClick={() => close()} label="Another file" />
      </Group>
    </Panel>
  )
}
