import { Command, CommanderError } from 'commander'
import { registerArchiveVerbs } from '../archive/verbs.ts'
import { BackupRefused } from '../backup/refused.ts'
import { registerInvoiceVerbs } from '../billing/invoices/verbs.ts'
import { registerLedgerVerbs, registerPlanVerbs } from '../billing/ledger/verbs.ts'
import { registerPaymentVerbs } from '../billing/payments/verbs.ts'
import { PlansError } from '../billing/plans.ts'
import { registerOrgVerbs } from '../billing/subscription/verbs.ts'
import { registerUsageVerbs } from '../billing/usage/verbs.ts'
import { ConfigError } from '../config.ts'
import { SchemaRefused } from '../db/migrate.ts'
import { StoreUnavailable } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { CatalogueInvalid } from '../feeds/catalogue.ts'
import { registerFeedVerbs } from '../feeds/feeds-verbs.ts'
import { registerIntelVerbs } from '../feeds/intel-verbs.ts'
import { registerAuditVerbs } from '../identity/audit-verbs.ts'
import { registerClientVerbs } from '../identity/clients/verbs.ts'
import { registerKeyVerbs } from '../identity/keys/verbs.ts'
import { registerUserVerbs } from '../identity/people/verbs.ts'
import { registerLeavingVerbs } from '../leaving/verbs.ts'
import { registerLiveVerbs } from '../live/verbs.ts'
import { registerMailVerbs } from '../mail/verbs.ts'
import { registerNotifyVerbs } from '../notify/verbs.ts'
import { registerOAuthVerbs } from '../oauth/verbs.ts'
import { registerCounterpartyVerbs } from '../own/counterparties/verbs.ts'
import { registerDecisionVerbs } from '../own/decisions/verbs.ts'
import { registerDomainVerbs } from '../own/domains/verbs.ts'
import { registerOwnListVerbs } from '../own/lists/verbs.ts'
import { registerCheckVerbs, registerFeedbackVerbs, registerReceiptVerbs } from '../record/verbs.ts'
import { SnapshotRefused } from '../snapshot/format.ts'
import { registerStatusVerb } from '../status/verbs.ts'
import { registerSupportVerbs } from '../support/verbs.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import type { Store } from '../verb/store.ts'
import { VERSION } from '../version.ts'
import { registerBackup, registerRestore } from './backup.ts'
import { registerMigrate } from './migrate.ts'
import { openConfiguredRing } from './ring.ts'
import { registerSecretVerbs } from './secret.ts'
import { findSecret } from './secret-file.ts'

/**
 * Programs that continue after their verb has returned; passed in, because only the program's entry point may import
 * the server.
 */
export interface Servers {
  readonly serve: (options: { readonly json: boolean }) => Promise<void>
  readonly engine: (options: { readonly json: boolean }) => Promise<void>
}

/**
 * Runs one command line; resolves with its exit code. All output goes through the context. With --json an error is one
 * line of JSON, also when the command line itself is wrong.
 */
export async function runAssayd(args: readonly string[], context: VerbContext, servers: Servers): Promise<number> {
  const json = args.includes('--json')
  try {
    await createProgram(context, servers, json ? () => {} : context.writeError).parseAsync([...args], { from: 'user' })
    return context.exitCode
  } catch (error) {
    const isUsage = error instanceof CommanderError
    if (isUsage && (!json || error.exitCode === 0)) return error.exitCode
    const message = isUsage ? error.message.replace(/^error: /, '') : plainly(error as Error)
    const code = isUsage ? 'usage' : error instanceof Problem ? error.code : 'failed'
    context.writeError(`${json ? JSON.stringify({ error: { code, message } }) : message}\n`)
    return 1
  }
}

export function createProgram(
  context: VerbContext,
  servers: Servers,
  writeErr: (text: string) => void = context.writeError,
): Command {
  const program = new Command('assayd')
    .description('Assay: a self-hosted risk-intelligence service')
    .version(VERSION)
    .configureOutput({ writeOut: context.write, writeErr })
    .showHelpAfterError('(assayd --help shows all commands)')
    .exitOverride()
  for (const [name, about] of [
    ['serve', 'start the server'],
    ['engine', 'start only the risk engine, for API nodes that set ASSAY_ENGINE_URL'],
  ] as const) {
    program
      .command(name)
      .description(about)
      .option('--json', 'print JSON for programs')
      .action(({ json = false }: { json?: boolean }) => servers[name]({ json }))
  }
  const openRing = (store: Store) => openConfiguredRing(context.config(), store)
  const findRing = async (store: Store) => (findSecret(context.config()) === undefined ? undefined : openRing(store))
  registerStatusVerb(program, context)
  registerMigrate(program, context)
  const org = registerOrgVerbs(program, context)
  registerDomainVerbs(org, context)
  registerKeyVerbs(program, context)
  registerCounterpartyVerbs(program, context, { openRing })
  registerOwnListVerbs(program, context)
  registerCheckVerbs(program, context, { openRing })
  registerDecisionVerbs(program, context)
  registerPlanVerbs(program, context)
  registerLedgerVerbs(program, context, { openRing, findRing })
  registerUsageVerbs(program, context)
  registerInvoiceVerbs(program, context)
  registerPaymentVerbs(program, context)
  registerArchiveVerbs(program, context, { openRing })
  registerBackup(program, context)
  registerRestore(program, context)
  registerFeedVerbs(program, context)
  registerIntelVerbs(program, context)
  registerLiveVerbs(program, context)
  registerClientVerbs(program, context)
  registerLeavingVerbs(program, context, { org, user: registerUserVerbs(program, context), findRing })
  registerAuditVerbs(program, context)
  registerOAuthVerbs(program, context, { openRing })
  registerReceiptVerbs(program, context, { openRing })
  registerFeedbackVerbs(program, context, { openRing })
  registerSecretVerbs(program, context)
  registerMailVerbs(program, context)
  registerNotifyVerbs(program, context)
  registerSupportVerbs(program, context)
  return program
}

/** Errors whose message is complete without a stack. */
const EXPECTED = [
  BackupRefused,
  CatalogueInvalid,
  ConfigError,
  PlansError,
  SchemaRefused,
  SnapshotRefused,
  StoreUnavailable,
  VerbError,
]

/** An expected error as one line; any other with its stack, for a report. */
function plainly(error: Error & { code?: string; port?: number }): string {
  if (error.code === 'EADDRINUSE') return `Port ${error.port} is taken. Choose another: PORT=8081 npm start`
  if (error.code === 'EACCES' && error.port) {
    return `Port ${error.port} may not be opened by this user. Choose one above 1023.`
  }
  if (error instanceof Problem) return error.detail
  const expected = EXPECTED.some((kind) => error instanceof kind)
  return expected ? error.message : (error.stack ?? error.message)
}
