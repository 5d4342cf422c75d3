import { aboutFile, ROLES, type Role, readVendors, type VendorTable, vendorRows } from '@assay/reader/vendors'
import type { CounterpartyImport, ImportOptions } from '@assay/sdk'
import { Alert, Progress as Bar, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Answer } from '../api/client.ts'
import { FileDrop, useListReader } from '../shell/file-drop.tsx'
import { options, useFields } from '../shell/form.tsx'
import { capitalised, count, counted } from '../shell/format.ts'
import { ConsolePage, Figures, LinkLine, MainButton, Panel, problemAt, QuietButton } from '../shell/page.tsx'
import { type Columns, LogPanel, twoLines, WideTable } from '../shell/table.tsx'
import { useAbility, useCall, useChange, usePages } from '../shell/use-session.ts'
import { accountWords, some } from './words.ts'

type Choices = Pick<ImportOptions, 'gone' | 'invalid_rows'>
type OpenFile = { readonly name: string; readonly table: VendorTable; readonly choices?: Choices }

/** A vendor master in three steps: its columns, the differences, the result. Nothing changes before the last. */
export function Component() {
  const mayManage = useAbility('manage')
  const [file, setFile] = useState<OpenFile>()
  const [compared, setCompared] = useState<CounterpartyImport>()
  const reader = useListReader(readVendors, setFile)
  const again = () => {
    setFile(undefined)
    setCompared(undefined)
  }
  return (
    <ConsolePage
      title="Import counterparties"
      lead="The list of suppliers of your accounting system, as it is. You see every difference before anything changes."
    >
      <LinkLine to="/console/counterparties" label="All counterparties" />
      {!mayManage ? (
        <Alert>Your role may read but not change counterparties. Ask an owner or admin.</Alert>
      ) : compared ? (
        <Differences first={compared} again={again} back={() => setCompared(undefined)} />
      ) : file ? (
        <ColumnsStep
          file={file}
          back={again}
          onCompared={(result, columns) => {
            setFile({ ...file, table: { ...file.table, columns }, choices: result })
            setCompared(result)
          }}
        />
      ) : (
        <FileDrop reader={reader}>
          Any columns: name, number, domains, addresses and bank accounts are found. Up to 200,000 rows.
        </FileDrop>
      )}
    </ConsolePage>
  )
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  name: 'Name',
  reference: 'Reference (your number)',
  domains: 'Domains or websites',
  emails: 'Email addresses',
  networks: 'IP addresses and networks',
  accounts: 'Bank account (IBAN or whole)',
  sort_code: 'UK sort code',
  routing_number: 'US routing number',
  account_number: 'Account number',
  since: 'Known since',
  note: 'Note',
  state: 'State',
}
const SAMPLE_CELLS = 3

