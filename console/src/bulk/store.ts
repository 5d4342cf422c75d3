import type { Kind } from '@assay/sdk'

/** Lists under way, kept in the browser, so that a reload loses nothing and pays for nothing twice. */

export interface Job {
  readonly id: string
  /** Person and organisation: nobody else on this machine is shown it. */
  readonly owner: string
  readonly kind: Kind
  readonly name: string
  readonly createdAtMs: number
  readonly records: readonly string[]
  readonly rowOf: readonly number[]
  readonly times: readonly number[]
  readonly duplicates: number
  readonly invalid: number
  readonly batchSize: number
}

export interface DoneBatch {
  readonly jobId: string
  readonly index: number
  /** One for each record of the batch; -2 where the server refused it as invalid. */
  readonly scores: Int16Array
  readonly pricePence: number
  readonly freeUnits: number
  readonly leftPence: number
}

const NAME = 'assay-lists'
const JOBS = 'jobs'
const BATCHES = 'batches'

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(JOBS, { keyPath: 'owner' })
      request.result.createObjectStore(BATCHES, { keyPath: ['jobId', 'index'] })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

async function within<Result>(
  mode: IDBTransactionMode,
  work: (jobs: IDBObjectStore, batches: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction([JOBS, BATCHES], mode)
    const request = work(transaction.objectStore(JOBS), transaction.objectStore(BATCHES))
    // Only when the transaction is through is it kept.
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}

const ofJob = (jobId: string) => IDBKeyRange.bound([jobId, 0], [jobId, Number.MAX_SAFE_INTEGER])

/** The one list of this owner, if there is one. */
export async function findJob(owner: string): Promise<{ job: Job; batches: DoneBatch[] } | undefined> {
  const job = await within<Job | undefined>('readonly', (jobs) => jobs.get(owner))
  if (!job) return undefined
  return { job, batches: await within<DoneBatch[]>('readonly', (_, batches) => batches.getAll(ofJob(job.id))) }
}

export async function saveJob(job: Job): Promise<void> {
  await within('readwrite', (jobs) => jobs.put(job))
}

export async function saveBatch(batch: DoneBatch): Promise<void> {
  await within('readwrite', (_, batches) => batches.put(batch))
}

export async function removeJob(job: Job): Promise<void> {
  await within('readwrite', (jobs, batches) => {
    batches.delete(ofJob(job.id))
    return jobs.delete(job.owner)
  })
}
