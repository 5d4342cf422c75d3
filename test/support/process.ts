import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '../../src/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { runAssayd } from '../../src/operator/program.ts'
import type { VerbContext } from '../../src/verb/context.ts'

/** In tests the released form of the server, which fresh-build.ts builds from the current sources. */
export const MAIN: string = fileURLToPath(
  new URL(process.env.VITEST ? '../../dist/server/src/main.js' : '../../src/main.ts', import.meta.url),
)

export interface VerbResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Only the variables that the program needs, so that a key in a developer's shell changes nothing. Feed refreshes and
 * live lookups are off, so that no test accesses the internet.
 */
function cleanEnvironment(env: Record<string, string>, main: string): Record<string, string> {
  // A program of an earlier version refuses unknown keys.
  const live = main === MAIN ? { ASSAY_LIVE: 'off' } : {}
  const quiet = { LOG_LEVEL: 'silent', ASSAY_FEEDS_REFRESH: 'off', ...live }
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  // The program has such a cache automatically, but not for its threads.
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
  return { PATH, HOME, ...cache, ...quiet, ...env }
}

/**
 * Runs an operator verb in this process: the whole program except its first lines, without the time to start a process.
 */
export async function assayd(args: readonly string[], env: Record<string, string>): Promise<VerbResult> {
  const [stdout, stderr]: string[][] = [[], []]
  const servers = { serve: unserved, engine: unserved }
  const context: VerbContext = {
    config: () => parseConfig(env),
    machine: systemClock,
    write: (text) => stdout!.push(text),
    writeError: (text) => stderr!.push(text),
    exitCode: 0,
  }
  const code = await runAssayd(args, context, servers)
  return { code, stdout: stdout!.join(''), stderr: stderr!.join('') }
}

async function unserved(): Promise<void> {
  throw new Error('servers are started with startProcess')
}

/** Runs the program as its own process, as an operator does. */
export async function assaydProcess(
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
  main = MAIN,
): Promise<VerbResult> {
  const child = spawn(process.execPath, [main, ...args], {
    env: cleanEnvironment(env, main),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout(), stderr: stderr() }
}

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  readonly demoKey: string | undefined
  /** Everything the process wrote after its first line. */
  output(): string
  /** Sends the signal without waiting. */
  signal(signal: NodeJS.Signals): void
  kill(signal: NodeJS.Signals): Promise<number | null>
}

export interface StartOptions {
  /** Modules loaded before the program, as `node --import` does. */
  readonly preload?: readonly URL[]
  /** The program of another version. */
  readonly main?: string
  /** A command that ends by running the given command in the same process. */
  readonly through?: readonly string[]
}

/** `assayd serve` (or engine) as its own process; resolves when it listens. */
export async function startProcess(
  env: Record<string, string>,
  verb: 'serve' | 'engine' = 'serve',
  { preload = [], main = MAIN, through = [] }: StartOptions = {},
): Promise<ServerProcess> {
  const imports = preload.flatMap((module) => ['--import', module.href])
  const [command = '', ...args] = [...through, process.execPath, ...imports, main, verb, '--json']
  const child = spawn(command, args, {
    env: cleanEnvironment(
      { PORT: '0', ASSAY_ENGINE_PORT: '0', HOST: '127.0.0.1', ASSAY_METRICS_PORT: 'off', ...env },
      main,
    ),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A run that ends early, by a failed test or a signal, leaves no server behind.
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  child.once('close', () => process.off('exit', onExit))
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const closed = once(child, 'close') as Promise<[number | null]>
  const ready = await Promise.race([firstReadyLine(child, stdout), closed.then(() => undefined)])
  if (!ready) throw new Error(`assayd ${verb} did not start: ${stderr()}${stdout()}`)
  return {
    url: ready.url,
    pid: child.pid!,
    demoKey: ready.demo_key ?? undefined,
    output: () => stdout() + stderr(),
    signal(signal) {
      child.kill(signal)
    },
    async kill(signal) {
      child.kill(signal)
      const [code] = await closed
      return code
    },
  }
}

async function firstReadyLine(
  child: ChildProcess,
  stdout: () => string,
): Promise<{ url: string; demo_key: string | null }> {
  for (;;) {
    const line = stdout()
      .split('\n')
      .find((text) => text.startsWith('{"url"'))
    if (line) return JSON.parse(line)
    await once(child.stdout!, 'data')
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}
