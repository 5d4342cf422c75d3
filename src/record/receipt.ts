/**
 * A receipt: a signed statement (JWS) of what the service answered to which question, when, and at what price.
 *
 *  1. It holds a digest of the question, not the indicator: it proves the answer to those who know the indicator.
 *  2. Type, audience and key are its own: no token of the service is a receipt, and no receipt is a token.
 *  3. One statement has one spelling: base64url with stray bits is refused, so every changed character is noticed.
 */
import { CompactSign, createLocalJWKSet, errors, type JSONWebKeySet, type JWK, jwtVerify } from 'jose'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/schema'
import { sha256Hex } from '../lib/hashing.ts'
import { KIND_NAMES, type Kind } from '../lib/kinds.ts'
import { indicatorText, parseIndicator } from '../risk/indicator.ts'

export const RECEIPT_TYPE = 'assay-receipt+jwt'
const ERASURE_TYPE = 'assay-erasure+jwt'
export const RECEIPT_CHARACTERS_MAX = 8192

const text = Type.String()
export const ReceiptClaims = Type.Object(
  {
    iss: Type.String({ description: 'Address of the service that answered.' }),
    aud: Type.String({ description: 'Always `iss` with `/receipts`: a receipt is no token for anything else.' }),
    iat: Type.Integer({ description: 'When the receipt was signed, in seconds.' }),
    jti: Type.String({ description: 'Id of the check.' }),
    sub: Type.String({ description: 'The organisation that asked.' }),
    question: Type.String({ description: 'SHA-256, in hex, of the kind, a colon and the indicator in normal form.' }),
    kind: Type.Unsafe<Kind>({ type: 'string', enum: KIND_NAMES }),
    risk: text,
    risk_score: Type.Integer(),
    signals: Type.Array(Type.Object({ code: text, effect: Type.Integer() })),
    signals_left_out: Type.Optional(
      Type.Integer({ description: 'In a QR code with too little room: how many weaker signals it leaves out.' }),
    ),
    intelligence: Type.String({ description: 'Version of the intelligence.' }),
    price: Type.Object({
      unit_price_pence: Type.Integer(),
      total_price_pence: Type.Integer(),
      is_free: Type.Boolean(),
    }),
    asked_at: text,
    decision: Type.Optional(
      Type.Object({
        decision: text,
        state: text,
        at: text,
        by: text,
        second_by: Type.Optional(text),
      }),
    ),
  },
  { $id: 'ReceiptClaims' },
)
export type ReceiptClaims = Static<typeof ReceiptClaims>

/** The receipt of an erasure (src/leaving), under the same keys: another type and another audience. */
export const ErasureClaims = Type.Object(
  {
    iss: text,
    aud: text,
    iat: Type.Integer(),
    jti: text,
    sub: Type.String({ description: 'Id of the organisation or person that was erased.' }),
    kind: text,
    requested_at: text,
    erased_at: text,
    erased: Type.Record(text, Type.Integer(), { description: 'How many rows of which table.' }),
    kept: Type.Array(Type.Object({ what: text, why: text, until: Type.Union([text, Type.Null()]) })),
  },
  { $id: 'ErasureClaims' },
)
export type ErasureClaims = Static<typeof ErasureClaims>

/** Undefined if the text is no indicator of this kind. */
export function questionDigest(kind: Kind, indicator: string): string | undefined {
  const parsed = parseIndicator(kind, indicator)
  return 'kind' in parsed ? sha256Hex(`${kind}:${indicatorText(parsed)}`) : undefined
}

export const signReceipt = (claims: ReceiptClaims, key: JWK) => sign(claims, RECEIPT_TYPE, key)
export const signErasure = (claims: ErasureClaims, key: JWK) => sign(claims, ERASURE_TYPE, key)

function sign(claims: object, typ: string, key: JWK): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'ES256', typ, kid: key.kid ?? '' })
    .sign(key)
}

export type Verified =
  | { readonly claims: ReceiptClaims }
  | { readonly erasure: ErasureClaims }
  | { readonly refused: string }

export async function verifyReceipt(receipt: string, keys: JSONWebKeySet): Promise<Verified> {
  const [, , signature = ''] = receipt.split('.')
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) {
    return { refused: 'The signature is not written as base64url.' }
  }
  try {
    const { payload, protectedHeader } = await jwtVerify(receipt, createLocalJWKSet(keys), { algorithms: ['ES256'] })
    const { typ } = protectedHeader
    if (typ === RECEIPT_TYPE && Check(ReceiptClaims, payload) && payload.aud === audienceOf(payload.iss)) {
      return { claims: payload }
    }
    if (typ === ERASURE_TYPE && Check(ErasureClaims, payload) && payload.aud === erasureAudience(payload.iss)) {
      return { erasure: payload }
    }
    return { refused: 'It is signed, but it is no receipt.' }
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    return { refused: REFUSALS[error.code] ?? 'It is no receipt, or it is incomplete.' }
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  ERR_JWKS_NO_MATCHING_KEY: 'It is not signed with a receipt key of this service.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature does not fit the content: it was changed.',
}

export const audienceOf = (issuer: string) => `${issuer}/receipts`
export const erasureAudience = (issuer: string) => `${issuer}/erasures`

/** The page that verifies it. The receipt is in the fragment, which browsers do not send. */
export const receiptLink = (baseUrl: string, receipt: string) => `${baseUrl}/receipt#${receipt}`

/** A QR code of this many characters has modules that a telephone reads from paper. */
const LINK_CHARACTERS_MAX = 1800
/** Header, signature and the two dots. */
const ENVELOPE_CHARACTERS = 200

/** A link for a QR code. If the receipt is too long for one, the link has a receipt without the weakest signals. */
export async function signedLink(baseUrl: string, claims: ReceiptClaims, key: JWK): Promise<string> {
  const { length } = claims.signals
  let kept = length + 1
  let fitting: ReceiptClaims
  do {
    kept--
    const signals = claims.signals.slice(0, kept)
    fitting = kept === length ? claims : { ...claims, signals, signals_left_out: length - kept }
  } while (
    kept > 0 &&
    Math.ceil(Buffer.byteLength(JSON.stringify(fitting)) * (4 / 3)) + ENVELOPE_CHARACTERS + baseUrl.length >
      LINK_CHARACTERS_MAX
  )
  return receiptLink(baseUrl, await signReceipt(fitting, key))
}
