import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { CompactSign, createLocalJWKSet, type JWK, jwtVerify, SignJWT } from 'jose'
import jsqr from 'jsqr'
import { describe, expect, it } from 'vitest'
import { FULL } from '../../test/support/full.ts'
import { type Evidence, evidencePdf } from './evidence-pdf.ts'
import {
  audienceOf,
  questionDigest,
  RECEIPT_TYPE,
  type ReceiptClaims,
  receiptLink,
  signedLink,
  signReceipt,
  verifyReceipt,
} from './receipt.ts'

// The package describes an ES module; Node loads the other one, whose only value is the function.
const readQr = jsqr as unknown as typeof jsqr.default

const BASE_URL = 'https://assay.example'
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwkOf = (key: KeyObject): JWK => ({ ...(key.export({ format: 'jwk' }) as JWK), kid: 'k1', alg: 'ES256' })
const key = jwkOf(pair.privateKey)
const keys = { keys: [jwkOf(pair.publicKey)] }

const claims: ReceiptClaims = {
  iss: BASE_URL,
  aud: audienceOf(BASE_URL),
  iat: 1_772_355_600,
  jti: 'chk_5TgBnHyUjMkIlOpQaZwS',
  sub: 'org_0Fv3kQ2mXb7TzR1yLw9c',
  question: questionDigest('email', 'Jane@Acme.example')!,
  kind: 'email',
  risk: 'high',
  risk_score: 81,
  signals: [
    { code: 'domain.lookalike', effect: 40 },
    { code: 'email.free_mail', effect: -3 },
  ],
  intelligence: '2026-03-01.1',
  price: { unit_price_pence: 2, total_price_pence: 2, is_free: false },
  asked_at: '2026-03-01T09:00:00.000Z',
}
const long: ReceiptClaims = {
  ...claims,
  signals: Array.from({ length: 60 }, (_, i) => ({ code: `domain.signal_with_a_long_name_${i}`, effect: 60 - i })),
}
const receipt = await signReceipt(claims, key)

describe('a receipt', () => {
  it('is verified here, by jose, and by node:crypto alone', async () => {
    expect(await verifyReceipt(receipt, keys)).toEqual({ claims })

    const expected = { typ: RECEIPT_TYPE, issuer: BASE_URL, audience: `${BASE_URL}/receipts`, algorithms: ['ES256'] }
    expect((await jwtVerify(receipt, createLocalJWKSet(keys), expected)).payload).toEqual(claims)

    const [header = '', payload = '', signature = ''] = receipt.split('.')
    const publicKey = createPublicKey({ key: pair.publicKey.export({ format: 'jwk' }), format: 'jwk' })
    const signed = Buffer.from(`${header}.${payload}`)
    const bytes = Buffer.from(signature, 'base64url')
    expect(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true)
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual(claims)
  })

  it('is refused if any of its characters is another', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let place = 0; place < receipt.length; place += FULL ? 1 : 5) {
      // The next letter differs in its lowest bit, which the end of base64url may ignore.
      const other = alphabet[alphabet.indexOf(receipt[place]!) ^ 1] ?? 'A'
      const changed = receipt.slice(0, place) + other + receipt.slice(place + 1)
      expect(await verifyReceipt(changed, keys), `character ${place}`).toHaveProperty('refused')
    }
    for (const text of ['', 'receipt', `${receipt}A`, `${receipt}.`, `${receipt}=`, receipt.slice(0, -1)]) {
      expect(await verifyReceipt(text, keys), text.slice(-10)).toHaveProperty('refused')
    }
  })

  it('is no token, whoever signed it: type, audience and shape are its own', async () => {
    const token = (typ: string, body: object) =>
      new SignJWT({ ...body }).setProtectedHeader({ alg: 'ES256', typ, kid: 'k1' }).sign(key)
    expect(await verifyReceipt(await token('JWT', claims), keys)).toHaveProperty('refused')
    expect(await verifyReceipt(await token('at+jwt', claims), keys)).toHaveProperty('refused')
    expect(await verifyReceipt(await token(RECEIPT_TYPE, { ...claims, aud: BASE_URL }), keys)).toHaveProperty('refused')
    expect(await verifyReceipt(await token(RECEIPT_TYPE, { sub: 'usr_1', iss: BASE_URL }), keys)).toHaveProperty(
      'refused',
    )
    const unsigned = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'HS256', typ: RECEIPT_TYPE, kid: 'k1' })
      .sign(Buffer.from(JSON.stringify(keys.keys[0])))
    expect(await verifyReceipt(unsigned, keys)).toHaveProperty('refused')
    await expect(jwtVerify(receipt, createLocalJWKSet(keys), { typ: 'JWT' })).rejects.toThrow()
  })

  it('proves the question to those who know the indicator, in any spelling', () => {
    expect(questionDigest('email', ' jane@acme.EXAMPLE'.trim())).toBe(claims.question)
    expect(questionDigest('email', 'john@acme.example')).not.toBe(claims.question)
    expect(questionDigest('domain', 'no domain')).toBeUndefined()
    expect(JSON.stringify(claims)).not.toMatch(/acme/i)
  })
})

