import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { createLogger } from '../../src/ops/logging.ts'
import { type RunningNode, startNode } from '../../src/serve.ts'
import { linkIn, type MailServer, startMailServer } from '../support/mail-server.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { freePort } from '../support/ports.ts'
import { assayd } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'

/** A whole node with a mail server, and the operator's verbs beside it. */

const USER = { name: 'assay', password: 'the-pass-word-of-the-mail-server' }
const EMAIL = 'invited-by-mail@company.example'

describe('a node that sends mail', () => {
  const folder = migratedFolder('mail')
  const lines: string[] = []
  let mail: MailServer
  let node: RunningNode
  let env: Record<string, string>

  beforeAll(async () => {
    mail = await startMailServer({ user: USER })
    env = {
      ASSAY_DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: '0',
      ASSAY_BASE_URL: 'http://localhost:8080',
      ASSAY_METRICS_PORT: String(await freePort()),
      ASSAY_FEEDS_REFRESH: 'off',
      ASSAY_LIVE: 'off',
      ASSAY_SMTP_URL: mail.url,
      ASSAY_MAIL_FROM: 'Assay <assay@assay.example>',
    }
    node = await startNode(
      parseConfig(env),
      createLogger({ level: 'debug', out: { write: (line) => void lines.push(line) } }),
    )
  })
  afterAll(async () => {
    await node?.stop()
    await mail?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const figures = async () => (await fetch(`http://127.0.0.1:${env.ASSAY_METRICS_PORT}/metrics`)).text()

  let signedIn: Promise<Record<string, string>> | undefined
  async function signIn(): Promise<Record<string, string>> {
    const { email, password } = node.demo!
    const session = await fetch(`${node.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const cookie = session.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const { csrf } = (await session.json()) as { csrf: string }
    return { 'content-type': 'application/json', cookie, 'x-csrf-token': csrf }
  }
  async function post(path: string, body: object): Promise<Response> {
    signedIn ??= signIn()
    return fetch(`${node.url}${path}`, { method: 'POST', headers: await signedIn, body: JSON.stringify(body) })
  }

  it('delivers an event to a webhook by itself, and says so in its metrics and verbs', async () => {
    const receiver = await startReceiver()
    const url = `${receiver.url}?token=of-the-receiver`
    const made = await post('/v1/webhooks', { url, events: ['member.joined'] })
    expect(made.status).toBe(201)
    const { id } = (await made.json()) as { id: string }
    expect((await post(`/v1/webhooks/${id}/test`, {})).status).toBe(202)
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1)
    await expect.poll(figures, { timeout: 30_000 }).toContain('assay_webhook_attempts_total{outcome="delivered"} 1')
    const org = JSON.parse((await assayd(['org', 'list', '--json'], env)).stdout)[0].organisation_id
    const listed = await assayd(['webhook', 'list', '--org', org], env)
    expect(listed.stdout).toMatch(/whk_\S+ +127\.0\.0\.1:\d+ +enabled/)
    expect(listed.stdout).not.toContain('of-the-receiver')
    const log = await assayd(['webhook', 'deliveries', '--org', org, '--webhook', id, '--json'], env)
    expect(JSON.parse(log.stdout)).toMatchObject([{ type: 'webhook.test', state: 'delivered' }])
    expect((await assayd(['event', 'list', '--org', org], env)).stdout).toContain('member.joined')
    expect((await assayd(['event', 'list', '--org', org, '--after', 'x'], env)).code).toBe(1)
    expect((await assayd(['webhook', 'disable', '--org', org, '--webhook', id], env)).stdout).toContain('is disabled')
    expect(lines.filter((line) => line.includes('of-the-receiver'))).toEqual([])
    await receiver.close()
  })

  it('sends an invitation by itself, and says so in its answer, its metrics and its list', async () => {
    const answer = await post('/v1/organisation/invitations', { role: 'viewer', email: EMAIL })
    expect(answer.status).toBe(201)
    const made = (await answer.json()) as { link: string; mailed: boolean }
    expect(made.mailed).toBe(true)
    const received = await mail.waitFor(({ to }) => to.includes(EMAIL))
    expect(linkIn(received).startsWith(`${made.link}.`)).toBe(true)
    expect(received.subject).toBe('Invitation to Demo organisation on Assay')

    // The job marks it after the server has taken it, then counts it. A heartbeat counts those that wait.
    await expect.poll(figures, { timeout: 30_000 }).toContain('assay_mails_total{kind="invitation",outcome="sent"} 1')
    await expect.poll(figures, { timeout: 30_000 }).toContain('assay_mails_waiting 0')
    const listed = await assayd(['mail', 'list', '--state', 'sent', '--json'], env)
    expect(JSON.parse(listed.stdout)).toEqual([
      expect.objectContaining({ kind: 'invitation', recipient: 'i…@company.example', state: 'sent', attempts: 1 }),
    ])
    expect((await assayd(['mail', 'list'], env)).stdout).not.toContain(EMAIL)
    expect((await assayd(['status'], env)).stdout).toContain('mail      set up, 0 waiting')
    // No log line has an address, a link or a password.
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => line.includes(EMAIL) || line.includes(USER.password))).toEqual([])
    expect(lines.filter((line) => line.includes(made.link.split('#')[1]!))).toEqual([])
  })

  it('is tested by a verb, which says what the server answered', async () => {
    const sent = await assayd(['mail', 'test', '--to', 'operator@company.example'], env)
    expect(sent).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^The mail server accepted it: 250 /),
    })
    const received = await mail.waitFor(({ to }) => to.includes('operator@company.example'))
    expect(received).toMatchObject({ from: 'assay@assay.example', subject: 'Test of mail from Assay' })

    mail.refuse('nobody@company.example', 550)
    const refused = await assayd(['mail', 'test', '--to', 'nobody@company.example', '--json'], env)
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toEqual({ outcome: 'refused', answer: expect.stringMatching(/^550 /) })

    const wrong = { ...env, ASSAY_SMTP_URL: mail.url.replace(USER.password, 'another-pass-word') }
    const unknown = await assayd(['mail', 'test', '--to', 'operator@company.example'], wrong)
    expect(unknown).toMatchObject({ code: 1, stdout: expect.stringMatching(/^No mail can be sent: 535 /) })
    expect(unknown.stdout + unknown.stderr).not.toContain('another-pass-word')
  })

  it('whose mail server is gone says so: the job fails, an invitation waits, and the metrics have its age', async () => {
    const invite = async (email: string) =>
      (await (await post('/v1/organisation/invitations', { role: 'viewer', email })).json()) as { mailed: unknown }
    await mail.close()
    expect(await invite('first@company.example')).toMatchObject({ mailed: true })
    const status = async () => JSON.parse((await assayd(['status', '--json'], env)).stdout)
    const job = async () => (await status()).jobs.find(({ name }: { name: string }) => name === 'mail')
    const error = expect.stringMatching(/^Mail cannot be sent. It waits and is retried. .*ECONNREFUSED/)
    await expect.poll(job, { timeout: 30_000 }).toMatchObject({ state: 'failing', error })
    expect(await invite('second@company.example')).toMatchObject({ mailed: 'waiting' })
    expect((await status()).mail).toMatchObject({ waiting: 2, oldest_waiting_at: expect.any(String) })
    expect((await assayd(['status'], env)).stdout).toMatch(
      /^mail {6}set up, 2 waiting \(the oldest was written \d+ s ago\), t/m,
    )
    await expect.poll(figures, { timeout: 30_000 }).toContain('assay_mails_waiting 2')
    expect(await figures()).toMatch(/^assay_mail_oldest_waiting_seconds [1-9]/m)
    // However often it fails, the log says so once.
    expect(lines.filter((line) => line.includes('"job":"mail"'))).toHaveLength(1)
  })

  it('is asked to be set up where it is not', async () => {
    const { ASSAY_SMTP_URL: _, ASSAY_MAIL_FROM: __, ...without } = env
    const refused = await assayd(['mail', 'test', '--to', 'operator@company.example'], without)
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Mail is not set up') })
    expect((await assayd(['status', '--json'], without)).stdout).toContain('"set_up": false')
    expect((await assayd(['mail', 'list', '--state', 'lost'], without)).code).toBe(1)
  })
})
