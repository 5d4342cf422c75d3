/** Tokens over HTTP: getting one against a bare Fastify route, and a check by token against one by API key. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { assayEnvironment, file, median, startAssay, startBare } from './server.ts'

const CONNECTIONS = 64
// Short and many, each held against the others of its round: a shared machine changes its speed by the second.
const ROUNDS = 9
const ROUND_SECONDS = 2

async function rate(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    headers,
    body,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const env = assayEnvironment(folder)
  const assayd = (...args: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, [file('../src/main.ts'), ...args, '--json'], {
        env: { PATH: process.env.PATH ?? '', ...env },
        encoding: 'utf8',
      }),
    )
  const bare = await startBare()
  const assay = await startAssay(env)
  try {
    const [organisation] = assayd('org', 'list')
    const client = assayd(
      ...['client', 'create', '--org', organisation.organisation_id, '--kind', 'service'],
      ...['--name', 'bench', '--scope', 'risk:payment'],
    )
    const check = JSON.stringify({ email: 'jane.doe@company.example' })
    const json = { 'content-type': 'application/json' }
    const form = 'grant_type=client_credentials'
    const tokenHeaders = {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`,
    }
    const answer = await fetch(`${assay.url}/oauth/token`, { method: 'POST', headers: tokenHeaders, body: form })
    const { access_token } = (await answer.json()) as { access_token: string }
    const rates = { bare: [] as number[], token: [] as number[], key: [] as number[], bearer: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      rates.bare.push(await rate(`${bare.url}/v1/payment-risk`, json, check))
      rates.token.push(await rate(`${assay.url}/oauth/token`, tokenHeaders, form))
      const url = `${assay.url}/v1/payment-risk`
      rates.key.push(await rate(url, { ...json, 'x-api-key': assay.apiKey }, check))
      rates.bearer.push(await rate(url, { ...json, authorization: `Bearer ${access_token}` }, check))
    }
    const perSecond = (of: readonly number[]) => `${Math.round(median(of))} requests/s`
    const ratio = (of: readonly number[], to: readonly number[]) =>
      median(of.map((one, round) => one / (to[round] ?? one))).toFixed(2)
    return [
      `bare Fastify, same schemas: ${perSecond(rates.bare)}`,
      `client-credentials token, SQLite: ${perSecond(rates.token)}, ratio ${ratio(rates.token, rates.bare)} (wanted 0.20)`,
      `charged check by API key: ${perSecond(rates.key)}, ratio ${ratio(rates.key, rates.bare)}`,
      `charged check by bearer token: ${perSecond(rates.bearer)}, ${ratio(rates.bearer, rates.key)} of the API key's (wanted 0.90)`,
    ]
  } finally {
    for (const server of [bare, assay]) server.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
