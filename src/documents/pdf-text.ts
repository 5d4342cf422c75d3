/**
 * Text on a PDF page, in any script and never silently incomplete:
 *
 *  1. Text that the fonts of every PDF reader cover is set in Helvetica, which takes no room in the file.
 *  2. Other text is set in DejaVu Sans (Latin, Greek, Cyrillic, Hebrew, Arabic and more), and the characters that it
 *     lacks (Chinese, Japanese, Korean and the rest of the basic plane) in GNU Unifont.
 *  3. A character that no font has is written as its number, such as [U+1F600].
 *  4. Right-to-left text is put into the order of reading (Unicode UAX 9).
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import bidiFactory, { type Bidi } from 'bidi-js'
import { create, type Font } from 'fontkit'
import { unpackWoff } from './woff.ts'

export interface Page {
  registerFont(name: string, font: Buffer): unknown
  font(name: string): Page
  fontSize(size: number): Page
  widthOfString(text: string): number
  text(text: string, x: number, y: number, options: { lineBreak: false; baseline: 'alphabetic' }): unknown
}

export interface Style {
  readonly size: number
  readonly bold?: boolean
}

/** Part of a line in one font and one direction, placed from left to right. */
interface Piece {
  readonly font: string
  readonly text: string
  readonly widthPt: number
}

export interface Line {
  readonly pieces: readonly Piece[]
  readonly widthPt: number
  readonly size: number
}

// The package describes its ES module; Node loads the other one, which is the factory itself.
const bidi = (bidiFactory as unknown as () => Bidi)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A font in a file, read when the first text needs it. */
interface FontFile {
  readonly name: string
  open(): { readonly bytes: Buffer; readonly font: Font }
}

function fontFile(name: string, file: string): FontFile {
  let opened: ReturnType<FontFile['open']> | undefined
  return {
    name,
    open() {
      if (opened) return opened
      const stored = readFileSync(fileURLToPath(import.meta.resolve(file)))
      const bytes = file.endsWith('.woff') ? unpackWoff(stored) : stored
      const font = create(bytes)
      if (!('layout' in font)) throw new Error(`${file} holds several fonts`)
      opened = { bytes, font }
      return opened
    },
  }
}

