import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import manifest from '../../cli/package.json' with { type: 'json' }
import { newClient } from '../oauth/support/server.ts'
import { type Service, startService } from '../sdk/service.ts'
import { KNOWN } from '../support/engine.ts'
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts'
import { FULL } from '../support/full.ts'
import { NOBODY_LISTENS } from '../support/ports.ts'
import {
  assay,
  createHome,
  everyLine,
  type Home,
  screenLines,
  shellWords,
  startAssay,
  startInTerminal,
} from './assay.ts'

/** The contract has it: an address that is not public is low. */
const LOW = '2a00:1450::1'

let service: Service
let home: Home
let env: Record<string, string>
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  const { apiKey } = await service.server.organisation({
    scopes: ['risk:payment', 'risk:supply-chain', 'risk:infrastructure', 'risk:bulk', 'billing:read'],
  })
  env = { ASSAY_URL: service.server.url, ASSAY_API_KEY: apiKey }
  home = createHome()
  return () => home.remove()
})

describe('assay check', () => {
  it('recognises what each indicator is, and says level, score, reasons and what to do', async () => {
    const { code, stdout, stderr } = await assay(
      ['check', 'accounts@quiet-hill-bakery.com', KNOWN.badDomain, KNOWN.badIp, '2A00:1450::1'],
      { home, env },
    )
    expect(stderr).toBe('')
    expect(code).toBe(20)
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(/^(LOW|MEDIUM) \d+ {2}accounts@quiet-hill-bakery\.com$/)
    expect(stdout).toMatch(new RegExp(`^HIGH \\d+ {2}${KNOWN.badDomain}$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^HIGH \\d+ {2}${KNOWN.badIp}$`, 'm'))
    expect(stdout).toMatch(/^ {2}\+\d+ .*Listed for phishing by Test feed; last seen 2026-01-01/m)
    expect(stdout).toContain('→ escalate supplier for further due diligence')
    expect(stdout).toContain('credit left £')
    expect(stdout).not.toContain('\u001b')
  })

  it('shows points that add up to the score, and tells nothing known apart from known bad', async () => {
    const { stdout } = await assay(['check', KNOWN.badDomain, '2a00:1450::1'], { home, env })
    const [bad = '', unknown = ''] = stdout.split('\n\n')
    for (const block of [bad, unknown]) {
      const score = Number(/^[A-Z]+ (\d+)/.exec(block)?.[1])
      const start = Number(/^ {2}Starts at (\d+)$/m.exec(block)?.[1])
      const effects = [...block.matchAll(/^ {2}([+−])(\d+) /gm)].map(([, sign, points]) =>
        sign === '+' ? Number(points) : -Number(points),
      )
      expect(effects.reduce((sum, effect) => sum + effect, start)).toBe(score)
    }
    expect(bad).toContain('Known bad. 1 list asked, newest 2026-01-01.')
    expect(unknown.replace(/\s+/g, ' ')).toContain('Nothing is known about it: the only list')
    expect(unknown).not.toContain('Known')
  })

  it('says which name one may be taken for, where they differ, and how it stands in the DNS', async () => {
    const { stdout } = await assay(['check', 'paypa1-login.com', 'pаypal.com'], { home, env })
    const [ascii = '', cyrillic = ''] = stdout
      .replace(/ +\n? */g, ' ')
      .replaceAll('\n ', ' ')
      .split('\n\n')
    expect(ascii).toContain('paypa1-login.com is not paypal.com: “1” in place of “l”, “-login” added')
    expect(cyrillic).toContain('is written xn--pypal-4ve.com in the DNS: Cyrillic “а” among Latin letters')
    expect(cyrillic).toContain('is not paypal.com: Cyrillic “а” in place of “a”')
    expect(ascii).not.toContain('in the DNS')
  })

  it('says that there is nothing to check about what is not public, and why, without asking, and that a person has to look', async () => {
    const { code, stdout } = await assay(['check', '10.0.0.1', 'server.internal'], { home, env })
    expect(stdout).toMatch(/^NOTHING TO CHECK {2}10\.0\.0\.1\n {2}Private use\.\n/)
    expect(stdout).toContain('NOTHING TO CHECK  server.internal\n  .internal is not a public ending.\n')
    expect(stdout).not.toMatch(/LOW|proceed|credit/)
    expect(code).toBe(10)
  })

  it('exit codes: 0 all low, 10 some medium, 20 some high, 1 for what cannot be checked; --fail-on moves the bar', async () => {
    const run = async (...args: string[]) => (await assay(['check', ...args], { home, env })).code
    expect(await run(LOW)).toBe(0)
    const medium = await mediumDomain()
    expect(await run(LOW, medium)).toBe(10)
    expect(await run(medium, '--fail-on', 'high')).toBe(0)
    expect(await run(medium, KNOWN.badDomain, '--fail-on', 'high')).toBe(20)
    expect(await run(KNOWN.badDomain, '--fail-on', 'never')).toBe(0)
    expect(await run(LOW, 'not/a/domain')).toBe(1)
    expect(await run(KNOWN.badDomain, 'not/a/domain')).toBe(20)
  })

  async function mediumDomain(): Promise<string> {
    for (const name of [
      `shop@${KNOWN.disposableDomain}`,
      KNOWN.disposableDomain,
      'paypa1-login.com',
      'paypal-fans.com',
    ]) {
      const { stdout } = await assay(['check', name, '--json'], { home, env })
      if (JSON.parse(stdout).risk === 'medium') return name
    }
    throw new Error('the test intelligence knows nothing of medium risk')
  }

  it('--json gives one object a line, an invalid one with its error', async () => {
    const { code, stdout } = await assay(['check', KNOWN.badDomain, 'no@', '--json'], { home, env })
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(first).toMatchObject({
      indicator: KNOWN.badDomain,
      kind: 'domain',
      risk: 'high',
      endpoint: 'supply-chain-risk',
    })
    expect(second).toMatchObject({ indicator: 'no@', kind: 'email', error: { code: 'invalid_email' } })
    expect(code).toBe(20)
  })

  it('reads a mail from standard input: who sent it, whom an answer reaches and where its links lead', async () => {
    const mail = [
      'From: Accounts <accounts@supplier.paper-mill.eu>',
      `Reply-To: payments@${KNOWN.badDomain}`,
      'To: you@company.paper-mill.eu',
      'Subject: New bank details',
      'Content-Type: text/html',
      '',
      `Please <a href="https://pay.${KNOWN.badDomain}/now">confirm</a>.`,
    ].join('\r\n')
    const { code, stdout, stderr } = await assay(['check', '-', '--json'], { home, env, stdin: mail })
    const checked = stdout.trim().split('\n')
    expect(checked.map((line) => JSON.parse(line).indicator)).toEqual([
      'accounts@supplier.paper-mill.eu',
      `payments@${KNOWN.badDomain}`,
      `pay.${KNOWN.badDomain}`,
    ])
    expect(stderr).toContain('New bank details')
    expect(stderr).toContain('Reply-To')
    expect(stderr).toMatch(/^! .*differs|^! .*Reply-To/m)
    expect(code).toBe(20)
  })

  it('reads a mail from its file, .eml or .msg, and says why a file cannot be read', async () => {
    const mail = home.path('Invoice.EML')
    const text = `From: "ceo@company.paper-mill.eu" <ceo@${KNOWN.badDomain}>\r\nSubject: Urgent\r\n\r\nPay to DE89 3704 0044 0532 0130 00\r\n`
    writeFileSync(mail, text)
    const { code, stdout, stderr } = await assay(['check', mail, '--json'], { home, env })
    expect(JSON.parse(stdout)).toMatchObject({ indicator: `ceo@${KNOWN.badDomain}` })
    expect(stderr).toContain(`! The name of the sender shows ceo@company.paper-mill.eu, but the address is`)
    expect(stderr).toContain('is none of your counterparties: the account …3000 cannot be compared.')
    expect(code).toBe(20)
    const broken = home.path('broken.msg')
    writeFileSync(broken, Buffer.from('d0cf11e0a1b11ae1', 'hex'))
    expect(await assay(['check', broken], { home, env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/! This mail cannot be read\.\n.*contains nothing to check/),
    })
    expect(await assay(['check', home.path('none.eml')], { home, env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no file'),
    })
  })

  it('reads indicators from standard input, one a line, in the place of -', async () => {
    const call = { home, env, stdin: `  ${KNOWN.badDomain}\r\n\n${LOW}\n` }
    const { code, stdout } = await assay(['check', 'company.paper-mill.eu', '-', '--json'], call)
    const lines = stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).indicator)).toEqual(['company.paper-mill.eu', KNOWN.badDomain, LOW])
    expect(code).toBe(20)
    const nothing = await assay(['check', '-'], { home, env, stdin: '\n \n' })
    expect(nothing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('nothing to check') })
  })

  it('--field prints one field of each answer, null below what is not known, and names the fields of a wrong one', async () => {
    const field = async (...args: string[]) => assay(['check', ...args], { home, env })
    expect(await field(KNOWN.badDomain, 'not/a/domain', LOW, '--field', 'risk')).toMatchObject({
      stdout: 'high\n\nlow\n',
      stderr: expect.stringMatching(/^assay: not\/a\/domain: .*\n$/),
      code: 20,
    })
    expect((await field(LOW, '--field', 'risk_score')).stdout).toMatch(/^\d+\n$/)
    expect((await field('company.paper-mill.eu', '--field', 'facts.registered.value')).stdout).toBe('null\n')
    expect((await field(KNOWN.badDomain, '--field', 'signals.0.code')).stdout).toMatch(/^domain\.\w+\n$/)
    expect(JSON.parse((await field(LOW, '--field', 'coverage.live')).stdout)).toHaveProperty('status')
    expect((await field(KNOWN.badDomain, '--field', 'signals.99.code')).stdout).toBe('null\n')
    const before = (await assay(['usage', '--field', 'account.credit_pence'], { home, env })).stdout
    const wrong = await field('company.paper-mill.eu', '--field', 'coverage.lives')
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(/no field "coverage\.lives"\. Its fields: .*live/)
    expect((await assay(['usage', '--field', 'account.credit_pence'], { home, env })).stdout).toBe(before)
    expect((await assay(['usage', '--field', 'account.plan.id'], { home, env })).stdout).toBe('prepaid\n')
  })

  it('takes the kind it is given', async () => {
    const { stdout } = await assay(['check', '1.2.3.4', '--kind', 'domain', '--json'], { home, env })
    expect(JSON.parse(stdout).error.code).toBe('invalid_domain')
  })

  it('lets no escape sequence of an indicator reach the terminal', async () => {
    const { stdout } = await assay(['check', 'evil\u001b[2J\u0007.example'], { home, env, terminal: true })
    expect(stdout).not.toContain('\u001b[2J')
    expect(stdout).not.toContain('\u0007')
  })

  it.each(FULL ? [80, 40] : [40])(
    'in a terminal of %i columns no line is wider, and levels have colour',
    async (columns) => {
      const args = [
        'check',
        KNOWN.badDomain,
        `averyveryverylonglocalpartofanaddress@${KNOWN.badDomain}`,
        'company.paper-mill.eu',
      ]
      const terminal = startInTerminal(args, home, { env, columns })
      expect(await terminal.ended).toBe(20)
      const lines = everyLine(terminal.seen())
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(terminal.seen()).toContain('\u001b[31m')
      expect(screenLines(terminal.seen()).join(' ').replace(/\s+/g, ' ')).toContain(
        'escalate supplier for further due diligence',
      )
      const plain = startInTerminal(args, home, { env: { ...env, NO_COLOR: '1' }, columns })
      await plain.ended
      expect(plain.seen()).not.toContain('\u001b[')
    },
  )
})

