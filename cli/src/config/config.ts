import { type AnswerOptions, printAnswer } from '../answer.ts'
import { CliError, type Context } from '../context.ts'
import { readSettings, SETTINGS, type SettingName, writeSettings } from '../settings.ts'
import { harmless } from '../terminal/paint.ts'

/** `assay config …` */

export function listSettings(context: Context, options: AnswerOptions): void {
  const settings = readSettings(context)
  const line = (name: string, about: string) => {
    const value = settings[name as SettingName]
    return `${name} = ${value === undefined ? `(default) ${about}` : harmless(value)}\n`
  }
  printAnswer(context, settings, options, () =>
    Object.entries(SETTINGS)
      .map(([name, { about }]) => line(name, about))
      .join(''),
  )
}

export function getSetting(context: Context, name: string): void {
  context.stdout.write(`${readSettings(context)[known(name)] ?? ''}\n`)
}

export function setSetting(context: Context, name: string, value: string): void {
  const setting = known(name)
  if (!SETTINGS[setting].check(value)) {
    throw new CliError(`${setting}: ${JSON.stringify(value)} is not ${SETTINGS[setting].wanted}.`)
  }
  writeSettings(context, { ...readSettings(context), [setting]: value })
}

export function unsetSetting(context: Context, name: string): void {
  const { [known(name)]: _gone, ...rest } = readSettings(context)
  writeSettings(context, rest)
}

function known(name: string): SettingName {
  if (Object.hasOwn(SETTINGS, name)) return name as SettingName
  throw new CliError(`There is no setting ${JSON.stringify(name)}. Settings: ${Object.keys(SETTINGS).join(', ')}.`)
}
