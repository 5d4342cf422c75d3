import { findAccounts } from '@assay/reader/account'
import { readPaste } from '@assay/reader/paste'
import { type ClipboardEvent, type DragEvent, useState } from 'react'
import { type Reading, readingOfMail, readingOfSeveral } from './found.tsx'

/** Longer than any indicator, and a reasonable limit for a field of one line. */
export const ENTRY_LENGTH_MAX = 2048

/** Accepts what a field of one line cannot: a whole mail, a table, several lines, a dropped .eml or .msg file. */
export function usePaste(fill: (text: string) => void) {
  const [reading, setReading] = useState<Reading>()
  const [problem, setProblem] = useState<string>()

  async function take(read: () => Promise<Reading | string>): Promise<void> {
    setProblem(undefined)
    const result = await read().catch(() => undefined)
    if (result === undefined) {
      return setProblem('This cannot be read. Drop a mail (.eml, .msg) of at most 30 MB, or paste its text.')
    }
    if (typeof result === 'string') {
      setReading(undefined)
      fill(result.replace(/\s+/g, ' ').trim().slice(0, ENTRY_LENGTH_MAX))
      return
    }
    setReading(result)
    const all = result.groups.flatMap(({ indicators }) => indicators)
    fill(all.length === 1 ? (all[0]?.value ?? '') : '')
  }

  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\r\n]/.test(text.trim()) && text.length <= ENTRY_LENGTH_MAX && findAccounts(text).length === 0) return
    event.preventDefault()
    void take(() => readText(text))
  }
  const onDrop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    const text = event.dataTransfer.getData('text/plain')
    if (!file && text === '') return
    event.preventDefault()
    void take(() => (file ? readFile(file) : readText(text)))
  }
  // A browser opens a dropped file in place of the page unless the page accepts it here.
  const onDragOver = (event: DragEvent) => event.preventDefault()
  return { reading, problem, forget: () => setReading(undefined), onPaste, dropZone: { onDrop, onDragOver } }
}

async function readText(text: string): Promise<Reading | string> {
  const paste = await readPaste(text)
  if (paste.form === 'mail') return readingOfMail(paste.mail)
  return paste.form === 'several' ? readingOfSeveral(paste.indicators, paste.accounts) : text
}

/** Read as bytes, because a mail declares the encoding of its parts itself. */
async function readFile(file: File): Promise<Reading> {
  const { MAIL_BYTES_MAX, readMail } = await import('@assay/reader/mail')
  if (file.size > MAIL_BYTES_MAX) throw new Error('too large')
  return readingOfMail(await readMail(new Uint8Array(await file.arrayBuffer())))
}
