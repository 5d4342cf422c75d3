import type { Readable } from 'node:stream'

/** The keys of this command line. The server knows them, too, so that a shell may hold both. */
export const ENVIRONMENT_KEYS = ['ASSAY_URL', 'ASSAY_API_KEY', 'ASSAY_CLIENT_ID', 'ASSAY_CLIENT_SECRET'] as const
/** Keys of others that it reads. */
type ForeignKey = 'NO_COLOR' | 'TERM' | 'XDG_CONFIG_HOME' | 'SSH_CONNECTION'

/** Everything a command takes from its surroundings. */
export interface Context {
  readonly env: Readonly<Partial<Record<(typeof ENVIRONMENT_KEYS)[number] | ForeignKey, string | undefined>>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Aborted with an Interruption. */
  readonly interrupted: AbortSignal
  readonly home: string
  /** Opens an address in the person's browser, as well as the system can. */
  readonly openBrowser: (url: string) => void
}

export interface Output {
  write(text: string): boolean
  /** Resolves when there is room again; rejects when nothing more can be written. */
  drained(): Promise<void>
  /** Resolves when everything has left; rejects when it cannot. */
  flushed(): Promise<void>
  readonly isTTY: boolean
  readonly columns: number
}

/** A failure said in one line: what happened, and what to do next. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, options: { readonly exitCode?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'CliError'
    this.exitCode = options.exitCode ?? EXIT.error
  }
}

/** Exit codes for scripts. The last two are those of shells: 128 and the number of the signal. */
export const EXIT = { low: 0, error: 1, medium: 10, high: 20, interrupted: 130, brokenPipe: 141 } as const

/** Why a command ends before its end. */
export class Interruption extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

export const STOPPED = new Interruption('Stopped.', EXIT.interrupted)
export const NOBODY_READS = new Interruption(
  'Stopped: nobody reads the output any more (broken pipe), and it is not complete.',
  EXIT.brokenPipe,
)

/** Undefined when the failure has another cause. */
export function interruptionBehind(error: unknown, { interrupted }: Context): Interruption | undefined {
  if (error instanceof CliError) return undefined
  // It may reach the writer before the signal is set.
  if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return NOBODY_READS
  if (!interrupted.aborted) return undefined
  return interrupted.reason instanceof Interruption ? interrupted.reason : STOPPED
}
