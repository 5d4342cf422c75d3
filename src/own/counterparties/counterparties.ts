/** Counterparties by hand: made, changed and deleted one at a time. */
import type { Actor } from '../../access/actor.ts'
import { requireProof, requireWriter } from '../../access/rights.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import type { Page } from '../../db/table.ts'
import { conflict, type FieldError, invalidField, orNotFound, Problem } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { takeDailyShare } from '../../identity/people/throttle.ts'
import { newId } from '../../lib/ids.ts'
import type { Ring } from '../../lib/seal.ts'
import type { TimePosition } from '../../lib/time-position.ts'
import { LIMITS } from '../../limits.ts'
import { accountDigest } from '../accounts/digest.ts'
import {
  type Content,
  type GivenContent,
  hasAccounts,
  matchKeyOf,
  readContent,
  requireRoom,
  sizeOf,
  termOf,
  termsOf,
  wordsOf,
} from './content.ts'
import {
  type Counterparty,
  changeRegister,
  counterparties,
  deleteRow,
  findByKeys,
  findByTerms,
  lockRegister,
  type Register,
  readRegister,
  writeRows,
} from './register.ts'

/** A counterparty, and what a person should know about it: domains that others have too. */
export interface Remarked {
  readonly counterparty: Counterparty
  readonly remarks: readonly FieldError[]
}

export async function createCounterparty(tx: Tx, actor: Actor, ring: Ring, given: GivenContent): Promise<Remarked> {
  const register = await lockForChange(tx, actor)
  return insertNew(tx, actor, ring, register, given)
}

/** `isAsRead` throws if it changed since the caller read it. */
export async function changeCounterparty(
  tx: Tx,
  actor: Actor,
  ring: Ring,
  id: string,
  given: GivenContent,
  isAsRead: (before: Counterparty) => void = () => {},
): Promise<Remarked> {
  const register = await lockForChange(tx, actor)
  const before = await requireIn(tx, register, id)
  isAsRead(before)
  return update(tx, actor, ring, register, before, given)
}

/** Makes the counterparty with this reference, or changes it: for systems that send all of theirs now and then. */
export async function putByReference(
  tx: Tx,
  actor: Actor,
  ring: Ring,
  reference: string,
  given: Omit<GivenContent, 'reference'>,
): Promise<Remarked & { readonly created: boolean }> {
  if (reference.trim() === '') throw invalidField('/reference', 'The reference is empty.')
  const register = await lockForChange(tx, actor)
  const key = matchKeyOf({ reference: reference.trim(), name: '' })
  const before = (await findByKeys(tx, register, [key])).get(key)
  if (before) return { created: false, ...(await update(tx, actor, ring, register, before, given)) }
  return { created: true, ...(await insertNew(tx, actor, ring, register, { ...given, reference })) }
}

export async function deleteCounterparty(tx: Tx, actor: Actor, id: string): Promise<void> {
  const register = await lockForChange(tx, actor)
  const before = await requireIn(tx, register, id)
  await deleteRow(tx, before)
  await changeRegister(tx, register, {
    counterparties: register.counterparties - 1,
    counterparty_size: register.counterparty_size - sizeOf(before),
  })
  await audit(tx, actor, 'counterparty.delete', id, detailOf(before))
}

export async function lockForChange(tx: Tx, actor: Actor): Promise<Register> {
  requireWriter(actor)
  return lockRegister(tx, actor.organisationId)
}

async function insertNew(tx: Tx, actor: Actor, ring: Ring, register: Register, given: GivenContent): Promise<Remarked> {
  if (register.counterparties >= LIMITS.counts.counterpartiesMax) {
    throw conflict(
      `There are ${LIMITS.counts.counterpartiesMax} counterparties, as many as an organisation may have. Delete some first.`,
    )
  }
  const content = await checkedContent(tx, actor, ring, given)
  await requireFree(tx, register, content)
  const size = register.counterparty_size + sizeOf(content)
  requireRoom(size, 'conflict')
  await takeDailyShare(tx, actor, 'counterparties')
  const made: Counterparty = {
    organisation_id: register.organisation_id,
    generation: register.generation,
    id: newId('cpy'),
    ...content,
    difference: null,
    created_at: tx.nowMs,
    updated_at: tx.nowMs,
  }
  await writeRows(tx, [made])
  await changeRegister(tx, register, { counterparties: register.counterparties + 1, counterparty_size: size })
  await audit(tx, actor, 'counterparty.create', made.id, detailOf(made))
  return remarked(tx, register, made)
}

async function update(tx: Tx, actor: Actor, ring: Ring, register: Register, before: Counterparty, given: GivenContent) {
  const content = await checkedContent(tx, actor, ring, given, before)
  const after: Counterparty = { ...before, ...content, updated_at: tx.nowMs }
  const changed = changedFields(before, after)
  // A system that sends everything every night leaves no trace where nothing changed.
  if (changed.length === 0) return remarked(tx, register, before)
  if (matchKeyOf(after) !== matchKeyOf(before)) await requireFree(tx, register, content)
  const more = sizeOf(after) - sizeOf(before)
  const size = register.counterparty_size + more
  if (more > 0) requireRoom(size, 'conflict')
  await writeRows(tx, [after], [before])
  await changeRegister(tx, register, { counterparty_size: size })
  await audit(tx, actor, 'counterparty.update', before.id, { ...detailOf(after), changed })
  return remarked(tx, register, after)
}

export const CONTENT_FIELDS = [
  'name',
  'reference',
  'since',
  'note',
  'state',
  'domains',
  'emails',
  'networks',
  'accounts',
] as const satisfies readonly (keyof Content)[]
export type ContentField = (typeof CONTENT_FIELDS)[number]

