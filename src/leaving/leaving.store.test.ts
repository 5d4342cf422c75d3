import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testAccounts, testMeter } from '../../test/support/accounts.ts'
import { ManualClock } from '../../test/support/clock.ts'
import { allowApplication } from '../../test/support/consents.ts'
import { meeting } from '../../test/support/meeting.ts'
import { PASSWORD_HASH } from '../../test/support/passwords.ts'
import { describeEachStore } from '../../test/support/stores.ts'
import { operatorIn, themselvesIn } from '../access/actor.ts'
import { makeAnchor } from '../billing/ledger/anchors.ts'
import { verifyLedger } from '../billing/ledger/verify.ts'
import { CURRENCY, receivePayment } from '../billing/payments/payments.ts'
import { loadPlans } from '../billing/plans.ts'
import { requestTopUp } from '../billing/subscription/subscription.ts'
import { readMigrations } from '../db/migrate.ts'
import { shapesOf, type TableShape } from '../db/shape.ts'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import { emitToPerson } from '../events/emit.ts'
import { audit } from '../identity/audit.ts'
import { askToErase, cancelErasure, erasures, findErasure } from '../identity/erasures.ts'
import { addMember, removeMember } from '../identity/members/members.ts'
import { renamePerson } from '../identity/people/account.ts'
import { setAddress } from '../identity/people/address.ts'
import { withdrawConsents } from '../identity/people/consents.ts'
import { PERSON_NAMES } from '../identity/people/deletion.ts'
import { createPerson } from '../identity/people/people.ts'
import { DAY_MS, yearsLater } from '../lib/clock.ts'
import { ringOf } from '../lib/seal.ts'
import { putMail } from '../mail/mail.ts'
import { finishMessage, listMessages, logAttempt, putMessage } from '../outbox/outbox.ts'
import { verifyReceipt } from '../record/receipt.ts'
import { publishedReceiptKeys } from '../record/receipt-keys.ts'
import { ERASED_ORGANISATION, erase, eraseAgain, eraseDue, eraseUnder } from './erase.ts'
import { exportOf, exportPart, SECRET_COLUMN } from './export.ts'
import { ERASED_TABLES, EXPORTS, INVOICE_TABLES, PERSON_ROWS, TOMBSTONE_TABLES } from './tables.ts'

const SHAPES = shapesOf(readMigrations())
const namesOf = (rows: readonly { readonly table: string }[]) => new Set(rows.map(({ table }) => table))
const folder = mkdtempSync(join(tmpdir(), 'assay-leaving-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('no table is forgotten', () => {
  const isOf = (columns: readonly string[]) => (shape: TableShape) =>
    shape.columns.some(({ name }) => columns.includes(name))

  it('every table with an organisation is erased with it, or named as kept', () => {
    const named = namesOf([...ERASED_TABLES, ...INVOICE_TABLES, ...TOMBSTONE_TABLES])
    const found = SHAPES.filter(isOf(['organisation_id', 'owner'])).map(({ name }) => name)
    expect(found.filter((name) => !named.has(name))).toEqual([])
    expect([...named].filter((name) => !SHAPES.some((shape) => shape.name === name))).toEqual([])
  })

  it('every column with the name of an actor is emptied when that person is erased', () => {
    const found = SHAPES.flatMap(({ name, columns }) =>
      columns.flatMap((column) =>
        /^(made_by|author|approved|by|second)_name$/.test(column.name) ? [`${name} ${column.name}`] : [],
      ),
    )
    expect(PERSON_NAMES.map(([table, , name]) => `${table} ${name}`).sort()).toEqual(found.sort())
  })

  it('docs/privacy.md names every table of the schema', () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8')
    const created = readMigrations().flatMap(({ text: sql }) => [
      ...sql.matchAll(/create table (?:if not exists )?(\w+)/g),
    ])
    const tables = new Set(created.map(([, name = '']) => name).filter((name) => !name.endsWith('_new')))
    expect([...tables].filter((table) => !text.includes(`\`${table}\``))).toEqual([])
  })
})