describe('a connection that is lost', () => {
  const lostText = /It is unknown whether it was charged\..* Repeat it within a day: assay (check .*)/

  async function through(faultOf: (number: number, body: string) => Fault) {
    const { id, apiKey } = await service.server.organisation()
    const proxy = await startFaultProxy(service.server.url, ({ number, body }) => faultOf(number, body))
    return { id, proxy, call: { home, env: { ASSAY_URL: proxy.url, ASSAY_API_KEY: apiKey } } }
  }

  it('an answer that was lost is given again, and a request that was lost is sent again: charged once', async () => {
    for (const [fault, words] of [
      ['lose', 'The answer was lost and sent again'],
      ['cut', 'The request was lost and sent again'],
    ] as const) {
      const { id, proxy, call } = await through((number) => (number === 0 ? fault : 'pass'))
      const { code, stderr } = await assay(['check', 'company.paper-mill.eu', '--fail-on', 'never'], call)
      expect(code).toBe(0)
      expect(stderr).toContain(`${words} with the same key: charged once.`)
      expect(await service.charges(id)).toBe(1)
      await proxy.close()
    }
  })

  it('while it stays away nothing is claimed, and the command it prints tells without a second charge', async () => {
    let gone = true
    const { id, proxy, call } = await through((number) => (number === 0 ? 'lose' : gone ? { status: 503 } : 'pass'))
    const lost = await assay(['check', 'company.paper-mill.eu', '--kind', 'domain', '--fail-on', 'never'], call)
    expect(lost).toMatchObject({ code: 1, stdout: '' })
    expect(lost.stderr).toMatch(/answered 503/)
    expect(lost.stderr).not.toMatch(/nothing was charged/i)
    expect(await service.charges(id)).toBe(1)
    gone = false
    const again = await assay(shellWords(lostText.exec(lost.stderr)?.[1] ?? ''), call)
    expect(again.code, again.stderr).toBe(0)
    expect(again.stdout).toContain('company.paper-mill.eu')
    expect(await service.charges(id)).toBe(1)
    await proxy.close()
  })

  it('one that is refused in between: what was paid is shown, the rest is told, and going on pays nothing twice', async () => {
    let refused = true
    const { id, proxy, call } = await through((_number, body) =>
      refused && body.includes('b.paper-mill.eu') ? { status: 402 } : 'pass',
    )
    const args = [
      'check',
      KNOWN.badDomain,
      'b.paper-mill.eu',
      'c.paper-mill.eu',
      'd.paper-mill.eu',
      'e.paper-mill.eu',
      'f.paper-mill.eu',
    ]
    const cut = await assay([...args, '--json'], call)
    const shown = cut.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).indicator)
    expect(shown.length).toBe(await service.charges(id))
    expect(shown.slice(0, 3)).toEqual([KNOWN.badDomain, 'c.paper-mill.eu', 'd.paper-mill.eu'])
    expect(shown).not.toContain('b.paper-mill.eu')
    expect(cut.code).toBe(20)
    const { error } = JSON.parse(cut.stderr.trim().split('\n').at(-1) ?? '')
    expect(error.code).toBe('unexpected_response')
    const [, again = ''] = /The others were answered and paid\. .* again: assay (check .*)$/m.exec(error.message) ?? []
    expect((await assay(['check', 'b.paper-mill.eu', 'c.paper-mill.eu', '--field', 'risk'], call)).stdout).toMatch(
      /^\n(low|medium)\n$/,
    )
    const paid = await service.charges(id)
    refused = false
    const whole = await assay(shellWords(again), call)
    expect(whole.stdout.trim().split('\n')).toHaveLength(6)
    expect(await service.charges(id)).toBe(paid + 6 - shown.length)
    await proxy.close()
  })

  it('Ctrl-C while the answer is under way: the same', async () => {
    const held = service.engine.hold()
    const { id, apiKey } = await service.server.organisation()
    const call = { home, env: { ASSAY_URL: service.server.url, ASSAY_API_KEY: apiKey } }
    const run = startAssay(['check', 'company.paper-mill.eu'], home, call.env)
    await held.reached
    run.kill('SIGINT')
    const stopped = await run.ended
    expect(stopped).toMatchObject({ code: 130, stdout: '' })
    held.release()
    const words = shellWords(lostText.exec(stopped.stderr)?.[1] ?? '')
    expect((await assay([...words, '--fail-on', 'never'], call)).code).toBe(0)
    expect(await service.charges(id)).toBe(1)
  })
})

