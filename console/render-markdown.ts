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

type Drawing = { readonly [Type in MarkedToken['type']]?: (token: Extract<MarkedToken, { type: Type }>) => TreeNode[] }

function drawn(drawing: Drawing, token: Token, where: string): TreeNode[] {
  const draw = drawing[(token as MarkedToken).type] as ((token: Token) => TreeNode[]) | undefined
  if (!draw) throw new Error(`a document has a ${token.type}${where}, which no guide shows`)
  return draw(token)
}

function createRenderer({ link, image }: Surroundings) {
  const ids = new Set<string>()

  const blocks = (tokens: readonly Token[] = []) => tokens.flatMap((token) => drawn(BLOCKS, token, ''))
  const inline = (tokens: readonly Token[] = []) => tokens.flatMap((token) => drawn(SPANS, token, ' in a line'))

  const text = (token: Tokens.Text | Tokens.Tag) =>
    'tokens' in token && token.tokens ? inline(token.tokens) : [token.text]
  const BLOCKS: Drawing = {
    heading: (token) => [heading(token)],
    paragraph: ({ tokens }) => [element('p', inline(tokens))],
    code: (token) => [element('pre', [element('code', [token.text])])],
    blockquote: ({ tokens }) => [element('blockquote', blocks(tokens))],
    list: (token) => [list(token)],
    table: (token) => [table(token)],
    hr: () => [element('hr', [])],
    html: (token) => (isComment(token.text) ? [] : [element('p', [token.text])]),
    space: () => [],
    // Text of an item in a list without blank lines between its items.
    text,
  }
  const SPANS: Drawing = {
    text,
    escape: (token) => [token.text],
    codespan: (token) => [element('code', [token.text])],
    strong: ({ tokens }) => [element('strong', inline(tokens))],
    em: ({ tokens }) => [element('em', inline(tokens))],
    del: ({ tokens }) => [element('del', inline(tokens))],
    br: () => [element('br', [])],
    link({ href, tokens }) {
      const target = link(href)
      return target ? [element('a', inline(tokens), target)] : inline(tokens)
    },
    image: (token) => [element('img', [], { src: image(token.href), alt: token.text })],
    html: (token) => (isComment(token.text) ? [] : [token.text]),
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
