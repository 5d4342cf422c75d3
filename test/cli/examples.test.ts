import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../sdk/service.ts'
import { KNOWN } from '../support/engine.ts'
import { OLDEST_MAJOR, OLDEST_NODE } from '../support/oldest-node.ts'
import { startReceiver } from '../support/receiver.ts'
import { createHome, type Home, type Result } from './assay.ts'

/** The examples as a reader runs them: as programs on the oldest Node that the packages promise, against the real service. */

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))

const RUNTIME = OLDEST_NODE ?? process.execPath

describe('the examples', () => {
  it.skipIf(OLDEST_NODE === undefined)(`run on Node ${OLDEST_MAJOR}`, () => expect(RUNTIME).not.toBe(process.execPath))

  let service: Service
  let organisation: { id: string; apiKey: string }
  let home: Home
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    organisation = await service.server.organisation()
    home = createHome()
    return () => home.remove()
  })

  function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Result> {
    return new Promise((resolve) => {
      execFile(
        command,
        args,
        {
          env: {
            PATH: process.env.PATH ?? '',
            HOME: home.folder,
            ASSAY_URL: service.server.url,
            ASSAY_API_KEY: organisation.apiKey,
            ...env,
          },
        },
        (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
      )
    })
  }
  const node = (name: string, ...args: string[]) => run(RUNTIME, [example(name), ...args])

  it('approve-payment stops a payment to a bad payee, says why, and does not open when it cannot ask', async () => {
    const bad = await node('approve-payment.js', `billing@${KNOWN.badDomain}`)
    expect(bad).toMatchObject({ code: 20 })
    expect(bad.stdout).toMatch(/^stop: risk high \(\d+\); escalate and verify independently before paying\n {2}\+\d+ /)
    expect(await node('approve-payment.js', 'no address')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^stop: not checked/),
    })
    expect(await node('approve-payment.js', 'a@printer.local')).toMatchObject({
      code: 10,
      stdout: expect.stringMatching(/^review: Nothing to check: \.local is not a public ending\.\n/),
    })
    const refused = await run(RUNTIME, [example('approve-payment.js'), 'a@paper-mill.eu'], {
      ASSAY_API_KEY: 'ask_wrong',
    })
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/^stop: not checked/) })
  })

  it('onboard-suppliers decides on every row and pays for each supplier once', async () => {
    const { code, stdout, stderr } = await node('onboard-suppliers.js', example('data/suppliers.csv'))
    expect(code).toBe(0)
    const lines = stdout.trim().split(/\r?\n/)
    expect(lines[0]).toBe('name,domain,risk,risk_score,decision')
    expect(lines[2]).toMatch(/^Payment service,paypa1-login\.com,high,\d+,due diligence$/)
    expect(lines[3]?.split(',').slice(2)).toEqual(lines[1]?.split(',').slice(2))
    expect(lines[4]).toMatch(/,https:\/\/www\.bekaert\.com\/en,low,\d+,/)
    expect(lines[5]).toBe(
      'A name of the own network,printer.local,,,review: Nothing to check: .local is not a public ending.',
    )
    expect(stderr).toContain('5 suppliers, 3 billed')
    expect(await service.billedUnits(organisation.id)).toBe(3)
  })

  it('onboard-suppliers reads a list as a German spreadsheet saves it', async () => {
    const list = home.path('lieferanten.csv')
    const rows = ['Firma;Webseite', `Müller & Söhne;https://www.${KNOWN.badDomain}/kontakt`, 'Größe unbekannt;keine']
    writeFileSync(list, Buffer.from(rows.join('\r\n'), 'latin1'))
    const { stdout, stderr } = await node('onboard-suppliers.js', list)
    expect(stdout.split('\r\n').slice(0, 3)).toEqual([
      'Firma,Webseite,risk,risk_score,decision',
      expect.stringMatching(/^Müller & Söhne,https:.*,high,\d+,due diligence$/),
      expect.stringMatching(/^Größe unbekannt,keine,,,.*not checked/),
    ])
    expect(stderr).toContain('2 suppliers, 1 billed, £0.0')
  })

  it('triage-firewall-log shows the worst address with its reason', async () => {
    const { code, stdout } = await node('triage-firewall-log.js', example('data/firewall.log'))
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^\\d+ {2}${KNOWN.badIp} {2}2× {2}\\S`))
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(await service.billedUnits(organisation.id)).toBe(2)
  })

  it.each([
    ['webhook-slack.js', { text: '*Assay* &lt;b&gt; joined as viewer. (member.joined)' }],
    ['webhook-teams.js', { type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] }],
    ['webhook-n8n.js', { type: 'member.joined', data: { name: '<b>' } }],
  ])('%s verifies a delivery and forwards it once; a forged one is refused', async (name, forwarded) => {
    const other = await startReceiver()
    const secret = `whsec_${Buffer.from('the secret of this test, 32 byte').toString('base64')}`
    const child = spawn(RUNTIME, [example(name)], {
      env: { PATH: process.env.PATH ?? '', ASSAY_WEBHOOK_SECRET: secret, FORWARD_URL: other.url, PORT: '0' },
    })
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const url = `http://127.0.0.1:${/port (\d+)/.exec(line.toString())?.[1]}/`
      const event = {
        id: 'evt_1',
        type: 'member.joined',
        timestamp: new Date().toISOString(),
        data: { member_id: 'usr_1', name: '<b>', role: 'viewer', summary: '<b> joined as viewer.' },
      }
      const body = JSON.stringify(event)
      const now = new Date()
      const headers = {
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(event.id, now, body),
      }
      const send = async (text: string) => (await fetch(url, { method: 'POST', headers, body: text })).status
      other.answer = { status: 500 }
      expect(await send(body)).toBe(502)
      other.answer = { status: 200 }
      expect([await send(body), await send(body), await send(`${body} `)]).toEqual([204, 204, 400])
      expect(other.received).toHaveLength(2)
      expect(JSON.parse(other.received[1]!.body)).toMatchObject(forwarded)
    } finally {
      child.kill('SIGKILL')
      await other.close()
    }
  })

  it('check-vendors annotates the lines of the list and fails on a high one', async () => {
    const list = home.path('vendors.txt')
    writeFileSync(list, `${readFileSync(example('data/vendors.txt'), 'utf8')}evil%0A::stop-commands::x\n`)
    const { code, stdout } = await node('check-vendors.js', list)
    expect(stdout).not.toMatch(/^::stop-commands/m)
    expect(stdout).toContain('evil%250A')
    expect(code).toBe(20)
    expect(stdout).toMatch(
      new RegExp(`^::error file=${list},line=2::paypa1-login\\.com is of high risk \\(\\d+\\)$`, 'm'),
    )
    expect(stdout).toMatch(
      /^::error file=.*,line=3::southern-print was not checked: The domain needs at least two labels/m,
    )
    expect(stdout).toMatch(/^::warning file=.*,line=4::printer\.local says nothing: \.local is not a public ending$/m)
  })
})
