import type { Config } from '../config.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { yieldToOthers } from '../lib/niceness.ts'

/** The environment of every operator verb. */
export interface VerbContext {
  readonly config: () => Config
  /** This machine's clock; inside a store, "now" is the store's clock. */
  readonly machine: Clock
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** Lowers the priority of long work below the servers of this machine. Absent if others share the process. */
  readonly giveWay?: () => void
  /** The exit code of the program when no error was thrown. */
  exitCode: number
}

const NICER_BY = 10

export const systemContext = (config: () => Config): VerbContext => ({
  config,
  machine: systemClock,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  giveWay: () => yieldToOthers(NICER_BY),
  exitCode: 0,
})

/** The verb cannot run; shown to the operator as one line, exit code 1. */
export class VerbError extends Error {
  override name = 'VerbError'
}
