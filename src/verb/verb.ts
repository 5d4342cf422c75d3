import { readFileSync } from 'node:fs'
import { Argument, type Command, Option } from 'commander'
import { type VerbContext, VerbError } from './context.ts'

/** The result of a verb, once for programs and once for people. */
export interface Answer {
  /** Printed with --json. */
  readonly value: unknown
  /** Printed otherwise: a text, or lines. */
  readonly text: string | readonly string[]
  /** Signals a finding to a script; default 0. */
  readonly exitCode?: number
}

/** An option (`--name <value>`) or an argument (`<name>`, `[name]`). `T` is the type of its value. */
interface Input<T> {
  readonly flags: string
  readonly about: string
  readonly mandatory?: boolean
  readonly parse?: ((text: string, before: never) => T) | undefined
  readonly fallback?: NoInfer<T>
}

type Inputs = Readonly<Record<string, Input<unknown>>>
export type Values<Of extends Inputs> = { readonly [K in keyof Of]: Of[K] extends Input<infer T> ? T : never }

export function required(flags: string, about: string): Input<string>
export function required<T>(flags: string, about: string, parse: (text: string) => T): Input<T>
export function required<T>(flags: string, about: string, parse?: (text: string) => T): Input<T> {
  return { flags, about, mandatory: true, parse }
}

export function optional(flags: string, about: string): Input<string | undefined>
export function optional<T>(flags: string, about: string, parse: (text: string) => T): Input<T | undefined>
export function optional<T>(flags: string, about: string, parse?: (text: string) => T): Input<T | undefined> {
  return { flags, about, parse }
}

export function withDefault(flags: string, about: string, fallback: string): Input<string>
export function withDefault<T>(flags: string, about: string, fallback: NoInfer<T>, parse: (text: string) => T): Input<T>
export function withDefault<T>(flags: string, about: string, fallback: T, parse?: (text: string) => T): Input<T> {
  return { flags, about, fallback, parse }
}

/** An option without a value. */
export function flag(flags: string, about: string): Input<boolean | undefined> {
  return { flags, about }
}

/** An option with several values, such as `--only <id...>`. */
export function several(flags: string, about: string): Input<string[] | undefined> {
  return { flags, about }
}

export function repeated(flags: string, about: string): Input<string[]> {
  return { flags, about, fallback: [], parse: (text, before: string[]) => [...before, text] }
}

/** Opens the resources of a verb, runs it, and always closes them. */
export type Opener<Work> = (context: VerbContext, run: (work: Work) => Promise<Answer>) => Promise<Answer>

/** For verbs that open nothing, or open resources themselves. */
export const withoutStore: Opener<VerbContext> = (context, run) => run(context)

/**
 * Returns a function that adds verbs to `parent`. Every verb has --json. The types of its values follow from its
 * inputs; `json` is among them for verbs that report progress.
 */
export function verbsOf<Work>(parent: Command, context: VerbContext, open: Opener<Work>) {
  return <Of extends Inputs>(name: string, about: string, inputs: Of) => ({
    runs(run: (work: Work, values: Values<Of> & { readonly json: boolean }) => Promise<Answer> | Answer): Command {
      const command = parent.command(name).description(about).option('--json', 'print JSON for programs')
      const readers = Object.entries(inputs).map(([key, input]) => [key, declare(command, input)] as const)
      return command.action(async () => {
        const json = command.optsWithGlobals().json === true
        const values = Object.fromEntries(readers.map(([key, read]) => [key, read()])) as Values<Of>
        const { value, text, exitCode } = await open(context, async (work) => run(work, { ...values, json }))
        context.write(`${json ? JSON.stringify(value, null, 2) : [text].flat().join('\n')}\n`)
        if (exitCode !== undefined) context.exitCode = exitCode
      })
    },
  })
}

/** Returns a function that reads the value after the command line is parsed. */
function declare(command: Command, { flags, about, mandatory = false, parse, fallback }: Input<unknown>) {
  if (!flags.startsWith('-')) {
    const place = command.registeredArguments.length
    command.addArgument(new Argument(flags, about))
    return () => command.processedArgs[place] as unknown
  }
  const option = new Option(flags, about).makeOptionMandatory(mandatory)
  if (parse) option.argParser(parse as (text: string, before: unknown) => unknown)
  if (fallback !== undefined) option.default(fallback)
  command.addOption(option)
  // Includes the options of the parent verb: a verb and its parent may have an option of the same name.
  return () => command.optsWithGlobals()[option.attributeName()] as unknown
}

export const LIST_ROWS_MAX = 10_000

/** Words separated by blanks or commas. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}

export function wholeNumber(name: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^-?\d{1,15}$/.test(text) || value < min || value > max) {
      throw new VerbError(`${name}: ${JSON.stringify(text)} is not a whole number from ${min} to ${max}.`)
    }
    return value
  }
}

/** One of a few words from the command line. */
export function oneOfWords<const T extends string>(name: string, words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text)
    if (found === undefined) throw new VerbError(`${name}: must be one of ${words.join(', ')}.`)
    return found
  }
}

/** `option` names the option with the file. */
export function readJsonFile(file: string, option?: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const name = option === undefined ? file : `${option}: ${file}`
    throw new VerbError(`${name} cannot be read as JSON (${(error as Error).message}).`)
  }
}
