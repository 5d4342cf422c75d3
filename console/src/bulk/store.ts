import { AssayError } from '@assay/sdk'
import {
  type Batch,
  type BatchSignals,
  isUnderWay,
  KEPT_MS,
  type Leg,
  type List,
  type Rows,
  recordsOf,
  sizeOf,
} from './list.ts'
import { migrate } from './migrate.ts'

/**
 * Stores lists and their results in the browser.
 *
 * 1. A leg is stored before anything of it is sent, a batch before it is sent and again with its answers: after a
 *    reload at any moment, the idempotency keys of sent requests are known.
 * 2. A batch is sent only while its leg is open. A leg is closed only while none of its batches is in progress. Both
 *    are checked in the transaction that writes, so that two tabs never send a record in two legs.
 */

const NAME = 'assay-lists'
const VERSION = 2
const STORES = ['lists', 'rows', 'sent', 'signals'] as const

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION)
    request.onupgradeneeded = ({ oldVersion }) => {
      const { result: database, transaction } = request
      const lists = database.createObjectStore('lists', { keyPath: 'id' })
      lists.createIndex('owner', 'owner')
      database.createObjectStore('rows', { keyPath: ['listId', 'number'] })
      for (const name of ['sent', 'signals']) {
        database.createObjectStore(name, { keyPath: ['runId', 'number'] }).createIndex('listId', 'listId')
      }
      if (oldVersion === 1 && transaction) migrate(database, transaction)
    }
    request.onsuccess = () => {
      // A later version of this page, in another tab, waits until this one closes the database.
      request.result.onversionchange = () => {
        request.result.close()
        opened = undefined
      }
      // The browser may close the database, for example when a person clears the data of this site.
      request.result.onclose = () => {
        opened = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('Close the other tabs of this console, then load this page again.'))
  })
  opened.catch(() => {
    opened = undefined
  })
  return opened
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

type Store = (name: (typeof STORES)[number]) => IDBObjectStore

/** Runs an atomic transaction; its data is on disk when it resolves. */
async function within<Result>(mode: IDBTransactionMode, work: (store: Store) => Promise<Result>): Promise<Result> {
  const transaction = (await open()).transaction(STORES, mode, { durability: 'strict' })
  const finished = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  finished.catch(() => {})
  try {
    const result = await work((name) => transaction.objectStore(name))
    await finished
    return result
  } catch (error) {
    // The failure may have ended the transaction already.
    if (transaction.error === null && mode === 'readwrite') transaction.abort()
    throw error
  }
}

const batchesOf = (store: Store, listId: string): Promise<Batch[]> =>
  resultOf(store('sent').index('listId').getAll(listId))

const listIn = (store: Store, id: string): Promise<List | undefined> => resultOf(store('lists').get(id))

export type KeptList = { readonly list: List; readonly batches: readonly Batch[] }

export function readLists(owner: string): Promise<KeptList[]> {
  return within('readonly', async (store) => {
    const lists: List[] = await resultOf(store('lists').index('owner').getAll(owner))
    return Promise.all(lists.map(async (list) => ({ list, batches: await batchesOf(store, list.id) })))
  })
}

export function readList(id: string): Promise<KeptList | undefined> {
  return within('readonly', async (store) => {
    const list = await listIn(store, id)
    return list && { list, batches: await batchesOf(store, id) }
  })
}

const piecesOf = (listId: string) => IDBKeyRange.bound([listId, 0], [listId, Number.MAX_SAFE_INTEGER])

export async function* readRows(listId: string): AsyncGenerator<Rows, void, undefined> {
  for (let number = 0; ; number++) {
    const rows: Rows | undefined = await within('readonly', (store) => resultOf(store('rows').get([listId, number])))
    if (!rows) return
    yield rows
  }
}

export function saveList(list: List, pieces: Iterable<Rows>): Promise<void> {
  return within('readwrite', async (store) => {
    // One after the other, so that the page can draw in between.
    for (const rows of pieces) await resultOf(store('rows').put(rows))
    await resultOf(store('lists').put(list))
  })
}

export function removeList(id: string): Promise<void> {
  return within('readwrite', async (store) => {
    await resultOf(store('lists').delete(id))
    await resultOf(store('rows').delete(piecesOf(id)))
    for (const name of ['sent', 'signals'] as const) {
      const keys = await resultOf(store(name).index('listId').getAllKeys(id))
      for (const key of keys) await resultOf(store(name).delete(key))
    }
  })
}

/**
 * Adds legs to a list and closes the earlier ones. Undefined when a batch is in progress, or when another tab removed
 * the list or sent something whose result the page has not `seen`: the new legs could then contain records that were
 * already charged.
 */
