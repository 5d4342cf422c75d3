import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { type Container, type Heading, openContainer } from '../backup/container.ts'
import type { Counts } from '../backup/content.ts'
import { type BackupMade, makeBackup } from '../backup/make.ts'
import { writeKeptFile } from '../backup/place.ts'
import { fillDatabase, migrationsOf, restoreBackup } from '../backup/restore.ts'
import { reportText } from '../billing/ledger/verbs.ts'
import { verifyLedger } from '../billing/ledger/verify.ts'
import { loadPlans } from '../billing/plans.ts'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { openStore, sqliteFile } from '../db/open.ts'
import { secretIdOf } from '../db/ring.ts'
import { openServiceTime } from '../db/service-time.ts'
import { changeIn, type Sql } from '../db/sql.ts'
import { type AuditAction, audit } from '../identity/audit.ts'
import { eraseAgain } from '../leaving/erase.ts'
import { clearOnSignal } from '../lib/on-signal.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { sizeText } from '../verb/output.ts'
import { billingSettingsOf } from '../verb/settings.ts'
import { anchorsFileOf, databaseText, erasuresFileOf, placeOf, withDatabase } from '../verb/store.ts'
import { type Answer, optional, required, verbsOf, withoutStore } from '../verb/verb.ts'
import { openConfiguredRing } from './ring.ts'
import { findSecret } from './secret-file.ts'

const PASSPHRASE_LENGTH_MIN = 12
const PASSPHRASE = optional('--passphrase-file <file>', 'a file whose first line is the passphrase')

export function registerBackup(program: Command, context: VerbContext): void {
  const backup = verbsOf(program, context, withoutStore)(
    'backup',
    'write the whole database into one file while the server runs',
    {
      to: optional('--to <file>', 'file to write; must not exist yet'),
      passphraseFile: optional('--passphrase-file <file>', 'encrypt it with the first line of this file'),
    },
  ).runs((_, options) => create(context, options))
  verbsOf(backup, context, withoutStore)(
    'verify',
    'prove that a backup is complete, can be restored, and that its ledger adds up',
    { from: optional('--from <file>', 'the backup'), passphraseFile: PASSPHRASE },
  ).runs((_, options) => verify(context, options))
}

export function registerRestore(program: Command, context: VerbContext): void {
  verbsOf(program, context, withoutStore)('restore', 'restore a backup into an empty place', {
    from: required('--from <file>', 'the backup'),
    passphraseFile: PASSPHRASE,
  }).runs((_, { from, passphraseFile }) => restore(context, from, passphraseFile))
}

type Given<Name extends string> = Readonly<Record<Name, string | undefined>>

async function create(context: VerbContext, { to, passphraseFile }: Given<'to' | 'passphraseFile'>): Promise<Answer> {
  if (to === undefined) throw new VerbError('--to: is missing. Name the file: assayd backup --to <file>')
  const file = resolve(to)
  const config = context.config()
  context.giveWay?.()
  const passphrase = readPassphrase(passphraseFile)
  return withDatabase(config, async (sql, { missing }) => {
    const made = await makeBackup({
      place: placeOf(config),
      dataDir: config.ASSAY_DATA_DIR,
      file,
      nowMs: context.machine.now(),
      passphrase,
    })
    const encrypted = made.heading.encryption !== null
    const detail = { file: basename(file), checksum: made.checksum, encrypted }
    const noted = missing.length === 0 && (await note(context, sql, 'backup.create', detail))
    return {
      value: { file, ...viewOf(made), in_audit_log: noted },
      text: [
        `The ${made.heading.engine} database at ${databaseText(config)} is in ${file}: ${contentText(made)}.`,
        encrypted ? 'It is encrypted.' : 'It is not encrypted: store it where only you can read it.',
        secretText(made.heading, config),
        ...(noted ? [] : [NOT_NOTED]),
        `Check it: assayd backup verify --from ${file}${encrypted ? ' --passphrase-file <file>' : ''}`,
      ],
    }
  })
}

