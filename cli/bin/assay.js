#!/usr/bin/env node
// Plain JavaScript on purpose: asking for the version must not load anything else.
import { readFileSync } from 'node:fs'

const [first, ...others] = process.argv.slice(2)
if ((first === '--version' || first === '-V') && others.length === 0) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  const { main } = await import('../dist/main.js')
  await main()
}
