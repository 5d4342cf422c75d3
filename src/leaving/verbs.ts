import { resolve } from 'node:path'
import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { plainly, refuseExisting } from '../backup/refused.ts'
import { type BillingStore, withBilling } from '../billing/verbs.ts'
import { askToErase, cancelErasure, type Erasure, erasures, erasureView } from '../identity/erasures.ts'
import { requireOrganisation } from '../identity/organisation/organisations.ts'
import { requirePersonByEmail } from '../identity/people/people.ts'
import { clearOnSignal } from '../lib/on-signal.ts'
import type { Ring } from '../lib/seal.ts'
import { beginWholeFile } from '../lib/whole-file.ts'
import { keysOfChecks } from '../record/sealed.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { dateText, listAnswer, sizeText } from '../verb/output.ts'
import { erasuresFileOf, type Store } from '../verb/store.ts'
import { type Answer, flag, LIST_ROWS_MAX, required, verbsOf } from '../verb/verb.ts'
import { erase, eraseUnder } from './erase.ts'
import { type ExportOf, exportOf, exportPart } from './export.ts'

const ORG = { id: required('--org <id>', 'its id') }
const PERSON = { email: required('--email <email>', 'whose') }
const TO = { to: required('--to <file>', 'file to write; must not exist yet') }
const HOW = {
  now: flag('--now', 'without the waiting time'),
  cancel: flag('--cancel', 'cancel the request'),
}
type How = { readonly now: boolean | undefined; readonly cancel: boolean | undefined }

interface Groups {
  readonly org: Command
  readonly user: Command
  readonly findRing: (store: Store) => Promise<Ring | undefined>
}

/** `assayd org` and `assayd user`: export and erase; `assayd erasures`. */
export function registerLeavingVerbs(program: Command, context: VerbContext, { org, user, findRing }: Groups): void {
  const ofOrg = verbsOf(org, context, withBilling)
  const ofUser = verbsOf(user, context, withBilling)

  ofOrg('export', 'write everything of an organisation into one archive (.tar.gz)', { ...ORG, ...TO }).runs(
    async (store, { id, to }) => {
      await requireOrganisation(store.sql, id)
      return writeExport(store, await findRing(store), to, { kind: 'organisation', id })
    },
  )
  ofUser('export', 'write everything of a person into one archive (.tar.gz)', { ...PERSON, ...TO }).runs(
    async (store, { email, to }) => {
      const { id } = await requirePersonByEmail(store.sql, email)
      return writeExport(store, undefined, to, { kind: 'person', id })
    },
  )
  ofOrg('erase', 'erase an organisation after the waiting time; invoices are kept by law (docs/privacy.md)', {
    ...ORG,
    ...HOW,
  }).runs((store, { id, ...how }) => decide(context, store, findRing, { kind: 'organisation', id }, how))
  ofUser('delete', 'delete an account after the waiting time; what belongs to organisations stays (docs/privacy.md)', {
    ...PERSON,
    ...HOW,
  }).runs(async (store, { email, ...how }) => {
    const { id } = await requirePersonByEmail(store.sql, email)
    return decide(context, store, findRing, { kind: 'person', id }, how)
  })

  verbsOf(program.command('erasures').description('erasures of people and organisations'), context, withBilling)(
    'list',
    'show those that wait and those that are done, newest first, with their receipts',
    {},
  ).runs(async ({ sql }) => {
    const rows = await erasures.list(sql, {}, { order: 'asked_at desc, id', limit: LIST_ROWS_MAX })
    return listAnswer(
      rows,
      (row) => ({ ...erasureView(row), kind: row.kind, subject_id: row.subject_id, receipt: row.receipt }),
      'Nobody has asked for an erasure.',
      {
        ERASURE: (row) => row.id,
        OF: (row) => `${row.kind} ${row.subject_id}`,
        REQUESTED: (row) => dateText(row.asked_at),
        STATE: stateOf,
      },
    )
  })
}

const stateOf = ({ cancelled_at, done_at, due_at }: Erasure) => {
  if (cancelled_at !== null) return 'cancelled'
  return done_at === null ? `waits until ${dateText(due_at)}` : `erased ${dateText(done_at)}`
}

async function decide(
  context: VerbContext,
  store: BillingStore,
  findRing: Groups['findRing'],
  subject: Pick<ExportOf, 'kind' | 'id'>,
  { now = false, cancel = false }: How,
): Promise<Answer> {
  const { id } = subject
  if (now && cancel) throw new VerbError('Choose one of --now and --cancel.')
  if (cancel) {
    await store.change((tx) => cancelErasure(tx, store, operatorIn, subject))
    return { value: { id, cancelled: true }, text: `The erasure of ${id} is cancelled.` }
  }
  const asked = await store.change((tx) => askToErase(tx, store, operatorIn, subject, now))
  if (!now) {
    const text = `A running server erases everything of ${id} after ${dateText(asked.due_at)}. To stop it before: --cancel`
    return { value: { subject_id: id, ...erasureView(asked) }, text }
  }
  const config = context.config()
  const place = { erasuresFile: erasuresFileOf(config), baseUrl: config.baseUrl }
  const erased = await erase(eraseUnder({ ...store, ...place }, await findRing(store)), asked)
  if (!erased) throw new VerbError('This person has just become a last owner. Hand the organisation over first.')
  const done = (await erasures.find(store.sql, { id: asked.id })) ?? asked
  return {
    value: { subject_id: id, ...erasureView(done), receipt: done.receipt },
    text: [`Everything of ${id} is erased.`, ...(done.receipt === null ? [] : [`Receipt: ${done.receipt}`])],
  }
}

async function writeExport(
  { sql, clock }: Store,
  ring: Ring | undefined,
  to: string,
  about: Pick<ExportOf, 'kind' | 'id'>,
): Promise<Answer> {
  const file = resolve(to)
  const of = { ...about, keys: ring ? keysOfChecks(ring) : [], nowMs: clock.now() }
  let bytes = 0
  refuseExisting(file)
  try {
    using output = beginWholeFile(file, { mode: 0o600, replace: false })
    using _ = clearOnSignal(output.discard)
    for await (const part of exportOf(of, (input) => exportPart.make(sql, input))) {
      output.put(part)
      bytes += part.length
    }
    output.keep()
  } catch (error) {
    throw plainly(error, `--to: ${file} cannot be written`)
  }
  return { value: { ...about, file, bytes }, text: `Everything of ${about.id} is in ${file}: ${sizeText(bytes)}.` }
}
