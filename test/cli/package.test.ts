import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCli } from '../../cli/build.ts'
import manifest from '../../cli/package.json' with { type: 'json' }
import { buildSdk } from '../../sdk/build.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'))
const modules = join(folder, 'node_modules')
beforeAll(() => {
  mkdirSync(join(modules, '@assay'), { recursive: true })
  buildSdk(join(modules, '@assay', 'sdk'))
  buildCli(join(modules, '@assay', 'cli'))
  for (const name of ['commander', 'uqr', 'fflate', 'postal-mime']) {
    symlinkSync(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), join(modules, name))
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ failed: boolean; stdout: string; stderr: string }>((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } }
    execFile(join(modules, '@assay', 'cli', 'bin', 'assay.js'), args, options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr }),
    )
  })

it('the built command line runs as plain JavaScript', async () => {
  expect(await run(['--version'])).toEqual({ failed: false, stdout: `${manifest.version}\n`, stderr: '' })
  expect((await run(['bulk', '--help'])).stdout).toContain('--resume')
  expect(await run(['check', 'a.example'])).toMatchObject({
    failed: true,
    stderr: expect.stringContaining('assay login'),
  })
})

it('the built command line holds the reader of lists and workbooks', async () => {
  const file = join(folder, 'broken.xlsx')
  writeFileSync(file, 'PK\u0003\u0004')
  const { stderr } = await run(['bulk', file], { ASSAY_API_KEY: 'key' })
  expect(stderr).toContain('This workbook is damaged')
})
