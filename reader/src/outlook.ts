import PostalMime, { type Email, type Header } from 'postal-mime'
import { createDecoder } from './encoding.ts'
import { joined } from './unzip.ts'

/**
 * Reads a mail that Outlook saved (.msg): a compound file ([MS-CFB]) of properties ([MS-OXMSG]). Only the streams that
 * are needed are read, and no chain of sectors is followed further than the file is long: the file may be an attacker's.
 */

export interface ParsedMail
  extends Pick<Email, 'from' | 'sender' | 'replyTo' | 'returnPath' | 'subject' | 'html' | 'text'> {
  readonly headers: readonly Header[]
  readonly attachments: readonly {
    readonly filename: string | null
    /** The content, if it is a mail. */
    readonly mail: (() => Promise<ParsedMail>) | undefined
  }[]
}

const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const PROPERTIES = '__properties_version1.0'
const TEXT_BYTES_MAX = 4 * 1024 * 1024
const NAME_BYTES_MAX = 2048
const ATTACHMENTS_MAX = 100

export const isOutlookFile = (bytes: Uint8Array) => SIGNATURE.every((byte, at) => bytes[at] === byte)

/** False for a compound file of another program, such as an old workbook. */
export function isOutlookMail(bytes: Uint8Array): boolean {
  try {
    return openCompoundFile(bytes).entries.some(({ name }) => name === PROPERTIES)
  } catch {
    return false
  }
}

/** Rejects for a broken file. `parse` reads an attached .eml or .msg file. */
export async function parseOutlook(bytes: Uint8Array, parse: Parse): Promise<ParsedMail> {
  const { entries, read } = openCompoundFile(bytes)
  const root = entries[0]
  if (!root) throw new Error('empty')
  return parseMessage({ entries, read, parse }, root, ROOT_PROPERTIES_AT)
}

type Parse = (bytes: Uint8Array) => Promise<ParsedMail>

type File = ReturnType<typeof openCompoundFile> & { readonly parse: Parse }

/** The head of the properties' stream is longer in the outermost message. */
const ROOT_PROPERTIES_AT = 32
const INNER_PROPERTIES_AT = 24

async function parseMessage(file: File, message: Entry, propertiesAt: number): Promise<ParsedMail> {
  const children = childrenOf(file, message)
  const codePage = codePageOf(file, children.get(PROPERTIES), propertiesAt)
  const text = (id: string, bytesMax?: number) => textOf(file, children, id, codePage, bytesMax)
  const head = await PostalMime.parse(`${text('007D', TEXT_BYTES_MAX) ?? ''}\r\n\r\n`)
  // A mail from one's own Exchange has no header: Outlook keeps the sender in properties.
  const mailbox = (name: string, ...addresses: readonly string[]) => {
    const address = addresses.map((id) => text(id)).find((one) => one?.includes('@'))
    return address === undefined ? undefined : { name: text(name) ?? '', address }
  }
  const html = children.get('__substg1.0_10130102')
  return {
    headers: head.headers,
    from: head.from ?? mailbox('0042', '5D02', '0065') ?? mailbox('0C1A', '5D01', '0C1F'),
    sender: head.sender,
    replyTo: head.replyTo,
    returnPath: head.returnPath,
    subject: text('0037') ?? head.subject,
    html: html ? decodeText(file.read(html, TEXT_BYTES_MAX), codePage) : text('1013', TEXT_BYTES_MAX),
    text: text('1000', TEXT_BYTES_MAX),
    attachments: [...children]
      .filter(([name]) => name.startsWith('__attach_version1.0_'))
      .slice(0, ATTACHMENTS_MAX)
      .map(([, entry]) => parseAttachment(file, entry, codePage)),
  }
}

function parseAttachment(file: File, attachment: Entry, codePage: number): ParsedMail['attachments'][number] {
  const children = childrenOf(file, attachment)
  const name = ['3707', '3704', '3001'].map((id) => textOf(file, children, id, codePage)).find((one) => one)
  const message = children.get('__substg1.0_3701000D')
  const content = children.get('__substg1.0_37010102')
  return {
    filename: name ?? null,
    mail: message
      ? () => parseMessage(file, message, INNER_PROPERTIES_AT)
      : content && /\.(?:eml|msg)$/i.test(name ?? '')
        ? () => file.parse(file.read(content, content.size))
        : undefined,
  }
}

function textOf(file: File, children: Children, id: string, codePage: number, bytesMax = NAME_BYTES_MAX) {
  const wide = children.get(`__substg1.0_${id}001F`)
  const narrow = children.get(`__substg1.0_${id}001E`)
  const entry = wide ?? narrow
  if (!entry) return undefined
  const text = decodeText(file.read(entry, bytesMax), wide ? UTF_16_CODE_PAGE : codePage)
  return text.split('\0', 1)[0]
}