const evidence = (link: string): Evidence => ({
  title: 'Evidence of check chk_5TgBnHyUjMkIlOpQaZwS',
  author: 'Example Ltd',
  madeAtMs: Date.parse('2026-03-01'),
  risk: 'high',
  facts: [['Indicator', 'jane@acme.example']],
  sections: [{ title: 'Reasons', rows: [['Imitates acme.com', '+40']] }],
  link,
  linkWords: 'Scan to verify.',
})

/** Draws the dark rectangles of a page as an image, and reads the QR code in it. */
function readCode(pdf: Buffer): string | undefined {
  const file = pdf.toString('latin1')
  for (const { index, 0: head } of file.matchAll(/stream\n/g)) {
    const start = index + head.length
    let content: string
    try {
      content = inflateSync(pdf.subarray(start)).toString('latin1')
    } catch {
      continue
    }
    const rects = [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map(([, ...of]) => of.map(Number))
    if (rects.length < 100) continue
    // Four pixels for a module, and a light border of four modules.
    const scale = 4 / (rects[0]?.[3] ?? 1)
    const left = Math.min(...rects.map(([x = 0]) => x))
    const top = Math.min(...rects.map(([, y = 0]) => y))
    const pixels = (pt: number, from: number) => Math.round((pt - from) * scale) + 16
    const width = Math.max(...rects.map(([x = 0, , w = 0]) => pixels(x + w, left))) + 16
    const image = new Uint8ClampedArray(4 * width * width).fill(255)
    for (const [x = 0, y = 0, w = 0, h = 0] of rects) {
      for (let row = pixels(y, top); row < pixels(y + h, top); row++) {
        image.fill(0, 4 * (row * width + pixels(x, left)), 4 * (row * width + pixels(x + w, left)))
      }
    }
    for (let alpha = 3; alpha < image.length; alpha += 4) image[alpha] = 255
    return readQr(image, width, width)?.data
  }
  return undefined
}

describe('the evidence', () => {
  it('carries the whole receipt as a QR code', async () => {
    const link = await signedLink(BASE_URL, claims, key)
    const read = readCode(await evidencePdf(evidence(link)))
    expect(read).toBe(link)
    expect(await verifyReceipt(read?.split('#')[1] ?? '', keys)).toEqual({ claims })
  })

  it('carries a receipt without the weakest signals if all of them do not fit a QR code', async () => {
    const link = await signedLink(BASE_URL, long, key)
    expect(receiptLink(BASE_URL, await signReceipt(long, key)).length).toBeGreaterThan(2953)
    const read = readCode(await evidencePdf(evidence(link)))
    const verified = await verifyReceipt(read?.split('#')[1] ?? '', keys)
    const { signals = [], signals_left_out: left } = 'claims' in verified ? verified.claims : {}
    expect(signals.length).toBeGreaterThan(5)
    expect(signals).toEqual(long.signals.slice(0, signals.length))
    expect(left).toBe(60 - signals.length)
  })
})
