import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openContainer } from '../../src/backup/container.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Sql } from '../../src/db/sql.ts'
import { sha256Hex } from '../../src/lib/hashing.ts'
import { assayd, startProcess } from '../support/process.ts'
import { createPlace, openPlace, RULE_ENGINES } from '../support/stores.ts'

/**
 * Nobody else may learn which indicators a customer asks about. A real server is asked in every way there is; then every
 * byte that it left anywhere is searched for what it was asked about.
 */

/** Nothing else on earth is called so. */
const MARK = 'q7zkx4vw'
const EMAILS = [`jane.${MARK}@mail-${MARK}.example`, `joe+${MARK}@mail-${MARK}.example`] as const
const DOMAINS = [`supplier-${MARK}.example`, `bücher-${MARK}.example`]
const IPS = ['203.0.113.213', '2001:db8:7a3c:55d1:9e2b:61f0:4c8d:b317']
/** Bank accounts, which are kept as digests, and the digits of them that nothing else has. */
const ACCOUNTS = ['DE33502109007318264957', '40-47-84 70872495', '021000021 7708124953']
/** The domain of it would be recorded even of an entry that a person made. */
const RULED = 'boss@w8yqzjx3.example'
const SEARCHED = [MARK, 'w8yqzjx3', ...IPS, '2109007318264957', '70872495', '7708124953']

const CHECKS = [
  { path: '/v1/payment-risk', one: 'email', many: 'emails', values: EMAILS },
  { path: '/v1/supply-chain-risk', one: 'domain', many: 'domains', values: DOMAINS },
  { path: '/v1/infrastructure-risk', one: 'ip', many: 'ips', values: IPS },
] as const

