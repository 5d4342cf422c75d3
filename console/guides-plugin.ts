import { readFile } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { renderMarkdown } from './render-markdown.ts'
import { GUIDES } from './src/guides/catalogue.ts'

/**
 * Lets a page import a document: `x.md?guide` is the whole document, `x.md?guide-title` only its title, so that a list
 * of titles does not load every document. Markdown is parsed during the build; the browser gets plain data.
 */
export function guides(): Plugin {
  return {
    name: 'assay-guides',
    async load(id) {
      const [file = '', query] = id.split('?')
      if (query !== 'guide' && query !== 'guide-title') return null
      this.addWatchFile(file)
      const { title, ...document } = await readGuide(relative(ROOT, file).split(sep).join('/'))
      return query === 'guide-title'
        ? `export default ${JSON.stringify(title)}`
        : `export default JSON.parse(${JSON.stringify(JSON.stringify({ title, ...document }))})`
    },
  }
}

const ROOT = join(import.meta.dirname, '..')
const NAMES = new Map(GUIDES.map(({ file, name }) => [file, name]))

/** The document at that path in the repository. */
export async function readGuide(path: string): Promise<ReturnType<typeof renderMarkdown>> {
  const images = new Map<string, string>()
  const markdown = await readFile(join(ROOT, path), 'utf8')
  for (const [, href = ''] of markdown.matchAll(/!\[[^\]]*\]\(([^)]+\.svg)\)/g)) {
    const svg = await readFile(join(ROOT, dirname(path), href))
    images.set(href, `data:image/svg+xml;base64,${svg.toString('base64')}`)
  }
  return renderMarkdown(markdown, {
    link: (href) => linkFrom(path, href),
    image(href) {
      const image = images.get(href)
      if (image === undefined) throw new Error(`${path} shows ${href}, which is no SVG beside it`)
      return image
    },
  })
}

function linkFrom(path: string, href: string) {
  if (/^(https?:\/\/|#)/.test(href)) return { href }
  const [file = '', hash] = href.split('#')
  const name = NAMES.get(posix.join(posix.dirname(path), file))
  return name === undefined ? undefined : { guide: hash === undefined ? name : `${name}#${hash}` }
}
