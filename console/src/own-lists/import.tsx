import { type ListTable, readTable } from '@assay/reader/list'
import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer, Body } from '../api/client.ts'
import type { OwnEntry } from '../api/organisation.ts'
import { FileDrop, useListReader } from '../shell/file-drop.tsx'
import { count, counted } from '../shell/format.ts'
import { MainButton, Panel, QuietButton, Status, Warnings } from '../shell/page.tsx'
import { useChange } from '../shell/use-session.ts'

type Entries = Body<'POST /v1/own-lists/{list}/imports'>['entries']
type Result = Answer<'POST /v1/own-lists/{list}/imports'>

/** CSV or a workbook with the columns of an export: indicator, reason, expires_at; or one indicator on each line. */
export function ImportEntries({ list }: { list: OwnEntry['list'] }) {
  const [file, setFile] = useState<{ readonly name: string; readonly table: ListTable }>()
  const [result, setResult] = useState<Result>()
  const reader = useListReader(readTable, (opened) => {
    setFile(opened)
    setResult(undefined)
  })
  const add = useChange(async (own, entries: Entries, idempotencyKey) => {
    const path = { list }
    setResult(await own.call('POST /v1/own-lists/{list}/imports', { path, body: { entries }, idempotencyKey }))
    setFile(undefined)
  })
  const entries = file ? entriesOf(file.table) : []
  return (
    <Panel title="Import a file" error={add.error} failed="Nothing was imported">
      {file ? (
        <>
          <Text>
            <bdi>{file.name}</bdi>: {counted(entries.length, 'entry', 'entries')}, beginning with{' '}
            <bdi>{entries[0]?.indicator}</bdi>.
          </Text>
          <Group>
            <MainButton
              loading={add.busy}
              disabled={entries.length === 0}
              onClick={() => add.submit(entries)}
              label={`Add ${counted(entries.length, 'entry', 'entries')} to the ${list} list`}
            />
            <QuietButton onClick={() => setFile(undefined)} label="Another file" />
          </Group>
        </>
      ) : (
        <FileDrop reader={reader}>
          With the columns indicator, reason and expires_at, as in a download of this list; or one indicator on each
          line.
        </FileDrop>
      )}
      {result ? (
        <>
          <Status>
            {count(result.added)} added, {count(result.changed)} changed, {count(result.unchanged)} as before
            {result.pending > 0 ? `; ${count(result.pending)} wait for approval` : ''}.
          </Status>
          <Warnings of={result.warnings.map(({ entry, detail }) => `Row ${entry + 1}: ${detail}`)} />
        </>
      ) : null}
    </Panel>
  )
}

function entriesOf({ columns, rows, guess }: ListTable): Entries {
  const titled = (title: string) => columns.findIndex((one) => one.trim().toLowerCase() === title)
  const indicatorAt = titled('indicator') < 0 ? (guess?.column ?? 0) : titled('indicator')
  const [reasonAt, endsAt] = [titled('reason'), titled('expires_at')]
  return rows.flatMap(({ cells }) => {
    const cell = (at: number) => cells[at]?.trim() || null
    const indicator = cell(indicatorAt)
    // A day means the whole day.
    const ends = cell(endsAt)?.replace(/^\d{4}-\d{2}-\d{2}$/, '$&T23:59:59Z') ?? null
    return indicator === null ? [] : [{ indicator, reason: cell(reasonAt), expires_at: ends }]
  })
}
