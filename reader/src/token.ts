import type { Kind } from '@assay/sdk'
import { endsLikeFile } from './other-things.ts'
import { hostProblem, isIpv4, problemOf } from './valid.ts'

/** Parses a single value: an address, a name or a link, in the forms that people and programs write. */

export type Found = { readonly kind: Kind; readonly value: string; readonly notes: readonly string[] }
type Wrong = { readonly kind: Kind; readonly problem: string }

/** `undefined`: the text is not a form of an indicator. */
export function readToken(text: string): Found | Wrong | undefined {
  const enclosed = /[<:/\\]/.test(text) ? (readMailbox(text) ?? readMailto(text) ?? readUrl(text)) : undefined
  return enclosed ?? readAddress(text) ?? readHost(text)
}

/** Between non-ASCII letters the two joiners stay: a Persian or Hindi name without them is a different name. */
export const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<!\P{ASCII})[\u200c\u200d]|[\u200c\u200d](?!\P{ASCII})/gu
// Browsers read them as dots in a host.
const WIDE_DOTS = /[。．｡]/g
/** Full-width letters and signs: `＠`, `：`, `ａ`. Each has its ASCII form at a fixed offset. */
const WIDE_FORMS = /[\uff01-\uff5e]/g
const WIDE_BY = 0xfee0
const BULLET = /^(?:[-–—•*·>]+|\d{1,4}[.)])\s+/
/** Pairs of surrounding characters in many languages: the first opens, the second closes. */
const PAIRS = ['""', "''", '``', '“”', '„“', '‘’', '«»', '‹›', '<>', '()', '[]', '「」', '『』', '【】', '《》']
// A second colon is kept: an IPv6 address may end in two.
const TRAILING = /(?:[.,;!?…、،؛]|(?<!:):)+$/

export function narrow(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(WIDE_DOTS, '.')
    .replace(WIDE_FORMS, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE_BY))
}

/** Removes bullets, quotation marks, brackets and the punctuation of the surrounding sentence. */
export function peel(text: string): string {
  let rest = narrow(text).trim().replace(BULLET, '')
  for (;;) {
    const before = rest
    // Limited to the length of a normal sentence end: a long run is no indicator and must not be scanned repeatedly.
    const tail = rest.slice(-8)
    rest = withoutPair(rest.slice(0, rest.length - tail.length) + tail.replace(TRAILING, ''))
    if (rest === before) return rest
  }
}

/** Removes a pair, or one half of a pair whose other half is missing: `a@b.example>`. */
function withoutPair(text: string): string {
  if (text.length <= 2) return text
  for (const [open, close] of PAIRS) {
    const closes = text.endsWith(close!)
    // An address may itself begin with an apostrophe or a grave accent.
    const opens = text.startsWith(open!) && (closes || !"'`".includes(open!))
    const inside = text.slice(opens ? 1 : 0, closes ? -1 : text.length)
    // `"a b"@example.com <…>` begins with one pair and ends with another.
    if ((opens || closes) && !inside.includes(open!) && !inside.includes(close!)) return inside.trim()
  }
  return text
}

const BRACKETED = (sign: string, words: string) => `\\s{0,8}[[({]\\s*(?:${sign}|${words})\\s*[\\])}]\\s{0,8}`
const AT = BRACKETED('@', 'at|ät|arroba|arobase|chiocciola|собака|собачка')
const DOT = BRACKETED('\\.', 'dot|punkt|punto|ponto|point|точка')
const DEFANGED = new RegExp(
  `\\bh(?:xx|\\*\\*|tt)ps?(?=\\[?:)|\\[://\\]|\\[:\\]|${DOT}|(${AT}|(?<=\\w)[[(]a[\\])](?=\\w))|\\\\(?=\\.)`,
  'giu',
)

/** Restores text that was changed so that nobody clicks on it by mistake: `hxxps://evil[.]com`, `a[at]b[dot]com`. */
export function refang(text: string): string {
  return text.replace(DEFANGED, (part, at?: string) => {
    if (/^h/i.test(part)) return /s$/i.test(part) ? 'https' : 'http'
    if (part === '\\') return ''
    if (part.includes(':')) return part.slice(1, -1)
    return at === undefined ? '.' : '@'
  })
}