const UNIFONT = fontFile('Unifont', '@fontsource/unifont/files/unifont-latin-400-normal.woff')
const REGULAR = [fontFile('DejaVu', 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), UNIFONT]
// With the fonts of REGULAR behind it: whatever can be drawn can be drawn here too.
const BOLD = [fontFile('DejaVu-Bold', 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'), ...REGULAR]

/** The characters of Windows-1252 beyond Latin-1. Both together are the characters of the standard fonts of PDF. */
const STANDARD = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

export function createTypesetter(page: Page) {
  const registered = new Set<FontFile>()

  function register(file: FontFile): string {
    if (!registered.has(file)) page.registerFont(file.name, file.open().bytes)
    registered.add(file)
    return file.name
  }

  function piece(font: string, text: string, size: number): Piece {
    return { font, text, widthPt: page.font(font).fontSize(size).widthOfString(text) }
  }

  /** One line of text, however wide. */
  function lineOf(text: string, { size, bold = false }: Style, base: 'ltr' | 'rtl'): Line {
    const pieces = STANDARD.test(text)
      ? [piece(bold ? 'Helvetica-Bold' : 'Helvetica', text, size)]
      : visualOrder(text, bold ? BOLD : REGULAR, base).map((run) => piece(register(run.font), run.text, size))
    return { pieces, size, widthPt: pieces.reduce((sum, { widthPt }) => sum + widthPt, 0) }
  }

  /** Words as they fit, each line as wide as possible. */
  function wrap(text: string, style: Style, widthPt: number): Line[] {
    const base = baseDirection(text)
    const fits = (one: string) => lineOf(one, style, base).widthPt <= widthPt
    const lines: string[] = []
    let current = ''
    for (const word of text.split(/\s+/).filter((one) => one !== '')) {
      const longer = current === '' ? word : `${current} ${word}`
      if (fits(longer)) {
        current = longer
        continue
      }
      if (current !== '') lines.push(current)
      current = ''
      for (const { segment } of graphemes.segment(word)) {
        if (current !== '' && !fits(current + segment)) {
          lines.push(current)
          current = ''
        }
        current += segment
      }
    }
    return [...lines, current].map((one) => lineOf(one, style, base))
  }

  return {
    /** The text as lines that fit the width. Line breaks in it are kept; one word that is too wide is broken. */
    lines: (text: string, style: Style, widthPt: number): Line[] => {
      const lines = drawable(text).split('\n')
      return lines.flatMap((line) => wrap(line, style, widthPt))
    },
    /** Draws a line with its left end at `xPt`, standing on the baseline `yPt`. */
    draw({ pieces, size }: Line, xPt: number, yPt: number): void {
      let leftPt = xPt
      for (const { font, text, widthPt } of pieces) {
        page.font(font).fontSize(size).text(text, leftPt, yPt, { lineBreak: false, baseline: 'alphabetic' })
        leftPt += widthPt
      }
    },
  }
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u

/** Rule 3. Control characters are blanks; of the characters that are never visible only those that join letters stay. */
function drawable(text: string): string {
  let result = ''
  for (const char of text.normalize('NFC').replaceAll(/\r\n?/g, '\n')) {
    if (char === '\n' || STANDARD.test(char)) result += char
    else if (/\p{Cc}/u.test(char)) result += ' '
    else if (INVISIBLE.test(char)) result += char === '\u200C' || char === '\u200D' ? char : ''
    else if (REGULAR.some((file) => has(file, char))) result += char
    else result += `[U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`
  }
  return result
}

function has(file: FontFile, text: string): boolean {
  const { font } = file.open()
  return [...text].every((char) => font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0))
}

function baseDirection(text: string): 'ltr' | 'rtl' {
  const [paragraph] = bidi.getEmbeddingLevels(text, 'auto').paragraphs
  return (paragraph?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'
}

interface Run {
  readonly font: FontFile
  readonly text: string
  readonly level: number
}

/** The characters of a text, each with the first font that has it; an accent stays with its letter where it can. */
function* inFonts(text: string, files: readonly FontFile[]) {
  let last: FontFile | undefined
  for (const { segment, index } of graphemes.segment(text)) {
    // A blank takes the font of its neighbour.
    const whole = segment === ' ' && last ? last : files.find((file) => has(file, segment))
    for (const part of whole ? [segment] : segment) {
      const font: FontFile = whole ?? files.find((file) => has(file, part)) ?? UNIFONT
      // Unifont joins nothing, and draws invisible characters as boxes.
      const shown = font === UNIFONT ? part.replaceAll(new RegExp(INVISIBLE, 'gu'), '') : part
      if (shown !== '') yield { segment: shown, index, font }
      last = font
    }
  }
}

/** The runs of a line from left to right: each in one font and one direction. */
function visualOrder(text: string, files: readonly FontFile[], base: 'ltr' | 'rtl'): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, base)
  const runs: Run[] = []
  for (const { segment, index, font } of inFonts(text, files)) {
    const level = levels[index] ?? 0
    const last = runs.at(-1)
    // Words of right-to-left text stay apart: the PDF library would put the words of one run from left to right.
    const apart = level % 2 === 1 && (segment === ' ' || last?.text.endsWith(' '))
    if (last && last.font === font && last.level === level && !apart) {
      runs[runs.length - 1] = { ...last, text: last.text + segment }
    } else runs.push({ font, text: segment, level })
  }
  return reorder(runs).map(readyToShape)
}

/** UAX 9, rule L2: from the highest level down, runs of that level or higher are turned around. */
function reorder(runs: readonly Run[]): Run[] {
  const result = [...runs]
  for (let level = Math.max(...runs.map((run) => run.level)); level >= 1; level--) {
    for (let start = 0; start < result.length; start++) {
      let end = start
      while (end < result.length && (result[end]?.level ?? 0) >= level) end++
      if (end > start) result.splice(start, end - start, ...result.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  }
  return result
}

/** Brackets of right-to-left text are mirrored; what the font does not turn around itself is turned around here. */
function readyToShape(run: Run): Run {
  if (run.level % 2 === 0) return run
  const chars = [...graphemes.segment(run.text)].map(({ segment }) => bidi.getMirroredCharacter(segment) ?? segment)
  const text = chars.join('')
  const [first] = run.font.open().font.layout(text).glyphs
  const turnedAround = !first?.codePoints.includes(text.codePointAt(0) ?? 0)
  return { ...run, text: turnedAround ? text : chars.reverse().join('') }
}
