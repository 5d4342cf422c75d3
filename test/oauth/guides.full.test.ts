import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as openid from 'openid-client'
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
    more = '',
  ): Promise<string> {
    // The real program, without the time npx takes to find it.
    const prelude = `set -euo pipefail\nnpx() { shift; "$NODE" ${JSON.stringify(MAIN)} "$@"; }\nnode() { "$NODE" "$@"; }\n`
    const child = spawn('bash', ['--norc', '--noprofile', '-c', prelude + commandsOf(guide) + more], {
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

  it('Apache: what the guide registers and sets fits the server, walked through as the modules would', async () => {
    const person = { email: 'ann@example.com', password: 'a long enough password' }
    await run(
      '../apache.md',
      async () => {},
      `\necho '${person.password}' | npx assayd user create --email ${person.email} --name Ann --org "$ORG" --role developer --password-stdin\n`,
    )
    const made = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const [apache, gate] = [made('apache-client.json'), made('gate-client.json')]
    const text = readFileSync(join(GUIDES, '../apache.md'), 'utf8')
    const settings = [...text.matchAll(/^```apache\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
    /** The values of a setting, in the order of the guide, with this server in place of the example's. */
    const values = (name: string) =>
      [...settings.join('\n').matchAll(new RegExp(`^${name} +"?(.*?)"?$`, 'gm'))].map((match) =>
        (match[1] ?? '').replaceAll('https://assay.example', server.url),
      )
    const [metadataUrl = ''] = values('OIDCProviderMetadataURL')
    const [redirectUri = ''] = values('OIDCRedirectURI')
    const [loggedOut = ''] = values('OIDCDefaultLoggedOutURL')
    expect(apache.redirect_uris).toEqual([redirectUri])
    expect(apache.logout_uris).toEqual([loggedOut])
    for (const scope of values('OIDCScope')) {
      for (const word of scope.split(' ')) expect(apache.scope.split(' ')).toContain(word)
    }

    const insecure = { execute: [openid.allowInsecureRequests] }
    const config = await openid.discovery(
      new URL(metadataUrl),
      apache.client_id,
      apache.client_secret,
      openid.ClientSecretBasic(apache.client_secret),
      insecure,
    )
    const metadata = config.serverMetadata()
    expect(metadata.code_challenge_methods_supported).toEqual(values('OIDCPKCEMethod'))
    expect(metadata.response_types_supported).toEqual(values('OIDCResponseType'))
    expect(metadata.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(values('OIDCProviderTokenEndpointAuth')),
    )
    expect(metadata.id_token_signing_alg_values_supported).toEqual(
      expect.arrayContaining(values('OIDCIDTokenSignedResponseAlg')),
    )
    const verifier = openid.randomPKCECodeVerifier()
    const start = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: values('OIDCScope').at(-1) ?? '',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const browser = new Browser(server.url)
    const end = await answerPages(browser, start.href, person)
    const tokens = await openid.authorizationCodeGrant(config, new URL(end.location), { pkceCodeVerifier: verifier })
    const sub = tokens.claims()?.sub ?? ''
    expect((await openid.fetchUserInfo(config, tokens.access_token, sub)).email).toBe(person.email)
    expect((await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).toEqual(
      expect.any(String),
    )

    // The gate asks about a token of its own organisation, and about one that is no token of Assay.
    const [verify = ''] = values('OAuth2TokenVerify')
    const [, address, options = ''] = verify.split(' ')
    expect(address).toBe(metadata.introspection_endpoint)
    expect(new URLSearchParams(options).get('introspect.auth')).toBe('client_secret_basic')
    const asGate = await openid.discovery(
      new URL(server.url),
      gate.client_id,
      gate.client_secret,
      openid.ClientSecretBasic(gate.client_secret),
      insecure,
    )
    expect(await openid.tokenIntrospection(asGate, tokens.access_token)).toMatchObject({ active: true, sub })
    const own = await openid.clientCredentialsGrant(asGate)
    const told = await openid.tokenIntrospection(asGate, own.access_token)
    expect([told.sub, told.scope]).toEqual([gate.client_id, 'risk:payment'])
    expect(settings.join('\n')).toContain(`Require oauth2_claim scope~${told.scope}\n`)
    expect(await openid.tokenIntrospection(asGate, tokens.id_token ?? '')).toEqual({ active: false })

    const out = openid.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: loggedOut,
    })
    const page = await (await browser.fetch(out.href)).text()
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
    const gone = await browser.fetch('/oauth/logout/confirm', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    })
    expect(gone.headers.get('location')).toBe(loggedOut)

    // The guide quotes the real answers of the server.
    const without = openid.buildAuthorizationUrl(config, { redirect_uri: redirectUri, scope: 'openid' })
    const refused = await fetch(without, { redirect: 'manual' })
    const said = new URL(refused.headers.get('location') ?? '').searchParams
    expect(text).toContain(`| \`${said.get('error')}\`, "${said.get('error_description')}" |`)
  })

  it('every OAuth guide is run', () => {
    expect(readdirSync(GUIDES).filter((name) => name.startsWith('oauth-'))).toEqual([
      'oauth-authorization-code.md',
      'oauth-client-credentials.md',
      'oauth-device.md',
    ])
  })
})
