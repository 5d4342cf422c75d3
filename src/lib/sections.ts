import { readFileSync } from 'node:fs'

/** The words of a text file by section: `[name]` begins one, `#` a comment; blanks and line ends stand between words. */
export function readSections(file: string): (name: string) => readonly string[] {
  const sections = new Map<string, Set<string>>()
  let current = new Set<string>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const name = /^\[(.+)\]$/.exec(line)?.[1]
    if (name === undefined) for (const word of line.split(' ')) current.add(word)
    else {
      current = new Set()
      sections.set(name, current)
    }
  }
  return (name) => {
    const words = sections.get(name)
    if (words === undefined) throw new Error(`${file} has no section [${name}]`)
    return [...words]
  }
}
