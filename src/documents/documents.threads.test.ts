import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { cachedEcho, deadly, echo, endless, failing, greedy, other, refusing, rows } from '../../test/support/makers.ts'
import { StoreUnavailable } from '../db/sql.ts'
import { LIMITS } from '../limits.ts'
import { createDocuments, type Documents } from './documents.ts'
import type { Maker } from './maker.ts'

describe('the documents thread', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-documents-'))
  const file = join(folder, 'one.db')
  new DatabaseSync(file).exec('create table thing (name text); insert into thing values (1), (2)')
  const opened: Documents[] = []
  afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))
  afterAll(() => rmSync(folder, { recursive: true }))

  function setUp(options: { readonly makeMsMax?: number; readonly file?: string } = {}) {
    const outcomes: string[] = []
    const documents = createDocuments({
      place: { engine: 'sqlite', file: options.file ?? file },
      count: (document, outcome) => outcomes.push(`${document} ${outcome}`),
      ...(options.makeMsMax === undefined ? {} : { makeMsMax: options.makeMsMax }),
    })
    opened.push(documents)
    /** A document whose answer is sent when it is made. */
    async function make(maker: Maker<string, number>, input: string, organisationId: string) {
      const turn = slowTurn(organisationId)
      try {
        return await documents.make(maker, input, turn)
      } finally {
        setImmediate(turn.sent)
      }
    }
    return { documents, make, outcomes }
  }
  /** The turn of a request whose answer is sent when the test says so. */
  function slowTurn(organisationId: string) {
    const callbacks: ((sent: boolean) => void)[] = []
    const sent = () => {
      for (const done of callbacks) done(true)
    }
    return { organisationId, whenSent: (done: (sent: boolean) => void) => void callbacks.push(done), sent }
  }
  const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes)

  it('makes a document of its input, and of rows that it reads itself', async () => {
    const { make, outcomes } = setUp()
    expect(textOf(await make(echo, 'words', 'one'))).toBe('words')
    const made = await make(rows, 'select name from thing order by name', 'one')
    expect([made.head, textOf(made)]).toEqual([2, '[{"name":"1"},{"name":"2"}]'])
    expect(outcomes).toEqual(['echo made', 'rows made'])
  })

  it('frees a document that was sent, unless it is cached', async () => {
    const { documents } = setUp()
    const turn = slowTurn('one')
    const [made, cached] = [await documents.make(echo, 'words', turn), await documents.make(cachedEcho, 'words', turn)]
    expect(made.bytes).toHaveLength(5)
    turn.sent()
    expect([made.bytes.length, cached.bytes.length]).toEqual([0, 5])
  })

  it('cannot write', async () => {
    const { make } = setUp()
    await expect(make(rows, "insert into thing values ('3')", 'one')).rejects.toThrow('readonly')
  })

  it('gives organisations turns: a long line delays only its own', async () => {
    const { make } = setUp()
    const order: string[] = []
    const ask = (organisationId: string, words: string) =>
      make(echo, words, organisationId).then((made) => order.push(textOf(made)))
    await Promise.all([ask('one', 'a1'), ask('one', 'a2'), ask('one', 'a3'), ask('two', 'b1'), ask('three', 'c1')])
    expect(order.slice(0, 3).sort()).toEqual(['a1', 'b1', 'c1'])
  })

  it('makes one of a kind at a time for an organisation: the next when the last one was sent', async () => {
    const { documents, make } = setUp()
    const slow = slowTurn('one')
    await documents.make(echo, 'first', slow)
    let second: string | undefined
    const waiting = make(echo, 'second', 'one').then((made) => {
      second = textOf(made)
    })
    // Others, and another kind for the same organisation, are made meanwhile.
    await make(echo, 'other', 'two')
    await make(other, 'another kind', 'one')
    expect(second).toBeUndefined()
    slow.sent()
    await waiting
    expect(second).toBe('second')
  })

  it('429 beyond the length of a line; another organisation still gets its document', async () => {
    const { documents, make, outcomes } = setUp()
    const slow = slowTurn('one')
    await documents.make(echo, 'first', slow)
    const line = Array.from({ length: LIMITS.queues.documentsWaitingMax }, () => make(echo, '', 'one'))
    await expect(make(echo, 'too many', 'one')).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '1', ratelimit: '"documents";r=0;t=1' },
    })
    expect(outcomes.at(-1)).toBe('echo refused')
    expect(textOf(await make(echo, 'two', 'two'))).toBe('two')
    slow.sent()
    await Promise.all(line)
  })

  it('503 when all lines together are full, except for an organisation without one', async () => {
    const { make } = setUp()
    const { documentsWaitingMax: each, documentsWaitingInAllMax: all } = LIMITS.queues
    // Nothing is made while the only document in progress does not end.
    const stuck = make(endless, '', 'stuck')
    stuck.catch(() => {})
    const asked = Array.from({ length: all }, (_, i) => make(echo, '', `org ${Math.floor(i / each)}`))
    for (const one of asked) one.catch(() => {})
    const open = make(echo, '', 'newcomer')
    open.catch(() => {})
    await expect(make(echo, '', 'newcomer')).rejects.toMatchObject({ code: 'overloaded' })
  })

  it('makes a document that cannot change once', async () => {
    const { make, outcomes } = setUp()
    const first = await make(cachedEcho, 'same', 'one')
    const second = await make(cachedEcho, 'same', 'one')
    expect(second).toEqual(first)
    await make(cachedEcho, 'changed', 'one')
    expect(outcomes).toEqual(['cachedEcho made', 'cachedEcho cached', 'cachedEcho made'])
  })

  it('passes on a refusal, and a fault with its place in the code', async () => {
    const { make } = setUp()
    await expect(make(refusing, '', 'one')).rejects.toMatchObject({
      code: 'not_found',
      detail: 'There is no such thing.',
    })
    await expect(make(failing, '', 'one')).rejects.toThrow(/a fault in a maker.*makers\.ts/s)
  })

  it('a store that cannot be opened is unavailable, and asked again for the next document', async () => {
    const missing = join(folder, 'missing.db')
    const { make } = setUp({ file: missing })
    const ask = () => make(rows, 'select 1 as one', 'one')
    await expect(ask()).rejects.toBeInstanceOf(StoreUnavailable)
    new DatabaseSync(missing).exec('create table thing (name text)')
    expect((await ask()).head).toBe(1)
  })

  it.each([
    ['dies', deadly, 60_000],
    ['runs out of memory', greedy, 60_000],
    ['takes too long', endless, 500],
  ])('fails one document when its thread %s; the next gets a new thread', async (_how, maker, makeMsMax) => {
    const { make, outcomes } = setUp({ makeMsMax })
    const failed = make(maker, '', 'one')
    const next = make(echo, 'next', 'two')
    await expect(failed).rejects.toThrow()
    expect(textOf(await next)).toBe('next')
    expect(outcomes).toEqual([`${maker.name} failed`, 'echo made'])
  })
})