describe('who is calling', () => {
  it('by application: its tokens are fetched and used', async () => {
    const { id } = await service.server.organisation()
    const { client, secret } = await newClient(service.sql, id, {
      kind: 'service',
      scope: 'risk:infrastructure billing:read',
    })
    const byApp = { ASSAY_URL: service.server.url, ASSAY_CLIENT_ID: client.id, ASSAY_CLIENT_SECRET: secret }
    expect((await assay(['check', LOW], { home, env: byApp })).code).toBe(0)
    const refused = await assay(['check', 'company.paper-mill.eu'], { home, env: byApp })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('risk:supply-chain')
    const wrong = await assay(['check', 'a@company.paper-mill.eu'], {
      home,
      env: { ...byApp, ASSAY_CLIENT_SECRET: 'acs_wrong' },
    })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('Check ASSAY_CLIENT_ID and ASSAY_CLIENT_SECRET')
    expect(wrong.stderr).not.toContain('acs_wrong')
  })

  it('whoami and usage', async () => {
    const who = await assay(['whoami'], { home, env })
    expect(who.stdout).toContain(service.server.url)
    expect(who.stdout).toContain(env.ASSAY_API_KEY!.slice(0, 8))
    expect(who.stdout).not.toContain(env.ASSAY_API_KEY!)
    expect(JSON.parse((await assay(['whoami', '--json'], { home, env })).stdout)).toMatchObject({ plan: 'prepaid' })
    const { id, apiKey } = await service.server.organisation({ scopes: ['risk:infrastructure'] })
    const narrowKey = await assay(['whoami', '--json'], { home, env: { ...env, ASSAY_API_KEY: apiKey } })
    expect(JSON.parse(narrowKey.stdout)).toMatchObject({ organisation: expect.any(String), organisation_id: id })
    await assay(['check', 'company.paper-mill.eu'], { home, env })
    const used = await assay(['usage'], { home, env })
    expect(used.stdout).toMatch(/supply-chain-risk +1 +1 +£0\.02/)
    const narrow = await assay(['usage'], { home, env, terminal: true, columns: 30 })
    expect(Math.max(...everyLine(narrow.stdout).map((line) => line.length))).toBeLessThanOrEqual(30)
    expect(JSON.parse((await assay(['usage', '--json'], { home, env })).stdout).account.credit_pence).toBe(9998)
  })

  it.each([
    ['nobody signed in', {}, /Not signed in.*assay login/],
    ['a wrong key', { ASSAY_API_KEY: `ask_${'0'.repeat(38)}` }, /Check ASSAY_API_KEY/],
    ['a key with a line break in it', { ASSAY_API_KEY: 'ask_secret\n' }, /Check ASSAY_API_KEY/],
    ['half an application', { ASSAY_CLIENT_ID: 'cli_x' }, /both/],
  ])('%s: one line on stderr, exit 1', async (_name, given, message) => {
    const result = await assay(['check', 'company.paper-mill.eu'], {
      home,
      env: { ASSAY_URL: service.server.url, ...given },
    })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(message)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
    expect(result.stderr).not.toContain('ask_secret')
  })

  it('a service that is not there, or is no Assay', async () => {
    const gone = await assay(['login'], { home, env: { ASSAY_URL: NOBODY_LISTENS } })
    expect(gone).toMatchObject({ code: 1, stdout: '' })
    expect(gone.stderr).toMatch(/cannot be reached.*ECONNREFUSED.*assay config set url/)
    const odd = await assay(['login'], { home, env: { ASSAY_URL: `${service.server.url}/nowhere` } })
    expect(odd.stderr).toMatch(/does not offer a login/)
  })
})

