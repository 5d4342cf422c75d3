import { FORMAT_BYTES, type Format, fileFormat } from '@assay/reader/format'
import { Center } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'

/** A file may be dropped anywhere in the window: it goes to the open page, or to the page for its format. */

interface Target {
  readonly words: string
  readonly take: (file: File) => void
}

/** The last one is that of the page in front. */
let targets: readonly Target[] = []

export function useDropTarget(words: string, take: (file: File) => void, disabled = false): void {
  const taken = useEffectEvent(take)
  useEffect(() => {
    if (disabled) return
    const target = { words, take: (file: File) => taken(file) }
    targets = [...targets, target]
    return () => {
      targets = targets.filter((one) => one !== target)
    }
  }, [words, disabled])
}

export type Handed = { readonly name: string; readonly source: string | File }

/** A file or text on its way to another page. */
let handed: Handed | undefined

export function useHandOver(): (to: '/console' | '/console/bulk', what: Handed) => void {
  const navigate = useNavigate()
  return (to, what) => {
    handed = what
    void navigate(to)
  }
}

export function useHandedOver(take: (what: Handed) => void): void {
  const taken = useEffectEvent(take)
  useEffect(() => {
    const what = handed
    handed = undefined
    if (what) taken(what)
  }, [])
}

/** The name decides only between a mail of Outlook and an old workbook, which begin with the same bytes. */
export async function formatOf(file: File): Promise<Format> {
  if (/\.msg$/i.test(file.name)) return 'mail'
  const head = new Uint8Array(await file.slice(0, FORMAT_BYTES).arrayBuffer())
  return fileFormat(head).catch(() => 'text')
}

const holdsFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true

/** Without it a browser leaves the console to show the file. */
export function DropAnywhere() {
  const handOver = useHandOver()
  const [over, setOver] = useState(false)
  const take = useEffectEvent(async (file: File) => {
    const target = targets.at(-1)
    if (target) target.take(file)
    else handOver((await formatOf(file)) === 'mail' ? '/console' : '/console/bulk', { name: file.name, source: file })
  })
  useEffect(() => {
    const listening = new AbortController()
    const on = (type: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      addEventListener(type, listener, { signal: listening.signal })
    on('dragover', (event) => {
      if (!holdsFile(event)) return
      event.preventDefault()
      setOver(true)
    })
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false)
    })
    on('drop', (event) => {
      setOver(false)
      if (!holdsFile(event)) return
      event.preventDefault()
      const [file] = event.dataTransfer?.files ?? []
      if (file) void take(file)
    })
    return () => listening.abort()
  }, [])
  if (!over) return null
  return (
    <Center
      role="status"
      pos="fixed"
      inset={0}
      p="xl"
      fz="xl"
      fw={600}
      ta="center"
      bg="color-mix(in srgb, var(--assay-page) 90%, transparent)"
      bd="4px dashed var(--assay-accent)"
      style={{ zIndex: 1000, pointerEvents: 'none' }}
    >
      {targets.at(-1)?.words ?? 'Drop it: a mail opens in Check, any other file in Check a list.'}
    </Center>
  )
}
