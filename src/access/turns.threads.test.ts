import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** A server that takes turns for whoever the path names, and answers when the test says so. */
async function setUp() {
  const turns = createTurns(2)
  const begun: string[] = []
  const answers = new Map<string, ServerResponse>()
  const server = createServer(async (request, response) => {
    const [, who = '', number = ''] = (request.url ?? '').split('/')
    await turns.take(who, response)
    begun.push(`${who}${number}`)
    answers.set(`${who}${number}`, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (path: string, signal?: AbortSignal) =>
    fetch(`${url}/${path}`, signal ? { signal } : {}).then(
      (answer) => answer.text(),
      () => 'gone',
    )
  return { begun, answers, ask }
}
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

it('lets two requests of a caller run at a time, and another caller is not delayed', async () => {
  const { begun, answers, ask } = await setUp()
  const asked: Promise<string>[] = []
  for (const path of ['a/1', 'a/2', 'a/3', 'b/1']) {
    asked.push(ask(path))
    await expect.poll(() => begun.length, { interval: 1 }).toBe(Math.min(2, asked.length) + (path === 'b/1' ? 1 : 0))
  }
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  answers.get('a1')?.end('one')
  await expect.poll(() => begun, { interval: 1 }).toContain('a3')
  for (const answer of answers.values()) answer.end()
  expect((await Promise.all(asked))[0]).toBe('one')
})

it('gives the turn of a caller who hung up to the next', async () => {
  const { begun, answers, ask } = await setUp()
  const leaving = new AbortController()
  const asked = [ask('a/1', leaving.signal), ask('a/2')]
  await expect.poll(() => begun.length, { interval: 1 }).toBe(2)
  const next = ask('a/3')
  leaving.abort()
  await expect.poll(() => begun, { interval: 1 }).toContain('a3')
  for (const answer of answers.values()) answer.end('done')
  expect([await asked[0], await next]).toEqual(['gone', 'done'])
})