function ColumnsStep(props: {
  file: OpenFile
  back: () => void
  onCompared: (result: CounterpartyImport, columns: VendorTable['columns']) => void
}) {
  const { name, table, choices: chosen } = props.file
  const [columns, setColumns] = useState(table.columns)
  const { values, field } = useFields({ gone: chosen?.gone ?? 'keep', invalid_rows: chosen?.invalid_rows ?? 'refuse' })
  const [sent, setSent] = useState(0)
  const compare = useChange(async (own, choices: Choices) => {
    const read = { ...table, columns }
    const staged = await own.stageCounterparties(vendorRows(read), {
      ...choices,
      file_name: name.slice(0, 200),
      ...aboutFile(read),
      onProgress: setSent,
    })
    props.onCompared(staged, columns)
  })
  const hasName = columns.some(({ role }) => role === 'name')
  const samples = (at: number) =>
    [...new Set(table.rows.flatMap(({ cells }) => cells[at]?.trim() || []).slice(0, SAMPLE_CELLS))].join(', ')
  return (
    <Panel
      title={[{ name }]}
      lead={`${counted(table.rows.length, 'row')}, ${counted(columns.length, 'column')}. ${table.notes.join(' ')}`}
      error={compare.error}
      failed="The file was not compared, and nothing was changed"
    >
      <WideTable
        label="Columns of the file"
        rows={columns.map((column, at) => ({ at, ...column }))}
        columns={{
          'In the file': ({ title, at }) => twoLines(<bdi>{title}</bdi>, <bdi>{samples(at)}</bdi>),
          Holds: ({ at, title, role }) => (
            <NativeSelect
              size="xs"
              w={{ sm: '15rem' }}
              aria-label={`Content of ${title}`}
              value={role ?? ''}
              data={options(ROLE_WORDS, 'Not used')}
              onChange={({ currentTarget: { value } }) =>
                setColumns(columns.with(at, { title, role: ROLES.find((one) => one === value) }))
              }
            />
          ),
        }}
      />
      {hasName ? null : <Alert role="alert">Say which column has the names of the counterparties.</Alert>}
      <Group align="flex-end">
        <NativeSelect
          label="Counterparties that are not in the file"
          data={options({ keep: 'Stay as they are', former: 'Become former', delete: 'Are deleted' })}
          {...field('gone')}
        />
        <NativeSelect
          label="Rows with an error"
          data={options({ refuse: 'Stop the import', skip: 'Are left out' })}
          {...field('invalid_rows')}
        />
      </Group>
      <Group>
        <MainButton disabled={!hasName} of={compare} input={values as Choices} label="Show the differences" />
        <QuietButton disabled={compare.busy} onClick={props.back} label="Another file" />
      </Group>
      {compare.busy ? <Progress done={sent} total={table.rows.length} words="Rows compared" /> : null}
    </Panel>
  )
}

function Progress({ done, total, words }: { done: number; total: number; words: string }) {
  return (
    <div>
      <Text size="sm" mb={4} role="status">
        {words}: {count(done)} of {count(total)}
      </Text>
      <Bar value={total === 0 ? 100 : (done / total) * 100} aria-label={words} animated />
    </div>
  )
}

const KINDS = { new: 'New', changed: 'Changed', gone: 'Not in the file' } as const
type Kind = keyof typeof KINDS

function Differences({ first, again, back }: { first: CounterpartyImport; again: () => void; back: () => void }) {
  const navigate = useNavigate()
  const [one, setOne] = useState(first)
  const [kind, setKind] = useState<Kind>()
  const path = { import_id: one.id }
  const apply = useChange(async (own) => {
    const onProgress = (done: number, total: number) => setOne((now) => ({ ...now, progress: { done, total } }))
    setOne(await own.applyCounterparties(one.id, { onProgress }))
  })
  const discard = useCall('DELETE /v1/counterparties/imports/{import_id}', back)
  const undo = useCall('POST /v1/counterparties/imports/{import_id}/undo', setOne)
  const losesChanges = problemAt(undo.error, 'discard_changes') !== undefined
  const { counts, progress } = one
  const stopped = counts.invalid > 0 && one.invalid_rows === 'refuse'
  return (
    <Stack gap="lg">
      <Panel title="Differences" error={apply.error ?? discard.error ?? undo.error} failed="Nothing was changed">
        <Figures
          of={{
            New: count(counts.new),
            Changed: count(counts.changed),
            'As before': count(counts.same),
            'Not in the file': count(counts.gone),
            'Joined with another row': counts.merged > 0 && count(counts.merged),
            'Rows with an error': counts.invalid > 0 && count(counts.invalid),
          }}
        />
        {one.state === 'applied' ? (
          <>
            <Alert role="status" title="The import is done">
              Your checks use it now. It can be undone for some days, until the next import.
            </Alert>
            <Group>
              <MainButton onClick={() => void navigate('/console/counterparties')} label="See the counterparties" />
              <QuietButton
                of={undo}
                input={{ path, body: { discard_changes: losesChanges } }}
                label={losesChanges ? 'Undo, lose the changes' : 'Undo the import'}
              />
            </Group>
          </>
        ) : one.state === 'undone' ? (
          <>
            <Alert role="status" title="The import was undone">
              The counterparties are as they were before it.
            </Alert>
            <Group>
              <QuietButton onClick={again} label="Another file" />
            </Group>
          </>
        ) : (
          <>
            {stopped ? (
              <Alert role="alert" title="Rows with an error stop the import">
                Correct them in the file. Or go back, and choose that rows with an error are left out.
              </Alert>
            ) : null}
            <Group>
              <MainButton disabled={stopped} of={apply} label="Import them" />
              <QuietButton disabled={apply.busy} of={discard} input={{ path }} label="Back" />
            </Group>
            {apply.busy ? <Progress {...progress} words="Imported" /> : null}
          </>
        )}
      </Panel>
      {one.state === 'undone' ? null : (
        <>
          <Remarks importId={one.id} />
          <Group component="nav" gap="xs" aria-label="Differences">
            {(Object.keys(KINDS) as Kind[]).map((name) => (
              <QuietButton
                key={name}
                size="xs"
                aria-pressed={name === kind}
                disabled={counts[name] === 0}
                onClick={() => setKind(name)}
                label={`${KINDS[name]}: ${count(counts[name])}`}
              />
            ))}
          </Group>
          {kind ? <DifferenceRows key={kind} importId={one.id} kind={kind} /> : null}
        </>
      )}
    </Stack>
  )
}

