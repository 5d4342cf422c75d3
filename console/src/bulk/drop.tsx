import { type ListTable, readTable } from '@assay/reader/list'
import { ListProblem } from '@assay/reader/problem'
import { Alert, Group, Loader, Stack, Text, Textarea } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { capitalised } from '../shell/format.ts'
import { MainButton, Quiet, QuietButton } from '../shell/page.tsx'

export type OpenList = { readonly name: string; readonly table: ListTable }

/** Accepts a list: dropped, chosen or pasted. It stays in the browser until the checks begin. */
export function Drop({ open, disabled }: { open: (list: OpenList) => void; disabled: boolean }) {
  const file = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [busy, setBusy] = useState(false)
  const [pasted, setPasted] = useState('')
  const [problem, setProblem] = useState<string>()

  async function read(name: string, source: string | Blob): Promise<void> {
    if (busy || disabled) return
    setBusy(true)
    setProblem(undefined)
    try {
      open({ name, table: await readTable(source) })
    } catch (error) {
      setProblem(error instanceof ListProblem ? capitalised(error.message) : 'This file cannot be read. Try it again.')
    } finally {
      setBusy(false)
    }
  }

  function readFile(chosen: File | undefined): void {
    if (chosen) void read(chosen.name, chosen)
  }

  function onDrop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    readFile(event.dataTransfer.files[0])
  }

  return (
    <Stack gap="md">
      {problem ? (
        <Alert role="alert" className="problem" title="This list cannot be used">
          {problem}
        </Alert>
      ) : null}
      <Stack
        component="section"
        gap="xs"
        align="flex-start"
        aria-label="A file"
        p="2rem 1.5rem"
        bg={over ? 'var(--assay-page)' : 'var(--assay-sheet)'}
        bd={`2px dashed var(--assay-${over ? 'accent' : 'field-line'})`}
        style={{ borderRadius: 'var(--mantine-radius-sm)' }}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Text fw={600}>Drop an Excel or CSV file here</Text>
        <Group>
          <QuietButton disabled={disabled} onClick={() => file.current?.click()} label="Choose a file" />
          {busy ? <Loader size="sm" aria-label="Reading" /> : null}
        </Group>
        <Quiet>Any columns: the one with the emails, domains or IP addresses is found. Up to 500,000 rows.</Quiet>
        <input
          ref={file}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
          aria-label="Excel or CSV file"
          hidden
          onChange={(event) => {
            readFile(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </Stack>
      <Textarea
        label="Or paste a list"
        description="One on each line."
        minRows={3}
        maxRows={14}
        autosize
        value={pasted}
        onChange={(event) => setPasted(event.currentTarget.value)}
        disabled={disabled}
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      <Group>
        <MainButton
          onClick={() => void read('Pasted list', pasted)}
          disabled={disabled || pasted.trim() === ''}
          loading={busy}
          label="Read this list"
        />
      </Group>
    </Stack>
  )
}
