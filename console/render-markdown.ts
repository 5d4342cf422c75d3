import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { Attributes, GuideDocument, TreeElement, TreeNode } from './src/guides/tree.ts'

/** Turns a document into plain data. HTML in it is never passed on: comments are left out, other HTML becomes text. */

export interface Surroundings {
  /** The target of a link, as attributes; undefined when the target is not published. */
  link(href: string): Pick<Attributes, 'href' | 'guide'> | undefined
  /** The address of an image. */
  image(href: string): string
}

export function renderMarkdown(markdown: string, surroundings: Surroundings): GuideDocument {
  const [first, ...rest] = lexer(markdown).filter(({ type }) => type !== 'space')
  if (first?.type !== 'heading' || first.depth !== 1) throw new Error('the document does not begin with its title')
  const renderer = createRenderer(surroundings)
  const body = renderer.blocks(rest)
  const sections = body.flatMap((node) =>
    typeof node !== 'string' && node[0] === 'h2' ? [{ id: node[1].id ?? '', title: plain(node[2]) }] : [],
  )
  return { title: plain(renderer.inline(first.tokens)), sections, body }
}

function createRenderer({ link, image }: Surroundings) {
  const ids = new Set<string>()

  const blocks = (tokens: readonly Token[] = []): TreeNode[] => tokens.flatMap((token) => block(token as MarkedToken))
  const inline = (tokens: readonly Token[] = []): TreeNode[] => tokens.flatMap((token) => span(token as MarkedToken))

  function block(token: MarkedToken): TreeNode[] {
    switch (token.type) {
      case 'heading':
        return [heading(token)]
      case 'paragraph':
        return [element('p', inline(token.tokens))]
      case 'code':
        return [element('pre', [element('code', [token.text])])]
      case 'blockquote':
        return [element('blockquote', blocks(token.tokens))]
      case 'list':
        return [list(token)]
      case 'table':
        return [table(token)]
      case 'hr':
        return [element('hr', [])]
      case 'html':
        return isComment(token.text) ? [] : [element('p', [token.text])]
      case 'space':
        return []
      // Text of an item in a list without blank lines between its items.
      case 'text':
        return token.tokens ? inline(token.tokens) : [token.text]
      default:
        throw new Error(`a document has a ${token.type}, which no guide shows`)
    }
  }

  function span(token: MarkedToken): TreeNode[] {
    switch (token.type) {
      case 'text':
        return token.tokens ? inline(token.tokens) : [token.text]
      case 'escape':
        return [token.text]
      case 'codespan':
        return [element('code', [token.text])]
      case 'strong':
      case 'em':
      case 'del':
        return [element(token.type, inline(token.tokens))]
      case 'br':
        return [element('br', [])]
      case 'link': {
        const target = link(token.href)
        return target ? [element('a', inline(token.tokens), target)] : inline(token.tokens)
      }
      case 'image':
        return [element('img', [], { src: image(token.href), alt: token.text })]
      case 'html':
        return isComment(token.text) ? [] : [token.text]
      default:
        throw new Error(`a document has a ${token.type} in a line, which no guide shows`)
    }
  }

  function heading({ depth, tokens }: Tokens.Heading): TreeElement {
    const children = inline(tokens)
    const tag = depth <= 2 ? 'h2' : depth === 3 ? 'h3' : 'h4'
    const words = idOf(plain(children))
    let id = words
    for (let next = 1; ids.has(id); next++) id = `${words}-${next}`
    ids.add(id)
    return element(tag, children, { id })
  }

  function list({ ordered, start, items }: Tokens.List): TreeElement {
    const children = items.map((item) => element('li', blocks(item.tokens)))
    if (!ordered) return element('ul', children)
    return element('ol', children, typeof start === 'number' && start !== 1 ? { start } : {})
  }

  function table({ header, rows }: Tokens.Table): TreeElement {
    const titles = header.map((cell) => inline(cell.tokens))
    const head = element(
      'tr',
      titles.map((title) => element('th', title)),
    )
    const body = rows.map((row) =>
      element(
        'tr',
        row.map((cell, at) => element('td', inline(cell.tokens), { column: plain(titles[at] ?? []) })),
      ),
    )
    return element('table', [element('thead', [head]), element('tbody', body)])
  }

  return { blocks, inline }
}

function element(tag: string, children: readonly TreeNode[], attributes: Attributes = {}): TreeElement {
  return [tag, attributes, children]
}

const isComment = (html: string) => /^\s*(<!--[\s\S]*?-->\s*)+$/.test(html)

function plain(nodes: readonly TreeNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : plain(node[2]))).join('')
}

/** The same ids as on code hosts, so that a link to a heading works in both places. */
function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
