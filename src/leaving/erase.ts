/**
 * Erasing organisations and people whose waiting time is over.
 *
 *  1. An organisation is closed first: nobody can use it any more, and what it owes is invoiced. Its rows go in short steps,
 *     because others write meanwhile. A last transaction takes the rest, writes the receipt and tells the owners. A run that
 *     was interrupted is repeated.
 *  2. A tombstone stays: the id, the ledger, the audit log without names and details, and invoices for the years that the law
 *     asks for. All of them still verify.
 *  3. An erasure is on the list outside the database before it commits (erasures-file.ts).
 */
import type { JWK } from 'jose'
import { systemIn } from '../access/actor.ts'
import { type AccountDependencies, announceAccountChange } from '../billing/subscription/open-account.ts'
import { closeAccount } from '../billing/subscription/subscription.ts'
import { changeIn, type SqlQueries, type SqlTransaction, type Tx } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { announcePersonChange } from '../identity/announce.ts'
import { audit } from '../identity/audit.ts'
import { auditEraser } from '../identity/audit-erase.ts'
import { type Erasure, erasures, toldOf } from '../identity/erasures.ts'
import { lockPerson } from '../identity/members/members.ts'
import { organisations } from '../identity/organisation/organisations.ts'
import { erasePerson, requireHandedOver } from '../identity/people/deletion.ts'
import { endGrants } from '../identity/people/grants.ts'
import type { Job } from '../jobs/runner.ts'
import { DAY_MS, iso, MINUTE_MS, yearsLater } from '../lib/clock.ts'
import type { Ring } from '../lib/seal.ts'
import { putMail } from '../mail/mail.ts'
import { type ErasureClaims, erasureAudience, signErasure } from '../record/receipt.ts'
import { receiptSigner } from '../record/receipt-keys.ts'
import { lockDigests } from '../record/sealed.ts'
import { addErasure, copyErasures, readErasures } from './erasures-file.ts'
import { ERASED_TABLES, INVOICE_TABLES, type Rows, UNMATCHED_TABLES } from './tables.ts'

export interface EraseDependencies extends AccountDependencies {
  readonly erasuresFile: string
  readonly baseUrl: string
  /** The key that signs receipts; undefined where no secret is configured. */
  readonly receiptKey?: (() => Promise<JWK>) | undefined
}

/** With receipts, if there is a ring of sealing keys. */
export function eraseUnder(deps: Omit<EraseDependencies, 'receiptKey'>, ring: Ring | undefined): EraseDependencies {
  const { sql, clock } = deps
  return { ...deps, receiptKey: ring && (() => receiptSigner(sql, ring, clock.now())) }
}

export function createErasureJob(deps: EraseDependencies): Job {
  let listedToMs = 0
  return {
    name: 'erasures',
    periodMs: 10 * MINUTE_MS,
    async run(signal) {
      const startedMs = deps.clock.now()
      await eraseDue(deps, signal, listedToMs)
      // What another node was erasing meanwhile, by a clock of its own, is looked at again.
      listedToMs = startedMs - DAY_MS
    },
  }
}

const AT_ONCE = 100
const ROWS_AT_ONCE = 500
export const ERASED_ORGANISATION = 'Erased organisation'

/** Erases what is due; returns how many. Erasures of before `listedToMs` are on the list. */
export async function eraseDue(deps: EraseDependencies, signal?: AbortSignal, listedToMs = 0): Promise<number> {
  const { sql, clock } = deps
  const due = 'done_at is null and cancelled_at is null and due_at <= $1 order by due_at'
  const found = await erasures.where(sql, `${due} limit ${AT_ONCE}`, [clock.now()])
  let erased = 0
  let failed: unknown
  for (const erasure of found) {
    if (signal?.aborted) return erased
    try {
      if (await erase(deps, erasure, signal)) erased++
    } catch (error) {
      if (signal?.aborted) throw error
      // The others must not wait for it.
      failed ??= error
    }
  }
  await deleteKeptInvoices(deps)
  await copyErasures(sql, deps.erasuresFile, listedToMs)
  await sql.dropTraces()
  if (failed !== undefined) throw failed
  return erased
}

/**
 * An erasure that has a time already is done again, after a restore. False if it must wait: the person has become a last
 * owner since they asked. It is tried again every day.
 */
export async function erase(deps: EraseDependencies, erasure: Erasure, signal?: AbortSignal): Promise<boolean> {
  const { sql, clock } = deps
  if (erasure.kind === 'organisation') {
    await eraseOrganisation(deps, erasure, signal)
    await announceAccountChange(sql, erasure.subject_id)
  } else {
    try {
      const key = await deps.receiptKey?.()
      await changeIn(sql, clock, (tx) => erasePersonIn(tx, { ...deps, key }, erasure))
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error
      await sql.query('update erasure set due_at = $2 where id = $1', [erasure.id, clock.now() + DAY_MS])
      return false
    }
  }
  await announcePersonChange(sql)
  await sql.dropTraces()
  return true
}

