import { findAccounts } from '@assay/reader/account'
import type { Format } from '@assay/reader/format'
import { readPaste } from '@assay/reader/paste'
import { type ClipboardEvent, useState } from 'react'
import { formatOf, useDropTarget, useHandedOver } from '../shell/drops.tsx'
import { type Reading, readingOfMail, readingOfSeveral } from './found.tsx'

/** Longer than any indicator, and a reasonable limit for a field of one line. */
export const ENTRY_LENGTH_MAX = 2048

/** A file for another page. */
export type ListFile = { readonly file: File; readonly words: string }

const LIST_WORDS: Readonly<Record<Exclude<Format, 'mail'>, string>> = {
  workbook: 'a workbook',
  pdf: 'a PDF',
  text: 'a list or a log',
}

/** Accepts what a field of one line cannot: a whole mail, a table, several lines, an .eml or .msg file. */
export function usePaste(fill: (text: string) => void, disabled: boolean) {
  const [reading, setReading] = useState<Reading>()
  const [problem, setProblem] = useState<string>()
  const [list, setList] = useState<ListFile>()

  async function take(read: () => Promise<Reading | ListFile | string>): Promise<void> {
    setProblem(undefined)
    setList(undefined)
    const result = await read().catch(() => undefined)
    if (result === undefined) {
      return setProblem('This cannot be read. Drop a mail (.eml, .msg) of at most 30 MB, or paste its text.')
    }
    if (typeof result === 'string') {
      setReading(undefined)
      fill(result.replace(/\s+/g, ' ').trim().slice(0, ENTRY_LENGTH_MAX))
      return
    }
    if ('file' in result) return setList(result)
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
  const open = (file: File) => void take(() => readFile(file))
  useDropTarget('Drop it: a mail is read here, a list in Check a list.', open, disabled)
  useHandedOver(({ source }) => {
    if (source instanceof File) open(source)
  })
  return { reading, problem, list, forget: () => setReading(undefined), onPaste, open }
}

async function readText(text: string): Promise<Reading | string> {
  const paste = await readPaste(text)
  if (paste.form === 'mail') return readingOfMail(paste.mail)
  return paste.form === 'several' ? readingOfSeveral(paste.indicators, paste.accounts) : text
}

/** Read as bytes, because a mail declares the encoding of its parts itself. */
async function readFile(file: File): Promise<Reading | ListFile> {
  const format = await formatOf(file)
  if (format !== 'mail') return { file, words: LIST_WORDS[format] }
  const { MAIL_BYTES_MAX, readMail } = await import('@assay/reader/mail')
  if (file.size > MAIL_BYTES_MAX) throw new Error('too large')
  return readingOfMail(await readMail(new Uint8Array(await file.arrayBuffer())))
}
