import { ListProblem } from '@assay/reader/problem'
import { Alert, FileButton, Group, Loader, Stack, Text } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useDropTarget } from './drops.tsx'
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

/** Opens a file from the person's machine, the same one again, too. */
export function OpenFile(props: {
  label: string
  name: string
  accept: string
  open: (file: File) => void
  disabled?: boolean
  size?: string
}) {
  const reset = useRef<() => void>(null)
  const { label, name, accept, open, disabled = false, size = 'sm' } = props
  const take = (file: File | null) => {
    if (file) open(file)
    reset.current?.()
  }
  return (
    <FileButton
      onChange={take}
      accept={accept}
      resetRef={reset}
      disabled={disabled}
      inputProps={{ 'aria-label': name }}
    >
      {({ onClick }) => <QuietButton size={size} disabled={disabled} onClick={onClick} label={label} />}
    </FileButton>
  )
}

/** Takes a list from the person's machine: dropped, or chosen. `children` says which lists are accepted. */
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
  const take = (file: File) => reader.read(file.name, file)
  useDropTarget('Drop it: the file is read here.', take, disabled)
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
        bg="var(--assay-sheet)"
        bd="2px dashed var(--assay-field-line)"
        style={{ borderRadius: 'var(--mantine-radius-sm)' }}
      >
        <Text fw={600}>Drop an Excel or CSV file here</Text>
        <Group>
          <OpenFile
            label="Choose a file"
            name="Excel or CSV file"
            accept=".csv,.tsv,.txt,.log,.json,.jsonl,.ndjson,.xml,.xlsx,.ods,.pdf,.eml,.msg,.mbox,text/csv,text/plain"
            open={take}
            disabled={disabled}
          />
          {reader.busy ? <Loader size="sm" aria-label="Reading" /> : null}
        </Group>
        <Quiet>{props.children}</Quiet>
      </Stack>
    </Stack>
  )
}
