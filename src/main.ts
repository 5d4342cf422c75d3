#!/usr/bin/env node
import { type Config, parseConfig, readEnvironment } from './config.ts'
import { systemContext } from './operator/context.ts'
import { runAssayd } from './operator/program.ts'

/** `assayd`: the server, and the operator's verbs. */

const config = (): Config => parseConfig(readEnvironment())
const context = systemContext(config)

process.exitCode = await runAssayd(process.argv.slice(2), context, {
  // Loaded when asked for: the verbs need nothing of the server and should start at once.
  async serve({ json }) {
    const { startNode } = await import('./serve.ts')
    const { createLogger } = await import('./ops/logging.ts')
    const settings = config()
    const node = await startNode(settings, createLogger({ level: settings.LOG_LEVEL }))
    stopOnSignal(node.stop)
    if (json) context.write(`${JSON.stringify({ url: node.url, demo_key: node.demoKey ?? null })}\n`)
    else context.write(welcome(node.url, settings, node.demoKey))
  },
  async engine({ json }) {
    const { startEngine } = await import('./serve.ts')
    const { createLogger } = await import('./ops/logging.ts')
    const settings = config()
    const engine = await startEngine(settings, createLogger({ level: settings.LOG_LEVEL }))
    stopOnSignal(engine.stop)
    context.write(json ? `${JSON.stringify({ url: engine.url })}\n` : `Engine ready on ${engine.url}\n`)
  },
})

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
      (error: Error) => {
        context.writeError(`${error.message}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