async function restore(context: VerbContext, from: string, passphraseFile: string | undefined): Promise<Answer> {
  const config = context.config()
  const passphrase = readPassphrase(passphraseFile)
  const container = await openContainer(resolve(from))
  const { heading } = container
  const counts = await restoreBackup({ container, passphrase, place: placeOf(config), dataDir: config.ASSAY_DATA_DIR })
  const { missing, noted, erased } = await withDatabase(config, async (sql, { missing }) => {
    const detail = { checksum: container.checksum, made_at: heading.made_at, made_by: heading.version }
    const isCurrent = missing.length === 0
    const noted = isCurrent && (await note(context, sql, 'backup.restore', detail))
    return { missing, noted, erased: isCurrent ? await repeatErasures(context, config, sql) : 0 }
  })
  const database = databaseText(config)
  return {
    value: {
      database,
      ...viewOf({ ...container, counts }),
      missing_migrations: missing,
      in_audit_log: noted,
      erased_again: erased,
    },
    text: [
      counts
        ? `Restored to ${database}: ${contentText({ ...container, counts })}.`
        : `An earlier run had restored this backup to ${database}; its last step is now complete.`,
      `It is the state of ${heading.made_at}: later changes are lost, and keys revoked since then are valid again.`,
      erasuresText(config, erased),
      secretText(heading, config),
      ...(missing.length > 0
        ? [`It is from Assay ${heading.version} and lacks ${missing.length} migrations: run \`assayd migrate\`.`]
        : []),
      ...(noted ? [] : [NOT_NOTED]),
      'Prove the books: assayd ledger verify',
    ],
  }
}

/** Erases what was erased after the backup was made; a server does the same when it starts. */
async function repeatErasures(context: VerbContext, config: Config, sql: Sql): Promise<number> {
  const { clock } = await openServiceTime(sql, { machine: context.machine })
  const rules = { plans: loadPlans(config.ASSAY_PLANS_FILE), settings: billingSettingsOf(config), provider: 'invoice' }
  return eraseAgain({ ...rules, sql, clock, erasuresFile: erasuresFileOf(config), baseUrl: config.baseUrl })
}

function erasuresText(config: Config, erased: number): string {
  const file = erasuresFileOf(config)
  if (!existsSync(file)) {
    return `There is no list of erasures at ${file}. If anything was erased since then, put the list there before the server starts.`
  }
  return `By the list ${file}, ${erased} later ${erased === 1 ? 'erasure was' : 'erasures were'} done again; the server compares it at every start.`
}

async function verify(context: VerbContext, { from, passphraseFile }: Given<'from' | 'passphraseFile'>) {
  if (from === undefined) throw new VerbError('--from: is missing. Name the backup: assayd backup verify --from <file>')
  const config = context.config()
  const file = resolve(from)
  context.giveWay?.()
  const passphrase = readPassphrase(passphraseFile)
  const container = await openContainer(file)
  const { heading } = container
  using copy = mkdtempDisposableSync(join(tmpdir(), 'assay-verify-'))
  using _ = clearOnSignal(copy.remove)
  const folder = copy.path
  const place = { engine: 'sqlite', file: sqliteFile(folder) } as const
  const counts = await fillDatabase(place, container.lines(passphrase), migrationsOf(heading), {
    onFile: (name, text) => writeKeptFile(folder, name, text),
  })
  const { applied, report } = await proveCopy(config, heading, folder)
  return {
    value: { file, ...viewOf({ ...container, counts }), migrated: applied, ledger: report },
    text: [
      `The backup ${file} is complete: ${contentText({ ...container, counts })}.`,
      `Made ${heading.made_at} by Assay ${heading.version} from ${heading.engine}; ${heading.encryption ? 'encrypted' : 'not encrypted'}.`,
      ...(applied.length > 0
        ? [`A test copy was migrated to this version by ${applied.length} migrations without errors.`]
        : []),
      reportText(report),
      secretText(heading, config),
    ],
    exitCode: report.clean ? 0 : 2,
  }
}

