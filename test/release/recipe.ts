import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser, type Instruction, type PropertyInstruction } from 'dockerfile-ast'
import { ROOT } from '../../tools/release/places.ts'

export const deployFile = (name: string): string => readFileSync(join(ROOT, 'deploy', name), 'utf8')

const recipe = DockerfileParser.parse(deployFile('Containerfile'))

export function instructions(keyword: string): Instruction[] {
  return recipe.getInstructions().filter((one) => one.getKeyword() === keyword)
}

/** The last one counts, as it does to an engine. */
function last(keyword: string): Instruction {
  const found = instructions(keyword).at(-1)
  if (!found) throw new Error(`the recipe has no ${keyword}`)
  return found
}

export const argumentsOf = (keyword: string): string[] =>
  last(keyword)
    .getArguments()
    .map((one) => one.getValue())

/** A command in the form that no shell reads. */
function commandOf(keyword: string): string[] {
  const text = last(keyword).getRawArgumentsContent() ?? ''
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

export const environment: Readonly<Record<string, string>> = Object.fromEntries(
  (instructions('ENV') as PropertyInstruction[])
    .flatMap((one) => one.getProperties())
    .map((property) => [property.getName(), property.getValue() ?? '']),
)
/** The command of the container. */
export const entryCommand: readonly string[] = [...commandOf('ENTRYPOINT'), ...commandOf('CMD')]
export const healthCommand: readonly string[] = commandOf('HEALTHCHECK')