export const changedFields = (before: Content, after: Content): ContentField[] =>
  CONTENT_FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))

async function checkedContent(tx: Tx, actor: Actor, ring: Ring, given: GivenContent, before?: Counterparty) {
  const digestOf = hasAccounts(given) ? await accountDigest(tx, ring, actor.organisationId) : undefined
  const { content, errors } = readContent(given, before, digestOf)
  const [first] = errors
  if (first) throw new Problem('validation_failed', { detail: `${first.pointer.slice(1)}: ${first.detail}`, errors })
  // A changed bank account is how money is stolen: a screen left open is not enough.
  if (JSON.stringify(content.accounts) !== JSON.stringify(before?.accounts ?? [])) requireProof(actor)
  return content
}

async function requireFree(tx: Tx, register: Register, content: Content): Promise<void> {
  const key = matchKeyOf(content)
  if (!(await findByKeys(tx, register, [key])).has(key)) return
  throw conflict(
    content.reference === null
      ? 'There is a counterparty of this name without a reference. Change that one, or give this one a reference.'
      : 'There is a counterparty with this reference. Change that one.',
  )
}

const detailOf = ({ name, reference, state }: Counterparty) => ({ name, reference, state })

/** Others with one of its domains: allowed, because subsidiaries share domains, and said. */
async function remarked(sql: SqlQueries, register: Register, counterparty: Counterparty): Promise<Remarked> {
  const { id, domains } = counterparty
  const found = await findByTerms(sql, register, domains.map(termOf), { perTerm: 4, except: new Set([id]) })
  const remarks = domains.flatMap((domain, at): FieldError[] => {
    const others = found.filter((row) => row.domains.includes(domain)).map(({ name }) => name)
    if (others.length === 0) return []
    const names = [...new Set(others)].slice(0, 3).join(', ')
    const detail = `${domain} is also a domain of ${names}${others.length > 3 ? ' and others' : ''}.`
    return [{ pointer: `/domains/${at}`, code: 'shared_domain', detail }]
  })
  return { counterparty, remarks }
}

export async function requireCounterparty(sql: SqlQueries, organisationId: string, id: string): Promise<Remarked> {
  const register = await readRegister(sql, organisationId)
  return remarked(sql, register, await requireIn(sql, register, id))
}

const requireIn = (sql: SqlQueries, { organisation_id, generation }: Register, id: string) =>
  orNotFound(counterparties.find(sql, { organisation_id, generation, id }), 'There is no such counterparty.')

export interface CounterpartyQuery {
  readonly organisationId: string
  readonly search?: string | undefined
}

/** Oldest first; found ones in the order of the word that was found. */
export async function listCounterparties(
  sql: SqlQueries,
  { organisationId, search }: CounterpartyQuery,
  page: { readonly from?: TimePosition | undefined; readonly limit: number },
): Promise<Page<Counterparty>> {
  const register = await readRegister(sql, organisationId)
  const { organisation_id, generation } = register
  const sought = searchWords(search ?? '')
  if (sought.length === 0) return counterparties.page(sql, { organisation_id, generation }, page)
  return searched(sql, register, sought, page)
}

/** The longest word first: it is found in the index, the others are compared. */
function searchWords(text: string): string[] {
  const all = text.split(/\s+/).flatMap((word) => (word.includes('@') ? [word.toLowerCase()] : wordsOf(word)))
  return all.map(termOf).sort((a, b) => b.length - a.length)
}

/** Terms looked at for one page: a search for words that rarely meet ends with a short page and a cursor. */
const TERMS_MAX = 250
const TERMS_AT_ONCE = 25

async function searched(
  sql: SqlQueries,
  { organisation_id, generation }: Register,
  [first = '', ...others]: readonly string[],
  { from, limit }: { readonly from?: TimePosition | undefined; readonly limit: number },
): Promise<Page<Counterparty>> {
  const rows: Counterparty[] = []
  let at = from ? positionOf(from) : { term: first, id: '' }
  for (let looked = 0; looked < TERMS_MAX; looked += TERMS_AT_ONCE) {
    const found = await sql.query<{ term: string; id: string }>(
      `select t.term, ${counterparties.columns('c')} from counterparty_term t join counterparty c
         on c.organisation_id = t.organisation_id and c.generation = t.generation and c.id = t.counterparty_id
       where t.organisation_id = $1 and t.generation = $2 and (t.term, t.counterparty_id) > ($3, $4) and t.term < $5
       order by t.term, t.counterparty_id limit ${TERMS_AT_ONCE}`,
      [organisation_id, generation, at.term, at.id, `${first}\u{10ffff}`],
    )
    for (const one of found) {
      at = one
      const row = counterparties.fromRow(one)
      const terms = termsOf(row)
      // It is listed once, by the first of its terms that fits.
      const isFirst = !terms.some((term) => term.startsWith(first) && term < one.term)
      if (!isFirst || !others.every((word) => terms.some((term) => term.startsWith(word)))) continue
      rows.push(row)
      if (rows.length === limit) return { rows, next: timePositionOf(at) }
    }
    if (found.length < TERMS_AT_ONCE) return { rows, next: undefined }
  }
  return { rows, next: timePositionOf(at) }
}

/** A position in the index of terms, in the form of a cursor: its text is ASCII. */
const timePositionOf = ({ term, id }: { readonly term: string; readonly id: string }): TimePosition => ({
  createdAtMs: 0,
  id: `${encodeURIComponent(term)} ${id}`,
})

function positionOf({ id: text }: TimePosition): { term: string; id: string } {
  const [term = '', id = ''] = text.split(' ')
  return { term: decodeURIComponent(term), id }
}
