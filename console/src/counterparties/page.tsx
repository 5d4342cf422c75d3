import { Group, TextInput } from '@mantine/core'
import { useFields } from '../shell/form.tsx'
import { counted, day } from '../shell/format.ts'
import { ButtonLink, ConsolePage, NameLink, problemAt, QuietButton, State, SureButton } from '../shell/page.tsx'
import { LogPanel, TablePanel, twoLines } from '../shell/table.tsx'
import { useAbility, useCall, useFile, usePages, useRead } from '../shell/use-session.ts'
import { accountWords, STATE_LOOKS, some } from './words.ts'

export function Component() {
  const mayManage = useAbility('manage')
  const { values, field } = useFields({ search: '' })
  const search = values.search.trim()
  const found = usePages('GET /v1/counterparties', { ...(search === '' ? {} : { search }), limit: 50 })
  const save = useFile((own) => own.downloadCounterparties())
  return (
    <ConsolePage of="counterparties">
      <Group align="flex-end" gap="sm">
        <TextInput
          type="search"
          aria-label="Search counterparties"
          placeholder="Name, reference, domain or address"
          flex="1 1 16rem"
          maxLength={200}
          {...field('search')}
        />
        {mayManage ? (
          <>
            <ButtonLink size="sm" to="/console/counterparties/new" label="Add one" />
            <ButtonLink size="sm" variant="default" to="/console/counterparties/import" label="Import a file" />
          </>
        ) : null}
      </Group>
      <LogPanel
        title="Your counterparties"
        query={found}
        action={<QuietButton size="xs" of={save} label="Download CSV" />}
        error={save.error}
        failed="The file was not made"
        more="More counterparties"
        empty={
          search === ''
            ? 'None yet. Import the list of suppliers of your accounting system, or add one.'
            : 'None matches.'
        }
        columns={{
          Name: ({ id, name, reference }) =>
            twoLines(
              <NameLink to={`/console/counterparties/${id}`} name={name} />,
              reference === null ? null : <bdi>{reference}</bdi>,
            ),
          Domains: [
            ({ domains, emails }) => some([...domains, ...emails.filter((one) => !isWithin(one, domains))]),
            'name',
          ],
          'Bank accounts': ({ accounts }) => some(accounts.map(accountWords)),
          State: ({ state }) => <State name={STATE_LOOKS[state]}>{state}</State>,
          // A day must not break at its hyphens.
          Since: ({ since }) => since?.replaceAll('-', '\u2011'),
        }}
      />
      <Imports />
    </ConsolePage>
  )
}

const isWithin = (address: string, domains: readonly string[]) =>
  domains.some((domain) => address.endsWith(`@${domain}`) || address.endsWith(`.${domain}`))

const IMPORT_LOOKS = { open: 'open', applying: 'open', applied: 'active', undone: 'void', discarded: 'void' } as const

const undoOf = (import_id: string, discard_changes: boolean) => ({ path: { import_id }, body: { discard_changes } })

/** Imports that changed something, and the undo of the last one. */
function Imports() {
  const mayManage = useAbility('manage')
  const imports = useRead('GET /v1/counterparties/imports', { query: { limit: 5 } })
  const undo = useCall('POST /v1/counterparties/imports/{import_id}/undo')
  const rows = imports.data?.data ?? []
  if (rows.length === 0) return null
  return (
    <TablePanel
      title="Last imports"
      error={undo.error}
      failed="The import was not undone"
      rows={rows}
      columns={{
        File: ({ file_name: name, created_at: at }) => twoLines(<bdi>{name ?? 'without a name'}</bdi>, day(at)),
        Differences: ({ counts }) =>
          `${counted(counts.new, 'new', 'new')}, ${counted(counts.changed, 'changed', 'changed')}, ${counted(counts.gone, 'not in the file', 'not in the file')}`,
        State: ({ state }) => <State name={IMPORT_LOOKS[state]}>{state}</State>,
        Change: ({ id, can_undo }) =>
          mayManage && can_undo ? (
            problemAt(undo.error, 'discard_changes') ? (
              <SureButton label="Undo, lose the changes" of={undo} input={undoOf(id, true)} />
            ) : (
              <SureButton label="Undo" of={undo} input={undoOf(id, false)} />
            )
          ) : null,
      }}
    />
  )
}
