#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import type { Config } from './config.ts'
import type { Demo } from './demo.ts'

/** `assayd`: the server, and the operator's verbs. */

// Caching compiled code between starts halves the time of a verb. The imports below must come after it.
enableCompileCache()
// Only the owner may read files written from here on (database, secret, snapshots, backups).
process.umask(0o077)
const { parseConfig, readEnvironment } = await import('./config.ts')
const { systemContext } = await import('./verb/context.ts')
const { runAssayd } = await import('./operator/program.ts')

const config = (): Config => parseConfig(readEnvironment())
const context = systemContext(config)

process.exitCode = await runAssayd(process.argv.slice(2), context, {
  // Loaded on demand: the verbs need no part of the server and should start fast.
  async serve({ json }) {
    const { startNode } = await import('./serve.ts')
    const settings = config()
    const node = await startNode(settings, await loggerFor(settings, json))
    stopOnSignal(node.stop)
    if (json) tell(`${JSON.stringify({ url: node.url, demo_key: node.demo?.apiKey ?? null })}\n`)
    else tell(settings.production ? logLine(`Assay is ready on ${node.url}`) : welcome(node.url, settings, node.demo))
  },
  async engine({ json }) {
    const { startEngine } = await import('./serve.ts')
    const settings = config()
    const engine = await startEngine(settings, await loggerFor(settings, json))
    stopOnSignal(engine.stop)
    const ready = `Engine ready on ${engine.url}`
    if (json) tell(`${JSON.stringify({ url: engine.url })}\n`)
    else tell(settings.production ? logLine(ready) : `${ready}\n`)
  },
})

/** In production the output is JSON lines and nothing else; at a terminal elsewhere it is text for people. */
async function loggerFor({ LOG_LEVEL: level, production }: Config, json: boolean) {
  const { createLogger } = await import('./ops/logging.ts')
  return createLogger({ level, readable: !production && !json && process.stdout.isTTY })
}

/** Written whatever the log level is: somebody may wait for it. */
function logLine(msg: string): string {
  return `${JSON.stringify({ level: 'info', time: new Date(context.machine.now()).toISOString(), msg })}\n`
}

/** A running server continues even if nobody can read its output. */
function tell(text: string): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  context.write(text)
}

function welcome(url: string, settings: Config, demo: Demo | undefined): string {
  const lines = [
    '',
    `Assay is ready on ${url}`,
    `  front page     ${settings.baseUrl}/`,
    `  console        ${settings.baseUrl}/console`,
    `  API reference  ${settings.baseUrl}/docs`,
  ]
  if (demo) {
    lines.push(
      '',
      'The database was empty, so a demo organisation was created. Its credentials are shown only once. Try:',
      '',
      `  curl -s '${settings.baseUrl}/v1/payment-risk?explain=true' \\`,
      `    -H 'x-api-key: ${demo.apiKey}' -H 'content-type: application/json' \\`,
      `    -d '{"email":"paypal.security@gmail.com"}'`,
      '',
      `In the console, sign in as ${demo.email} with the password ${demo.password}`,
    )
  }
  return `${lines.join('\n')}\n\n`
}

/** A terminal, systemd or npx may send one signal twice: to the group, and from the parent process. */
const SAME_SIGNAL_MS = 1000

/** The first signal finishes the requests in progress; a later one exits immediately. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingSinceMs: number | undefined
  const onSignal = () => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(130)
      return
    }
    stoppingSinceMs = performance.now()
    stop().then(
      () => process.exit(0),
      (error: Error) => {
        context.writeError(`${error.message}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