const UTF_16_CODE_PAGE = 1200
/** Windows' numbers of encodings, where a name cannot be made from the number. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  [UTF_16_CODE_PAGE]: 'utf-16le',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20866: 'koi8-r',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
}

function decodeText(bytes: Uint8Array, codePage: number): string {
  const name =
    CODE_PAGES[codePage] ??
    (codePage > 1249 && codePage < 1259 && codePage !== 1252
      ? `windows-${codePage}`
      : codePage > 28_591 && codePage < 28_606
        ? `iso-8859-${codePage - 28_590}`
        : undefined)
  if (name !== undefined) return new TextDecoder(name).decode(bytes)
  const decoder = createDecoder('windows-1252')
  return decoder.write(bytes) + decoder.end()
}

/** The encoding of texts that are not UTF-16: PidTagInternetCodepage, PidTagMessageCodepage. */
function codePageOf({ read }: File, properties: Entry | undefined, from: number): number {
  if (!properties) return 0
  const bytes = read(properties, 65_536)
  const view = new DataView(bytes.buffer)
  let codePage = 0
  for (let at = from; at + 16 <= bytes.length; at += 16) {
    const tag = view.getUint32(at, true)
    if (tag === 0x3fde0003 || (tag === 0x3ffd0003 && codePage === 0)) codePage = view.getUint32(at + 8, true)
    if (tag === 0x3fde0003) break
  }
  return codePage
}

interface Entry {
  readonly name: string
  readonly left: number
  readonly right: number
  readonly child: number
  readonly start: number
  readonly size: number
}

type Children = ReadonlyMap<string, Entry>

function childrenOf({ entries }: { readonly entries: readonly Entry[] }, parent: Entry): Children {
  const found = new Map<string, Entry>()
  const seen = new Set<number>()
  const open = [parent.child]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entry = entries[at]
    if (!entry || seen.has(at)) continue
    seen.add(at)
    found.set(entry.name, entry)
    open.push(entry.right, entry.left)
  }
  return found
}

/** Numbers above this one mark ends and free sectors. */
const SECTOR_MAX = 0xffff_fffa
const ENTRY_BYTES = 128
const MINI_BYTES = 64
const MINI_STREAM_MAX = 4096

function openCompoundFile(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const u32 = (at: number) => view.getUint32(at, true)
  const sectorBytes = u32(30) % 65_536 === 12 ? 4096 : 512
  const numbersPerSector = sectorBytes / 4
  const sectorsMax = Math.ceil(bytes.length / sectorBytes)
  const place = (sector: number) => (sector + 1) * sectorBytes

  /** Follows a chain until it ends or `bytesMax` are read. Throws for a chain that is longer than the file. */
  function readChain(start: number, bytesMax: number, next: (sector: number) => number): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array[] = []
    let length = 0
    for (let sector = start; sector < SECTOR_MAX && length < bytesMax; sector = next(sector)) {
      const part = bytes.subarray(place(sector), place(sector) + Math.min(sectorBytes, bytesMax - length))
      if (part.length === 0 || parts.length > sectorsMax) throw new Error('broken chain')
      parts.push(part)
      length += part.length
    }
    return joined(parts)
  }

  const allocation = [...Array(109).keys()].map((at) => u32(76 + at * 4))
  for (let sector = u32(68); sector < SECTOR_MAX && allocation.length < sectorsMax; ) {
    for (let at = 0; at < numbersPerSector - 1; at++) allocation.push(u32(place(sector) + at * 4))
    sector = u32(place(sector) + sectorBytes - 4)
  }
  const next = (sector: number) =>
    u32(place(allocation[Math.floor(sector / numbersPerSector)] ?? SECTOR_MAX) + (sector % numbersPerSector) * 4)
  const directory = readChain(u32(48), Infinity, next)
  const entries = [...Array(Math.floor(directory.length / ENTRY_BYTES)).keys()].map((at) =>
    entryOf(directory.subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES)),
  )
  const miniAllocation = new DataView(readChain(u32(60), Infinity, next).buffer)
  const miniStream = readChain(entries[0]?.start ?? SECTOR_MAX, Infinity, next)

  function read({ start, size }: Entry, bytesMax: number): Uint8Array<ArrayBuffer> {
    const length = Math.min(size, bytesMax)
    if (size >= MINI_STREAM_MAX) return readChain(start, length, next)
    const parts: Uint8Array[] = []
    for (let sector = start, left = length; left > 0 && sector < SECTOR_MAX; left -= MINI_BYTES) {
      parts.push(miniStream.subarray(sector * MINI_BYTES, sector * MINI_BYTES + Math.min(MINI_BYTES, left)))
      sector = miniAllocation.getUint32(sector * 4, true)
    }
    return joined(parts)
  }
  return { entries, read }
}

function entryOf(bytes: Uint8Array<ArrayBuffer>): Entry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, ENTRY_BYTES)
  const nameBytes = Math.min(64, Math.max(2, view.getUint16(64, true)))
  const u32 = (at: number) => view.getUint32(at, true)
  return {
    name: new TextDecoder('utf-16le').decode(bytes.subarray(0, nameBytes - 2)),
    left: u32(68),
    right: u32(72),
    child: u32(76),
    start: u32(116),
    size: u32(120),
  }
}
