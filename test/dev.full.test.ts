import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBrowser, visit } from './support/browser.ts'
import { freePort } from './support/ports.ts'

/** `npm run dev`, on a copy of the sources that may be broken. */

const ROOT = join(import.meta.dirname, '..')
const COPIED = ['src', 'console', 'docs', 'tools', 'package.json', 'plans.json', 'feeds.json']

let folder: string
let address: string
let env: Record<string, string>
let loop: ChildProcess
let output = ''

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assay-dev-')))
  const filter = (path: string) => !/\.test\.tsx?$|\/node_modules$/.test(path)
  for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true, filter })
  for (const name of ['node_modules', 'dist']) await symlink(join(ROOT, name), join(folder, name))
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    HOST: '127.0.0.1',
    PORT: String(port),
    ASSAY_DATA_DIR: join(folder, 'data'),
    ASSAY_METRICS_PORT: 'off',
    ASSAY_FEEDS_REFRESH: 'off',
    ASSAY_LIVE: 'off',
  }
  loop = startLoop()
  for (const stream of [loop.stdout!, loop.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
})

afterAll(async () => {
  loop.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function startLoop(): ChildProcess {
  return spawn(process.execPath, ['tools/dev.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function edit(name: string, change: (text: string) => string): Promise<void> {
  const path = join(folder, name)
  const text = await readFile(path, 'utf8')
  expect(change(text), `${name} holds what is to be changed`).not.toBe(text)
  await writeFile(path, change(text))
}

async function answerTo(path: string): Promise<string> {
  const response = await fetch(`${address}${path}`)
  return `${response.status} ${await response.text()}`
}

it('the first start says where to go and how to sign in', async () => {
  await expect.poll(() => output).toContain('the password')
  expect(output).toContain(`Assay is ready on ${address},`)
  expect(output).toContain(`${address}/console`)
})

it('the next answer after a save comes from the saved file', async () => {
  expect(await answerTo('/livez')).toBe('200 {"status":"live"}')
  await edit('src/ops/health.ts', (text) => text.replace("{ status: 'live' }", "{ status: 'alive' }"))
  await expect.poll(() => answerTo('/livez')).toBe('200 {"status":"alive"}')
})

it('a file that cannot be read is shown in place of answers until it is mended', async () => {
  await edit('src/ops/health.ts', (text) => `}${text}`)
  await expect.poll(() => answerTo('/livez')).toMatch(/^503 [\s\S]*SyntaxError/)
  expect(output).toContain('It starts again when a file is saved.')
  await edit('src/ops/health.ts', (text) => text.slice(1))
  await expect.poll(() => answerTo('/livez')).toBe('200 {"status":"alive"}')
})

it('a saved component changes the open page, where what the first start printed signs in', async () => {
  const [, email = '', password = ''] = /sign in as (\S+) with the password (\S+)/.exec(output) ?? []
  const { page, complaints, close } = await visit(await startBrowser())
  try {
    // An update that is sent before the page listens would be lost.
    const listening = page.waitForEvent('console', (message) => message.text() === '[vite] connected.')
    await page.goto(`${address}/console/keys`)
    await listening
    await page.getByLabel('Email address').fill(email)
    await edit('console/src/sign-in/credentials-form.tsx', (text) =>
      text.replace('{submission} label="Sign in"', '{submission} label="Enter"'),
    )
    await page.getByLabel('Password', { exact: true }).fill(password)
    // The text typed before the change is still there.
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('heading', { name: 'Keys and applications' }).waitFor()
    expect(complaints).toEqual([])
    // What the server writes into a page of its own making is shown by the page from the sources.
    await page.goto(`${address}/oauth/authorize?client_id=nobody&response_type=code`)
    await page.getByText('invalid_client').waitFor()
    await page.goto(`${address}/docs`)
    await page.getByText('Check an email address before a payment').first().waitFor()
  } finally {
    await close()
  }
})

it('a port that is taken is named', async () => {
  const second = startLoop()
  let said = ''
  second.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(second, 'close')
  expect(code).toBe(1)
  expect(said).toContain(`${env.PORT} is already in use. Stop what listens there`)
})

it('Ctrl-C ends all of it', async () => {
  expect(await processesOfCopy()).not.toEqual([])
  loop.kill('SIGINT')
  const [code] = await once(loop, 'exit')
  expect(code).toBe(0)
  expect(await processesOfCopy()).toEqual([])
})

it('SIGTERM to npm ends all of it too', async () => {
  // npm passes the signal to its shell: the program must have taken the shell's place.
  const npm = spawn('npm', ['run', 'dev'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await expect.poll(() => said).toContain('Assay is ready on')
  expect(await processesOfCopy()).not.toEqual([])
  npm.kill('SIGTERM')
  const [code] = await once(npm, 'exit')
  expect(code).toBe(0)
  expect(await processesOfCopy()).toEqual([])
})

/** The command lines of running programs that name the copy. */
async function processesOfCopy(): Promise<string[]> {
  expect(existsSync('/proc/self')).toBe(true)
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return commands.filter((command) => command.includes(folder)).map((command) => command.replaceAll('\0', ' '))
}
