import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { isAbout, type ReceiptClaims, type ReceiptKeys, verifyReceipt } from '@assay/sdk'
import type { Answer } from '../answer.ts'
import { CliError, type Context, EXIT } from '../context.ts'
import { fileProblem } from '../file-problem.ts'
import { request } from '../oauth.ts'
import { serviceUrl } from '../settings.ts'
import { harmless } from '../terminal/paint.ts'

/** Verifies a receipt here, with keys of the service or a saved copy of them. */
export async function verify(
  context: Context,
  file: string,
  options: { readonly keys?: string; readonly indicator?: string },
): Promise<Answer> {
  const content = file === '-' ? await text(context.stdin) : read(file)
  // A link of a QR code is as good as the receipt in it.
  const receipt = content.trim().replace(/^https?:\/\/\S*#/, '')
  const { claims, refused } = await verifyReceipt(receipt, await keysFrom(context, options.keys))
  const about = claims && options.indicator !== undefined ? await isAbout(claims, options.indicator) : undefined
  return {
    value: { valid: claims !== undefined, reason: refused ?? null, about_indicator: about ?? null, claims },
    text: () => (claims ? words(claims, about) : `Not verified. ${refused}`),
    exitCode: claims && about !== false ? EXIT.low : EXIT.high,
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw fileProblem(error, file)
  }
}

async function keysFrom(context: Context, file: string | undefined): Promise<ReceiptKeys> {
  const url = `${serviceUrl(context)}/v1/receipts/keys`
  const place = file ?? url
  let body: unknown
  try {
    body = file === undefined ? (await request(context, url, {})).body : JSON.parse(read(file))
  } catch (error) {
    if (error instanceof SyntaxError) throw new CliError(`${file} is not JSON. Save it from ${url}.`)
    throw error
  }
  if (!Array.isArray((body as Partial<ReceiptKeys> | null)?.keys)) {
    throw new CliError(`${place} holds no receipt keys. They are at /v1/receipts/keys of the service that answered.`)
  }
  return body as ReceiptKeys
}

function words(claims: ReceiptClaims, about: boolean | undefined): string {
  const { decision } = claims
  const lines: [string, string][] = [
    ['Answered by', claims.iss],
    ['Check', claims.jti],
    ['Organisation', claims.sub],
    ['Asked at', claims.asked_at],
    ['Kind', claims.kind],
    ['Risk', `${claims.risk} (${claims.risk_score})`],
    ['Signals', claims.signals.map(({ code, effect }) => `${code} ${effect}`).join(', ') || 'none'],
    ['Intelligence', claims.intelligence],
    ['Price', `${claims.price.total_price_pence} pence`],
    ...(decision ? [['Decision', `${decision.decision} by ${decision.by} at ${decision.at}`] as [string, string]] : []),
  ]
  const said = about === undefined ? '' : about ? 'It is about this indicator.\n' : 'It is about ANOTHER indicator.\n'
  return `Genuine.\n${said}\n${lines.map(([name, value]) => `${name.padEnd(13)} ${harmless(value)}`).join('\n')}`
}
