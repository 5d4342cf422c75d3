import { execFileSync, spawn as spawnProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { spawn as spawnPty } from '@lydell/node-pty'
import type { Context } from '../../cli/src/context.ts'
import { runAssay } from '../../cli/src/program.ts'

/** `assay` in three ways: in this process, as a process of its own, and in a terminal. */

const BIN = fileURLToPath(new URL('../../cli/bin/assay.js', import.meta.url))

export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A home of its own, so that nobody's login or settings play along. */
export interface Home {
  readonly folder: string
  path(name: string): string
  remove(): void
}

export function createHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'assay-home-'))
  mkdirSync(join(folder, '.config'))
  return {
    folder,
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface Call {
  readonly home: Home
  readonly env?: Record<string, string>
  readonly stdin?: string | Buffer
  readonly terminal?: boolean
  readonly columns?: number
  readonly now?: () => number
  readonly sleep?: Context['sleep']
  readonly signal?: AbortSignal
  readonly openBrowser?: (url: string) => void
}

export async function assay(args: readonly string[], call: Call): Promise<Result> {
  const out: string[] = []
  const err: string[] = []
  const output = (lines: string[]) => ({
    write: (text: string) => {
      lines.push(text)
      return true
    },
    drained: async () => {},
    flushed: async () => {},
    isTTY: call.terminal ?? false,
    columns: call.columns ?? 80,
  })
  const stdin = Readable.from(call.stdin === undefined ? [] : [Buffer.from(call.stdin)])
  const code = await runAssay(args, {
    env: call.env ?? {},
    stdin: Object.assign(stdin, { isTTY: call.terminal ?? false }),
    stdout: output(out),
    stderr: output(err),
    fetch,
    now: call.now ?? (() => Date.now()),
    sleep: call.sleep ?? (async () => {}),
    interrupted: call.signal ?? new AbortController().signal,
    home: call.home.folder,
    openBrowser: call.openBrowser ?? (() => {}),
  })
  return { code, stdout: out.join(''), stderr: err.join('') }
}

function environment(home: Home, env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home.folder, TERM: 'xterm-256color', ...env }
}

/** The words of a command as a shell would split it. */
export function shellWords(command: string): string[] {
  const print = `"${process.execPath}" -p 'JSON.stringify(process.argv.slice(1))' --`
  return JSON.parse(execFileSync('sh', ['-c', `${print} ${command}`], { encoding: 'utf8' }))
}

/**
 * As a process; `kill` ends it without a word, `hangUp` stops reading its output. Standard output is read, or goes where
 * `stdout` says. With `fileKilobytes` no file it writes may become longer, as on a disk that is full.
 */
export function startAssay(
  args: readonly string[],
  home: Home,
  env: Record<string, string>,
  {
    stdout: to = 'pipe',
    stdin,
    fileKilobytes,
  }: { readonly stdout?: 'pipe' | number; readonly stdin?: string; readonly fileKilobytes?: number } = {},
) {
  const limit = fileKilobytes === undefined ? 'unlimited' : String(fileKilobytes)
  const limited = ['-c', `trap '' XFSZ; ulimit -f ${limit}; exec "$@"`, 'bash', process.execPath, BIN, ...args]
  const child = spawnProcess('bash', limited, {
    cwd: home.folder,
    env: environment(home, env),
    stdio: [stdin === undefined ? 'ignore' : 'pipe', to, 'pipe'],
  })
  child.stdin?.end(stdin)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Result & { signal: string | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code: code ?? -1, signal, stdout, stderr }))
  })
  return {
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    wrote: new Promise<void>((resolve) => child.stdout?.once('data', () => resolve())),
    hangUp: () => child.stdout?.destroy(),
  }
}

/**
 * A terminal drops its unread output some moments after its last process ended. So a shell stays
 * behind the command: it writes down how that ended, after everything the command wrote, and waits.
 */
const STAYING = `trap : INT; "$@"; printf '\\033]ended %d\\007' $?; read -r _`
const ENDED = '\u001b]ended '
const END_OF_CODE = '\u0007'

/** In a pseudo-terminal: what a person sees, and what they type. */
export function startInTerminal(
  args: readonly string[],
  home: Home,
  options: { env: Record<string, string>; columns: number },
) {
  const terminal = spawnPty('sh', ['-c', STAYING, 'sh', process.execPath, BIN, ...args], {
    cols: options.columns,
    rows: 40,
    cwd: home.folder,
    env: environment(home, options.env),
  })
  let written = ''
  const seen = () => written.split(ENDED)[0] ?? ''
  const waiting = new Set<() => void>()
  const ended = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode }) => resolve(exitCode))
    terminal.onData((text) => {
      written += text
      for (const check of waiting) check()
      const code = written.split(ENDED)[1]?.split(END_OF_CODE)
      if (code?.length !== 2) return
      resolve(Number(code[0]))
      terminal.kill()
    })
  })
  return {
    ended,
    seen,
    type: (text: string) => terminal.write(text),
    /** Resolves when the text has appeared. */
    shows: (text: string | RegExp) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (typeof text === 'string' ? !seen().includes(text) : !text.test(seen())) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of a terminal begin with one
const SEQUENCES = /\u001b\[[0-9;?]*[A-Za-z]/g

/** The lines as they stand on the screen: without colours, and of overwritten lines the last. */
export function screenLines(seen: string): string[] {
  return seen
    .replace(SEQUENCES, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, '').split('\r').at(-1) ?? '')
}

/** Every state a line was ever in, for measuring its width. */
export function everyLine(seen: string): string[] {
  return seen.replace(SEQUENCES, '').split(/[\r\n]+/)
}
