import { ListProblem } from '@assay/reader/problem'
import { Alert, Group, Loader, Stack, Text } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { capitalised } from './format.ts'
import { Quiet, QuietButton } from './page.tsx'

type Options = { readonly sheet?: string }

/** Reads a list in the browser: `parse` rejects with a ListProblem for one that cannot be used. */
export function useListReader<Table>(
  parse: (source: string | Blob, options?: Options) => Promise<Table>,
  open: (list: { readonly name: string; readonly table: Table; readonly source: string | Blob }) => void,
) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function read(name: string, source: string | Blob, options?: Options): Promise<void> {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      open({ name, source, table: await parse(source, options) })
    } catch (error) {
      setProblem(error instanceof ListProblem ? capitalised(error.message) : 'This file cannot be read. Try it again.')
    } finally {
      setBusy(false)
    }
  }
  const start = (name: string, source: string | Blob, options?: Options) => void read(name, source, options)
  return { busy, problem, read: start }
}

/** Takes a list from the person's machine: dropped here, or chosen. `children` says which lists are accepted. */
export function FileDrop(props: {
  reader: {
    readonly busy: boolean
    readonly problem: string | undefined
    readonly read: (name: string, file: File) => void
  }
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
          accept=".csv,.tsv,.txt,.log,.json,.jsonl,.ndjson,.xlsx,.ods,.eml,.mbox,text/csv,text/plain"
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