/** `Jane Doe <jane@company.example>` */
function readMailbox(text: string): Found | Wrong | undefined {
  const [, name = '', address = ''] = /^([^<>]*)<\s*(?:mailto:)?([^<>\s]+@[^<>\s]+?)\s*>$/i.exec(text) ?? []
  if (address === '') return undefined
  const found = checked('email', address)
  const shown = name.split(/[\s"'()<>]+/, SHOWN_WORDS_MAX).find(looksLikeAddress)
  if ('problem' in found || shown === undefined || shown.toLowerCase() === address.toLowerCase()) return found
  return { ...found, notes: [`The name before it shows another address: ${shown}.`] }
}

const SHOWN_WORDS_MAX = 100

function looksLikeAddress(word: string): boolean {
  const at = word.indexOf('@')
  return at > 0 && word.length < 320 && word.indexOf('.', at + 2) > 0 && !word.endsWith('.')
}

function readMailto(text: string): Found | Wrong | undefined {
  if (!/^mailto:/i.test(text)) return undefined
  const [first = '', ...more] = (text.slice('mailto:'.length).split('?')[0] ?? '').split(',')
  const notes = more.length > 0 ? [`The link goes to ${more.length + 1} addresses: only the first is used.`] : []
  return checked('email', decoded(first).trim(), notes)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** With its scheme, or `//host/path`. Only the host matters. Browsers also follow `https:host`. */
function readUrl(text: string): Found | Wrong | undefined {
  const [, rest] = /^(?:https?:[/\\]*|(?:[a-z][a-z0-9+.-]{0,30}:)?[/\\]{2,})(.+)$/is.exec(text) ?? []
  if (rest === undefined || /\s/.test(rest.split(/[/\\?#]/)[0] ?? '')) return undefined
  // Every scheme is parsed as http, because the platform validates hosts of http addresses.
  const host = URL.parse(`http://${rest}`)?.hostname
  if (!host) return { kind: 'domain', problem: 'This link has no host to check.' }
  const authority = rest.split(/[/\\?#]/)[0] ?? ''
  const at = authority.lastIndexOf('@')
  const written = authority.slice(at + 1).replace(/:\d*$/, '')
  const notes = at < 0 ? [] : [`The text before the @ is not the site: the link leads to ${host}.`]
  if (host.startsWith('[')) return checked('ip', host.slice(1, -1), notes)
  if (isIpv4(host)) {
    const odd = written === host ? [] : [`The link hides an IP address: ${written} means ${host}.`]
    return checked('ip', host, [...notes, ...odd])
  }
  return checked('domain', hostProblem(trimDot(written)) === undefined ? trimDot(written) : trimDot(host), notes)
}

/** An email address or an IP address; an IP address may have a port, brackets or a zone. */
function readAddress(text: string): Found | Wrong | undefined {
  // A dot before the first slash belongs to a host, as in site.example/@name.
  if (/^(?:[^\s/?#]*|[^\s.:]*)@[^/?#]*$/.test(text)) return checked('email', text)
  if (/^"[^"]*"@\S+$/.test(text)) return checked('email', text)
  const [, inBrackets] = /^\[([^\]]*)\](?::\d{0,5})?$/.exec(text) ?? []
  const bare = (inBrackets ?? text.replace(/^(\d+(?:\.\d+){3}):\d{1,5}$/, '$1')).replace(/%[\w.-]{1,32}$/, '')
  const notes = text.includes('%') ? ['The zone after the % is valid on one computer only: it was removed.'] : []
  // At least two colons: host:8080 is meant as a host.
  if (/^[\da-f:.]*:[\da-f:.]*:[\da-f:.]*(?:\/\d{1,3})?$/i.test(bare)) return checked('ip', bare, notes)
  return /^\d+(?:\.\d+){3}(?:\/[\d.]+)?$/.test(bare) ? checked('ip', bare) : undefined
}

/** `E-Mail:jane@company.example`, `jane @ company.example`, `jane@company.example?subject=x`. */
export function readLooseAddress(text: string): Found | undefined {
  const [, local = '', before = '', after = '', host = ''] =
    /^(?:\p{L}[\p{L}\p{M}\s./-]{0,40}:\s*)?([^\s@:?]+)(\s*)@(\s*)([^\s@:?]+)(?:\?\S*)?$/u.exec(text) ?? []
  const found = checked('email', `${local}@${host}`, [before + after === '' ? WORDS_AROUND : BLANKS_BESIDE])
  return 'problem' in found ? undefined : found
}

export const WORDS_AROUND = 'The words around it were removed.'
const BLANKS_BESIDE = 'There were spaces beside the @: they were removed.'

function readHost(text: string): Found | Wrong | undefined {
  const [, host = '', behind = ''] = /^([^\s/?#:@\\]+\.[^\s/?#:@\\]+)((?::\d{1,5})?(?:[/?#].*)?)$/su.exec(text) ?? []
  if (host === '' || (behind === '' && endsLikeFile(host)) || /^[\p{Nd}.,]+$/u.test(host)) return undefined
  return checked('domain', trimDot(host), /\.(?:zip|mov)$/i.test(text) ? [MAYBE_FILE] : [])
}

const MAYBE_FILE = 'Files have such endings, too: check that you mean a site.'

const trimDot = (host: string) => host.replace(/\.$/, '')

function checked(kind: Kind, value: string, notes: readonly string[] = []): Found | Wrong {
  const problem = problemOf(kind, value)
  return problem === undefined ? { kind, value, notes } : { kind, problem }
}

/** True when a word is clearly meant as an indicator, and is not two sentences without a blank between them. */
export function standsOut(word: string, { kind, value }: Found): boolean {
  if (kind !== 'domain' || /^(?:[a-z][a-z0-9+.-]*:)?\/\/|^www\./i.test(word)) return true
  const labels = value.split('.')
  const ending = labels.at(-1) ?? ''
  if (!/^\p{L}{2,}$/u.test(ending) && !ending.startsWith('xn--')) return false
  // "done.Then" is the end of a sentence, "z.B." an abbreviation.
  return labels.every((label) => label.length > 1) && (ending === ending.toLowerCase() || value === value.toUpperCase())
}
