import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file of lines of JSON that are only ever added. A line truncated by a crash is not read. */
export function readLines<Line extends object>(file: string): Line[] {
  return contentOf(file)
    .split('\n')
    .flatMap((text) => {
      try {
        const line: unknown = JSON.parse(text)
        return typeof line === 'object' && line !== null ? [line as Line] : []
      } catch {
        return []
      }
    })
}

export function appendLines(file: string, lines: readonly object[]): void {
  if (lines.length === 0) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const before = contentOf(file)
  // End a line truncated by a crash first, so that the next one is on its own line.
  const cut = before !== '' && !before.endsWith('\n')
  const text = `${cut ? '\n' : ''}${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`
  appendFileSync(file, text, { mode: 0o600, flush: true })
}

function contentOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
