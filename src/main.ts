#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { type Config, ConfigError, parseConfig, readEnvironment } from './config.ts'
import { registerClient } from './operator/client.ts'
import { OperatorError, systemContext, verb } from './operator/context.ts'
import { registerKey } from './operator/key.ts'
import { registerLedger, registerMigrate, registerPlan } from './operator/ledger.ts'
import { registerOAuthVerbs } from './operator/oauth.ts'
import { registerOrg } from './operator/org.ts'
import { registerUser } from './operator/user.ts'
import { createLogger } from './ops/logging.ts'
import { startEngine, startNode } from './serve.ts'

/** `assayd`: the server, and the operator's verbs. */

const config = (): Config => parseConfig(readEnvironment())
const context = systemContext(config)

const program = new Command('assayd')
  .description('Assay: a self-hosted risk-intelligence service')
  .version('1.0.0')
  .showHelpAfterError('(assayd --help shows what there is)')
  .exitOverride()

verb(program, 'serve', 'start the server').action(async (options: { json?: boolean }) => {
  const settings = config()
  const node = await startNode(settings, createLogger({ level: settings.LOG_LEVEL }))
  stopOnSignal(node.stop)
  if (options.json) context.write(`${JSON.stringify({ url: node.url, demo_key: node.demoKey ?? null })}\n`)
  else context.write(welcome(node.url, settings, node.demoKey))
})

verb(program, 'engine', 'serve evaluation alone, for API nodes that set ASSAY_ENGINE_URL').action(
  async (options: { json?: boolean }) => {
    const settings = config()
    const engine = await startEngine(settings, createLogger({ level: settings.LOG_LEVEL }))
    stopOnSignal(engine.stop)
    context.write(options.json ? `${JSON.stringify({ url: engine.url })}\n` : `Engine ready on ${engine.url}\n`)
  },
)

registerMigrate(program, context)
registerOrg(program, context)
registerKey(program, context)
registerPlan(program, context)
registerClient(program, context)
registerUser(program, context)
registerOAuthVerbs(program, context)
registerLedger(program, context)

function welcome(url: string, settings: Config, demoKey: string | undefined): string {
  const lines = [
    '',
    `Assay is ready on ${url}`,
    `  console        ${settings.baseUrl}/console`,
    `  API reference  ${settings.baseUrl}/docs`,
  ]
  if (demoKey) {
    lines.push(
      '',
      'The database was empty, so there is a demo organisation. Its key is shown this once. Try:',
      '',
      `  curl -s '${settings.baseUrl}/v1/payment-risk?explain=true' \\`,
      `    -H 'x-api-key: ${demoKey}' -H 'content-type: application/json' \\`,
      `    -d '{"email":"paypal.security@gmail.com"}'`,
    )
  }
  return `${lines.join('\n')}\n\n`
}

/** The first signal finishes what is under way; the second ends at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = () => {
    if (stopping) process.exit(130)
    stopping = true
    stop().then(
      () => process.exit(0),
      (error: Error) => fail(error.message),
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else if (error instanceof ConfigError || error instanceof OperatorError) fail(error.message)
  else fail(plainly(error as Error & { code?: string; port?: number }))
}

/** Faults of the surroundings in one line; anything else with its stack, for a report. */
function plainly(error: Error & { code?: string; port?: number }): string {
  if (error.code === 'EADDRINUSE') return `Port ${error.port} is taken. Choose another: PORT=8081 npm start`
  if (error.code === 'EACCES' && error.port)
    return `Port ${error.port} may not be opened by this user. Choose one above 1023.`
  if (error.name === 'StoreUnavailable' || error.name === 'Problem' || error.name === 'PlansError') return error.message
  return error.stack ?? error.message
}