describe('assay keys', () => {
  it('lists, creates, rotates and revokes with a key that may', async () => {
    const made = await service.server.organisation({
      scopes: ['organisation:read', 'organisation:write', 'risk:infrastructure'],
    })
    const call = { home, env: { ASSAY_URL: service.server.url, ASSAY_API_KEY: made.apiKey } }
    const created = await assay(['keys', 'create', 'night batch', '--scope', 'risk:infrastructure', '--json'], call)
    const key = JSON.parse(created.stdout)
    expect(key.api_key).toMatch(/^ask_/)
    const byKey = { home, env: { ...call.env, ASSAY_API_KEY: key.api_key } }
    expect((await assay(['check', LOW], byKey)).code).toBe(0)
    const list = await assay(['keys', 'list'], { ...call, terminal: true, columns: 40 })
    expect(list.stdout).toMatch(/night batch\nSTATE +active\nMADE BY +narrow key\n/)
    expect(list.stdout).not.toContain(key.api_key)
    expect(Math.max(...everyLine(list.stdout).map((line) => line.length))).toBeLessThanOrEqual(40)
    const rotated = await assay(['keys', 'rotate', key.id, '--grace-hours', '1'], call)
    expect(rotated.stdout).toMatch(/shown only once:\n\nask_/)
    expect((await assay(['keys', 'revoke', key.id], call)).stdout).toContain('is revoked')
    const unknown = await assay(['keys', 'revoke', 'key_nobody'], call)
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain('no such key')
    expect((await assay(['keys', 'create', 'x', '--scope', 'risk:everything'], call)).code).toBe(1)
    expect((await assay(['keys', 'create', 'x', '--expires', 'yesterday'], call)).stderr).toContain('--expires')
    expect((await assay(['keys', 'list'], { home, env })).stderr).toContain('organisation:read')
  })
})