async function erasePersonIn(tx: Tx, deps: Finishing, erasure: Erasure): Promise<void> {
  const { id: erasureId, subject_id: personId, done_at } = erasure
  // Another node, or a verb, may have done it meanwhile; or it was put off, and then cancelled.
  const now = await erasures.lock(tx, { id: erasureId })
  if (now && (now.done_at ?? now.cancelled_at) !== null) return
  // Another owner may be leaving at the same time.
  await lockPerson(tx, personId)
  const told = await toldOf(tx, erasure)
  if (done_at === null) await requireHandedOver(tx, personId)
  const erased = await erasePerson(tx, systemIn, { erasureId, personId })
  await finish(tx, deps, erasure, told, { erased, keptUntilMs: null, kept: PERSON_KEPT })
}

async function eraseOrganisation(
  deps: EraseDependencies,
  erasure: Erasure,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { sql, clock } = deps
  const { id: erasureId, subject_id: organisationId } = erasure
  if ((await erasures.find(sql, { id: erasureId }))?.done_at != null) return
  await changeIn(sql, clock, (tx) => closeAccount(tx, deps, systemIn(organisationId)))
  await announceAccountChange(sql, organisationId)
  // A server that stops does not wait for millions of rows: the next run goes on.
  const step: Transaction = (work) => {
    signal?.throwIfAborted()
    return sql.transaction(work)
  }
  const eraser = auditEraser({ organisationId, erasureId })
  await deleteRows(step, ERASED_TABLES, organisationId, erasureId)
  let audited = await step((tx) => eraser.older(tx))
  for (let more: typeof audited | undefined = audited; more; ) {
    audited = more
    more = await step((tx) => eraser.next(tx, audited))
  }
  const key = await deps.receiptKey?.()
  await changeIn(sql, clock, async (tx) => {
    const organisation = await organisations.lock(tx, { id: organisationId })
    if (!organisation) throw new Error(`the organisation ${organisationId} has no row`)
    const told = await toldOf(tx, erasure)
    const within: Transaction = (work) => work(tx)
    // A request that was under way may have written since.
    await lockDigests(tx, organisationId)
    await deleteRows(within, ERASED_TABLES, organisationId, erasureId)
    const members = await tx.query<{ person_id: string }>(
      'delete from membership where organisation_id = $1 returning person_id',
      [organisationId],
    )
    for (const { person_id: personId } of members) await endGrants(tx, { personId, organisationId }, tx.nowMs)
    const proof = await eraser.rest(tx, audited)
    await organisations.update(tx, organisation, {
      name: ERASED_ORGANISATION,
      second_factor_from: null,
      updated_at: tx.nowMs,
      erased_at: tx.nowMs,
    })
    await audit(tx, systemIn(organisationId), 'organisation.erase', organisationId, { ...proof })
    const invoiced = await tx.query(
      `select id from invoice where organisation_id = $1 union all select id from payment where organisation_id = $1`,
      [organisationId],
    )
    if (invoiced.length === 0) await deleteRows(within, INVOICE_TABLES, organisationId, erasureId)
    const keptUntilMs = invoiced.length === 0 ? null : yearsLater(tx.nowMs, deps.settings.invoicesKeptYears)
    await finish(tx, { ...deps, key }, erasure, told, {
      erased: { membership: members.length, audit_entry: proof.entries },
      keptUntilMs,
      kept: keptUntilMs === null ? TOMBSTONE_KEPT : [...TOMBSTONE_KEPT, INVOICES_KEPT(iso(keptUntilMs))],
    })
  })
}

type KeptThing = ErasureClaims['kept'][number]
const NO_NAMES = 'It holds ids and no names, and proves that nothing else was changed.'
const TOMBSTONE_KEPT: KeptThing[] = [
  { what: 'the ledger and usage', why: 'It holds numbers and ids, and proves every balance.', until: null },
  { what: 'the audit log without names, addresses and details', why: NO_NAMES, until: null },
]
const INVOICES_KEPT = (until: string): KeptThing => ({ what: 'invoices and payments', why: 'Kept by law.', until })
const PERSON_KEPT: KeptThing[] = [
  { what: 'the id of the account in audit logs and checks of organisations', why: NO_NAMES, until: null },
]

type Transaction = <T>(work: (tx: SqlTransaction) => Promise<T>) => Promise<T>

