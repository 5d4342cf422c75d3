import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { attackOf, demand, type Family } from '../attack.ts'
import { learnId, operationWithBody, prepare } from '../drafts.ts'
import type { Random } from '../random.ts'
import { setHeader } from '../wire.ts'

/** Bodies in bytes that are not what they say they are. */
export const encodings: Family = {
  name: 'encodings',
  weight: 2,
  make(random, world) {
    const operation = operationWithBody(random)
    const { draft, caller } = prepare(random, world, operation)
    const good = draft.body ?? Buffer.from('{}')
    const common = { target: operation, caller, learn: learnId(caller, operation) }
    if (random.chance(0.35)) {
      const type = random.pick(TYPES)
      return attackOf(
        { ...draft, headers: setHeader(draft.headers, 'Content-Type', type) },
        { ...common, about: `type ${type}` },
      )
    }
    if (random.chance(0.25)) {
      const [coding, body] = random.pick(CODINGS)(good)
      return attackOf(
        { ...draft, body, headers: [...draft.headers, ['Content-Encoding', coding]] },
        // No coding is undone: a small body could otherwise become a huge one.
        {
          ...common,
          about: `a body sent as ${coding}`,
          judge: demand('no coding is taken', ({ status }) => coding === 'identity' || status >= 400),
        },
      )
    }
    const [about, body] = random.pick(BYTES)(random, good)
    return attackOf({ ...draft, body, framing: random.chance(0.3) ? 'chunked' : 'length' }, { ...common, about })
  },
}

const TYPES: readonly string[] = [
  'application/json; charset=utf-8',
  'application/json; charset=UTF-16',
  'application/json; charset=latin1',
  'application/json; charset=nonsense',
  'application/json;charset="utf-8"; charset=utf-7',
  'application/json;',
  'APPLICATION/JSON',
  'application/json ; x=1',
  'application/json, text/plain',
  'application/jsonx',
  'application/problem+json',
  'application/vnd.api+json',
  'text/json',
  'text/plain',
  'text/plain; application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/octet-stream',
  '*/*',
  'json',
  '',
  ' ',
  ';',
  '/',
  'a'.repeat(2000),
  'application/json; boundary=\xff\xfe',
  'application/json\t',
]

/** Eight megabytes when unpacked. */
const SWELLING = gzipSync(Buffer.alloc(8_000_000, ' '))

const CODINGS: readonly ((good: Buffer) => readonly [coding: string, body: Buffer])[] = [
  (good) => ['gzip', gzipSync(good)],
  (good) => ['deflate', deflateSync(good)],
  (good) => ['br', brotliCompressSync(good)],
  () => ['gzip', SWELLING],
  () => ['gzip', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
  (good) => ['gzip, gzip', gzipSync(gzipSync(good))],
  (good) => ['identity', good],
  (good) => ['nonsense', gzipSync(good)],
]

const utf16 = (good: Buffer, mark: readonly number[], swap: boolean) => {
  const body = Buffer.concat([Buffer.from(mark), Buffer.from(good.toString(), 'utf16le')])
  return swap && body.length % 2 === 0 ? Buffer.from(body).swap16() : body
}

const into = (good: Buffer, bytes: readonly number[]) => {
  const at = good.lastIndexOf('"')
  return at < 0 ? Buffer.from(bytes) : Buffer.concat([good.subarray(0, at), Buffer.from(bytes), good.subarray(at)])
}

const BYTES: readonly ((random: Random, good: Buffer) => readonly [about: string, body: Buffer])[] = [
  (_random, good) => ['UTF-8 with a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good])],
  (_random, good) => ['UTF-16 with its mark', utf16(good, [0xff, 0xfe], false)],
  (_random, good) => ['UTF-16, big end first', utf16(good, [0xff, 0xfe], true)],
  (_random, good) => ['UTF-16 without a mark', utf16(good, [], false)],
  (random, good) => [
    'an overlong form',
    into(
      good,
      random.pick([
        [0xc0, 0x80],
        [0xc0, 0xae],
        [0xe0, 0x80, 0xaf],
        [0xf0, 0x80, 0x80, 0xaf],
      ]),
    ),
  ],
  (random, good) => [
    'bytes that are not UTF-8',
    into(good, random.pick([[0xff], [0xfe, 0xff], [0x80], [0xc3], [0xf5, 0x80, 0x80, 0x80], [0xed, 0xa0, 0x80]])),
  ],
  (_random, good) => ['a replacement character that was sent', into(good, [0xef, 0xbf, 0xbd])],
  (_random, good) => ['a zero byte', into(good, [0])],
  (random) => ['any bytes', random.bytes(random.int(1, 400))],
  (random) => ['gzip without a word', gzipSync(random.bytes(100))],
  (random, good) => {
    const body = Buffer.from(good)
    body[random.int(0, body.length - 1)] = random.int(0, 255)
    return ['one byte changed', body]
  },
  (random, good) => ['cut short', good.subarray(0, random.int(0, Math.max(0, good.length - 1)))],
]
