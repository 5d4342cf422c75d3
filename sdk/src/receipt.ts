import type { Operations, ReceiptClaims } from './generated/api.ts'

/** The public keys of receipts: the answer of `GET /v1/receipts/keys`, or a saved copy of it. */
export type ReceiptKeys = Operations['GET /v1/receipts/keys']['response']

export type VerifiedReceipt =
  | { readonly claims: ReceiptClaims; readonly refused?: undefined }
  | { readonly refused: string; readonly claims?: undefined }

/**
 * Verifies a receipt without asking the service. It needs `crypto.subtle`, which Node has, and browsers on pages served
 * over https.
 */
export async function verifyReceipt(receipt: string, { keys }: ReceiptKeys): Promise<VerifiedReceipt> {
  const [header = '', payload = '', signature = '', ...more] = receipt.trim().split('.')
  const { alg, typ, kid } = (jsonIn(header) ?? {}) as Readonly<Record<string, unknown>>
  const claims = jsonIn(payload) as ReceiptClaims | undefined
  const bytes = bytesIn(signature)
  if (typ === 'assay-erasure+jwt') {
    return { refused: 'This is the receipt of an erasure: the page /receipt of the service verifies it.' }
  }
  if (more.length > 0 || alg !== 'ES256' || typ !== 'assay-receipt+jwt' || !claims || !bytes) {
    return { refused: 'It is no receipt, or it is incomplete.' }
  }
  const key = keys.find((one) => one.kid === kid)
  if (!key) return { refused: 'It is not signed with any of these keys.' }
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const { kty, crv, x, y } = key
  const imported = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, ecdsa, false, ['verify'])
  const signed = new TextEncoder().encode(`${header}.${payload}`)
  if (!(await crypto.subtle.verify(ecdsa, imported, bytes, signed))) {
    return { refused: 'The signature does not fit the content: it was changed.' }
  }
  if (claims.aud !== `${claims.iss}/receipts`) return { refused: 'It is signed, but it is no receipt.' }
  return { claims }
}

/**
 * True if the receipt answers the question about this indicator. It is compared in lower case; the service knows more
 * spellings of one indicator, such as names with letters outside ASCII.
 */
export async function isAbout({ kind, question }: ReceiptClaims, indicator: string): Promise<boolean> {
  const text = new TextEncoder().encode(`${kind}:${indicator.trim().toLowerCase()}`)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return question === Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Undefined for a text that is not the only spelling of its bytes. */
function bytesIn(base64url: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
    const again = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    return again === base64url ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : undefined
  } catch {
    return undefined
  }
}

function jsonIn(base64url: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytesIn(base64url)))
  } catch {
    return undefined
  }
}
