import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { beforeHandlers } from './server.ts'

it.each([
  ['at once', () => undefined, 'refused'],
  ['after a wait', () => Promise.resolve(), 'refused late'],
])('no handler runs that was refused before, %s', async (_when, wait, refusal) => {
  const app = Fastify()
  const handled: string[] = []
  beforeHandlers(app, (request) => {
    if (request.url === '/allowed') return wait()
    if (refusal === 'refused') throw new Error(refusal)
    return Promise.reject(new Error(refusal))
  })
  for (const path of ['/allowed', '/refused']) {
    app.get(path, async () => {
      handled.push(path)
      return 'done'
    })
  }
  expect((await app.inject('/allowed')).body).toBe('done')
  expect((await app.inject('/refused')).json()).toMatchObject({ statusCode: 500, message: refusal })
  expect(handled).toEqual(['/allowed'])
})
