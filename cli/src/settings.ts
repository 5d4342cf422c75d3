import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Answer } from './answer.ts'
import { CliError, type Context } from './context.ts'
import { tryLock } from './lock.ts'
import { harmless } from './terminal/paint.ts'

/** Files stored between two calls: settings, and logins that only their owner can read. */

export const SETTINGS = {
  url: { about: 'address of the service', check: isAddress, wanted: 'an http or https address' },
  client_id: {
    about: 'application to sign in as',
    check: (text: string) => /^[\x21-\x7e]{1,100}$/.test(text),
    wanted: 'a client id',
  },
} as const

export type SettingName = keyof typeof SETTINGS
export type Settings = Partial<Record<SettingName, string>>

export interface Login {
  readonly client_id: string
  readonly access_token: string
  readonly refresh_token?: string
  readonly expires_at_ms: number
  readonly scope: string
}

const DEFAULT_URL = 'http://localhost:8080'
const DEFAULT_CLIENT_ID = 'assay-cli'

function settingsFolder({ env, home }: Context): string {
  // XDG Base Directory specification: a relative path is ignored.
  const base = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config')
  return join(base, 'assay')
}

const settingsFile = (context: Context) => join(settingsFolder(context), 'config.json')
const loginsFile = (context: Context) => join(settingsFolder(context), 'credentials.json')

export const readSettings = (context: Context): Settings => readJson(settingsFile(context)) as Settings

export function writeSettings(context: Context, settings: Settings): void {
  writePrivately(settingsFile(context), settings)
}

export function serviceUrl(context: Context): string {
  const url = context.env.ASSAY_URL || readSettings(context).url || DEFAULT_URL
  if (!isAddress(url)) throw new CliError(`ASSAY_URL is not an http or https address: ${JSON.stringify(url)}.`)
  return url.replace(/\/+$/, '')
}

export const clientIdOf = (context: Context) => readSettings(context).client_id || DEFAULT_CLIENT_ID

/** Logins by the address of their service: two services never see each other's tokens. */
export function readLogin(context: Context, url: string): Login | undefined {
  return (readJson(loginsFile(context)) as Record<string, Login>)[url]
}

export function writeLogin(context: Context, url: string, login: Login | undefined): void {
  const logins = readJson(loginsFile(context)) as Record<string, Login>
  if (login) logins[url] = login
  else delete logins[url]
  if (Object.keys(logins).length === 0) rmSync(loginsFile(context), { force: true })
  else writePrivately(loginsFile(context), logins)
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash
}

function readJson(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
    // A copied file may be readable by others.
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new CliError(`${file} cannot be read (${(error as Error).message}).`)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {}
  throw new CliError(`${file} is damaged. Delete it, and sign in again with: assay login`)
}

/** Writes the file atomically, and never readable by others, not even for a moment. */
function writePrivately(file: string, value: unknown): void {
  const partial = `${file}.${process.pid}.partial`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw new CliError(`${file} cannot be written (${(error as Error).message}).`)
  }
}

const LOCK_WAIT_MS = 50
const LOCK_TRIES = 600

/** One process at a time: a refresh token used twice ends the whole login. */
export async function withLoginLock<T>(context: Context, fn: () => Promise<T>): Promise<T> {
  const file = `${loginsFile(context)}.lock`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    const release = tryLock(file)
    if (release) {
      try {
        return await fn()
      } finally {
        release()
      }
    }
    await context.sleep(LOCK_WAIT_MS, context.interrupted)
  }
  throw new CliError(`Another assay command has locked ${file}. Delete it if none is running.`)
}

export function listSettings(context: Context): Answer {
  const settings = readSettings(context)
  const lines = Object.entries(SETTINGS).map(([name, { about }]) => {
    const value = settings[name as SettingName]
    return `${name} = ${value === undefined ? `(default) ${about}` : harmless(value)}`
  })
  return { value: settings, text: () => lines.join('\n') }
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
