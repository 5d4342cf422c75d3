import { expect, it } from 'vitest'
import { quoted } from './quoted.ts'

it('repeats what was sent, cut when it is long', () => {
  expect(quoted('nonsense')).toBe('"nonsense"')
  expect(quoted('a'.repeat(65))).toBe(`"${'a'.repeat(64)}…"`)
})

it('repeats no email address and no password', () => {
  expect(quoted('jane@company.example')).toBe('one with an @ in it')
  expect(quoted('https://jane:secret@company.example/')).toBe('one with an @ in it')
})