/** Deletes in steps that let others write. Each counts its rows for the receipt: an erasure may take several runs. */
async function deleteRows(
  inTransaction: Transaction,
  tables: readonly Rows[],
  id: string | number,
  erasureId?: string,
) {
  for (const { table, key, where = 'organisation_id = $1' } of tables) {
    // The key alone may be that of somebody else's row.
    const text = `delete from ${table} where ${where} and (${key}) in
      (select ${key} from ${table} where ${where} limit ${ROWS_AT_ONCE}) returning 1 as one`
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE; ) {
      deleted = await inTransaction(async (tx) => {
        const { length } = await tx.query(text, [id])
        const erasure = length > 0 && erasureId !== undefined && (await erasures.lock(tx, { id: erasureId }))
        if (erasure) await erasures.update(tx, erasure, { erased: sums(erasure.erased, { [table]: length }) })
        return length
      })
    }
  }
}

function sums(before: Readonly<Record<string, number>> | null, more: Readonly<Record<string, number>>) {
  const all: Record<string, number> = { ...before }
  for (const [table, rows] of Object.entries(more)) all[table] = (all[table] ?? 0) + rows
  return all
}

/** The key is read before the transaction: making the first one needs a transaction of its own. */
type Finishing = EraseDependencies & { readonly key: JWK | undefined }
type Told = Awaited<ReturnType<typeof toldOf>>

/** Signs the receipt, notes that it is done, on the list too, and tells those who were asked for. */
async function finish(
  tx: Tx,
  deps: Finishing,
  erasure: Erasure,
  { organisation, people }: Told,
  { erased, keptUntilMs, kept }: Pick<ErasureClaims, 'erased' | 'kept'> & { readonly keptUntilMs: number | null },
): Promise<void> {
  const { baseUrl, key, sendsMail } = deps
  const at = iso(tx.nowMs)
  // The first receipt stays, after a restore and if two nodes did it: it says when the erasure was promised and done.
  const before = (await erasures.lock(tx, { id: erasure.id })) ?? erasure
  const claims: ErasureClaims = {
    iss: baseUrl,
    aud: erasureAudience(baseUrl),
    iat: Math.floor(tx.nowMs / 1000),
    jti: erasure.id,
    sub: erasure.subject_id,
    kind: erasure.kind,
    requested_at: iso(erasure.asked_at),
    erased_at: at,
    erased: sums(before.erased, erased),
    kept,
  }
  const receipt = before.receipt ?? (key ? await signErasure(claims, key) : null)
  const again = (before.done_at ?? erasure.done_at) !== null
  const done = await erasures.update(tx, before, {
    done_at: before.done_at ?? tx.nowMs,
    kept_until: before.kept_until ?? keptUntilMs,
    receipt,
    erased: null,
  })
  if (sendsMail && !again) {
    for (const { name, email: to } of people) {
      const facts = { name, at, organisation, ...(receipt === null ? {} : { receipt }) }
      await putMail(tx, { kind: 'account_deleted', to, facts })
    }
  }
  if (!again) addErasure(deps.erasuresFile, done)
}

/** Deletes the invoices of erased organisations whose years are over, and payments that match no invoice. */
async function deleteKeptInvoices({ sql, clock, settings }: EraseDependencies): Promise<void> {
  for (const erasure of await erasures.where(sql, `kept_until <= $1 limit ${AT_ONCE}`, [clock.now()])) {
    await deleteRows(sql.transaction, INVOICE_TABLES, erasure.subject_id)
    await sql.query('update erasure set kept_until = null where id = $1', [erasure.id])
  }
  await deleteRows(sql.transaction, UNMATCHED_TABLES, yearsLater(clock.now(), -settings.invoicesKeptYears))
}

/** Rule 2 of erasures-file.ts; returns how many erasures were done again. */
export async function eraseAgain(deps: EraseDependencies): Promise<number> {
  const { sql, erasuresFile } = deps
  let again = 0
  for (const line of readErasures(erasuresFile)) {
    const known = await erasures.find(sql, { id: line.id })
    if (known?.done_at != null || !(await isThere(sql, line))) continue
    const erasure = { ...line, cancelled_at: null, erased: null }
    await sql.transaction((tx) => erasures.upsert(tx, [{ ...erasure, done_at: null }]))
    await erase(deps, erasure)
    again++
  }
  await copyErasures(sql, erasuresFile)
  return again
}

async function isThere(sql: SqlQueries, { kind, subject_id: id }: Erasure): Promise<boolean> {
  const text =
    kind === 'person'
      ? 'select id from person where id = $1'
      : 'select id from organisation where id = $1 and erased_at is null'
  return (await sql.query(text, [id])).length > 0
}
