import { type Attack, attackOf, demand, type Family } from '../attack.ts'
import { anyOperation, type Prepared, prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import { type Headers, setHeader } from '../wire.ts'
import type { World } from '../world.ts'

/** Headers missing, doubled, huge, forged, or against each other. */
export const headers: Family = {
  name: 'headers',
  weight: 4,
  make(random, world) {
    const prepared = prepare(random, world, anyOperation(random))
    return random.pick(TRICKS)(random, prepared, world)
  },
}

type Trick = (random: Random, prepared: Prepared, world: World) => Attack

const send = (
  { draft, operation, caller }: Prepared,
  about: string,
  headers: Headers,
  more: Partial<Attack> = {},
): Attack => attackOf({ ...draft, headers }, { about, target: operation, caller, ...more })

const without = (prepared: Prepared, ...names: readonly string[]): Headers =>
  names.reduce<Headers>((left, name) => setHeader(left, name, undefined), prepared.draft.headers)

const uncredentialed = (prepared: Prepared) => without(prepared, 'X-Api-Key', 'Authorization', 'Cookie', 'X-Csrf-Token')

const notLetIn = (prepared: Prepared) =>
  prepared.operation.guarded
    ? { judge: demand('nobody is let in', ({ status }) => status === 401 || status === 400) }
    : {}

const BEARERS: readonly string[] = [
  'Bearer',
  'Bearer ',
  'Bearer  x',
  'bearer x',
  'BEARER a.b.c',
  'Bearer a b',
  'Bearer \xff',
  `Bearer ${'a'.repeat(513)}`,
  `Bearer ${'a'.repeat(8000)}`,
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
  'Bearer null',
  'Basic Og==',
  'Basic %',
  'Digest username="x"',
  'DPoP x',
  'Negotiate',
  'x',
  '',
]

const KEYS: readonly string[] = [
  '',
  ' ',
  'ask_',
  'ask_00000000000000000000000000000000000000',
  `ask_${'a'.repeat(38)}`,
  'a'.repeat(42),
  'a'.repeat(9000),
  '\xff\xfe',
  "' or 1=1 --",
  'null',
]

const HOSTS: readonly string[] = [
  '',
  ' ',
  'a b',
  'evil.example',
  'localhost:99999',
  '[::1]:80',
  '[',
  'a,b',
  'a/b',
  '\xff',
  '127.0.0.1:80@evil.example',
  '%00',
  'x'.repeat(300),
]

const ADDRESSES: readonly string[] = [
  '',
  ',',
  'unknown',
  '::1',
  '1.2.3.4, 5.6.7.8',
  '999.1.1.1',
  'x'.repeat(500),
  '10.0.0.1%00',
  '::ffff:10.0.0.1',
  'fe80::1%eth0',
  "'; drop table person; --",
  '\xe9',
  ':::::',
  '1.2.3.4:80',
  '[2001:db8::1]:443',
]

const TRICKS: readonly Trick[] = [
  (_random, prepared) => send(prepared, 'no credential', uncredentialed(prepared), notLetIn(prepared)),
  (random, prepared) => {
    const value = random.pick(BEARERS)
    return send(
      prepared,
      `Authorization: ${value.slice(0, 30)}`,
      [...uncredentialed(prepared), ['Authorization', value]],
      notLetIn(prepared),
    )
  },
  (random, prepared) => {
    const value = random.pick(KEYS)
    return send(
      prepared,
      `X-Api-Key: ${value.slice(0, 30)}`,
      [...uncredentialed(prepared), ['X-Api-Key', value]],
      notLetIn(prepared),
    )
  },
  (_random, prepared) =>
    send(
      prepared,
      'a key and a token',
      [
        ...uncredentialed(prepared),
        ['X-Api-Key', prepared.caller.key],
        ['Authorization', `Bearer ${prepared.caller.bearer}`],
      ],
      notLetIn(prepared),
    ),
  (_random, prepared) =>
    send(
      prepared,
      'two keys',
      [...uncredentialed(prepared), ['X-Api-Key', prepared.caller.key], ['X-Api-Key', prepared.caller.narrowKey]],
      notLetIn(prepared),
    ),
  (_random, prepared, { victim }) =>
    send(
      prepared,
      'one key, then that of somebody else',
      [...uncredentialed(prepared), ['X-Api-Key', `${prepared.caller.key}, ${victim.key}`]],
      notLetIn(prepared),
    ),
  (random, prepared, { victim }) =>
    send(
      prepared,
      'a forged session',
      [
        ...uncredentialed(prepared),
        [
          'Cookie',
          random.pick([
            `assay_session=${random.letters(43)}`,
            'assay_session=',
            'assay_session',
            `assay_session="${random.letters(9)}"`,
            `assay_session=${'a'.repeat(5000)}`,
            'assay_session=%00',
            '=;;=',
            'assay_session=a; assay_session=b',
            '__Host-assay_session=x; assay_session=x',
          ]),
        ],
        ['X-Csrf-Token', random.pick([prepared.caller.session.csrf, victim.session.csrf, '', 'x'])],
      ],
      notLetIn(prepared),
    ),
  (random, prepared) =>
    send(
      prepared,
      'a session without the token of its page',
      [
        ...uncredentialed(prepared),
        ['Cookie', prepared.caller.session.cookie],
        ...random.pick<Headers>([
          [],
          [['X-Csrf-Token', 'x']],
          [['X-Csrf-Token', prepared.caller.session.csrf.slice(1)]],
        ]),
      ],
      prepared.operation.method === 'GET' || !prepared.operation.guarded
        ? {}
        : { judge: demand('refused', ({ status }) => status >= 400) },
    ),
  (random, prepared) => send(prepared, 'an odd Host', setHeader(prepared.draft.headers, 'Host', random.pick(HOSTS))),
  (_random, prepared) => send(prepared, 'no Host', without(prepared, 'Host'), { clear: false }),
  (_random, prepared) =>
    send(prepared, 'two Hosts', [...prepared.draft.headers, ['Host', 'other.example']], { clear: false }),
  (random, prepared) =>
    send(prepared, 'an odd address', setHeader(prepared.draft.headers, 'X-Forwarded-For', random.pick(ADDRESSES))),
  (random, prepared) =>
    send(prepared, 'other words of a proxy', [
      ...prepared.draft.headers,
      [
        random.pick([
          'X-Forwarded-Host',
          'X-Forwarded-Proto',
          'X-Forwarded-Port',
          'Forwarded',
          'X-Real-Ip',
          'X-Original-Url',
          'X-Rewrite-Url',
          'X-Forwarded-Prefix',
        ]),
        random.pick([
          'evil.example',
          'https',
          'javascript',
          '/v1/organisation',
          '-1',
          '\xff',
          'for=unknown;host="a b"',
        ]),
      ],
    ]),
  (random, prepared) => {
    const value = random.pick(['100-continue', '100-Continue', '200-ok', '', 'nonsense', '100-continue, x'])
    return send(prepared, `Expect: ${value}`, [...prepared.draft.headers, ['Expect', value]], { clear: false })
  },
  (random, prepared) =>
    send(
      prepared,
      'an upgrade',
      [
        ...prepared.draft.headers,
        ['Connection', 'Upgrade'],
        ['Upgrade', random.pick(['websocket', 'h2c', 'TLS/1.0', 'x'])],
      ],
      { clear: false },
    ),
  (random, prepared) =>
    send(
      prepared,
      'an odd Connection',
      [
        ...prepared.draft.headers,
        ['Connection', random.pick(['keep-alive', 'X-Api-Key', 'close, keep-alive', 'content-length', '', 'nonsense'])],
      ],
      { clear: false },
    ),
  (random, prepared) =>
    send(prepared, 'an odd Accept', [
      ...prepared.draft.headers,
      [
        'Accept',
        random.pick([
          'text/html',
          'text/csv',
          'application/pdf',
          '*/*;q=0',
          'application/xml',
          '',
          ';;;',
          'text/html,'.repeat(500),
          '\xff',
          'application/json;q=abc',
        ]),
      ],
    ]),
  (random, prepared) =>
    send(prepared, 'an odd Accept-Encoding', [
      ...prepared.draft.headers,
      ['Accept-Encoding', random.pick(['gzip', 'br;q=0', '*', 'identity;q=0', 'x'.repeat(2000)])],
    ]),
  (random, prepared) =>
    send(prepared, 'another origin', [
      ...prepared.draft.headers,
      ['Origin', random.pick(['null', 'https://evil.example', 'a b', '', '\xff', 'http://localhost'])],
      ['Sec-Fetch-Site', 'cross-site'],
    ]),
  (random, prepared) =>
    send(prepared, 'a request id of the caller', [
      ...prepared.draft.headers,
      ['X-Request-Id', random.pick(['x', 'req_1', '"\xff', 'a'.repeat(1000)])],
      ['Request-Id', '1'],
    ]),
  (random, prepared) =>
    send(prepared, 'an organisation named', [
      ...prepared.draft.headers,
      ['X-Organisation-Id', random.pick(['', 'org_x', '__proto__', '\xff', 'a'.repeat(500)])],
    ]),
  (random, prepared) =>
    send(prepared, 'conditions', [
      ...prepared.draft.headers,
      [
        random.pick(['If-None-Match', 'If-Modified-Since', 'If-Range', 'If-Unmodified-Since']),
        random.pick(['*', '"x"', 'W/"', 'Thu, 01 Jan 1970', '\xff']),
      ],
      ['Range', random.pick(['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'x'])],
    ]),
  (random, prepared) =>
    send(prepared, 'a stranger among headers', [
      ...prepared.draft.headers,
      [
        random.pick(['__proto__', 'constructor', 'toString', 'X'.repeat(3000), '!#$%&']),
        random.pick(['', '\xff', '\t', 'x'.repeat(5000)]),
      ],
    ]),
  (random, prepared) => ({
    ...send(prepared, 'a name no header has', [
      ...prepared.draft.headers,
      [random.pick(['a b', 'a\0', 'é', '', 'a(b)', 'a:b']), 'x'],
    ]),
    clear: false,
  }),
  (random, prepared) => ({
    ...send(prepared, 'a value no header has', [
      ...prepared.draft.headers,
      ['X-Odd', random.pick(['a\0b', 'a\x01', 'a\x7f', '\x1b[31m', 'a\rb', 'a\nb'])],
    ]),
    clear: false,
  }),
  (random, prepared) => ({ ...send(prepared, 'an odd version', prepared.draft.headers), ...odd(random, prepared) }),
]

/** Another version of HTTP in the first line. */
function odd(random: Random, prepared: Prepared): Attack {
  const version = random.pick([
    'HTTP/1.0',
    'HTTP/0.9',
    'HTTP/2.0',
    'HTTP/1.2',
    'HTTP/11',
    'http/1.1',
    'HTTP/1.1 ',
    '',
    'HTTP/1.1 x',
    'ICY',
    'HTTP/-1.1',
  ])
  return attackOf(
    { ...prepared.draft, version },
    { about: `version ${version}`, target: prepared.operation, caller: prepared.caller, clear: false },
  )
}
