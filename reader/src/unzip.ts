import { Inflate } from 'fflate'
import { ListProblem } from './problem.ts'
import { createXmlWalker, type Tag } from './xml.ts'

/** Unpacks the files of a ZIP archive in pieces, with a limit that does not trust the sizes in the archive. */
export type Archive = {
  /** Gives the pieces of a file to `take` until it returns false. A file that is not there has none. */
  read(name: string, take: (piece: Uint8Array) => boolean): void
}

const ENTRIES_MAX = 10_000
const STORED = 0
const DEFLATED = 8
/** Input is unpacked in slices of this size, and the limit is checked after each: a slice can grow a thousandfold. */
const SLICE_BYTES = 16_384

export const damaged = () =>
  new ListProblem('This workbook is damaged. Open it in the program it comes from and save it again.')

export const tooLarge = () => new ListProblem('This workbook is too large. Save the list as CSV.')

/** `bytesMax` limits all files together. */
export function openArchive(bytes: Uint8Array, bytesMax: number): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = readDirectory(bytes, view)
  let left = bytesMax
  return {
    read(name, take) {
      const entry = entries.get(name)
      if (!entry) return
      unpack(bytes, view, entry, (piece) => {
        left -= piece.length
        if (left < 0) throw tooLarge()
        return take(piece)
      })
    },
  }
}

type Entry = { readonly method: number; readonly size: number; readonly offset: number }

function readDirectory(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  const at = findEnd(view)
  const count = view.getUint16(at + 10, true)
  let offset = view.getUint32(at + 16, true)
  if (count > ENTRIES_MAX) throw damaged()
  const entries = new Map<string, Entry>()
  for (let index = 0; index < count; index++) {
    if (offset + 46 > bytes.length || view.getUint32(offset, true) !== 0x02014b50) throw damaged()
    const nameLength = view.getUint16(offset + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameLength))
    entries.set(name, {
      method: view.getUint16(offset + 10, true),
      size: view.getUint32(offset + 20, true),
      offset: view.getUint32(offset + 42, true),
    })
    offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true)
  }
  return entries
}

/** The record at the end of every archive; only a comment may follow it. */
function findEnd(view: DataView): number {
  const last = view.byteLength - 22
  for (let at = last; at >= 0 && at > last - 65_536; at--) if (view.getUint32(at, true) === 0x06054b50) return at
  throw damaged()
}

function unpack(
  bytes: Uint8Array,
  view: DataView,
  { method, size, offset }: Entry,
  take: (piece: Uint8Array) => boolean,
): void {
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== 0x04034b50) throw damaged()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  const packed = bytes.subarray(start, start + size)
  if (packed.length !== size || (method !== STORED && method !== DEFLATED)) throw damaged()
  let going = true
  const push = (piece: Uint8Array) => {
    going &&= take(piece)
  }
  const inflate = new Inflate(push)
  for (let at = 0; going && at < size; at += SLICE_BYTES) {
    const slice = packed.subarray(at, at + SLICE_BYTES)
    if (method === STORED) push(slice)
    else inflateSlice(inflate, slice, at + SLICE_BYTES >= size)
  }
}

function inflateSlice(inflate: Inflate, slice: Uint8Array, last: boolean): void {
  try {
    inflate.push(slice, last)
  } catch (error) {
    throw error instanceof ListProblem ? error : damaged()
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Walks a file of the archive while it is unpacked; returns false if the file is missing or empty. */
export function walkFile(
  archive: Archive,
  name: string,
  onTag: (tag: Tag) => unknown,
  onText?: (text: string) => void,
): boolean {
  const decoder = new TextDecoder()
  const walker = createXmlWalker(onTag, onText)
  let found = false
  archive.read(name, (piece) => {
    found ||= piece.length > 0
    return walker.write(decoder.decode(piece, { stream: true }))
  })
  walker.end()
  return found
}
