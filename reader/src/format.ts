import { ListProblem } from './problem.ts'

/** Detects the format of a file from its content: names of files are often wrong. */
export type Format = 'workbook' | 'pdf' | 'mail' | 'text'

/** This many bytes from the beginning of a file are enough, except of a file of Outlook or an old workbook. */
export const FORMAT_BYTES = 20_000

const HEADER_LINE = /^(?:From|Return-Path|Received|Reply-To|Subject|Date|Message-ID|To|MIME-Version|Delivered-To):/gim
const SENDER_LINE = /^(?:From|Return-Path|Received|Reply-To):/im

/** The header that a mail program of another language shows, and that people copy: its sender and subject in English. */
export function englishHeader(text: string): string {
  if (!/^\s*(?:Von|De|Da|Van|Från|Fra|Od)\s?:[^\n]*@/i.test(text)) return text
  const subject = /^(?:Betreff|Objet|Asunto|Assunto|Oggetto|Onderwerp|Ämne|Emne|Temat)\s?:/im
  return text.replace(/^\s*\p{L}+\s?:/u, 'From:').replace(subject, 'Subject:')
}

/** True when the first lines look like a mail or a mail header. */
export function looksLikeMail(text: string): boolean {
  const head = englishHeader(text.slice(0, FORMAT_BYTES)).trimStart()
  if (!/^(?:From |[!-9;-~]+:)/.test(head)) return false
  return SENDER_LINE.test(head) && (head.match(HEADER_LINE)?.length ?? 0) >= 2
}

/** `whole` gives the rest of a file of which `head` is the beginning. Rejects with a ListProblem for an old workbook. */
export async function fileFormat(head: Uint8Array, whole: () => Uint8Array = () => head): Promise<Format> {
  const begins = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte)
  if (begins(0x50, 0x4b, 3, 4)) return 'workbook'
  if (begins(0x25, 0x50, 0x44, 0x46)) return 'pdf'
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    const { isOutlookMail } = await import('./outlook.ts')
    if (isOutlookMail(whole())) return 'mail'
    throw new ListProblem('This is a workbook in the old format (.xls) or with a password. Save it as .xlsx or as CSV.')
  }
  return looksLikeMail(new TextDecoder('latin1').decode(head.subarray(0, FORMAT_BYTES))) ? 'mail' : 'text'
}
