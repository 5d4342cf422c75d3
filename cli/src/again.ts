import type { Command } from 'commander'
import { harmless } from './terminal/paint.ts'

/**
 * The command as it was entered, for a shell: its arguments and every option that was set. `leaveOut` names options, as
 * in the code, that the caller adds again.
 */
export function commandAgain(command: Command, leaveOut: readonly string[] = []): string {
  const options = command.options.flatMap((option) => {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) !== 'cli' || leaveOut.includes(name)) return []
    const value: unknown = command.getOptionValue(name)
    return typeof value === 'boolean' ? [option.long ?? ''] : [option.long ?? '', quoted(String(value))]
  })
  return ['assay', command.name(), ...command.args.map(quoted), ...options].join(' ')
}

const quoted = (text: string) => (/^[\w./@:-]+$/.test(text) ? text : `'${harmless(text).replaceAll("'", "'\\''")}'`)
