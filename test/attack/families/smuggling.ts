import type { Attack, Family } from '../attack.ts'
import { operationOf } from '../document.ts'
import { prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import type { Answer, Draft } from '../wire.ts'
import type { World } from '../world.ts'

/**
 * Two readings of one stream: what a proxy takes for the body of one request, the server must not take for another
 * request. The one hidden inside would be answered with a page nobody asked for.
 */
export const smuggling: Family = {
  name: 'smuggling',
  weight: 2,
  make(random, world) {
    const { draft, caller } = prepare(random, world, operationOf('checkPaymentRisk'))
    const [about, bytes] = random.pick(TRICKS)(random, draft, world)
    return {
      about,
      bytes: random.chance(0.3) ? cut(random, bytes) : [bytes],
      methods: ['POST'],
      target: undefined,
      caller,
      clear: false,
      judge: notHidden,
    } satisfies Attack
  },
}

const HIDDEN = 'GET /problems/credit_exhausted HTTP/1.1\r\nHost: localhost\r\n\r\n'
const FOUND = 'code <code>credit_exhausted</code>'

const notHidden = (answers: readonly Answer[]) =>
  answers.some(({ text }) => text.includes(FOUND)) ? ['the request hidden in a body was answered'] : []

/** Sends the same bytes in pieces, so that the server receives them separately. */
function cut(random: Random, bytes: Buffer): Buffer[] {
  const at = random.int(1, bytes.length - 1)
  return [bytes.subarray(0, at), bytes.subarray(at)]
}

const head = (draft: Draft, lines: readonly string[], body: string): Buffer =>
  Buffer.from(
    `${[`${draft.method} ${draft.target} HTTP/1.1`, ...draft.headers.map(([name, value]) => `${name}: ${value}`), ...lines].join('\r\n')}\r\n\r\n${body}`,
    'latin1',
  )

type Trick = (random: Random, draft: Draft, world: World) => readonly [about: string, bytes: Buffer]

const JSON_BODY = '{"email":"planted@a.example"}'
const CHUNK = `${JSON_BODY.length.toString(16)}\r\n${JSON_BODY}\r\n`

const TRICKS: readonly Trick[] = [
  (_random, draft) => [
    'a length and chunks, the length longer',
    head(draft, [`Content-Length: ${5 + HIDDEN.length}`, 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`),
  ],
  (_random, draft) => [
    'chunks and a length, the length shorter',
    head(
      draft,
      ['Transfer-Encoding: chunked', 'Content-Length: 4'],
      `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
    ),
  ],
  (random, draft) => {
    const coding = random.pick([
      'chunked ',
      ' chunked',
      'CHUNKED',
      'xchunked',
      'chunked, identity',
      'identity, chunked',
      'gzip, chunked',
      'chunked;x=1',
      '\x0bchunked',
      '"chunked"',
      'chunked\t',
      'identity',
      '',
    ])
    return [
      `Transfer-Encoding: ${coding}`,
      head(draft, [`Transfer-Encoding: ${coding}`, `Content-Length: ${5 + HIDDEN.length}`], `0\r\n\r\n${HIDDEN}`),
    ]
  },
  (random, draft) => {
    const line = random.pick([
      'Transfer-Encoding : chunked',
      'Transfer-Encoding:\r\n chunked',
      'Transfer-Encoding\r\n: chunked',
      ' Transfer-Encoding: chunked',
      'X: y\nTransfer-Encoding: chunked',
      'Transfer_Encoding: chunked',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
      'X: y\rTransfer-Encoding: chunked',
      'X:\0\r\nTransfer-Encoding: chunked',
    ])
    return [
      'a hidden Transfer-Encoding',
      head(draft, [`Content-Length: ${5 + HIDDEN.length}`, line], `0\r\n\r\n${HIDDEN}`),
    ]
  },
  (random, draft) => {
    const pair = random.pick([
      ['Content-Length: 0', `Content-Length: ${HIDDEN.length}`],
      [`Content-Length: ${HIDDEN.length}`, 'Content-Length: 0'],
      [`Content-Length: 0, ${HIDDEN.length}`],
      ['Content-Length: +0'],
      ['Content-Length: -1'],
      ['Content-Length: 0x10'],
      ['Content-Length: 1e1'],
      ['Content-Length: 99999999999999999999999'],
      ['Content-Length: '],
      ['Content-Length: 0 0'],
      ['Content-Length:\x0b0'],
      ['Content-Length : 0'],
    ])
    return [pair.join(' / '), head(draft, pair, HIDDEN)]
  },
  (random, draft) => {
    const size = random.pick([
      '-1',
      'ffffffffffffffff',
      'fffffffffffffffff',
      '0x5',
      '5 ',
      ' 5',
      '',
      'g',
      '+5',
      '5;',
      `5;${'x'.repeat(20_000)}`,
      '00000000000000000005',
      '5\0',
      '7fffffffffffffff',
    ])
    return [
      `a chunk of size ${size.slice(0, 20)}`,
      head(draft, ['Transfer-Encoding: chunked'], `${size}\r\nhello\r\n0\r\n\r\n`),
    ]
  },
  (random, draft) => {
    const extension = random.pick([';a=b', ';a="\r\n0\r\n\r\n"', ';a\nb', `;${'a'.repeat(1000)}`, '; a = "b"', ';\0'])
    return [
      'a chunk extension',
      head(
        draft,
        ['Transfer-Encoding: chunked'],
        `${JSON_BODY.length.toString(16)}${extension}\r\n${JSON_BODY}\r\n0\r\n\r\n`,
      ),
    ]
  },
  (random, draft) => [
    'trailers',
    head(
      draft,
      ['Transfer-Encoding: chunked', 'Trailer: X-Api-Key'],
      `${CHUNK}0\r\n${random.pick(['X-Api-Key: x', 'Content-Length: 5', 'Transfer-Encoding: chunked', 'Host: evil', 'a b: c', `X: ${'x'.repeat(20_000)}`])}\r\n\r\n`,
    ),
  ],
  (_random, draft) => [
    'chunk lines that end in a bare line feed',
    head(draft, ['Transfer-Encoding: chunked'], `${JSON_BODY.length.toString(16)}\n${JSON_BODY}\n0\n\n${HIDDEN}`),
  ],
  (_random, draft) => [
    'lines that end in a bare line feed',
    Buffer.from(
      head(draft, [`Content-Length: ${JSON_BODY.length}`], JSON_BODY)
        .toString('latin1')
        .replaceAll('\r\n', '\n'),
      'latin1',
    ),
  ],
  (_random, draft) => [
    'lines that end in a bare carriage return',
    Buffer.from(
      head(draft, [`Content-Length: ${JSON_BODY.length}`], JSON_BODY)
        .toString('latin1')
        .replaceAll('\r\n', '\r'),
      'latin1',
    ),
  ],
  (random, draft) => [
    'a folded line',
    head(
      draft,
      [
        `X-Fold: a${random.pick(['\r\n b', '\r\n\tb', '\r\n Content-Length: 0', '\n b'])}`,
        `Content-Length: ${JSON_BODY.length}`,
      ],
      JSON_BODY,
    ),
  ],
  (random, draft) => {
    const target = random.pick([
      'http://evil.example/v1/payment-risk',
      'http://localhost/livez',
      'https://a:b@c/',
      '//evil.example/v1/plans',
      '*',
      'localhost:80',
      '/v1/payment-risk#x',
      '/v1/payment-risk HTTP/1.1 /',
      'http://',
      'http://[',
      '?x',
      'v1/plans',
      '\\v1\\plans',
      '/\xff',
      '/a b',
    ])
    return [`the target ${target}`, head({ ...draft, target }, [`Content-Length: ${JSON_BODY.length}`], JSON_BODY)]
  },
  (random, draft) => [
    'bytes before the request',
    Buffer.concat([
      Buffer.from(
        random.pick([
          '\r\n',
          '\n\n',
          '\r\n\r\n\r\n',
          ' ',
          '\0',
          '\xef\xbb\xbf',
          'GET\r\n',
          '\x16\x03\x01\x02\x00\x01\x00',
          'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
          '{"a":1}\r\n',
        ]),
        'latin1',
      ),
      head(draft, [`Content-Length: ${JSON_BODY.length}`], JSON_BODY),
    ]),
  ],
  (_random, draft) => ['a body longer than its length', head(draft, ['Content-Length: 2'], `{}${HIDDEN.slice(4)}`)],
  (_random, draft) => ['a body shorter than its length', head(draft, ['Content-Length: 500'], JSON_BODY)],
  (_random, draft) => ['chunks without their end', head(draft, ['Transfer-Encoding: chunked'], CHUNK)],
  (_random, draft) => [
    'chunks in an old version',
    Buffer.from(
      head(draft, ['Transfer-Encoding: chunked', 'Connection: keep-alive'], `0\r\n\r\n${HIDDEN}`)
        .toString('latin1')
        .replace('HTTP/1.1', 'HTTP/1.0'),
      'latin1',
    ),
  ],
  (random, draft) => ['a head without its end', head(draft, [], '').subarray(0, -random.int(1, 30))],
  (random) => ['any bytes', random.bytes(random.int(1, 300))],
]
