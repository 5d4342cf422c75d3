import type { GuideDocument, TreeNode } from './tree.ts'

/** The beginning of a guide, or one of its sections. */
export interface Passage {
  readonly to: string
  readonly title: string
  readonly text: string
}

const IN_LINE = /^(a|b|code|del|em|strong)$/

function textOf(node: TreeNode): string {
  if (typeof node === 'string') return node
  const [tag, , children] = node
  return `${children.map(textOf).join('')}${IN_LINE.test(tag) ? '' : ' '}`
}

export function passagesOf(name: string, { title, body }: GuideDocument): Passage[] {
  const passages = [{ to: `/guides/${name}`, title, text: '' }]
  for (const node of body) {
    const text = textOf(node)
    const [tag, attributes] = typeof node === 'string' ? [] : node
    if (tag === 'h2') {
      passages.push({ to: `/guides/${name}#${attributes?.id}`, title: `${title}: ${text.trim()}`, text: '' })
    } else passages.at(-1)!.text += text
  }
  return passages
}

const FOUND_MAX = 20
const EXCERPT = 160

/** The passages with every word, those with the words in their title first, each with the place of the first word. */
export function findPassages(passages: readonly Passage[], query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const hits = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length
  const found = passages.filter(({ title, text }) => hits(`${title} ${text}`) === words.length)
  const ranked = found.toSorted((a, b) => hits(b.title) - hits(a.title)).slice(0, FOUND_MAX)
  return ranked.map(({ text, ...passage }) => {
    const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
    const from = Math.max(0, Math.min(text.length, ...places) - EXCERPT / 4)
    const [before, behind] = [from > 0, from + EXCERPT < text.length]
    const cut = text.slice(from, from + EXCERPT)
    const whole = cut.slice(before ? cut.indexOf(' ') : 0, behind ? cut.lastIndexOf(' ') : undefined)
    return { ...passage, excerpt: `${before ? '… ' : ''}${whole.replace(/\s+/g, ' ').trim()}${behind ? ' …' : ''}` }
  })
}
