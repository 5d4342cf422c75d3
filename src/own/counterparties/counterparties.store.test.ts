import { beforeAll, describe, expect, it } from 'vitest'
import { readVendors, vendorRows } from '../../../reader/src/vendors.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import { FULL } from '../../../test/support/full.ts'
import { describeRules } from '../../../test/support/stores.ts'
import { type Actor, operatorIn } from '../../access/actor.ts'
import { resealColumn } from '../../db/reseal.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { readAudit } from '../../identity/audit.ts'
import { createOrganisation } from '../../identity/organisation/organisations.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { createRing } from '../../lib/seal.ts'
import { LIMITS } from '../../limits.ts'
import { FIELDS } from '../../risk/own/knowledge.ts'
import { compareAccount } from '../accounts/compare.ts'
import { SEALED_ACCOUNT_KEYS } from '../accounts/digest.ts'
import { openOwnKnowledge, readOwnKnowledge } from '../source.ts'
import { announceOwnChange, readVersion } from '../version.ts'
import { sizeOf } from './content.ts'
import {
  changeCounterparty,
  createCounterparty,
  deleteCounterparty,
  listCounterparties,
  putByReference,
  requireCounterparty,
} from './counterparties.ts'
import {
  addRows,
  applyImport,
  beginImport,
  discardImport,
  type Import,
  type ImportRow,
  listImports,
  type NewImport,
  readDifferences,
  readRemarks,
  undoImport,
} from './imports.ts'
import { purgeCounterparties } from './purge.ts'

const IBAN = 'DE89370400440532013000'
const KEYS = [1, 2].map((id) => ({ id, material: Buffer.alloc(32, id) }))