describe('assay lists, rules and domains', () => {
  it('adds, changes, imports, exports and removes entries, and names the line of an invalid one', async () => {
    const made = await service.server.organisation({ scopes: ['organisation:read', 'organisation:write'] })
    const call = { home, env: { ASSAY_URL: service.server.url, ASSAY_API_KEY: made.apiKey } }
    const added = await assay(
      ['lists', 'add', 'allow', 'gmail.com', '--reason', 'we trust', '--expires', '2099-01-31'],
      call,
    )
    expect(added.stdout).toMatch(/^gmail.com is on the allow list as own_/)
    expect(added.stderr).toMatch(/^Warning: Anyone can open a mailbox/)
    writeFileSync(home.path('bad.csv'), 'reason;indicator\nwhy;acme.com\n\nwhy;nonsense\n')
    const bad = await assay(['lists', 'import', 'block', home.path('bad.csv')], call)
    expect([bad.code, bad.stdout]).toEqual([1, ''])
    expect(bad.stderr).toContain('line 4: The domain needs at least two labels')
    // One answer names every wrong row; 01.02.2099 is no day in January.
    const days = `indicator;expires_at\na.example;01.02.2099\nb.example;2099-02-31\n;soon\nc.example;12/31/2099\nhttp://d.example;\n`
    writeFileSync(home.path('days.csv'), days)
    const late = await assay(['lists', 'import', 'block', home.path('days.csv')], call)
    expect([late.code, late.stderr.match(/^line \d: The \w+ (is|needs)/gm)]).toEqual([
      1,
      [
        'line 3: The expiry is',
        'line 4: The expiry is',
        'line 4: The domain is',
        'line 5: The expiry is',
        'line 6: The domain is',
      ],
    ])
    expect((await assay(['lists', 'export', 'block'], call)).stdout).not.toContain('c.example')
    writeFileSync(home.path('good.csv'), 'reason;indicator\n"forged; twice";acme.com\n;192.0.2.0/24\n')
    const good = await assay(['lists', 'import', 'block', home.path('good.csv')], call)
    expect(good.stdout).toBe('2 entries added, 0 changed, 0 unchanged.\n')
    const exported = (await assay(['lists', 'export', 'block'], call)).stdout
    expect(exported).toContain('acme.com,forged; twice,,domain,active,')
    writeFileSync(home.path('again.csv'), exported)
    const again = await assay(['lists', 'import', 'block', home.path('again.csv'), '--json'], call)
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
    const [entry] = JSON.parse((await assay(['lists', 'list', 'block', '--search', 'acme', '--json'], call)).stdout)
    expect((await assay(['lists', 'list', 'block'], call)).stdout).toContain('acme.com')
    const change = ['lists', 'change', 'block', entry.id]
    const changed = await assay([...change, '--reason', '', '--expires', '2099-01-31', '--json'], call)
    expect(JSON.parse(changed.stdout)).toMatchObject({ reason: null, expires_at: '2099-01-31T23:59:59.000Z' })
    expect((await assay([...change, '--expires', 'never'], call)).stdout).toBe(`Entry ${entry.id} is changed.\n`)
    expect((await assay(change, call)).stderr).toContain('Give --reason')
    expect((await assay(['lists', 'remove', 'block', entry.id], call)).stdout).toContain('is removed')
    expect((await assay(['lists', 'list', 'maybe'], call)).code).toBe(1)
  })

  it('sets decision rules, shows the decision with an answer, and sets an earlier version again', async () => {
    const made = await service.server.organisation({
      scopes: ['organisation:read', 'organisation:write', 'risk:supply-chain'],
    })
    const call = { home, env: { ASSAY_URL: service.server.url, ASSAY_API_KEY: made.apiKey } }
    expect((await assay(['rules', 'show'], call)).stdout).toContain('no decision rule')
    const rule = { name: 'Everything', when: { levels: ['low'] }, outcome: 'review', text: 'Look twice.' }
    writeFileSync(home.path('rules.json'), JSON.stringify([rule]))
    expect((await assay(['rules', 'set', home.path('rules.json')], call)).stdout).toContain('Version 1 with 1 rules')
    expect((await assay(['rules', 'show'], call)).stdout).toMatch(/Everything.*levels: low.*review.*Look twice/s)
    expect((await assay(['check', 'ordinary-firm.com'], call)).stdout).toContain('REVIEW Look twice. (Everything)')
    writeFileSync(home.path('none.json'), '[]')
    await assay(['rules', 'set', home.path('none.json')], call)
    expect((await assay(['check', 'ordinary-firm.com'], call)).stdout).not.toContain('REVIEW')
    writeFileSync(home.path('first.json'), (await assay(['rules', 'show', '1', '--json'], call)).stdout)
    expect((await assay(['rules', 'set', home.path('first.json')], call)).stdout).toContain('Version 3')
    expect((await assay(['rules', 'versions'], call)).stdout).toMatch(/3 +1 /)
    expect((await assay(['rules', 'set', home.path('nothing.json')], call)).stderr).toContain('cannot be read as JSON')
  })

  it('claims a domain with the record to publish, and removes it', async () => {
    const made = await service.server.organisation({ scopes: ['organisation:read', 'organisation:write'] })
    const call = { home, env: { ASSAY_URL: service.server.url, ASSAY_API_KEY: made.apiKey } }
    const added = await assay(['domains', 'add', 'company-of-ours.com'], call)
    expect(added.stdout).toMatch(/TXT record at company-of-ours\.com:\n\n {2}assay-verification=\w{32}\n/)
    expect((await assay(['domains', 'list'], call)).stdout).toMatch(/company-of-ours\.com +pending/)
    // This service makes no look-ups.
    expect((await assay(['domains', 'verify', 'company-of-ours.com'], call)).stderr).toContain('verify-domain')
    expect((await assay(['domains', 'remove', 'company-of-ours.com'], call)).stdout).toContain('is removed')
  })

  it('adds a webhook, tests it, replaces its secret, replays and removes it; and reads events', async () => {
    const made = await service.server.organisation({ scopes: ['organisation:read', 'organisation:write'] })
    const call = { home, env: { ASSAY_URL: service.server.url, ASSAY_API_KEY: made.apiKey } }
    const add = (...more: string[]) =>
      assay(['webhooks', 'add', 'https://hooks.company.paper-mill.eu/x', ...more], call)
    expect((await assay(['events'], call)).stdout).toBe('There are no further events.\n')
    expect((await add('--events', 'member.flown')).stderr).toContain(
      'There is no event member.flown. There are: check.decided',
    )
    // All events: the key lacks billing:read.
    expect((await add()).stderr).toContain('billing:read')
    expect((await add('--events', 'member.joined,member.left')).stdout).toMatch(/whk_.*shown only once:\nwhsec_/)
    const [{ id }] = JSON.parse((await assay(['webhooks', 'list', '--json'], call)).stdout)
    expect((await assay(['webhooks', 'list'], call)).stdout).toMatch(/hooks\.company\.paper-mill.*enabled/s)
    expect((await assay(['webhooks', 'test', id], call)).stdout).toContain('A test is on its way')
    expect((await assay(['webhooks', 'deliveries', id], call)).stdout).toMatch(/webhook\.test.*waiting/s)
    expect((await assay(['webhooks', 'rotate', id], call)).stdout).toMatch(/24 hours.*\nwhsec_/)
    expect((await assay(['webhooks', 'replay', id, '--since', '2026-01-01'], call)).stdout).toBe(
      '0 events are delivered again.\n',
    )
    expect((await assay(['webhooks', 'remove', id], call)).stdout).toContain('is removed')
    expect((await assay(['webhooks', 'deliveries', id], call)).code).toBe(1)
  })
})

