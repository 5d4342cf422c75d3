import { AssayError } from './errors.ts'
import type { AssayEvent } from './generated/api.ts'

/** A delivery that is not from your Assay service, or that is too old. Answer it with 400 and ignore its content. */
export class WebhookError extends AssayError {
  constructor(message: string) {
    super('webhook_invalid', message)
  }
}

/** The event of *Send a test*. */
export interface TestEvent {
  readonly id: string
  readonly type: 'webhook.test'
  readonly timestamp: string
  readonly data: { readonly webhook_id: string; readonly summary: string }
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const TOLERANCE_MS = 5 * 60_000

/**
 * Checks a delivery to a webhook and returns its event. `body` is the text exactly as it arrived, before any parsing.
 * Throws a WebhookError if no signature is of the secret, or if it was sent more than five minutes ago.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
  { nowMs = Date.now(), toleranceMs = TOLERANCE_MS }: { nowMs?: number; toleranceMs?: number } = {},
): Promise<AssayEvent | TestEvent> {
  const [id, seconds, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, `webhook-${name}`))
  if (!id || !seconds || !signatures) throw new WebhookError('A webhook-* header is missing: this is no webhook.')
  if (!/^\d{1,12}$/.test(seconds) || Math.abs(nowMs - Number(seconds) * 1000) > toleranceMs) {
    throw new WebhookError('The delivery is too old or from the future. Check the clock of this machine.')
  }
  const key = await importedKey(secret)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const head = new TextEncoder().encode(`${id}.${seconds}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  // During a rotation there are several. The comparison of each takes the same time for every content.
  for (const signature of signatures.split(' ')) {
    const [version, encoded = ''] = signature.split(',', 2)
    const given = version === 'v1' ? decoded(encoded) : undefined
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) {
      return JSON.parse(new TextDecoder().decode(bytes)) as AssayEvent
    }
  }
  throw new WebhookError('No signature is of this secret. Check the secret, and that the body is unchanged.')
}

function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

function importedKey(secret: string) {
  const bytes = secret.startsWith('whsec_') ? decoded(secret.slice('whsec_'.length)) : undefined
  if (!bytes || bytes.length === 0) throw new WebhookError('The secret is not one of a webhook: it begins with whsec_.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
