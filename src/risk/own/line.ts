import { hashBytes, hashText } from '../../lib/text-index.ts'
import { FIELDS } from './knowledge.ts'

type Field = (typeof FIELDS)[keyof typeof FIELDS]

const TAB = 0x09
const BLANK = 0x20

/** A counterparty's line (knowledge.ts): its bytes, and where its values are. */
export class Line {
  bytes = Buffer.allocUnsafe(4096)
  /** Every character is a byte. */
  isAscii = true
  /** The places of tabs and blanks, of one in front of the line and of one behind it. */
  #gaps = new Int32Array(4096)
  /** The number of the gap in front of each field. */
  readonly #fields = new Int32Array(Object.keys(FIELDS).length + 1)
  #end = 0

  read(text: string): void {
    // At most three bytes a character. Words of the line may be appended.
    if (4 * text.length >= this.bytes.length) {
      this.bytes = Buffer.allocUnsafe(8 * text.length)
      this.#gaps = new Int32Array(8 * text.length)
    }
    const { bytes } = this
    const gaps = this.#gaps
    const length = bytes.write(text)
    this.isAscii = length === text.length
    bytes[length] = TAB
    this.#end = length + 1
    gaps[0] = -1
    let gap = 1
    let field = 1
    for (let at = 0; at <= length; at++) {
      if (bytes[at] !== TAB && bytes[at] !== BLANK) continue
      if (bytes[at] === TAB) this.#fields[field++] = gap
      gaps[gap++] = at
    }
  }

  /** Writes a word behind the line, and returns its place. */
  append(word: string): number {
    const at = this.#end
    this.#end += this.bytes.write(word, at)
    return at
  }

  begin(field: Field): number {
    return (this.#gaps[this.#fields[field] as number] as number) + 1
  }

  end(field: Field): number {
    return this.#gaps[this.#fields[field + 1] as number] as number
  }

  eachWord(field: Field, each: (from: number, to: number) => void): void {
    const last = this.#fields[field + 1] as number
    for (let gap = this.#fields[field] as number; gap < last; gap++) {
      const from = (this.#gaps[gap] as number) + 1
      const to = this.#gaps[gap + 1] as number
      if (from < to) each(from, to)
    }
  }

  text(from: number, to: number): string {
    return this.bytes.toString(this.isAscii ? 'latin1' : 'utf8', from, to)
  }

  /** As hashText of the text there. */
  hash(from: number, to: number): number {
    return this.isAscii ? hashBytes(this.bytes, from, to) : hashText(this.text(from, to))
  }
}
