import { expect, it } from 'vitest'
import { timedIdSeries } from '../lib/ids.ts'
import { createRequestNotes } from './requests.ts'

it('keeps notes while the store cannot be written, drops strangers beyond their share, and counts them', async () => {
  const newId = timedIdSeries('req', () => 1_773_000_000_000)
  const troubles: unknown[] = []
  let isDown = true
  const written: string[] = []
  const notes = createRequestNotes({
    sql: {
      async query(_text: string, [first]: readonly string[]) {
        if (isDown) throw new Error('down')
        written.push(String(first))
        return []
      },
    } as never,
    ownersOfKeys: async () => new Map(),
    onTrouble: (error) => troubles.push(error),
  })
  const note = (url: string) => {
    const request = { id: newId(), url, method: 'GET', headers: {}, caller: undefined, billing: undefined }
    notes.note({ ...request, problemCode: 'store_unavailable' }, '/v1/billing', { statusCode: 503, elapsedTime: 1.6 })
    return request.id
  }
  note('/api/session')
  const first = note('/v1/billing')
  await notes.close()
  await notes.close()
  expect([troubles.length, written]).toEqual([1, []])
  expect(await notes.find(first)).toMatchObject({ code: 'store_unavailable', duration_ms: 2, organisation_id: null })
  for (let i = 0; i < 600; i++) note('/v1/billing')
  expect(notes.dropped()).toBe(100)
  isDown = false
  await notes.close()
  expect(written).toEqual([first])
})

it('leaves what is answered during a write to the next one: under load every write would bring another', async () => {
  const newId = timedIdSeries('req', () => 1_773_000_000_000)
  let rows = 0
  const note = () => {
    const request = {
      id: newId(),
      url: '/v1/billing',
      method: 'GET',
      headers: {},
      caller: undefined,
      billing: undefined,
    }
    notes.note({ ...request, problemCode: undefined }, '/v1/billing', { statusCode: 200, elapsedTime: 1 })
    return request.id
  }
  const notes = createRequestNotes({
    sql: {
      async query() {
        if (++rows < 10) note()
        return []
      },
    } as never,
    ownersOfKeys: async () => new Map(),
    onTrouble: (error) => expect.unreachable(String(error)),
  })
  note()
  await notes.close()
  expect(rows).toBe(1)
})
