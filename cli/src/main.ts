import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { type Context, EXIT, NOBODY_READS, type Output, STOPPED } from './context.ts'
import { runAssay } from './program.ts'

export async function main(): Promise<void> {
  const interrupt = new AbortController()
  process.on('SIGINT', () => {
    // A second signal ends the process immediately.
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted)
    interrupt.abort(STOPPED)
  })
  process.on('SIGTERM', () => interrupt.abort(STOPPED))
  // `assay … | head` closes the pipe: stop, so that nothing more is paid. Other errors are handled by the writer.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') interrupt.abort(NOBODY_READS)
  })
  process.stderr.on('error', () => {})
  const context: Context = {
    env: process.env,
    stdin: process.stdin,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    fetch: (input, init) => globalThis.fetch(input, init),
    now: () => Date.now(),
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    interrupted: interrupt.signal,
    home: homedir(),
    openBrowser,
  }
  process.exitCode = await runAssay(process.argv.slice(2), context)
  await context.stdout.flushed().catch(() => {})
  if (interrupt.signal.reason === NOBODY_READS) process.exitCode = EXIT.brokenPipe
  // A keep-alive connection must not delay the prompt.
  if (process.stdout.writableLength === 0 && process.stderr.writableLength === 0) process.exit()
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // The callback runs when all earlier output was written or failed.
  const flushed = () =>
    new Promise<void>((resolve, reject) => stream.write('', (error) => (error ? reject(error) : resolve())))
  return {
    write: (text) => stream.write(text),
    drained: async () => (stream.writableNeedDrain || stream.errored ? flushed() : undefined),
    flushed,
    get isTTY() {
      return stream.isTTY === true
    },
    get columns() {
      return stream.columns || 80
    },
  }
}

function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url]
  // The link is always printed: a failure to open the browser needs no message.
  spawn(command ?? '', args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
