import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGuide } from './guides-plugin.ts'
import { renderMarkdown } from './render-markdown.ts'
import { GUIDES } from './src/guides/catalogue.ts'
import type { TreeElement, TreeNode } from './src/guides/tree.ts'

const render = (markdown: string) =>
  renderMarkdown(`# Title\n\n${markdown}`, {
    link: (href) => (href.startsWith('#') ? { href } : undefined),
    image: (href) => `data:${href}`,
  })

function elements(nodes: readonly TreeNode[]): TreeElement[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...elements(node[2])]))
}

describe('a document as plain data', () => {
  it('has its title, its sections, and headings to link to, each with a name of its own', () => {
    const { title, sections, body } = render('## Get it\n\ntext\n\n## `GET /v1/x`: how?\n\n## Get it')
    expect(title).toBe('Title')
    expect(sections).toEqual([
      { id: 'get-it', title: 'Get it' },
      { id: 'get-v1x-how', title: 'GET /v1/x: how?' },
      { id: 'get-it-1', title: 'Get it' },
    ])
    expect(body[1]).toEqual(['p', {}, ['text']])
  })

  it('shows HTML as the text it is, and leaves comments out', () => {
    const { body } = render('<!-- table:x -->\n\nA <b onclick="x()">b</b>.\n\n<script>alert(1)</script>\n\n`<i>`')
    expect(elements(body).map(([tag]) => tag)).toEqual(['p', 'p', 'p', 'code'])
    expect(JSON.stringify(body)).toContain('<script>alert(1)</script>')
    expect(JSON.stringify(body)).not.toContain('table:x')
  })

  it('keeps the words of a link that leads to nothing published', () => {
    const { body } = render('See [the code](../src/app.ts) and [below](#below).')
    expect(body).toEqual([['p', {}, ['See ', 'the code', ' and ', ['a', { href: '#below' }, ['below']], '.']]])
  })

  it('gives every cell the title of its column', () => {
    const { body } = render('| Key | Value |\n| --- | --- |\n| `a` | 1 |')
    const cells = elements(body).filter(([tag]) => tag === 'td')
    expect(cells.map(([, { column }]) => column)).toEqual(['Key', 'Value'])
  })

  it('refuses a document without a title, and what no guide shows', () => {
    expect(() => renderMarkdown('text', { link: () => undefined, image: () => '' })).toThrow('begin with its title')
  })
})

describe('the guides', () => {
  it('are all the documents of docs but the decisions, each once', () => {
    const documents = ['docs/*.md', ':!docs/decisions']
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...documents], {
      cwd: join(import.meta.dirname, '..'),
      encoding: 'utf8',
    })
    expect(GUIDES.map(({ file }) => file).sort()).toEqual(listed.trim().split('\n').sort())
    expect(new Set(GUIDES.map(({ name }) => name)).size).toBe(GUIDES.length)
  })

  it('lead to each other and to their own headings, and nowhere else in this server', async () => {
    const places = new Map<string, Set<string>>()
    const links: (readonly [from: string, to: string])[] = []
    for (const { name, file } of GUIDES) {
      const all = elements((await readGuide(file)).body)
      places.set(name, new Set(all.flatMap(([, { id }]) => id ?? [])))
      for (const [tag, { href, guide }] of all) {
        if (tag !== 'a' || href?.startsWith('https://')) continue
        links.push([name, guide ?? `${name}${href}`])
      }
    }
    expect(links.length).toBeGreaterThan(10)
    const lost = links.filter(([, to]) => {
      const [guide = '', place] = to.split('#')
      return !(place === undefined ? places.has(guide) : places.get(guide)?.has(place))
    })
    expect(lost).toEqual([])
  })
})
