/**
 * Receives webhooks: verifies each delivery, forwards it, and answers. The other webhook-*.js examples use it.
 * A delivery that could not be forwarded is answered with 502, so that Assay sends it again.
 */
import { createServer } from 'node:http'
import { verifyWebhook, WebhookError } from '@assay/sdk'

const BYTES_MAX = 256 * 1024
/** Ids that were forwarded: a delivery may arrive twice. A real receiver keeps them in its database. */
const forwarded = new Set()

/**
 * @param {(event: import('@assay/sdk').AssayEvent | import('@assay/sdk').TestEvent) => object} messageOf makes the body
 *   for the other service
 */
export function receive(messageOf) {
  const { ASSAY_WEBHOOK_SECRET: secret, FORWARD_URL: forwardUrl, PORT = '8090' } = process.env
  if (!secret || !forwardUrl) {
    console.error('Set ASSAY_WEBHOOK_SECRET (whsec_…) and FORWARD_URL.')
    process.exit(1)
  }
  const server = createServer(async (request, response) => {
    try {
      const event = await verifyWebhook(await bodyOf(request), request.headers, secret)
      if (!forwarded.has(event.id)) {
        await forward(forwardUrl, messageOf(event))
        forwarded.add(event.id)
      }
      response.writeHead(204).end()
    } catch (error) {
      console.error(String(error))
      response.writeHead(error instanceof WebhookError ? 400 : 502).end()
    }
  })
  server.listen(Number(PORT), '127.0.0.1', () => {
    const address = server.address()
    console.log(`Listening on port ${typeof address === 'object' ? address?.port : address}.`)
  })
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) throw new WebhookError('The body is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * @param {string} url
 * @param {object} message
 */
async function forward(url, message) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(5000),
  })
  if (!response.ok) throw new Error(`The other service answered ${response.status}.`)
}