describeEachStore('leaving', (open, engine) => {
  let sql: Sql
  const clock = new ManualClock('2026-03-02T12:00:00Z')
  const ring = ringOf('a secret of this test, long enough to be one')
  const erasuresFile = join(folder, `${engine}.log`)
  const [ORG, OTHER] = ['org_leaves', 'org_stays']
  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, clock, work)
  const deps = () =>
    eraseUnder({ ...billing.rules, sql, clock, sendsMail: true, erasuresFile, baseUrl: 'https://assay.example' }, ring)
  let billing: ReturnType<typeof testAccounts>
  let owner: string
  let invoices = 0
  let colleague: string

  /** One row of a table, with a mark in every text; what opens something has another mark. */
  async function fill(
    { name: table, columns }: TableShape,
    organisationId: string,
    given: Record<string, string | number | null>,
  ) {
    const valueIn = (column: TableShape['columns'][number]) => {
      if (column.name in given) return given[column.name]!
      if (column.name === 'organisation_id' || column.name === 'owner') return organisationId
      if (column.type === 'bigint') return 1
      return SECRET_COLUMN.test(column.name)
        ? `S3CRET of ${organisationId} ${table}`
        : `CONTENT of ${organisationId} ${table}`
    }
    const marks = columns.map((_, i) => `$${i + 1}`).join(', ')
    const names = columns.map(({ name }) => name).join(', ')
    await sql.query(`insert into ${table} (${names}) values (${marks})`, columns.map(valueIn))
  }

  async function fillOrganisation(id: string): Promise<void> {
    await billing.open(id, 'growth')
    const one = `one of ${id}`
    const special: Record<string, Record<string, string | number | null>> = {
      oauth_client: { id: one, kind: 'service', state: 'active', jwks: null },
      oauth_record: { client_id: one, organisation_id: null, person_id: null, digest: `S3CRET ${id}` },
      invoice: { id: one, kind: 'top_up', state: 'paid', number: 1000 + ++invoices },
      invoice_line: { invoice_id: one },
      checkout: { invoice_id: one },
      payment: { id: one, provider: 'p', reference: one, outcome: 'settled', invoice_id: one },
      payment_refund: { provider: 'p', reference: one },
      payment_dispute: { id: one, provider: 'p', reference: one },
      payment_aftermath: { provider: 'p', reference: one },
      billing_alert: { kind: 'credit_below' },
      outbox_message: { state: 'sent' },
      event_read: { person_id: owner },
      counterparty: { accounts: JSON.stringify([{ last4: '1234', digest: 'S3CRET' }]) },
      counterparty_import: { id: one },
      counterparty_import_remark: { import_id: one },
      kept_check: { id: 'chk_1', kind: 'email', level: 'low', credential_id: 'key_1', decision: null, review: null },
      check_decision: { id: 'chk_1' },
      check_feedback: { id: 'chk_1' },
    }
    const named = namesOf([...INVOICE_TABLES, ...ERASED_TABLES])
    for (const shape of SHAPES.filter(({ name }) => named.has(name))) {
      const isNamed = shape.columns.some(({ name }) => name === 'id')
      await fill(shape, id, special[shape.name] ?? (isNamed ? { id: `CONTENT of ${id} ${shape.name}` } : {}))
    }
    const meter = testMeter({ sql, rules: billing.rules, clock })
    const answer = () => ({ before: '{', after: '}' })
    const asked = { family: 'payment-risk', units: 1, credentialId: 'key_test', requestId: 'req_test' } as const
    await meter.charge({ organisationId: id, ...asked, answer })
    await meter.close()
  }
  const somebody = (name: string) =>
    change((tx) =>
      createPerson(tx, { email: `${name}@company.example`, emailVerified: true, name, passwordHash: PASSWORD_HASH }),
    )

  /** Everything in the database, by table. */
  async function content(): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    for (const { name, columns } of SHAPES) {
      found[name] = JSON.stringify(
        await sql.query(`select ${columns.map((column) => column.name).join(', ')} from ${name}`),
      )
    }
    return found
  }
  const tablesWith = async (text: string | RegExp) =>
    Object.entries(await content()).flatMap(([table, rows]) => (new RegExp(text).test(rows) ? [table] : []))
  const mails = async (kind: string) =>
    (
      await sql.query<{ recipient: string }>(
        'select recipient from outbox_message where kind = $1 order by recipient',
        [kind],
      )
    ).map(({ recipient }) => recipient)
  const isClean = async () => {
    expect(await verifyLedger(sql, { ring })).toMatchObject({ clean: true })
    // Since the first anchor, which is before every erasure: only a part of the erased entries is read.
    expect(await verifyLedger(sql, { ring, sinceAnchor: 1 })).toMatchObject({ clean: true })
  }

  beforeAll(async () => {
    sql = await open()
    billing = testAccounts({ sql, plans: loadPlans(), clock })
    owner = (await somebody('Wilhelmina')).id
    colleague = (await somebody('Zacharias')).id
    for (const id of [ORG, OTHER]) {
      await fillOrganisation(id)
      for (const personId of [owner, colleague]) {
        await change((tx) => addMember(tx, operatorIn(id), { personId, role: 'owner' }))
        const from = { id: personId, ip: '198.51.100.77', requestId: `req_${id}` }
        await change((tx) =>
          audit(tx, themselvesIn(id, from), 'key.create', 'key_1', { name: `CONTENT of ${id} audit` }),
        )
      }
      await sql.query('update api_key set made_by = $2, made_by_name = $3 where organisation_id = $1', [
        id,
        colleague,
        'Zacharias',
      ])
      await makeAnchor({ sql, clock, ring })
    }
  })

  const archiveOf = async (kind: 'organisation' | 'person', id: string) => {
    const parts: Buffer[] = []
    for await (const part of exportOf({ kind, id, keys: [], nowMs: clock.now() }, (input) =>
      exportPart.make(sql, input),
    ))
      parts.push(part)
    const place = mkdtempSync(join(folder, 'archive-'))
    writeFileSync(join(place, 'archive.tar.gz'), Buffer.concat(parts))
    execFileSync('tar', ['xzf', 'archive.tar.gz'], { cwd: place })
    const read = (name: string) => readFileSync(join(place, name))
    const manifest = JSON.parse(read('manifest.json').toString()) as {
      files: { name: string; rows: number; sha256: string }[]
    }
    for (const { name, rows, sha256 } of manifest.files) {
      expect(createHash('sha256').update(read(name)).digest('hex'), name).toBe(sha256)
      expect(read(name).toString().split('\n').length - 1, name).toBe(rows)
    }
    return Object.fromEntries(manifest.files.map(({ name }) => [name.replace('.jsonl', ''), read(name).toString()]))
  }

  it('an export has everything of an organisation, nothing of another, and nothing that opens anything', async () => {
    const files = await archiveOf('organisation', ORG)
    for (const { table, file } of EXPORTS.organisation) {
      const marked = ERASED_TABLES.some((rows) => rows.table === table)
      if (marked) expect(files[file!], file).toContain(`CONTENT of ${ORG} ${table}`)
      else if (table !== 'subscription' && table !== 'archived_charge') expect(files[file!], file).not.toBe('')
    }
    expect(files.checks).toContain('chk_1')
    expect(files.members).toContain('wilhelmina@company.example')
    expect(Object.values(files).join('')).not.toMatch(new RegExp(`S3CRET|CONTENT of ${OTHER}`))
    await sql.query(
      `with recursive n (n) as (select 1 union all select n + 1 from n where n < 1200)
       insert into known_device (person_id, digest, created_at, seen_at) select $1, 'S3CRET ' || n, n, n from n`,
      [owner],
    )
    const own = await archiveOf('person', owner)
    expect(own.devices?.split('\n').filter((line) => line !== '').length).toBeGreaterThanOrEqual(1200)
    expect(own.person).toContain('wilhelmina@company.example')
    expect(own.audit).toContain('198.51.100.77')
    expect(Object.values(own).join('')).not.toMatch(/S3CRET|argon2|[Zz]acharias/)
  })

  it('nothing is erased in the waiting time; owners are told of the request and of its end', async () => {
    const ask = () => change((tx) => askToErase(tx, deps(), operatorIn, { kind: 'organisation', id: ORG }))
    const asked = await ask()
    expect(await ask()).toEqual(asked)
    expect(await mails('erasure_asked')).toEqual(['wilhelmina@company.example', 'zacharias@company.example'])
    clock.advance(7 * DAY_MS - 1)
    expect(await eraseDue(deps())).toBe(0)
    await change((tx) => cancelErasure(tx, deps(), operatorIn, { kind: 'organisation', id: ORG }))
    clock.advance(1)
    expect(await eraseDue(deps())).toBe(0)
    expect(await mails('erasure_cancelled')).toHaveLength(2)
    expect(await findErasure(sql, ORG)).toBeUndefined()
    const program = { ...operatorIn(ORG), kind: 'api_key' } as const
    await expect(
      change((tx) => askToErase(tx, deps(), () => program, { kind: 'organisation', id: ORG })),
    ).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it('an erased organisation leaves ids, numbers and invoices; the ledger and the audit log still verify', async () => {
    const asked = await change((tx) => askToErase(tx, deps(), operatorIn, { kind: 'organisation', id: ORG }))
    const { id } = asked
    await sql.query(`update outbox_message set state = 'sent'`)
    await change(async (tx) => {
      const data = { organisation_id: ORG, organisation: 'Test', email: `CONTENT of ${ORG} asked`, role: 'viewer' }
      emitToPerson(tx, { personId: colleague, type: 'invitation.asked', data })
      emitToPerson(tx, { personId: colleague, type: 'invitation.asked', data: { ...data, organisation_id: OTHER } })
    })
    clock.advance(7 * DAY_MS)
    // A run stops with its server, and another is interrupted at its end.
    const stopping = new AbortController()
    const stopped = meeting(
      sql,
      (text) => text.startsWith('delete from webhook'),
      async () => stopping.abort(),
    )
    await expect(eraseDue({ ...deps(), sql: stopped }, stopping.signal)).rejects.toThrow('aborted')
    expect(await tablesWith(`CONTENT of ${ORG}`)).toContain('own_list_entry')
    const interrupted = meeting(
      sql,
      (text) => text.startsWith('delete from membership'),
      () => Promise.reject(new Error('killed')),
    )
    await expect(eraseDue({ ...deps(), sql: interrupted })).rejects.toThrow('killed')
    await isClean()
    expect(await eraseDue(deps())).toBe(1)
    // A verb and a server may be at it at the same time.
    const first = await erasures.find(sql, { id })
    await erase(deps(), asked)
    expect(await erasures.find(sql, { id })).toEqual(first)
    expect(await mails('erasure_asked')).toEqual([])
    expect(await sql.query('select seq from event where owner = $1', [colleague])).toHaveLength(1)
    await sql.query('delete from event where owner = $1', [colleague])
    const left = await tablesWith(`CONTENT of ${ORG}|S3CRET of ${ORG}|one of ${ORG}`)
    expect(left.filter((table) => !namesOf(INVOICE_TABLES).has(table))).toEqual([])
    expect((await tablesWith(`CONTENT of ${OTHER}`)).length).toBeGreaterThan(20)
    const rows = await sql.query('select name, state from organisation where id = $1', [ORG])
    expect(rows).toEqual([{ name: ERASED_ORGANISATION, state: 'disabled' }])
    const entries = await sql.query(
      `select id from audit_entry where organisation_id = $1 and action <> 'organisation.erase'
         and (actor_name is not null or ip is not null or detail <> '{}')`,
      [ORG],
    )
    expect(entries).toEqual([])
    await isClean()
    await makeAnchor({ sql, clock, ring })
    await isClean()
    const done = await erasures.find(sql, { id })
    const verified = await verifyReceipt(done!.receipt!, await publishedReceiptKeys(sql))
    expect(verified).toMatchObject({
      erasure: {
        sub: ORG,
        kind: 'organisation',
        erased: { counterparty: 1, kept_check: 1, membership: 2, own_list_entry: 1 },
        kept: expect.arrayContaining([
          { what: 'invoices and payments', why: 'Kept by law.', until: '2036-03-16T12:00:00.000Z' },
        ]),
      },
    })
    expect(await mails('account_deleted')).toEqual(['wilhelmina@company.example', 'zacharias@company.example'])
    await expect(
      change((tx) => askToErase(tx, deps(), operatorIn, { kind: 'organisation', id: ORG })),
    ).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('an entry that was changed by hand does not pass as erased', async () => {
    const after = async (text: string) => {
      let problem: string | undefined
      const undo = new Error('undo')
      const whole = sql.transaction(async (tx) => {
        if (engine === 'postgres') await tx.query('drop trigger audit_entry_only_erased on audit_entry')
        else await tx.query('drop trigger audit_entry_not_updated')
        await tx.query(text)
        const report = await verifyLedger(tx)
        problem = report.clean ? undefined : report.difference.problem
        throw undo
      })
      await expect(whole).rejects.toBe(undo)
      return problem
    }
    const ofFirst = (id: string) => `where organisation_id = '${id}' and seq = 1`
    expect(await after(`update audit_entry set action = 'key.revoke' ${ofFirst(ORG)}`)).toContain('changed by hand')
    const marked = `actor_name = null, ip = null, request_id = null, detail = '{}', erased_by = 'era_x'`
    expect(await after(`update audit_entry set ${marked} ${ofFirst(OTHER)}`)).toContain('is not in the log')
    expect(await after(`update audit_entry set erased_by = 'era_x' where ip is not null`)).toContain('has content')
    // Even the trigger allows nothing else.
    await expect(
      sql.query(`update audit_entry set action = 'key.revoke', erased_by = 'x' ${ofFirst(OTHER)}`),
    ).rejects.toThrow('append-only')
  })

  it('an erased person leaves an id where they acted, and no name', async () => {
    // Under a former name and a former address, too.
    await allowApplication(sql, clock, {
      ...{ personId: colleague, clientId: `one of ${OTHER}`, organisationId: OTHER, role: 'owner' },
    })
    await change((tx) => withdrawConsents(tx, operatorIn, colleague, {}))
    await sql.query(
      `update invitation set email = 'zacharias@company.example', accepted_by = $2, accepted_at = 1 where organisation_id = $1`,
      [OTHER, colleague],
    )
    await change((tx) =>
      audit(tx, operatorIn(OTHER), 'invitation.create', `CONTENT of ${OTHER} invitation`, {
        email: 'zacharias@company.example',
      }),
    )
    await change((tx) => renamePerson(tx, colleague, 'Ferdinand', { ip: '198.51.100.77', requestId: 'r' }))
    await change((tx) =>
      setAddress(tx, { sendsMail: true }, colleague, { email: 'ferdinand@company.example', emailVerified: true }),
    )
    await change((tx) =>
      askToErase(tx, deps(), (place) => themselvesIn(place, { id: colleague, ip: '198.51.100.77', requestId: 'r' }), {
        kind: 'person',
        id: colleague,
      }),
    )
    // In what others got: the inbox and the mail of an inviter, a digest, and the answer of a receiver.
    const facts = { organisation: 'Test', email: 'zacharias@company.example', role: 'viewer' } as const
    const sent = await change(async (tx) => {
      emitToPerson(tx, { personId: owner, type: 'invitation.asked', data: { ...facts, organisation_id: OTHER } })
      const to = 'wilhelmina@company.example'
      await putMail(tx, { kind: 'invitation_asked', to, personId: owner, facts: { name: 'Wilhelmina', ...facts } })
      const organisations = [{ name: 'Test', lines: ['Zacharias joined as owner.'] }]
      const lines = { name: 'Wilhelmina', frequency: 'daily', organisations } as const
      await putMail(tx, { kind: 'event_digest', to, personId: owner, facts: lines })
      const data = { member_id: colleague, name: 'Zacharias', summary: 'Zacharias joined as owner.' }
      const event = { id: 'evt_1', type: 'member.joined', data }
      const message = { channel: 'webhook', kind: 'member.joined', recipient: 'whk_1', organisationId: OTHER } as const
      return putMessage(tx, { ...message, facts: event, lifetimeMs: DAY_MS })
    })
    const answered = { at: '', status: 200, duration_ms: 1, answer: '{"name":"Zacharias"}', error: null }
    await logAttempt(sql, sent, answered)
    for (const { id, kind } of await listMessages(sql, 'mail', { state: 'waiting', limit: 100 })) {
      if (kind === 'event_digest') await finishMessage(sql, id, { state: 'sent', nowMs: clock.now() })
    }
    clock.advance(7 * DAY_MS)
    await sql.query(`delete from outbox_message where kind = 'account_deleted'`)
    expect(await eraseDue(deps())).toBe(1)
    // The last mail goes to them.
    expect(await mails('account_deleted')).toEqual(['ferdinand@company.example'])
    await sql.query(`delete from outbox_message where kind = 'account_deleted'`)
    expect(await tablesWith('[Zz]acharias|[Ff]erdinand')).toEqual([])
    expect(await tablesWith(colleague)).toEqual(expect.arrayContaining(['audit_entry', 'api_key']))
    const [entry] = await sql.query(
      `select actor_name, ip, detail from audit_entry where organisation_id = $1 and actor_id = $2 and action = 'key.create'`,
      [OTHER, colleague],
    )
    expect(entry).toEqual({ actor_name: null, ip: null, detail: JSON.stringify({ name: `CONTENT of ${OTHER} audit` }) })
    await isClean()
  })

  // SQLite has one writer at a time.
  it.runIf(engine === 'postgres')(
    'an organisation keeps an owner when one is erased while the other leaves',
    async () => {
      const id = 'org_two'
      await billing.open(id, 'growth')
      const [one, other] = [await somebody('Otto'), await somebody('Anna')]
      for (const { id: personId } of [one, other]) {
        await change((tx) => addMember(tx, operatorIn(id), { personId, role: 'owner' }))
      }
      const leaves = () =>
        sql.transaction((tx) => changeIn({ ...sql, transaction: (work) => work(tx) }, clock, leave), {
          lockTimeoutMs: 50,
        })
      const leave = (tx: Tx) => removeMember(tx, operatorIn(id), other.id)
      const raced = meeting(
        sql,
        (text) => text.includes('as others'),
        () => leaves().catch(() => {}),
      )
      const asked = await change((tx) => askToErase(tx, deps(), operatorIn, { kind: 'person', id: one.id }, true))
      await erase({ ...deps(), sql: raced }, asked)
      expect(await sql.query('select role from membership where organisation_id = $1', [id])).not.toEqual([])
    },
  )

  it('a database from before the erasures is erased again, once, by the list outside it', async () => {
    const again = 'org_again'
    await fillOrganisation(again)
    await change((tx) => askToErase(tx, deps(), operatorIn, { kind: 'organisation', id: again }, true))
    const line = { ...(await findErasure(sql, again))!, done_at: clock.now(), receipt: 'the first receipt' }
    await sql.query('delete from erasure where subject_id = $1', [again])
    writeFileSync(erasuresFile, `${readFileSync(erasuresFile, 'utf8')}${JSON.stringify(line)}\n{"id":"era_cut`)
    expect(await eraseAgain(deps())).toBe(1)
    expect(await sql.query('select name from organisation where id = $1', [again])).toEqual([
      { name: ERASED_ORGANISATION },
    ])
    expect(await erasures.find(sql, { id: line.id })).toMatchObject({ receipt: 'the first receipt' })
    expect(await eraseAgain(deps())).toBe(0)
    await isClean()
    expect(
      readFileSync(erasuresFile, 'utf8')
        .split('\n')
        .filter((text) => text.includes(again)),
    ).toHaveLength(1)
  })

  it('what the erasure of a person left of an entry goes with the organisation', async () => {
    const id = 'org_later'
    await billing.open(id, 'growth')
    const { id: personId } = await somebody('Ottilie')
    await change((tx) =>
      audit(tx, themselvesIn(id, { id: personId, ip: '1.1.1.1', requestId: 'r' }), 'key.create', 'k'),
    )
    const acts = { name: `CONTENT of ${id} audit` }
    await change((tx) =>
      audit(tx, themselvesIn(id, { id: personId, ip: '1.1.1.1', requestId: 'r' }), 'key.revoke', 'k', acts),
    )
    const now = (kind: 'person' | 'organisation', subject: string) =>
      change((tx) => askToErase(tx, deps(), operatorIn, { kind, id: subject }, true))
    await erase(deps(), await now('person', personId))
    await isClean()
    expect(await tablesWith(`CONTENT of ${id}`)).toEqual(['audit_entry'])
    await erase(deps(), await now('organisation', id))
    expect(await tablesWith(`CONTENT of ${id}`)).toEqual([])
    await isClean()
  })

  it('a payment that arrives later is kept as long as the law asks from then on, and brings no card back', async () => {
    const id = 'org_pays'
    await billing.open(id, 'growth')
    const invoice = await change((tx) => requestTopUp(tx, billing.rules, operatorIn(id), { amountPence: 5000 }))
    const asked = await change((tx) => askToErase(tx, deps(), operatorIn, { kind: 'organisation', id }, true))
    await erase(deps(), asked)
    clock.advance(60 * DAY_MS)
    const money = { provider: 'p', amountPence: 5000, currency: CURRENCY, payer: 'cus_1', paymentMethod: 'card_1' }
    await change((tx) => receivePayment(tx, billing.rules, { ...money, reference: 'late', invoiceId: invoice.id }))
    await change((tx) => receivePayment(tx, billing.rules, { ...money, reference: 'whose', invoiceId: 'bil_none' }))
    expect(await tablesWith('cus_1|card_1')).toEqual([])
    const untilMs = yearsLater(clock.now(), 10)
    expect(await erasures.find(sql, { id: asked.id })).toMatchObject({ kept_until: untilMs })
    clock.set(untilMs - 1)
    await eraseDue(deps())
    expect(await tablesWith('"whose"|"late"')).toEqual(expect.arrayContaining(['invoice', 'payment']))
    clock.set(untilMs)
    await eraseDue(deps())
    const kept = await tablesWith(`"whose"|"late"|${invoice.id}`)
    expect(kept.filter((table) => namesOf(INVOICE_TABLES).has(table))).toEqual([])
  })

  it('invoices are deleted when their years are over', async () => {
    await eraseDue(deps())
    expect(await tablesWith(`CONTENT of ${ORG}`)).toEqual([])
    expect(await sql.query('select id from invoice where organisation_id = $1', [OTHER])).toHaveLength(1)
    expect(namesOf(PERSON_ROWS).has('person')).toBe(true)
    await isClean()
  })
})
