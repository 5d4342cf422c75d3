import type { Readable } from 'node:stream'

/** The keys of this command line. The server knows them, too, so that a shell may hold both. */
export const ENVIRONMENT_KEYS = ['ASSAY_URL', 'ASSAY_API_KEY', 'ASSAY_CLIENT_ID', 'ASSAY_CLIENT_SECRET'] as const
/** What it looks at beside its own. */
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
  /** Aborted by Ctrl-C. */
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

/** What a script sees. */
export const EXIT = { low: 0, error: 1, medium: 10, high: 20, interrupted: 130 } as const
