import { type ListTable, readTable } from '@assay/reader/list'
import { ListProblem } from '@assay/reader/problem'
import { Alert, Group, Loader, Stack, Text } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { capitalised } from './format.ts'
import { Quiet, QuietButton } from './page.tsx'

/** A list with its columns, as it is in the file. It stays in the browser. */
export type OpenList = { readonly name: string; readonly table: ListTable }

export function useListReader(open: (list: OpenList) => void) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function read(name: string, source: string | Blob): Promise<void> {
    if (busy) return
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
  return { busy, problem, read: (name: string, source: string | Blob) => void read(name, source) }
}

/** Takes a list from the person's machine: dropped here, or chosen. `children` says which lists are accepted. */
export function FileDrop(props: {
  reader: ReturnType<typeof useListReader>
  disabled?: boolean
  children: ReactNode
}) {
  const { reader, disabled = false } = props
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (file: File | undefined) => file && !disabled && reader.read(file.name, file)
  return (
    <Stack gap="md">
      {reader.problem ? (
        <Alert role="alert" className="problem" title="This list cannot be used">
          {reader.problem}
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
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files[0])
      }}
    >
      <Text fw={600}>Drop an Excel or CSV file here</Text>
      <Group>
        <QuietButton disabled={disabled} onClick={() => input.current?.click()} label="Choose a file" />
        {reader.busy ? <Loader size="sm" aria-label="Reading" /> : null}
      </Group>
      <Quiet>{props.children}</Quiet>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
        aria-label="Excel or CSV file"
        hidden
        onChange={(event) => {
          take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
    </Stack>
    </Stack>
  )
}
