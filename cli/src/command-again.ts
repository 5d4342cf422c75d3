import type { Command } from 'commander'
import { harmless } from './terminal/paint.ts'

/** The command as it was entered, for a shell, without the options of `leaveOut`, which the caller adds again. */
export function commandAgain(command: Command, leaveOut: readonly string[]): string {
  const options = command.options.flatMap((option) => {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) !== 'cli' || leaveOut.includes(name)) return []
    const value: unknown = command.getOptionValue(name)
    if (typeof value === 'boolean') return [option.long ?? '']
    return [value].flat().flatMap((one) => [option.long ?? '', quoted(String(one))])
  })
  return [...namesOf(command), ...command.args.map(quoted), ...options].join(' ')
}

const namesOf = (command: Command): string[] => [...(command.parent ? namesOf(command.parent) : []), command.name()]

const quoted = (text: string) => (/^[\w./@:-]+$/.test(text) ? text : `'${harmless(text).replaceAll("'", "'\\''")}'`)
