import { attackOf, type Family } from '../attack.ts'
import { learnId, operationWithBody, prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import { MARK } from '../world.ts'

/** JSON that is right, nearly right, or made to hurt whoever reads it. */
export const bodies: Family = {
  name: 'bodies',
  weight: 5,
  make(random, world) {
    const operation = operationWithBody(random)
    const prepared = prepare(random, world, operation)
    const { draft, caller, value } = prepared
    const target = operation
    if (random.chance(0.25)) {
      return attackOf(draft, { about: 'a good body', target, caller, learn: learnId(caller, operation) })
    }
    const [about, text] = random.chance(0.6)
      ? ['a body with one thing changed', JSON.stringify(changed(random, value))]
      : random.pick(TRICKS)(random, value)
    return attackOf(
      { ...draft, body: Buffer.from(text), framing: random.chance(0.2) ? 'chunked' : 'length' },
      { about, target, caller, learn: learnId(caller, operation) },
    )
  },
}

/** Values of every type, and those of a type that are at its edges. */
export function oddValue(random: Random): unknown {
  return random.make<unknown>([
    () => null,
    () => random.pick([true, false]),
    () =>
      random.pick([0, -0, -1, 1, 1.5, 1e15, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e21, 1e308, 5e-324, 2 ** 31, 2 ** 63]),
    () =>
      random.pick(['', ' ', '\0', 'a\0b', '\ud800', '\udfff\ud83d', '\u202e', '\ufeff', '\ufffd', 'é', 'e\u0301', 'ﬁ']),
    () =>
      random.pick([
        '__proto__',
        'constructor',
        'toString',
        'null',
        'undefined',
        'NaN',
        '1e400',
        '0x10',
        "' or 1=1 --",
        '{{7*7}}',
      ]),
    () => random.letters(random.pick([1, 63, 64, 65, 200, 201, 255, 256, 1000, 1001, 5000])),
    () => 'é'.repeat(random.pick([63, 127, 128, 200, 201])),
    () => [],
    () => ({}),
    () => [random.letters(3)],
    () => ({ length: 3, 0: 'a' }),
    () => ({ toString: 'x', valueOf: null }),
    () => Array.from({ length: 50 }, () => ['a']),
    () =>
      random.pick(['1.2.3.4', '::1', '::ffff:1.2.3.4', 'fe80::1%eth0', '1.2.3.4/24', '01.2.3.4', '1.2.3.4.', '[::1]']),
    () =>
      random.pick([
        'co.uk',
        'a..b',
        '-a.example',
        'a_b.example',
        'xn--.example',
        'xn--a',
        'ex\u00adample.com',
        'ⓔxample.com',
      ]),
    () =>
      random.pick([
        `${MARK}@`,
        `@${MARK}.example`,
        `a@b@${MARK}.example`,
        `"${MARK} x"@b.example`,
        `${MARK}@[1.2.3.4]`,
      ]),
    () =>
      random.pick([
        'http://localhost',
        'javascript:alert(1)',
        'https://a@b.example',
        '//b.example',
        'https://x.example/#f',
      ]),
  ])
}

function changed(random: Random, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.6)) {
    const at = random.int(0, value.length - 1)
    return value.map((one, i) => (i === at ? changed(random, one) : one))
  }
  if (typeof value === 'object' && value !== null && random.chance(0.85)) {
    const names = Object.keys(value)
    const name = names.length === 0 ? 'x' : random.pick(names)
    const inner = (value as Record<string, unknown>)[name]
    return random.make<unknown>([
      () => ({ ...value, [name]: changed(random, inner) }),
      () => ({ ...value, [name]: oddValue(random) }),
      () => ({ ...value, [name]: oddValue(random) }),
      () => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
      () => ({ ...value, [oddName(random)]: inner }),
      () => [value],
    ])
  }
  return oddValue(random)
}

function oddName(random: Random): string {
  return random.pick([
    '',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__x',
    'a/b~c',
    '\0',
    `x@${MARK}.example`,
    random.letters(300),
    'Email',
    'email ',
  ])
}

type Trick = (random: Random, value: unknown) => readonly [about: string, text: string]

const inside = (value: unknown, text: string): string => {
  const [name = 'x'] = Object.keys(typeof value === 'object' && value !== null ? value : {})
  return `{${JSON.stringify(name)}:${text}}`
}

const TRICKS: readonly Trick[] = [
  (random, value) => ['deep nesting', inside(value, nest(random, random.pick([10, 100, 1000, 10_000, 30_000])))],
  (_random, value) => ['the same key twice', JSON.stringify(value).replace('{', '{"email":"x","email":"y",')],
  (_random, value) => ['__proto__ as a key', JSON.stringify(value).replace('{', '{"__proto__":{"admin":true},')],
  (_random, value) => [
    'constructor.prototype',
    JSON.stringify(value).replace('{', '{"constructor":{"prototype":{"a":1}},'),
  ],
  (random, value) => [
    'a number beyond all',
    inside(value, random.pick(['1e400', '-1e400', '-0', '1E+2', '0.1e-400', '9'.repeat(400)])),
  ],
  (random, value) => [
    'an escape',
    inside(value, random.pick(['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\u202e"', '"\\uFEFF"'])),
  ],
  (random, value) => [
    'not JSON',
    random.pick([
      '',
      ' ',
      '{',
      '}',
      '[',
      'null',
      'true',
      '0',
      '""',
      '[]',
      'undefined',
      'NaN',
      '{"a":}',
      "{'a':1}",
      '{a:1}',
      '{"a":1,}',
      '{"a":01}',
      '{"a":1}{"a":1}',
      '//x\n{}',
      '{"a":"\n"}',
      '{"a":"\\x41"}',
      `${JSON.stringify(value)}\0`,
      JSON.stringify(value).slice(0, -1),
      JSON.stringify(JSON.stringify(value)),
    ]),
  ],
  (_random, value) => ['white space', ` \t\r\n${JSON.stringify(value, null, 9)}\r\n\t `],
  (random, value) => [
    'many keys',
    JSON.stringify({
      ...Object(value),
      ...Object.fromEntries(Array.from({ length: 500 }, (_x, i) => [`k${i}${random.letters(2)}`, i])),
    }),
  ],
  (random, value) => [
    'a list where text was due',
    inside(value, JSON.stringify(Array.from({ length: 200 }, () => oddValue(random)))),
  ],
]

function nest(random: Random, depth: number): string {
  return random.chance(0.5)
    ? '['.repeat(depth) + ']'.repeat(depth)
    : `${'{"a":'.repeat(depth / 5)}1${'}'.repeat(depth / 5)}`
}