/** Migrates the copy, as a server would, and verifies its ledger and audit log. */
async function proveCopy(config: Config, heading: Heading, folder: string) {
  const copy = await openStore({ dataDir: folder })
  await using _ = { [Symbol.asyncDispose]: () => copy.close() }
  const { applied } = await migrate(copy)
  const { clock } = await openServiceTime(copy)
  const ring = secretHere(heading, config) === 'fits' ? await openConfiguredRing(config, { sql: copy, clock }) : null
  const anchorsFile = anchorsFileOf({ ...config, ASSAY_DATA_DIR: folder })
  return { applied, report: await verifyLedger(copy, { anchorsFile, ...(ring && { ring }) }) }
}

const NOT_NOTED = 'It could not be recorded in the audit log of this database.'

/**
 * Records it in the audit log; false if that is impossible, as with a standby or a read-only role. The action itself is
 * not undone.
 */
async function note(context: VerbContext, sql: Sql, action: AuditAction, detail: object): Promise<boolean> {
  try {
    const { clock } = await openServiceTime(sql, { machine: context.machine })
    await changeIn(sql, clock, (tx) => audit(tx, operatorIn(''), action, null, { ...detail }))
    return true
  } catch {
    return false
  }
}

function readPassphrase(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new VerbError(`--passphrase-file: ${(error as Error).message}`)
  }
  const passphrase = text.split(/\r?\n/, 1)[0]?.normalize('NFC') ?? ''
  if (passphrase.length < PASSPHRASE_LENGTH_MIN) {
    throw new VerbError(
      `--passphrase-file: the first line of ${file} has fewer than ${PASSPHRASE_LENGTH_MIN} characters. Create one: openssl rand -base64 24`,
    )
  }
  return passphrase
}

type Viewed = Pick<Container, 'heading' | 'bytes' | 'checksum'> & { readonly counts: Counts | undefined }

function viewOf({ heading: { encryption, ...about }, bytes, checksum, counts }: Viewed) {
  const { rows, tables, files } = counts ?? {}
  return { ...about, encrypted: encryption !== null, bytes, checksum, ...(counts && { rows, tables, files }) }
}

function contentText({ bytes, checksum, counts }: Pick<BackupMade, 'bytes' | 'checksum' | 'counts'>): string {
  const tables = Object.keys(counts.tables).length
  return `${counts.rows} rows of ${tables} tables and ${counts.files} files, ${sizeText(bytes)}, checksum ${checksum.slice(0, 16)}…`
}

function secretHere({ secrets }: Heading, config: Config): 'fits' | 'other' | 'none' {
  const secret = findSecret(config)
  if (secret === undefined) return 'none'
  return secrets?.includes(secretIdOf(secret)) ? 'fits' : 'other'
}

const WITHOUT_SECRET =
  'Without it the server does not start on this data, and signing keys, sign-ins and stored answers stay sealed; verbs and `assayd ledger verify` work, except for the signatures of anchors.'

/** Describes the secret: which one is needed, and whether it is here. */
function secretText(heading: Heading, config: Config): string {
  const { secrets } = heading
  if (secrets === null) return 'It is older than the names of secrets: keep the ASSAY_SECRET of its server.'
  const needed = secrets.at(-1)
  if (needed === undefined) return 'Nothing in it is sealed yet: it needs no secret.'
  const here = secretHere(heading, config)
  if (here === 'fits')
    return `The secret is not inside. It needs the secret ${needed}: the configured one matches. Store it separately from the backup.`
  const found = here === 'none' ? 'none is configured' : 'the configured one does not match'
  return `The secret is not inside. It needs the secret ${needed}: ${found}. ${WITHOUT_SECRET}`
}