export function addLegs(
  id: string,
  seen: { readonly legs: number; readonly settled: number },
  legs: readonly Leg[],
): Promise<List | undefined> {
  return within('readwrite', async (store) => {
    const list = await listIn(store, id)
    const batches = await batchesOf(store, id)
    if (list?.legs.length !== seen.legs || batches.length !== seen.settled || batches.some(isUnderWay)) return undefined
    const grown = { ...list, legs: [...list.legs.map((leg) => ({ ...leg, closed: true })), ...legs] }
    await resultOf(store('lists').put(grown))
    return grown
  })
}

/**
 * Closes the complete legs. With `idle` nothing new of the other legs is sent either: they are closed, or, while some
 * of their batches are in progress, the batches that were never sent are given up.
 */
export function closeLegs(id: string, { idle }: { readonly idle: boolean }): Promise<void> {
  return within('readwrite', async (store) => {
    const list = await listIn(store, id)
    if (!list) return
    const batches = await batchesOf(store, id)
    const legs: Leg[] = []
    for (const leg of list.legs) {
      const own = new Map(batches.filter(({ runId }) => runId === leg.runId).map((batch) => [batch.number, batch]))
      const total = Math.ceil(sizeOf(leg.ranges) / leg.batchSize)
      const waits = [...own.values()].some(isUnderWay)
      legs.push({ ...leg, closed: leg.closed || ((idle || own.size === total) && !waits) })
      if (!idle || !waits) continue
      for (let number = 0; number < total; number++) {
        if (own.has(number)) continue
        const { length: size } = recordsOf(leg, number)
        const batch = { listId: id, runId: leg.runId, number, size, digest: '', begunAtMs: 0 }
        await resultOf(store('sent').put({ ...batch, givenUp: 'again' } satisfies Batch))
      }
    }
    await resultOf(store('lists').put({ ...list, legs }))
  })
}

/** Called before a batch is sent. Returns the batch if it was already answered or given up. */
export function beginBatch(batch: Batch): Promise<Batch | undefined> {
  return within('readwrite', async (store) => {
    const known: Batch | undefined = await resultOf(store('sent').get([batch.runId, batch.number]))
    if (known && !isUnderWay(known)) return known
    const list = await listIn(store, batch.listId)
    if (!list?.legs.some(({ runId, closed }) => runId === batch.runId && !closed)) {
      throw new Error('This list was removed, or continues in another tab.')
    }
    if (known && known.digest !== batch.digest) {
      throw new Error('This list was started by another version of this page. You can restart it after a day.')
    }
    if (known && known.begunAtMs < batch.begunAtMs - KEPT_MS) {
      throw new Error('Some records were sent too long ago. Decide about them, then continue.')
    }
    if (known) return undefined
    await resultOf(store('sent').put(batch))
    return undefined
  })
}

/** Stores the answers of a batch. Undefined when the list was removed. */
export function completeBatch(
  batch: Pick<Batch, 'runId' | 'number'> & Required<Pick<Batch, 'answers'>>,
  signals: BatchSignals,
): Promise<Batch | undefined> {
  return within('readwrite', async (store) => {
    const known: Batch | undefined = await resultOf(store('sent').get([batch.runId, batch.number]))
    if (!known) return undefined
    const complete: Batch = { ...known, answers: batch.answers }
    await resultOf(store('sent').put(complete))
    await resultOf(store('signals').put(signals))
    return complete
  })
}

export function dropBatch(runId: string, number: number): Promise<void> {
  return within('readwrite', async (store) => {
    const known: Batch | undefined = await resultOf(store('sent').get([runId, number]))
    if (known && isUnderWay(known)) await resultOf(store('sent').delete([runId, number]))
  })
}

export function giveUpBatches(id: string, beforeMs: number, givenUp: 'left' | 'again'): Promise<void> {
  return within('readwrite', async (store) => {
    for (const batch of await batchesOf(store, id)) {
      if (isUnderWay(batch) && batch.begunAtMs < beforeMs) await resultOf(store('sent').put({ ...batch, givenUp }))
    }
  })
}

export function readSignals(runId: string, number: number): Promise<BatchSignals | undefined> {
  return within('readonly', (store) => resultOf(store('signals').get([runId, number])))
}

export function asProblem(error: unknown): AssayError {
  const cause = error instanceof AssayError ? error.cause : error
  if (cause instanceof DOMException && cause.name === 'QuotaExceededError') {
    const message = 'This browser has no space left. Remove lists that you no longer need, then continue.'
    return new AssayError('page_failed', message, { cause })
  }
  if (error instanceof AssayError) return error
  const message = error instanceof Error ? error.message : 'Something went wrong in this page. Load it again.'
  return new AssayError('page_failed', message, { cause })
}
