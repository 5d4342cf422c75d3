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

/** Stops early when `onTag` returns false. */
export function walkXml(xml: string, onTag: (tag: Tag) => unknown, onText: (text: string) => void = () => {}): void {
  let at = 0
  while (at < xml.length) {
    const open = xml.indexOf('<', at)
    const end = open < 0 ? xml.length : open
    if (end > at) onText(unescapeXml(xml.slice(at, end)))
    if (open < 0) return
    const [from, to] = ENCLOSURES.find(([begin]) => xml.startsWith(begin, open)) ?? ['<', '>']
    let close = xml.indexOf(to, open + from.length)
    for (let passed = 0; from === '<' && close >= 0 && passed < INNER_MAX; passed++) {
      if (!endsWithinValue(xml.slice(open, Math.min(close, open + TAG_LENGTH_MAX)))) break
      close = xml.indexOf(to, close + 1)
    }
    if (close < 0) return
    const inside = xml.slice(open + from.length, close)
    if (from === '<![CDATA[') onText(inside)
    else if (from === '<' && onTag(tagOf(inside.slice(0, TAG_LENGTH_MAX))) === false) return
    at = close + to.length
  }
}

const ENCLOSURES = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

function endsWithinValue(text: string): boolean {
  if (!text.includes('"') && !text.includes("'")) return false
  return /=\s*(?:"[^"]*|'[^']*)$/.test(text.replace(/"[^"]*"|'[^']*'/g, ''))
}

function tagOf(inside: string): Tag {
  let attributes: Map<string, string> | undefined
  return {
    name: /^\/?(?:[\w.-]+:)?([\w.-]+)/.exec(inside)?.[1] ?? '',
    closes: inside.startsWith('/'),
    empty: inside.endsWith('/'),
    attribute(name) {
      attributes ??= new Map(
        Array.from(
          inside.matchAll(/\s(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:(["'])(.*?)\2|([^\s"']+))/gs),
          ([, found = '', , quoted, bare = '']) => [found.toLowerCase(), unescapeXml(quoted ?? bare)],
        ),
      )
      return attributes.get(name)
    },
  }
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
