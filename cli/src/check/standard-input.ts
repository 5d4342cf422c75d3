import { CliError, type Context } from '../context.ts'

/** `assay check -`: what to check comes from standard input. */

const INPUT_BYTES_MAX = 32 * 1024 * 1024

/** The indicators as named, with those of standard input in the place of `-`. */
export async function withStandardInput(context: Context, named: readonly string[]): Promise<string[]> {
  if (!named.includes('-')) return [...named]
  const read = indicatorsIn(await readAll(context))
  if (read.length === 0) throw new CliError('Standard input holds nothing to check. Give one indicator a line.')
  return named.flatMap((one) => (one === '-' ? read : [one]))
}

/** One a line. */
function indicatorsIn(text: string): string[] {
  return text.split(/\r?\n|\r/).flatMap((line) => line.trim() || [])
}

async function readAll({ stdin, interrupted }: Context): Promise<string> {
  const onInterrupt = () => stdin.destroy(new Error('interrupted'))
  interrupted.addEventListener('abort', onInterrupt, { once: true })
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of stdin) {
      bytes += (part as Buffer).length
      if (bytes > INPUT_BYTES_MAX) throw new CliError('Standard input is longer than 32 MB.')
      parts.push(part as Buffer)
    }
  } finally {
    interrupted.removeEventListener('abort', onInterrupt)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
