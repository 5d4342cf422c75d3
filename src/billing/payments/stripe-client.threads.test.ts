import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { checkSignature, postToStripe, StripeRefusal } from './stripe-client.ts'

describe('the signature of a message', () => {
  // Made by Stripe's own package.
  const body = Buffer.from('{"name":"北京"}')
  const secret = 'whsec_a_secret'
  const seconds = 1767225600
  const signature = '9c71e054575793c71423fd8df110784f305e618bcb382a841bebe75b4a0bb3ef'
  const check = (header: string, { bytes = body, key = secret, nowMs = seconds * 1000 } = {}) =>
    checkSignature(bytes, header, key, nowMs)

  it('is accepted for five minutes', () => {
    check(`t=${seconds},v1=${signature}`)
    check(`t=${seconds},v1=${signature}`, { nowMs: (seconds + 300) * 1000 })
    expect(() => check(`t=${seconds},v1=${signature}`, { nowMs: (seconds + 301) * 1000 })).toThrow('too old')
  })

  it('is accepted beside others: while a secret is replaced, Stripe signs with both', () => {
    check(`t=${seconds},v1=${'0'.repeat(64)},v1=${signature},v0=${'1'.repeat(64)}`)
  })

  it.each([
    ['nothing', ''],
    ['a time alone', `t=${seconds}`],
    ['no time', `v1=${signature}`],
    ['another time', `t=${seconds + 1},v1=${signature}`],
    ['the scheme for tests', `t=${seconds},v0=${signature}`],
    ['half a signature', `t=${seconds},v1=${signature.slice(0, 32)}`],
    ['no hexadecimal', `t=${seconds},v1=${'z'.repeat(64)}`],
  ])('is refused: %s', (_name, header) => {
    expect(() => check(header)).toThrow('No signature')
  })

  it('is refused for another body and another secret', () => {
    expect(() => check(`t=${seconds},v1=${signature}`, { bytes: Buffer.from('{}') })).toThrow('No signature')
    expect(() => check(`t=${seconds},v1=${signature}`, { key: 'whsec_other' })).toThrow('No signature')
  })
})

describe('a call', () => {
  let server: Server
  afterEach(() => server.close())
  const serve = async (answer: RequestListener) => {
    server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return (fields = {}) =>
      postToStripe({ secretKey: 'sk_test', apiBase: `http://127.0.0.1:${port}` }, '/v1/things', fields, 'a key')
  }

  it('sends nested fields as a form, with its key and the version of the API', async () => {
    let text = ''
    let headers: Record<string, unknown> = {}
    const post = await serve(async (request, response) => {
      headers = request.headers
      for await (const part of request) text += part
      response.end('{"id":"thing"}')
    })
    expect(await post({ a: 1, b: { c: 'd & e' }, list: [{ f: true }, { f: false }] })).toEqual({ id: 'thing' })
    expect(Object.fromEntries(new URLSearchParams(text))).toEqual({
      a: '1',
      'b[c]': 'd & e',
      'list[0][f]': 'true',
      'list[1][f]': 'false',
    })
    expect(headers).toMatchObject({
      authorization: 'Bearer sk_test',
      'idempotency-key': 'a key',
      'stripe-version': expect.stringMatching(/^\d{4}-\d\d-\d\d\./),
    })
  })

  it('is repeated after a broken connection, a conflict and a failure inside Stripe', async () => {
    let calls = 0
    const post = await serve((request, response) => {
      if (++calls === 1) request.socket.destroy()
      else if (calls === 2) response.writeHead(409).end('{"error":{"type":"idempotency_error"}}')
      else response.end('{"id":"thing"}')
    })
    expect(await post()).toEqual({ id: 'thing' })
    expect(calls).toBe(3)
  })

  it('is not repeated when Stripe refused it, or says that a repeat is of no use', async () => {
    let calls = 0
    const post = await serve((_request, response) => {
      if (++calls === 1) response.writeHead(402).end('{"error":{"type":"card_error","message":"Declined."}}')
      else response.writeHead(500, { 'stripe-should-retry': 'false' }).end('{"error":{"type":"api_error"}}')
    })
    await expect(post()).rejects.toMatchObject({ type: 'card_error', message: expect.stringContaining('Declined.') })
    await expect(post()).rejects.toBeInstanceOf(StripeRefusal)
    expect(calls).toBe(2)
  })
})