describeRules('counterparties', (open) => {
  let sql: Sql
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const ring = createRing(KEYS.slice(0, 1), 1)
  beforeAll(async () => {
    sql = await open()
  })

  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  async function organisation(): Promise<Actor> {
    const { id } = await change((tx) => createOrganisation(tx, { name: 'Example Ltd', awaitingApproval: false }))
    return operatorIn(id)
  }
  async function refusal(work: Promise<unknown>): Promise<Problem> {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof Problem)) throw error ?? new Error('it was allowed')
    return error
  }
  const create = (actor: Actor, given: Parameters<typeof createCounterparty>[3]) =>
    change((tx) => createCounterparty(tx, actor, ring, given))
  const all = async ({ organisationId }: Actor) =>
    (await listCounterparties(sql, { organisationId }, { limit: 1000 })).rows
  const names = async (actor: Actor) => (await all(actor)).map(({ name }) => name).sort()

  /** Sends all rows in parts. */
  async function stage(actor: Actor, rows: readonly ImportRow[], options: Partial<NewImport> = {}): Promise<Import> {
    let one = await change((tx) => beginImport(tx, actor, { rows: rows.length, ...options }))
    for (let at = 0; at < rows.length; at += LIMITS.counts.importRowsMax) {
      const part = rows.slice(at, at + LIMITS.counts.importRowsMax)
      one = (await change((tx) => addRows(tx, actor, ring, one.id, part))).import
    }
    return one
  }
  async function apply(actor: Actor, id: string): Promise<Import> {
    let one = await change((tx) => applyImport(tx, actor, id))
    while (one.state === 'applying') one = await change((tx) => applyImport(tx, actor, id))
    return one
  }
  const differences = async (actor: Actor, id: string, difference: 'new' | 'changed' | 'gone') => {
    const query = { organisationId: actor.organisationId, importId: id, difference }
    const { rows } = await readDifferences(sql, query, { after: '', limit: 100 })
    return rows.map(({ before, after }) => (after ?? before)!.name).sort()
  }

  describe('by hand', () => {
    it('one is made, changed and deleted; each change has a version and an entry in the audit log', async () => {
      const actor = await organisation()
      const { organisationId } = actor
      expect(await readVersion(sql, organisationId)).toBe(0)
      const { counterparty: made } = await create(actor, {
        name: 'Acme Ltd',
        domains: ['acme.com'],
        emails: ['ap@acme.com', 'ap@acme-mail.net', 'acme@gmail.com'],
        accounts: [IBAN],
      })
      expect(made.domains).toEqual(['acme.com'])
      await change((tx) => changeCounterparty(tx, actor, ring, made.id, { state: 'blocked', accounts: ['…3000'] }))
      expect(await readVersion(sql, organisationId)).toBe(2)
      // Nothing changes: neither a version nor an entry.
      await change((tx) => changeCounterparty(tx, actor, ring, made.id, { state: 'blocked' }))
      expect(await readVersion(sql, organisationId)).toBe(2)
      const known = await readOwnKnowledge(sql, organisationId)
      expect(known.version).toBe(2)
      expect(known.counterparties.map(fieldsOf)).toMatchObject([
        { id: made.id, name: 'Acme Ltd', state: 'blocked', domains: 'acme.com', since: '' },
      ])
      await change((tx) => deleteCounterparty(tx, actor, made.id))
      expect((await readOwnKnowledge(sql, organisationId)).counterparties).toEqual([])
      const { rows } = await readAudit(sql, { organisationId, action: 'counterparty.', limit: 10 })
      expect(rows.map(({ action }) => action).sort()).toEqual([
        ...['counterparty.create', 'counterparty.delete', 'counterparty.update'],
      ])
      expect(rows.find(({ action }) => action === 'counterparty.update')?.detail).toMatchObject({ changed: ['state'] })
    })

    it('a reference and a name without one are unique; a shared domain is said and allowed', async () => {
      const actor = await organisation()
      await create(actor, { name: 'Acme Ltd', reference: '1', domains: ['acme.com'] })
      expect((await refusal(create(actor, { name: 'Other', reference: '1' }))).code).toBe('conflict')
      const { counterparty, remarks } = await create(actor, { name: 'Acme Ltd', domains: ['acme.com'] })
      expect(remarks).toMatchObject([{ pointer: '/domains/0', code: 'shared_domain' }])
      expect(remarks[0]?.detail).toBe('acme.com is also a domain of Acme Ltd.')
      expect((await refusal(create(actor, { name: 'ACME  ltd' }))).code).toBe('conflict')
      expect((await requireCounterparty(sql, actor.organisationId, counterparty.id)).remarks).toHaveLength(1)
    })

    it('a system that synchronises makes and changes them by reference', async () => {
      const actor = await organisation()
      const put = (name: string, more = {}) =>
        change((tx) => putByReference(tx, actor, ring, 'K 4711/ä', { name, ...more }))
      expect((await put('Acme', { accounts: [IBAN] })).created).toBe(true)
      expect(await put('Acme plc', { domains: ['acme.com'] })).toMatchObject({
        created: false,
        counterparty: { name: 'Acme plc', domains: ['acme.com'], accounts: [{ last4: '3000' }] },
      })
      const blank = change((tx) => putByReference(tx, actor, ring, ' ', { name: 'Acme' }))
      expect((await refusal(blank)).code).toBe('validation_failed')
    })

    it('they are found by beginnings of words, each once, page by page', async () => {
      const actor = await organisation()
      const { organisationId } = actor
      for (let i = 0; i < 7; i++) await create(actor, { name: `Acme Works ${i}`, domains: [`acme${i}.com`] })
      await create(actor, { name: 'Müller', emails: ['billing@mueller.example'], reference: 'K-9' })
      const found = async (search: string) =>
        (await listCounterparties(sql, { organisationId, search }, { limit: 50 })).rows.map(({ name }) => name)
      expect(await found('acm')).toHaveLength(7)
      expect(await found('ACME 3')).toEqual(['Acme Works 3'])
      expect(await found('acme4.co')).toEqual(['Acme Works 4'])
      expect(await found('muller')).toEqual(['Müller'])
      expect(await found('billing@mueller')).toEqual(['Müller'])
      expect(await found('k-9')).toEqual(['Müller'])
      expect(await found('works mull')).toEqual([])
      const paged: string[] = []
      let from: Awaited<ReturnType<typeof listCounterparties>>['next']
      do {
        const page = await listCounterparties(sql, { organisationId, search: 'acme' }, { from, limit: 2 })
        paged.push(...page.rows.map(({ name }) => name))
        from = page.next
      } while (from)
      expect(paged.sort()).toEqual(Array.from({ length: 7 }, (_, i) => `Acme Works ${i}`))
    })

    it('nobody sees those of another organisation', async () => {
      const [one, other] = [await organisation(), await organisation()]
      const { counterparty } = await create(one, { name: 'Acme', domains: ['acme.com'], accounts: [IBAN] })
      expect(await all(other)).toEqual([])
      expect((await refusal(requireCounterparty(sql, other.organisationId, counterparty.id))).code).toBe('not_found')
      const steal = change((tx) => changeCounterparty(tx, other, ring, counterparty.id, { name: 'x' }))
      expect((await refusal(steal)).code).toBe('not_found')
      expect((await refusal(change((tx) => deleteCounterparty(tx, other, counterparty.id)))).code).toBe('not_found')
      const given = { domain: 'acme.com', account: IBAN }
      expect(await compareAccount(sql, ring, other.organisationId, given)).toMatchObject({
        result: 'unknown',
        counterparties: [],
        accountOf: [],
      })
      expect((await readOwnKnowledge(sql, other.organisationId)).counterparties).toEqual([])
    })
  })

  describe('bank accounts', () => {
    const compare = ({ organisationId }: Actor, given: Parameters<typeof compareAccount>[3], under = ring) =>
      compareAccount(sql, under, organisationId, given)

    it('the name that a sender shows is held against the counterparties, and names that many firms have are not', async () => {
      const actor = await organisation()
      await create(actor, { name: 'Harbour Light Papers Ltd.', domains: ['harbour-light.com'] })
      await create(actor, { name: 'Müller & Söhne GmbH', domains: ['mueller-soehne.de'] })
      await create(actor, { name: 'Delta Inc', domains: ['delta-supplies.com'] })
      await create(actor, { name: 'Import-Export Öz', domains: ['oez.com'] })
      const named = async (name: string, email = 'pay@crook.example') =>
        (await compare(actor, { email, name })).named.map((one) => one.name)
      for (const shown of [
        'Harbour Light Papers',
        'HARBOUR LIGHT PAPERS LTD Accounts',
        'Jane Doe, Harbour Light Papers',
        'Harbour-Light Papers',
        'Hаrbour Light Pаpers',
        'Harb\u200bour Light Papers',
      ]) {
        expect(await named(shown)).toEqual(['Harbour Light Papers Ltd.'])
      }
      for (const shown of ['Muller Sohne Buchhaltung', 'Mueller Soehne', 'Anna Roe, MÜLLER & SÖHNE']) {
        expect(await named(shown), shown).toEqual(['Müller & Söhne GmbH'])
      }
      expect(await named('Import Export Oez')).toEqual(['Import-Export Öz'])
      expect(await named('Delta Billing')).toEqual(['Delta Inc'])
      for (const other of ['Delta Air Lines', 'Jane Delta', 'Harbour Light', 'Accounts', '', '☃', 'a '.repeat(500)]) {
        expect(await named(other)).toEqual([])
      }
      // Its own address, and one of another counterparty that sends on behalf of it.
      expect(await named('Delta Billing', 'pay@delta-supplies.com')).toEqual([])
      expect(await named('Delta Billing', 'pay@harbour-light.com')).toEqual([])
      expect(await compare(actor, { email: 'a@b.example', name: 'Nobody' })).toMatchObject({
        result: 'unknown',
        account: null,
      })
      expect((await refusal(compare(actor, { email: 'a@b.example' }))).code).toBe('validation_failed')
      expect(await compare(await organisation(), { email: 'pay@crook.example', name: 'Delta Inc' })).toMatchObject({
        named: [],
      })
    })

    it('an account is compared by address, by domain and by a domain below', async () => {
      const actor = await organisation()
      await create(actor, { name: 'Acme', domains: ['acme.co.uk'], emails: ['acme@gmail.com'], accounts: [IBAN] })
      await create(actor, { name: 'Beta', domains: ['beta.example'], accounts: ['GB29NWBK60161331926819'] })
      await create(actor, { name: 'Gamma', domains: ['gamma.example'] })
      const result = async (given: Parameters<typeof compareAccount>[3]) => (await compare(actor, given)).result
      expect(await result({ email: 'new.clerk@acme.co.uk', account: 'DE89 3704 0044 0532 0130 00' })).toBe('matches')
      expect(await result({ domain: 'mail.acme.co.uk', account: IBAN })).toBe('matches')
      expect(await result({ email: 'ACME@gmail.com', account: IBAN })).toBe('matches')
      // Another address at a public provider is nobody's.
      expect(await result({ email: 'acme2@gmail.com', account: IBAN })).toBe('unknown')
      expect(await result({ domain: 'gamma.example', account: IBAN })).toBe('unknown')
      expect(await result({ domain: 'beta.example', account: '60-16-13 31926819' })).toBe('matches')
      expect(await compare(actor, { domain: 'beta.example', account: IBAN })).toMatchObject({
        result: 'differs',
        account: { last4: '3000' },
        counterparties: [{ name: 'Beta', accounts: [{ last4: '6819' }] }],
        accountOf: [{ name: 'Acme' }],
      })
      expect((await refusal(compare(actor, { domain: 'beta.example', account: 'DE88' }))).code).toBe(
        'validation_failed',
      )
      expect((await refusal(compare(actor, { account: IBAN }))).code).toBe('validation_failed')
    })

    it('an account is compared by the domain of a listed address, unless it may be a mail provider', async () => {
      const actor = await organisation()
      const emails = ['billing@acme-mail.example', 'acme@gmail.com', 'acme@smallmail.example']
      await create(actor, { name: 'Acme', domains: ['acme.example'], emails, accounts: [IBAN] })
      await create(actor, { name: 'Beta', domains: ['beta.example'], emails: ['beta@smallmail.example'] })
      const compared = async (email: string) => {
        const { result, counterparties } = await compare(actor, { email, account: IBAN })
        return [result, ...counterparties.map(({ name }) => name)]
      }
      expect(await compared('ap@acme-mail.example')).toEqual(['matches', 'Acme'])
      expect(await compared('ap@eu.acme-mail.example')).toEqual(['matches', 'Acme'])
      expect(await compare(actor, { domain: 'acme-mail.example', account: '60-16-13 31926819' })).toMatchObject({
        result: 'differs',
        counterparties: [{ name: 'Acme' }],
      })
      for (const stranger of ['ap@gmail.com', 'ap@smallmail.example', 'ap@notacme-mail.example']) {
        expect(await compared(stranger), stranger).toEqual(['unknown'])
      }
      expect(await compared('beta@smallmail.example')).toEqual(['unknown', 'Beta'])
    })

    it('an account matches also where many share the domain, and not where another address is known', async () => {
      const actor = await organisation()
      for (let i = 0; i < 12; i++) await create(actor, { name: `Branch ${i}`, domains: ['group.example'] })
      await create(actor, { name: 'Head', emails: ['head@group.example'], accounts: [IBAN] })
      await create(actor, { name: 'Shop', emails: ['shop@group.example'], accounts: ['60-16-13 31926819'] })
      expect(await compare(actor, { email: 'new@group.example', account: IBAN })).toMatchObject({
        result: 'matches',
        counterparties: [{ name: 'Head' }],
      })
      expect(await compare(actor, { email: 'shop@group.example', account: IBAN })).toMatchObject({
        result: 'differs',
        counterparties: [{ name: 'Shop' }],
        accountOf: [{ name: 'Head' }],
      })
    })

    it('no whole account is in the database, and two organisations have two digests of one account', async () => {
      const [one, other] = [await organisation(), await organisation()]
      const mine = (await create(one, { name: 'Acme', accounts: [IBAN] })).counterparty.accounts[0]
      const theirs = (await create(other, { name: 'Acme', accounts: [IBAN] })).counterparty.accounts[0]
      expect(mine?.digest).not.toBe(theirs?.digest)
      for (const table of ['counterparty', 'counterparty_term', 'own_knowledge', 'audit_entry']) {
        expect(JSON.stringify(await sql.query(`select * from ${table}`)), table).not.toContain('370400440532')
      }
    })

    it('accounts match after the key of the ring was replaced and the former one is gone', async () => {
      const actor = await organisation()
      await create(actor, { name: 'Acme', domains: ['acme.com'], accounts: [IBAN] })
      const both = createRing(KEYS, 2)
      await resealColumn(sql, both, SEALED_ACCOUNT_KEYS)
      const after = createRing(KEYS.slice(1), 2)
      expect((await compare(actor, { domain: 'acme.com', account: IBAN }, after)).result).toBe('matches')
      await resealColumn(sql, createRing(KEYS, 1), SEALED_ACCOUNT_KEYS)
    })
  })

  describe('an import', () => {
    it('shows its differences first, and changes nothing before it is applied', async () => {
      const actor = await organisation()
      await create(actor, { name: 'Acme', reference: '1', note: 'by hand', domains: ['acme.com'] })
      await create(actor, { name: 'Beta', reference: '2' })
      await create(actor, { name: 'Gone', reference: '3' })
      const before = await readOwnKnowledge(sql, actor.organisationId)
      const one = await stage(actor, [
        { row: 2, name: 'Acme', reference: '1', domains: ['acme.de'] },
        { row: 3, name: 'Acme', reference: '1', domains: ['acme.com'] },
        { row: 4, name: 'Beta', reference: '2' },
        { row: 5, name: 'New', reference: '4', domains: ['acme.com'] },
      ])
      expect(one.counts).toMatchObject({ received: 4, new: 1, changed: 1, same: 1, merged: 1, invalid: 0 })
      expect(await differences(actor, one.id, 'new')).toEqual(['New'])
      expect(await differences(actor, one.id, 'changed')).toEqual(['Acme'])
      expect(await differences(actor, one.id, 'gone')).toEqual(['Gone'])
      expect(await readRemarks(sql, one.id, { after: 0, limit: 10 })).toMatchObject([
        { row_number: 3, invalid: false, remarks: [{ code: 'shared_domain' }] },
        { row_number: 5, invalid: false, remarks: [{ code: 'shared_domain' }] },
      ])
      expect(await readOwnKnowledge(sql, actor.organisationId)).toEqual(before)
      const ids = new Map((await all(actor)).map(({ name, id }) => [name, id]))
      await apply(actor, one.id)
      expect(await names(actor)).toEqual(['Acme', 'Beta', 'Gone', 'New'])
      const rows = await all(actor)
      expect(rows.find(({ name }) => name === 'Acme')).toMatchObject({
        id: ids.get('Acme'),
        note: 'by hand',
        domains: ['acme.de', 'acme.com'],
      })
      expect((await readOwnKnowledge(sql, actor.organisationId)).version).toBe(before.version + 1)
      expect(await differences(actor, one.id, 'gone')).toEqual(['Gone'])
    })

    it.each([
      ['keep', { Gone: 'active', Old: 'blocked', New: 'active' }],
      ['former', { Gone: 'former', Old: 'blocked', New: 'active' }],
      ['delete', { New: 'active' }],
    ] as const)('what is not in the file: %s', async (gone, expected) => {
      const actor = await organisation()
      await create(actor, { name: 'Gone' })
      await create(actor, { name: 'Old', state: 'blocked' })
      await apply(actor, (await stage(actor, [{ row: 1, name: 'New' }], { gone })).id)
      expect(Object.fromEntries((await all(actor)).map(({ name, state }) => [name, state]))).toEqual(expected)
      await create(actor, { name: 'Later' })
    })

    it('a row that is not valid stops it, with its number and the reason; or is left out', async () => {
      const actor = await organisation()
      const rows: ImportRow[] = [
        { row: 2, name: 'Acme', accounts: ['DE88370400440532013000'] },
        { row: 3, name: 'Mail', domains: ['gmail.com'] },
        { row: 4, name: 'Good', accounts: [IBAN] },
      ]
      const one = await stage(actor, rows)
      expect(await readRemarks(sql, one.id, { after: 0, limit: 10 })).toMatchObject([
        { row_number: 2, invalid: true, remarks: [{ pointer: '/accounts/0', code: 'invalid_account' }] },
        { row_number: 3, invalid: true, remarks: [{ pointer: '/domains/0', code: 'public_mail_domain' }] },
      ])
      expect((await refusal(apply(actor, one.id))).detail).toContain('2 rows are not valid')
      expect(await all(actor)).toEqual([])
      await apply(actor, (await stage(actor, rows, { invalidRows: 'skip' })).id)
      expect(await names(actor)).toEqual(['Good'])
      // A counterparty in a skipped row is not gone.
      const wrong = [
        { row: 2, name: 'Good', domains: ['co.uk'] },
        { row: 3, name: 'a\0b' },
        { row: 4, name: 'Other' },
      ]
      await apply(actor, (await stage(actor, wrong, { invalidRows: 'skip', gone: 'delete' })).id)
      expect(await names(actor)).toEqual(['Good', 'Other'])
      expect((await all(actor)).find(({ name }) => name === 'Good')?.accounts).toMatchObject([{ last4: '3000' }])
      // Also where it shares a domain with another one.
      for (const reference of ['1', '2']) await create(actor, { name: 'Twin', reference, domains: ['twin-mills.com'] })
      const twin = [{ row: 2, reference: '1', name: 'Twin', accounts: ['DE88370400440532013000'] }]
      const { counts } = await stage(actor, twin, { invalidRows: 'skip' })
      expect(counts).toMatchObject({ invalid: 1, same: 1 })
    })

    it('is refused when rows are missing, too many, or the register changed since it began', async () => {
      const actor = await organisation()
      const short = await change((tx) => beginImport(tx, actor, { rows: 2 }))
      await change((tx) => addRows(tx, actor, ring, short.id, [{ row: 1, name: 'A' }]))
      expect((await refusal(apply(actor, short.id))).detail).toContain('1 of 2 rows have arrived')
      const more = [1, 2].map((row) => ({ row, name: `B${row}` }))
      expect((await refusal(change((tx) => addRows(tx, actor, ring, short.id, more)))).code).toBe('validation_failed')
      const many = change((tx) => beginImport(tx, actor, { rows: 300_000 }))
      expect((await refusal(many)).detail).toBe(
        'The file has 300000 rows; an organisation may have 200000 counterparties.',
      )
      const late = await stage(actor, [{ row: 1, name: 'A' }])
      // The one before it is discarded.
      expect((await refusal(apply(actor, short.id))).detail).toContain('is discarded')
      await create(actor, { name: 'By hand' })
      expect((await refusal(apply(actor, late.id))).detail).toContain('changed since the import began')
      expect(await names(actor)).toEqual(['By hand'])
    })

    it('the last one can be undone; changes made after it are lost only on request, and only for 30 days', async () => {
      const actor = await organisation()
      await create(actor, { name: 'Acme', reference: '1', accounts: [IBAN] })
      const one = await stage(actor, [{ row: 1, name: 'Wrong', reference: '1', accounts: [] }], { gone: 'delete' })
      await apply(actor, one.id)
      await create(actor, { name: 'Later' })
      clock.advance(1000)
      const dry = await stage(actor, [{ row: 1, name: 'Dry run' }])
      await change((tx) => discardImport(tx, actor, dry.id))
      // A dry run does not hide the import that can be undone.
      expect((await listImports(sql, actor.organisationId, { limit: 1 })).rows).toMatchObject([{ id: one.id }])
      const undo = (discardChanges: boolean) => change((tx) => undoImport(tx, actor, one.id, { discardChanges }))
      expect(await refusal(undo(false))).toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('would lose 1 change made after the import'),
        errors: [{ pointer: '/discard_changes' }],
      })
      await undo(true)
      expect(await all(actor)).toMatchObject([{ name: 'Acme', accounts: [{ last4: '3000' }] }])
      expect((await refusal(undo(true))).code).toBe('conflict')
      const next = await stage(actor, [{ row: 1, name: 'B', reference: '2' }])
      await apply(actor, next.id)
      expect(await names(actor)).toEqual(['Acme', 'B'])
      clock.advance(31 * DAY_MS)
      await purgeCounterparties(sql, clock)
      expect((await refusal(change((tx) => undoImport(tx, actor, next.id)))).detail).toContain('30 days')
      expect(await names(actor)).toEqual(['Acme', 'B'])
    })

    it('rows of sets that are not needed are deleted, and unfinished imports end after a day', async () => {
      const actor = await organisation()
      const { organisationId } = actor
      const rows = async (table: string) => {
        const found = await sql.query<{ n: number }>(`select count(*) as n from ${table} where organisation_id = $1`, [
          organisationId,
        ])
        return found[0]?.n
      }
      const one = await stage(actor, [
        { row: 1, name: 'A' },
        { row: 2, name: 'B', domains: ['b.example'] },
      ])
      expect([await rows('counterparty'), await rows('counterparty_term')]).toEqual([2, 3])
      clock.advance(2 * DAY_MS)
      await purgeCounterparties(sql, clock)
      expect([await rows('counterparty'), await rows('counterparty_term'), await rows('counterparty_garbage')]).toEqual(
        [...[0, 0, 0]],
      )
      expect((await refusal(apply(actor, one.id))).detail).toContain('discarded')
      const kept = await stage(actor, [{ row: 1, name: 'A' }])
      await change((tx) => discardImport(tx, actor, kept.id))
      await purgeCounterparties(sql, clock)
      expect(await rows('counterparty')).toBe(0)
    })

    it(`a vendor master of ${FULL ? '50,000' : '3,000'} rows with duplicates and junk, in Windows-1252`, async () => {
      const firms = FULL ? 40_000 : 2400
      const file = vendorMaster(firms)
      const actor = await organisation()
      for (let i = 0; i < 3; i++) await create(actor, { name: `By hand ${i}` })
      const table = await readVendors(file)
      const rows = vendorRows(table)
      expect(rows).toHaveLength(firms * 1.25)
      expect((await refusal(apply(actor, (await stage(actor, rows)).id))).detail).toContain('are not valid')
      const one = await stage(actor, rows, { invalidRows: 'skip', gone: 'former' })
      expect(one.counts).toMatchObject({
        received: firms * 1.25,
        new: firms - firms / 40,
        changed: 0,
        merged: firms / 4 - firms / 40,
        invalid: firms / 20,
      })
      await apply(actor, one.id)
      const known = await readOwnKnowledge(sql, actor.organisationId)
      expect(known.counterparties).toHaveLength(firms - firms / 40 + 3)
      expect(known.counterparties.map(fieldsOf).find(({ reference }) => reference === '70004')).toMatchObject({
        name: 'Müller & Söhne 4 GmbH',
        state: 'active',
        since: '2019-02-01',
        domains: 'firm4.example firm4-shop.example',
      })
      // The same file again changes nothing.
      const again = await stage(actor, rows, { invalidRows: 'skip' })
      expect(again.counts).toMatchObject({ new: 0, changed: 0, same: firms - firms / 40 })
    }, 600_000)
  })

  it('an organisation stores a limited number of bytes, by hand or by import', async () => {
    const actor = await organisation()
    const { counterparty } = await create(actor, { name: 'Acme', domains: ['acme-paper.com'] })
    const full = LIMITS.counts.counterpartyBytesMax - 100
    const setSize = (size: number) =>
      sql.query('update own_knowledge set counterparty_size = $2 where organisation_id = $1', [
        actor.organisationId,
        size,
      ])
    await setSize(full)
    const detail = 'The counterparties would take 161 MB; an organisation may store 160 MB.'
    const more = { name: 'Bolt', domains: ['bolt-tools.de'], emails: ['ap@bolt-tools.de'] }
    expect(await refusal(create(actor, more))).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining(detail),
    })
    const note = 'x'.repeat(200)
    const changed = (given: object) => change((tx) => changeCounterparty(tx, actor, ring, counterparty.id, given))
    expect(await refusal(changed({ note }))).toMatchObject({ code: 'conflict' })
    await changed({ state: 'former' })
    expect(await refusal(stage(actor, [{ row: 1, ...more }]))).toMatchObject({ code: 'too_many_records' })
    await apply(actor, (await stage(actor, [{ row: 1, ...more }], { gone: 'delete' })).id)
    expect(await names(actor)).toEqual(['Bolt'])
  })

  it('the bytes that the limit counts are those of the counterparties, after every change of this suite', async () => {
    const registers = await sql.query<{ organisation_id: string; counterparty_size: number }>(
      'select organisation_id, counterparty_size from own_knowledge where counterparties < 1000',
    )
    for (const { organisation_id, counterparty_size } of registers) {
      const rows = await all(operatorIn(organisation_id))
      expect(rows.reduce((sum, row) => sum + sizeOf(row), 0)).toBe(counterparty_size)
    }
    expect(registers.length).toBeGreaterThan(10)
  })

  it('a node that has the version cached hears of a change', async () => {
    const actor = await organisation()
    const source = await openOwnKnowledge({ sql, clock })
    expect(await source.version(actor.organisationId)).toBe(0)
    expect(source.version(actor.organisationId)).toBe(0)
    await create(actor, { name: 'Acme' })
    await announceOwnChange(sql, actor.organisationId)
    await expect.poll(() => source.version(actor.organisationId), { timeout: 10_000 }).toBe(1)
    await create(actor, { name: 'Beta' })
    clock.advance(5000)
    expect(await source.version(actor.organisationId)).toBe(2)
    await source.close()
  })
})

const fieldsOf = (line: string): Record<string, string> => {
  const values = line.split('\t')
  return Object.fromEntries(Object.entries(FIELDS).map(([field, at]) => [field, values[at] ?? '']))
}

/** Every fourth firm has a second row with another domain; every fortieth has a wrong IBAN. */
function vendorMaster(firms: number): Uint8Array {
  const lines = ['Kreditorenliste Stand 01.01.2026', '', 'Nr;Name 1;Ort;E-Mail;Webseite;IBAN;Angelegt am;Sperre']
  for (let i = 1; i <= firms; i++) {
    const iban = i % 40 === 0 ? 'DE00370400440532013000' : i % 2 === 0 ? 'DE89 3704 0044 0532 0130 00' : ''
    const line = (site: string) =>
      `${70_000 + i};Müller & Söhne ${i} GmbH;Köln;rechnung@firm${i}.example;${site};${iban};01.02.2019;`
    lines.push(line(`https://www.firm${i}.example/`))
    if (i % 4 === 0) lines.push(line(`firm${i}-shop.example`))
  }
  return Uint8Array.from([...`${lines.join('\r\n')}\r\n`].map((character) => character.charCodeAt(0)))
}
