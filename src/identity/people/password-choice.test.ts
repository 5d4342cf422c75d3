import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/support/any-text.ts'
import { PASSWORD } from '../../../test/support/passwords.ts'
import { passwordProblem } from './password-choice.ts'
import { newPassword } from './passwords.ts'

const ABOUT = { email: 'ada.lovelace@company.example', name: 'Ada Lovelace', organisation: 'Analytical Engines Ltd' }

describe('a password may not be', () => {
  it.each([
    ['short', /shorter than 12/],
    ['x'.repeat(257), /longer than 256/],
    ['password1234', /common/],
    ['Password2026!', /common/],
    ['P@ssw0rd1234', /common/],
    ['passwordpassword', /common/],
    ['PASSWORD-password-', /common/],
    ['!!dragon2019', /common/],
    ['unbelievable', /common/],
    ['1qaz2wsx3edc', /common/],
    ['qwerty123456', /common|pattern/],
    ['aaaaaaaaaaaa', /repeats|pattern/],
    ['abcabcabcabc', /repeats/],
    ['123456789012', /common|pattern/],
    ['abcdefghijkl', /pattern/],
    ['lkjhgfdsapoi', /pattern/],
    ['qwertyuiop12', /common|pattern/],
    ['1111222233334444', /pattern/],
    ['xk7xk7xk7xk7xk', /repeats/],
    ['ada.lovelace@company.example', /your own/],
    ['AdaLovelace2026', /your own/],
    ['lovelace-1815', /your own/],
    ['Analytical Engines Ltd', /your own/],
    ['@nalyt1cal EnginesLtd', /your own/],
  ])('%s', (password, problem) => {
    expect(passwordProblem(password, ABOUT)).toMatch(problem)
  })
})

describe('a password may be', () => {
  it.each([
    PASSWORD,
    'a long pass phrase',
    'a long enough password',
    'dragon 84 milk tram',
    'Tr0ub4dor&3xQz',
    'meine Oma fährt im Hühnerstall',
    'パスワードを選ぶのは難しい',
    'my name is ada lovelace, honestly',
  ])('%s', (password) => {
    expect(passwordProblem(password, ABOUT)).toBeUndefined()
  })

  it('one that the service made', () => {
    for (let i = 0; i < 200; i++) expect(passwordProblem(newPassword())).toBeUndefined()
  })
})

it('any text is judged, and nothing makes the rule fail', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 300 }), fc.string({ maxLength: 30 }), (password, name) => {
      const problem = passwordProblem(password, { name, organisation: name, email: `${name}@x.example` })
      expect(problem === undefined || problem.length > 0).toBe(true)
    }),
  )
})
