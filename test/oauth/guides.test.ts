import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/ports.ts'
import { MAIN, type ServerProcess, startProcess } from '../support/process.ts'
import { answerPages, Browser } from './support/browser.ts'
import { decideDevice } from './support/flow.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDES = join(ROOT, 'docs/guides')

/** The fenced shell commands of a guide, as one script. */
function commandsOf(guide: string): string {
  const text = readFileSync(join(GUIDES, guide), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1]).join('\n')
}

describe('the commands of the OAuth guides', () => {
  let server: ServerProcess
  let environment: Record<string, string>
  const folder = mkdtempSync(join(tmpdir(), 'assay-guides-'))

  beforeAll(async () => {
    const port = String(await freePort())
    environment = {
      ASSAY_DATA_DIR: join(folder, 'data'),
      PORT: port,
      HOST: 'localhost',
      ASSAY_DEVICE_INTERVAL_SECONDS: '1',
    }
    server = await startProcess(environment)
  })
  afterAll(async () => {
    await server.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs a guide in bash; `play` is told every line, and may answer what the script reads. */
  async function run(
    guide: string,
    play: (line: string, type: (text: string) => void) => Promise<void>,
  ): Promise<string> {
    // The real program, without the time npx takes to find it.
    const prelude = `set -euo pipefail\nnpx() { shift; "$NODE" ${JSON.stringify(MAIN)} "$@"; }\nnode() { "$NODE" "$@"; }\n`
    const child = spawn('bash', ['--norc', '--noprofile', '-c', prelude + commandsOf(guide)], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', NODE: process.execPath, BASE_URL: server.url, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let output = ''
    const played: Promise<void>[] = []
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    let rest = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) played.push(play(line, (text) => child.stdin.write(text)))
    })
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    await Promise.all(played)
    expect(code, output).toBe(0)
    return output
  }

  const opened = (line: string) => /^Open: (\S+)$/.exec(line)?.[1]

  it('client credentials', async () => {
    const output = await run('oauth-client-credentials.md', async () => {})
    expect(output).toContain('It has no secret')
  })

  it('authorization code', async () => {
    await run('oauth-authorization-code.md', async (line, type) => {
      const url = opened(line)
      if (!url) return
      const end = await answerPages(new Browser(server.url), url, {
        email: 'pat@example.com',
        password: 'a long enough password',
      })
      type(`${new URL(end.location).searchParams.get('code')}\n`)
    })
  })

  it('device', async () => {
    await run('oauth-device.md', async (line) => {
      const url = opened(line)
      if (!url) return
      const browser = new Browser(server.url)
      const { redirectTo } = await decideDevice(browser, new URL(url).searchParams.get('user_code') ?? '', 'allow')
      await answerPages(browser, redirectTo, { email: 'kim@example.com', password: 'a long enough password' })
    })
  })

  it('every OAuth guide is run', () => {
    expect(readdirSync(GUIDES).filter((name) => name.startsWith('oauth-'))).toEqual([
      'oauth-authorization-code.md',
      'oauth-client-credentials.md',
      'oauth-device.md',
    ])
  })
})