describe.each(RULE_ENGINES)('what was asked about, on %s', (engine) => {
  it('is found in no file, table, backup or log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-kept-nowhere-'))
    const { place, remove } = await createPlace(engine)
    const env = {
      ASSAY_DATA_DIR: folder,
      LOG_LEVEL: 'trace',
      ...(place.engine === 'postgres' ? { ASSAY_DATABASE_URL: place.url } : {}),
    }
    const server = await startProcess(env)
    try {
      const apiKey = server.demoKey ?? ''
      const token = await serviceToken(server.url, env)
      const key = await organisationKey(env)
      // Everything goes on record.
      const all = await fetch(`${server.url}/v1/organisation`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'x-api-key': key, 'if-match': '*' },
        body: JSON.stringify({ history: 'all' }),
      })
      const { id: organisationId } = (await all.json()) as { id: string }
      const hashes: string[] = []
      let keys = 0
      async function ask(path: string, body: unknown, headers: Record<string, string>): Promise<string> {
        const text = JSON.stringify(body)
        hashes.push(sha256Hex(text), sha256Hex(`POST ${path}\n${sha256Hex(text)}`))
        const response = await fetch(`${server.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: text,
        })
        expect([200, 201, 422], await response.clone().text()).toContain(response.status)
        return response.text()
      }
      for (const who of [{ 'x-api-key': apiKey }, { authorization: `Bearer ${token}` }]) {
        for (const { path, one, many, values } of CHECKS) {
          for (const explain of ['', '?explain=true']) {
            for (const [i, value] of values.entries()) {
              await ask(`${path}${explain}`, { [one]: value }, who)
              const once = { ...who, 'idempotency-key': `once-${++keys}` }
              const answer = await ask(`${path}${explain}`, { [one]: value }, once)
              expect(await ask(`${path}${explain}`, { [one]: value }, once)).toBe(answer)
              // Another request under the same key, and one that is no request at all.
              expect(await ask(path, { [one]: values[1 - i] }, once)).toContain('idempotency_key_reused')
              await ask(path, { [one]: `${value} is no indicator` }, once)
            }
            const once = { ...who, 'idempotency-key': `once-${++keys}` }
            const answer = await ask(`${path}/bulk${explain}`, { [many]: values }, once)
            expect(await ask(`${path}/bulk${explain}`, { [many]: values }, once)).toBe(answer)
            expect(answer).toContain(JSON.stringify(values[0]))
          }
        }
      }

      const found = `${server.url}/v1/checks?limit=200&indicator=${encodeURIComponent(EMAILS[1])}`
      const kept = await (await fetch(found, { headers: { 'x-api-key': key } })).text()
      const count = JSON.parse(kept).data.length
      expect([count, kept.includes(EMAILS[1])]).toEqual([12, true])
      const erase = ['checks', 'erase', '--org', organisationId, '--indicator', EMAILS[1]]
      expect((await assayd(erase, env)).stdout).toBe(`${count} checks are erased.\n`)
      expect(JSON.parse(await (await fetch(found, { headers: { 'x-api-key': key } })).text()).data).toEqual([])

      // The one place where an indicator is readable: an own list. Erased with the history, it is in no file any more.
      const check = JSON.parse(await ask('/v1/payment-risk?explain=true', { email: RULED }, { 'x-api-key': key }))
      const told = await fetch(`${server.url}/v1/checks/${check.check_id}/feedback`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ wrong: 'too_low', reason: `${RULED} is a fraud`, own_list: 'block' }),
      })
      expect(told.status, await told.text()).toBe(200)
      expect(await ask('/v1/payment-risk?explain=true', { email: RULED }, { 'x-api-key': key })).toContain('own.block')
      const ruled = ['checks', 'erase', '--org', organisationId, '--indicator', RULED]
      expect((await assayd(ruled, env)).stdout).toBe(
        '2 checks are erased.\nOwn lists still name it in 1 entry: --own-lists removes them, too.\n',
      )
      expect((await assayd([...ruled, '--own-lists'], env)).stdout).toContain('1 entry of own lists removed.\n')

      const who = () => ({ 'x-api-key': key, 'idempotency-key': `once-${++keys}` })
      await ask('/v1/counterparties', { name: 'Acme', domains: ['acme.example'], accounts: ACCOUNTS }, who())
      const wrong = ACCOUNTS.map((account) => `${account} and more`)
      const refused = { name: ACCOUNTS[0], note: ACCOUNTS[0], networks: ACCOUNTS, since: ACCOUNTS[0], accounts: wrong }
      await ask('/v1/counterparties', refused, who())
      const begun = JSON.parse(await ask('/v1/counterparties/imports', { rows: 2 }, who()))
      const rows = [
        { row: 1, name: 'Beta', accounts: ACCOUNTS },
        { row: 2, ...refused },
      ]
      const part = await ask(`/v1/counterparties/imports/${begun.id}/rows`, { rows }, who())
      expect(JSON.parse(part).counts).toMatchObject({ new: 1, invalid: 1 })
      for (const account of [...ACCOUNTS, ...wrong]) {
        await ask('/v1/payments/compare', { domain: 'acme.example', account }, { 'x-api-key': key })
      }

      const backup = join(folder, 'copy.assay')
      expect((await assayd(['backup', '--to', backup], env)).stderr).toBe('')
      for await (const lines of (await openContainer(backup)).lines(undefined)) {
        appendFileSync(`${backup}.txt`, lines.join('\n'))
      }
      // While it runs, with the write-ahead log as it is, and after it stopped.
      expect(filesWith(folder, [...SEARCHED, ...hashes])).toEqual([])
      if (engine === 'postgres') expect(await tablesWith(await openPlace(place), [...SEARCHED, ...hashes])).toEqual([])
      await server.kill('SIGTERM')
      expect(filesWith(folder, [...SEARCHED, ...hashes])).toEqual([])
      expect(SEARCHED.filter((text) => server.output().includes(text))).toEqual([])
      // The search itself works: it finds what must be there.
      const there =
        engine === 'sqlite' ? filesWith(folder, ['once-1']) : await tablesWith(await openPlace(place), ['once-1'])
      expect(there.length).toBeGreaterThan(0)
    } finally {
      await server.kill('SIGKILL')
      await remove()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

async function organisationKey(env: Record<string, string>): Promise<string> {
  const [organisation] = JSON.parse((await assayd(['org', 'list', '--json'], env)).stdout)
  const scopes = ['--scope', 'risk:payment organisation:read organisation:write']
  const made = await assayd(['key', 'create', '--org', organisation.organisation_id, ...scopes, '--json'], env)
  return JSON.parse(made.stdout).api_key
}

async function serviceToken(url: string, env: Record<string, string>): Promise<string> {
  const [organisation] = JSON.parse((await assayd(['org', 'list', '--json'], env)).stdout)
  const about = ['--org', organisation.organisation_id, '--kind', 'service', '--name', 'A service']
  const scopes = ['--scope', 'risk:payment risk:supply-chain risk:infrastructure risk:bulk']
  const made = await assayd(['client', 'create', ...about, ...scopes, '--json'], env)
  expect(made.stderr).toBe('')
  const client = JSON.parse(made.stdout)
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret,
    }).toString(),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

/** Files below a folder in which one of the texts is found, with the text. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const file = join(folder, name)
    // The snapshot contains feeds and packages, never data of customers; and it is large.
    if (!statSync(file).isFile() || name.endsWith('.snapshot')) return []
    const bytes = readFileSync(file)
    return texts.filter((text) => bytes.includes(text)).map((text) => `${name}: ${text}`)
  })
}

/** As `filesWith`, for every row of every table. */
async function tablesWith(sql: Sql, texts: readonly string[]): Promise<string[]> {
  try {
    await migrate(sql)
    const tables = await sql.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const rows = await sql.query<{ row: string }>(`select t::text as row from "${name}" t`)
      const all = rows.map(({ row }) => row).join('\n')
      found.push(...texts.filter((text) => all.includes(text)).map((text) => `${name}: ${text}`))
    }
    return found
  } finally {
    await sql.close()
  }
}