function Remarks({ importId }: { importId: string }) {
  const name = 'GET /v1/counterparties/imports/{import_id}/remarks'
  const path = { import_id: importId }
  const remarks = usePages(name, { limit: 50 }, path)
  if (remarks.data?.pages[0]?.data.length === 0) return null
  return (
    <LogPanel
      title="Rows to look at"
      query={remarks}
      csv={{ name, options: { path }, fileName: 'assay-rows-to-look-at.csv' }}
      more="More rows"
      empty=""
      columns={{
        Row: [({ row }) => count(row), 'number'],
        Finding: ({ remarks: found, invalid }) => (
          <>
            {invalid ? 'Error: ' : ''}
            <bdi>{found.map(({ detail }) => detail).join(' ')}</bdi>
          </>
        ),
      }}
    />
  )
}

type Difference = Answer<'GET /v1/counterparties/imports/{import_id}/differences'>['data'][number]
type Side = NonNullable<Difference['after']>

function DifferenceRows({ importId, kind }: { importId: string; kind: Kind }) {
  const name = 'GET /v1/counterparties/imports/{import_id}/differences'
  const path = { import_id: importId }
  return (
    <LogPanel
      title={KINDS[kind]}
      query={usePages(name, { difference: kind, limit: 50 }, path)}
      csv={{ name, options: { path, query: { difference: kind } }, fileName: `assay-${kind}.csv` }}
      more="More"
      empty="None."
      columns={{
        Counterparty: ({ before, after }) =>
          twoLines(<bdi>{(after ?? before)?.name}</bdi>, <bdi>{(after ?? before)?.reference}</bdi>),
        ...(kind === 'changed' ? CHANGED : ADDED_OR_GONE),
      }}
    />
  )
}

const CHANGED: Columns<Difference> = {
  Change: ({ changed, before, after }) => (
    <ul className="bare">
      {changed.map((field) => (
        <li key={field}>
          {capitalised(field)}: <bdi>{cellOf(before, field) || 'nothing'}</bdi> →{' '}
          <bdi>{cellOf(after, field) || 'nothing'}</bdi>
        </li>
      ))}
    </ul>
  ),
}
const ADDED_OR_GONE: Columns<Difference> = {
  Domains: ({ before, after }) => <bdi>{some((after ?? before)?.domains ?? [])}</bdi>,
  'Bank accounts': ({ before, after }) => some(((after ?? before)?.accounts ?? []).map(accountWords)),
}

function cellOf(side: Side | null, field: keyof Side): string {
  if (!side) return ''
  if (field === 'accounts') return some(side.accounts.map(accountWords))
  const value = side[field]
  return Array.isArray(value) ? some(value as string[]) : String(value ?? '')
}
