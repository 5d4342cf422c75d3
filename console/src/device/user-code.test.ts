import { describe, expect, it } from 'vitest'
import { readUserCode } from './user-code.ts'

describe('the code typed from a device', () => {
  it.each(['BCDF-GHJK', 'bcdf-ghjk', 'bcdfghjk', ' BCDF GHJK ', 'bcdf–ghjk', 'b c d f g h j k'])(
    'reads %j',
    (typed) => {
      expect(readUserCode(typed)).toBe('BCDF-GHJK')
    },
  )

  it.each(['', 'BCDF', 'BCDF-GHJKL', 'BCDF-GHJÉ', '🙂🙂🙂🙂🙂🙂🙂🙂'])('refuses %j', (typed) => {
    expect(readUserCode(typed)).toBeUndefined()
  })
})
