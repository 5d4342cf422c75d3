import { Command, CommanderError } from 'commander'
import { BackupRefused } from '../backup/refused.ts'
import { registerInvoiceVerbs } from '../billing/invoices/verbs.ts'
import { registerLedgerVerbs, registerPlanVerbs } from '../billing/ledger/verbs.ts'
import { registerPaymentVerbs } from '../billing/payments/verbs.ts'
import { PlansError } from '../billing/plans.ts'
import { registerOrgVerbs } from '../billing/subscription/verbs.ts'
import { ConfigError } from '../config.ts'
import { SchemaRefused } from '../db/migrate.ts'
import { StoreUnavailable } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { CatalogueInvalid } from '../feeds/catalogue.ts'
import { VerbRefused } from '../feeds/verbs.ts'
import { registerAuditVerbs } from '../identity/audit-verbs.ts'
import { registerClientVerbs } from '../identity/clients/verbs.ts'
import { registerKeyVerbs } from '../identity/keys/verbs.ts'
import { registerUserVerbs } from '../identity/people/verbs.ts'
import { registerLiveVerbs } from '../live/verbs.ts'
import { SnapshotRefused } from '../snapshot/format.ts'
import { registerStatusVerb } from '../status/verbs.ts'
import { VERSION } from '../version.ts'
import { registerBackup, registerRestore } from './backup.ts'
import { type OperatorContext, OperatorError, verb } from './context.ts'
import { registerFeeds, registerIntel } from './feeds.ts'
import { registerMailVerbs } from './mail.ts'
import { registerMigrate } from './migrate.ts'
import { registerOAuthVerbs } from './oauth.ts'
import { registerSecretVerbs } from './secret.ts'

/** What runs on after the verb has returned; handed in, because only the program's start may know the server. */
export interface Servers {
  readonly serve: (options: { readonly json: boolean }) => Promise<void>
  readonly engine: (options: { readonly json: boolean }) => Promise<void>
}

/** Runs one command line; resolves with its exit code. Everything it says goes through the context. */
export async function runAssayd(args: readonly string[], context: OperatorContext, servers: Servers): Promise<number> {
  try {
    await createProgram(context, servers).parseAsync([...args], { from: 'user' })
    return context.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    context.writeError(`${plainly(error as Error)}\n`)
    return 1
  }
}

function createProgram(context: OperatorContext, servers: Servers): Command {
  const program = new Command('assayd')
    .description('Assay: a self-hosted risk-intelligence service')
    .version(VERSION)
    .configureOutput({ writeOut: context.write, writeErr: context.writeError })
    .showHelpAfterError('(assayd --help shows what there is)')
    .exitOverride()
  verb(program, 'serve', 'start the server').action((options: { json?: boolean }) =>
    servers.serve({ json: options.json ?? false }),
  )
  verb(program, 'engine', 'serve evaluation alone, for API nodes that set ASSAY_ENGINE_URL').action(
    (options: { json?: boolean }) => servers.engine({ json: options.json ?? false }),
  )
  registerStatusVerb(program, context)
  registerMigrate(program, context)
  registerOrgVerbs(program, context)
  registerKeyVerbs(program, context)
  registerPlanVerbs(program, context)
  registerLedgerVerbs(program, context)
  registerInvoiceVerbs(program, context)
  registerPaymentVerbs(program, context)
  registerBackup(program, context)
  registerRestore(program, context)
  registerFeeds(program, context)
  registerIntel(program, context)
  registerLiveVerbs(program, context)
  registerClientVerbs(program, context)
  registerUserVerbs(program, context)
  registerAuditVerbs(program, context)
  registerOAuthVerbs(program, context)
  registerSecretVerbs(program, context)
  registerMailVerbs(program, context)
  return program
}

/** Errors whose message says all there is to say. */
const EXPECTED = [
  BackupRefused,
  CatalogueInvalid,
  ConfigError,
  OperatorError,
  PlansError,
  SchemaRefused,
  SnapshotRefused,
  StoreUnavailable,
  VerbRefused,
]

/** What the operator or the surroundings did wrong in one line; anything else with its stack, for a report. */
function plainly(error: Error & { code?: string; port?: number }): string {
  if (error.code === 'EADDRINUSE') return `Port ${error.port} is taken. Choose another: PORT=8081 npm start`
  if (error.code === 'EACCES' && error.port) {
    return `Port ${error.port} may not be opened by this user. Choose one above 1023.`
  }
  if (error instanceof Problem) return error.detail
  const expected = EXPECTED.some((kind) => error instanceof kind)
  return expected ? error.message : (error.stack ?? error.message)
}
