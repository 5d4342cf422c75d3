/** Parses the parts of XML that workbooks need and of HTML that mails need: tags and text, in one pass. */
export interface Tag {
  readonly name: string
  readonly closes: boolean
  /** `<row/>`: opened and closed in one tag. */
  readonly empty: boolean
  /** By its name in lower case, without its prefix. */
  attribute(name: string): string | undefined
}

const TAG_LENGTH_MAX = 4096
/** A value may contain `>`: at most this many are skipped. */
const INNER_MAX = 8
/** A tag that is not closed within this length ends the walk. */
const UNCLOSED_LENGTH_MAX = 65_536
/** `&#1114111;` is the longest reference that is replaced. */
const REFERENCE_LENGTH_MAX = 10

type OnTag = (tag: Tag) => unknown
type OnText = (text: string) => void

/** Stops early when `onTag` returns false. */
export function walkXml(xml: string, onTag: OnTag, onText: OnText = () => {}): void {
  const walker = createXmlWalker(onTag, onText)
  if (walker.write(xml)) walker.end()
}

/** Accepts a document in pieces of any size. One text may reach `onText` in several parts. */
export function createXmlWalker(
  onTag: OnTag,
  onText: OnText = () => {},
): { write(text: string): boolean; end(): void } {
  let rest = ''
  /** The end of the comment, instruction or CDATA that the walk is in. */
  let within: string | undefined

  /** Walks as far as the text is complete. Returns the position of the rest; undefined if `onTag` stopped the walk. */
  function walk(xml: string): number | undefined {
    let at = 0
    while (at < xml.length) {
      if (within !== undefined) {
        const end = xml.indexOf(within, at)
        const to = end < 0 ? Math.max(at, xml.length - within.length + 1) : end
        if (within === CDATA_END && to > at) onText(xml.slice(at, to))
        if (end < 0) return to
        at = end + within.length
        within = undefined
        continue
      }
      const open = xml.indexOf('<', at)
      const end = open < 0 ? wholeReferences(xml, at) : open
      if (end > at) onText(unescapeXml(xml.slice(at, end)))
      if (open < 0) return end
      at = open
      const mark = xml[open + 1]
      if (mark === '!' || mark === '?') {
        const [begin, terminator] = ENCLOSURES.find(([one]) => xml.startsWith(one, open)) ?? ['']
        // The beginning of `<![CDATA[` may be cut.
        if (begin === '' && xml.length - open < CDATA.length && CDATA.startsWith(xml.slice(open))) return open
        if (begin !== '') {
          within = terminator
          at += begin.length
          continue
        }
      }
      const close = closeOf(xml, open)
      if (close < 0) return open
      if (onTag(tagOf(xml.slice(open + 1, Math.min(close, open + 1 + TAG_LENGTH_MAX)))) === false) return undefined
      at = close + 1
    }
    return at
  }

  return {
    /** Returns false when the walk has stopped. */
    write(text) {
      if (rest.length > UNCLOSED_LENGTH_MAX) return false
      const xml = rest + text
      const at = walk(xml)
      rest = at === undefined ? '' : xml.slice(at)
      return at !== undefined
    },
    end() {
      if (within === undefined ? rest.startsWith('&') : within === CDATA_END) onText(rest)
    },
  }
}

const CDATA = '<![CDATA['
const CDATA_END = ']]>'
const ENCLOSURES = [
  ['<!--', '-->'],
  [CDATA, CDATA_END],
  ['<?', '?>'],
] as const

/** The end of the text from `at` without a reference that is cut. */
function wholeReferences(xml: string, at: number): number {
  const last = xml.lastIndexOf('&')
  return last >= at && xml.length - last < REFERENCE_LENGTH_MAX && !xml.includes(';', last) ? last : xml.length
}

function closeOf(xml: string, open: number): number {
  let close = xml.indexOf('>', open + 1)
  for (let passed = 0; close >= 0 && passed < INNER_MAX; passed++) {
    if (!endsWithinValue(xml.slice(open, Math.min(close, open + TAG_LENGTH_MAX)))) break
    close = xml.indexOf('>', close + 1)
  }
  return close
}

function endsWithinValue(text: string): boolean {
  if (!text.includes("'") && !hasOddQuotes(text)) return false
  return /=\s*(?:"[^"]*|'[^']*)$/.test(text.replace(/"[^"]*"|'[^']*'/g, ''))
}

function hasOddQuotes(text: string): boolean {
  let odd = false
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) odd = !odd
  return odd
}

function tagOf(inside: string): Tag {
  let attributes: Map<string, string> | undefined
  const closes = inside.startsWith('/')
  return {
    name: nameOf(inside, closes ? 1 : 0),
    closes,
    empty: inside.endsWith('/'),
    attribute(name) {
      attributes ??= attributesOf(inside)
      return attributes.get(name)
    },
  }
}

const ATTRIBUTE = /\s(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g

function attributesOf(inside: string): Map<string, string> {
  const attributes = new Map<string, string>()
  ATTRIBUTE.lastIndex = 0
  for (let found = ATTRIBUTE.exec(inside); found; found = ATTRIBUTE.exec(inside)) {
    const [, name = '', double, single, bare = ''] = found
    attributes.set(name.toLowerCase(), unescapeXml(double ?? single ?? bare))
  }
  return attributes
}

/** Without its prefix. By hand: a workbook has millions of tags, and a regular expression takes several times as long. */
function nameOf(inside: string, from: number): string {
  let start = from
  let at = from
  for (; at < inside.length; at++) {
    const unit = inside.charCodeAt(at)
    const isPart =
      (unit >= 97 && unit <= 122) ||
      (unit >= 65 && unit <= 90) ||
      (unit >= 48 && unit <= 57) ||
      unit === 45 ||
      unit === 46 ||
      unit === 95
    if (isPart) continue
    if (unit !== 58 || start !== from) break
    start = at + 1
  }
  return inside.slice(start, at)
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (all, hex, decimal, name) => {
    if (name) return NAMED[name] ?? all
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}

export const escapeXml = (text: string) => text.replace(/[<>&"]/g, (character) => `&${ESCAPED[character]};`)

const ESCAPED: Readonly<Record<string, string>> = { '<': 'lt', '>': 'gt', '&': 'amp', '"': 'quot' }
