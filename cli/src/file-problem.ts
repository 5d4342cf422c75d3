import { CliError } from './context.ts'

export function fileProblem(error: unknown, name: string): CliError {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new CliError(`There is no file ${name}. Check its name.`)
  if (code === 'EACCES') return new CliError(`${name} may not be read by you. Check its permissions.`)
  return new CliError(`${name} cannot be read (${message}).`)
}