describe('settings', () => {
  it('are kept under XDG_CONFIG_HOME, in a file for nobody else', async () => {
    const xdg = { XDG_CONFIG_HOME: home.path('elsewhere') }
    expect((await assay(['config', 'set', 'url', 'https://assay.example'], { home, env: xdg })).code).toBe(0)
    const file = home.path('elsewhere/assay/config.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await assay(['config', 'get', 'url'], { home, env: xdg })).stdout).toBe('https://assay.example\n')
    expect((await assay(['config', 'list'], { home, env: xdg })).stdout).toContain('url = https://assay.example')
    await assay(['config', 'unset', 'url'], { home, env: xdg })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({})
    expect(existsSync(home.path('.config/assay'))).toBe(false)
  })

  it('refuse what makes no sense', async () => {
    for (const args of [
      ['set', 'url', 'nonsense'],
      ['set', 'colour', 'red'],
      ['get', 'colour'],
      ['set', 'url', 'https://u:p@x.example'],
    ]) {
      const result = await assay(['config', ...args], { home })
      expect(result.code).toBe(1)
      expect(result.stderr.trim().split('\n')).toHaveLength(1)
    }
    await assay(['config', 'set', 'url', 'https://assay.example'], { home })
    writeFileSync(home.path('.config/assay/config.json'), 'not json')
    chmodSync(home.path('.config/assay/config.json'), 0o644)
    expect((await assay(['config', 'list'], { home })).stderr).toMatch(/damaged/)
    expect(statSync(home.path('.config/assay/config.json')).mode & 0o777).toBe(0o600)
  })
})

describe('help and completion', () => {
  it('every verb has help, with examples for the main ones, and unknown verbs are refused', async () => {
    for (const verb of ['login', 'check', 'bulk', 'config set', 'keys create', 'completion']) {
      const { code, stdout } = await assay([...verb.split(' '), '--help'], { home })
      expect(code).toBe(0)
      expect(stdout).toContain('Examples:')
    }
    expect((await assay(['--help'], { home })).stdout).toContain('Exit codes:')
    expect((await assay(['chekc'], { home })).stderr).toContain('Did you mean check?')
    expect((await assay(['chekc'], { home })).code).toBe(1)
  })

  it('the version, as a process', async () => {
    expect(await startAssay(['--version'], home, {}).ended).toMatchObject({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    })
  })

  it('bash completes verbs, the verbs below them, and options', async () => {
    const { execFileSync } = await import('node:child_process')
    const { stdout } = await assay(['completion', 'bash'], { home })
    writeFileSync(home.path('completion.bash'), stdout)
    const complete = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `source ${home.path('completion.bash')}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _assay; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).trim()
    expect(complete('assay', 'ch')).toBe('check checks')
    expect(complete('assay', 'keys', '')).toContain('create')
    expect(complete('assay', 'keys', 'create', '--s')).toBe('--scope')
    expect(complete('assay', 'check', 'x.example', '--fa')).toBe('--fail-on')
    for (const shell of ['zsh', 'fish']) {
      expect((await assay(['completion', shell], { home })).stdout).toContain('--fail-on')
    }
    expect((await assay(['completion', 'tcsh'], { home })).code).toBe(1)
  })
})
