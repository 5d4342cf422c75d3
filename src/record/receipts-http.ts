import Type from 'typebox'
import type { Sql } from '../db/sql.ts'
import { type Operation, operation } from '../http/operation.ts'
import { closed, flags, orNull, type PageOperation, pageOperation, Text } from '../http/page-operation.ts'
import { jsonResponse, named, TextLike, TextOrNull } from '../http/schema.ts'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import { ErasureClaims, questionDigest, RECEIPT_CHARACTERS_MAX, ReceiptClaims, verifyReceipt } from './receipt.ts'
import { publishedReceiptKeys } from './receipt-keys.ts'

const KeySet = named('ReceiptKeys', {
  keys: Type.Array(
    Type.Object({
      kid: TextLike('receipt-4kQ2mXb7TzR1'),
      kty: TextLike('EC'),
      crv: TextLike('P-256'),
      x: TextLike('f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
      y: TextLike('x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
      alg: TextLike('ES256'),
      use: TextLike('sig'),
      key_ops: Type.Array(TextLike('verify')),
    }),
  ),
})

/** Anybody may ask: the store is read at most this often. */
const KEYS_CACHED_MS = 2 * SECOND_MS

export interface ReceiptKeyDependencies {
  readonly sql: Sql
  readonly clock: Clock
}

const cachedKeys = ({ sql, clock }: ReceiptKeyDependencies) => {
  const cache = cacheLookUps(() => publishedReceiptKeys(sql), { clock, ttlMs: KEYS_CACHED_MS, entriesMax: 1 })
  return async () => cache.find('')
}

export function receiptKeyOperations(deps: ReceiptKeyDependencies): Operation[] {
  const readKeys = cachedKeys(deps)
  return [
    operation({
      scope: 'public',
      name: 'GET /v1/receipts/keys',
      id: 'readReceiptKeys',
      summary: 'Read the keys that verify receipts',
      description:
        'A JSON Web Key Set (RFC 7517). Former keys stay in it, so that a receipt can be verified years later. Tokens are signed with other keys.',
      answers: { 200: jsonResponse('The public keys.', KeySet) },
      problems: ['store_unavailable'],
      async handle({ reply }) {
        reply.header('cache-control', 'public, max-age=300')
        return readKeys()
      },
    }),
  ]
}

export function receiptPages(deps: ReceiptKeyDependencies): PageOperation[] {
  const readKeys = cachedKeys(deps)
  return [
    pageOperation({
      name: 'POST /api/receipts/verify',
      access: 'anybody',
      body: closed({ receipt: Text(RECEIPT_CHARACTERS_MAX), indicator: Type.Optional(Text(1024)) }),
      answer: Type.Object({
        ...flags('valid'),
        reason: TextOrNull(),
        claims: orNull(ReceiptClaims),
        erasure: orNull(ErasureClaims),
        about_indicator: orNull(Type.Boolean()),
      }),
      async handle({ body: { receipt, indicator } }) {
        const verified = await verifyReceipt(receipt.trim(), await readKeys())
        const none = { valid: true, reason: null, claims: null, erasure: null, about_indicator: null }
        if ('refused' in verified) return { ...none, valid: false, reason: verified.refused }
        if ('erasure' in verified) return { ...none, ...verified }
        const { claims } = verified
        const about = indicator === undefined ? null : questionDigest(claims.kind, indicator.trim()) === claims.question
        return { ...none, claims, about_indicator: about }
      },
    }),
  ]
}
