import { readFileSync, writeFileSync } from 'node:fs'
import { readXlsx } from '@assay/reader/xlsx'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '../sdk/service.ts'
import { assay, createHome, type Home } from './assay.ts'

let service: Service
let home: Home
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())
beforeEach(() => {
  home = createHome()
})
afterEach(() => home.remove())

const IBAN = 'DE89 3704 0044 0532 0130 00'

async function organisation() {
  const { id, apiKey } = await service.server.organisation({
    scopes: ['organisation:read', 'organisation:write', 'risk:payment'],
  })
  const env = { ASSAY_URL: service.server.url, ASSAY_API_KEY: apiKey }
  return { id, run: (...args: string[]) => assay(args, { home, env }) }
}

describe('assay counterparties', () => {
  it('imports a vendor master after a dry run, exports it as it came, imports that again, and undoes', async () => {
    const { run } = await organisation()
    const file = home.path('vendors.csv')
    const text = `Lieferanten 2026;;;;\nNr;Firma;Ort;E-Mail;IBAN\n1;Müller;Köln;info@mueller.example;${IBAN}\n2;Beta;;b@gmail.com;\n1;Müller;;x@mueller.example;\n`
    writeFileSync(file, Buffer.from(text, 'latin1'))
    const dry = await run('counterparties', 'import', file)
    expect(dry.code).toBe(0)
    expect(dry.stdout).toContain('Nr → reference, Firma → name, E-Mail → emails, IBAN → accounts')
    expect(dry.stdout).toContain('Not used: Ort')
    expect(dry.stdout).toContain('3 rows: 2 new, 0 changed, 0 unchanged, 1 joined with another row, 0 not valid')
    expect(dry.stdout).toContain(`Import it: assay counterparties import ${file} --yes`)
    expect((await run('counterparties', 'list', '--json')).stdout).toBe('[]\n')
    expect((await run('counterparties', 'import', file, '--yes')).stdout).toContain('Imported.')
    const [one] = JSON.parse((await run('counterparties', 'list', '--search', 'mull', '--json')).stdout)
    expect(one).toMatchObject({
      name: 'Müller',
      reference: '1',
      domains: ['mueller.example'],
      emails: ['info@mueller.example', 'x@mueller.example'],
      accounts: [{ kind: 'iban', country: 'DE', last4: '3000' }],
    })
    expect((await run('counterparties', 'list')).stdout).toContain('…3000')

    const exported = home.path('export.csv')
    expect((await run('counterparties', 'export', exported)).stdout).toContain('2 counterparties in ')
    expect(readFileSync(exported, 'utf8').split('\r\n')[0]).toBe(
      'Nr;Firma;E-Mail;IBAN;since;note;state;domains;networks',
    )
    expect((await run('counterparties', 'export')).stdout).toBe(readFileSync(exported, 'utf8'))
    const again = JSON.parse((await run('counterparties', 'import', exported, '--json')).stdout)
    expect(again).toMatchObject({ dry_run: true, counts: { new: 0, changed: 0, same: 2, gone: 0 } })
    const changes = home.path('changes.csv')
    writeFileSync(changes, 'Nr;Firma;IBAN;IBAN 2;IBAN 3\n1;Müller;GB33 BUKB 2020 1555 5555 55;;\n7;Neu;;;\n')
    const shown = await run('counterparties', 'import', changes, '--gone', 'delete')
    expect(shown.stdout).toMatch(
      /^ {2}changed: Müller \(1\): accounts …3000 → …5555\n {2}gone: Beta.*\n {2}new: Neu \(7\)\n/m,
    )
    const columns = ['--column', 'accounts=IBAN', '--column', 'accounts=IBAN 3']
    expect((await run('counterparties', 'import', changes, ...columns)).stdout).toContain(
      'IBAN → accounts, IBAN 3 → accounts\nNot used: IBAN 2',
    )
    expect((await run('counterparties', 'undo')).stdout).toContain('The import of vendors.csv is undone.')
    expect((await run('counterparties', 'list', '--json')).stdout).toBe('[]\n')
    expect((await run('counterparties', 'undo')).stderr).toContain('no import that can be undone')
  })

  it('exports a file with semicolons and days with full stops as it came', async () => {
    const { run } = await organisation()
    const file = home.path('lieferanten.csv')
    const lines = [
      'Kreditor-Nr;Name;Angelegt am;Bemerkung;Status;Domain;E-Mail;IP;IBAN',
      '70001;Müller, Söhne & Co;31.12.2019;"Holz; Metall";active;mueller.example;info@mueller.example;192.0.2.1;',
      '70002;Beta;2018;;former;beta.example;;;',
      '70003;Gamma;01.02.2021;;active;;gamma@gmail.com;;',
    ]
    const text = lines.map((line) => `${line}\r\n`).join('')
    writeFileSync(file, text)
    expect((await run('counterparties', 'import', file, '--yes')).stdout).toContain('3 rows: 3 new')
    expect((await run('counterparties', 'export')).stdout).toBe(text)
    const [one] = JSON.parse((await run('counterparties', 'list', '--search', 'muller', '--json')).stdout)
    expect(one).toMatchObject({ since: '2019-12-31' })
    await run('counterparties', 'undo')
    expect((await run('counterparties', 'export')).stdout).toBe(
      'name,reference,since,note,state,domains,emails,networks,accounts\r\n',
    )
  })

  it('says where a key with the needed scope comes from', async () => {
    const { apiKey } = await service.server.organisation({ scopes: ['risk:payment'] })
    const env = { ASSAY_URL: service.server.url, ASSAY_API_KEY: apiKey }
    const { code, stderr } = await assay(['counterparties', 'list'], { home, env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/lacks organisation:read\. Create an API key with this scope in the console/)
  })

  it('names rows that are not valid and imports nothing, unless they are to be left out', async () => {
    const { run } = await organisation()
    const file = home.path('vendors.csv')
    writeFileSync(file, 'name,iban,website\nAcme,DE88 3704 0044 0532 0130 00,\nMail,,gmail.com\nGood,,good.example\n')
    const refused = await run('counterparties', 'import', file, '--yes')
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('line 2, not valid: The account is an IBAN whose check digits do not fit')
    expect(refused.stdout).toContain('line 3, not valid: gmail.com is a public mail provider')
    expect(refused.stdout).toContain('Nothing was imported')
    const skipped = await run('counterparties', 'import', file, '--yes', '--skip-invalid')
    expect(skipped.code).toBe(0)
    expect(skipped.stdout).toContain('line 2, left out: The account')
    expect(JSON.parse((await run('counterparties', 'list', '--json')).stdout)).toHaveLength(1)
  })

  it('says what is wrong with a file, and takes a column that was not guessed', async () => {
    const { run } = await organisation()
    const file = home.path('odd.csv')
    writeFileSync(file, 'Partner,Town\nAcme,Leeds\n')
    expect((await run('counterparties', 'import', file)).stderr).toContain(
      'Say which one it is: --column name="Title". Columns: Partner, Town.',
    )
    writeFileSync(home.path('empty.csv'), 'name,iban\n,\n')
    const empty = (await run('counterparties', 'import', home.path('empty.csv'))).stderr
    expect(empty).toContain('This list has titles and no rows below them.')
    expect(empty).not.toContain('--column')
    expect((await run('counterparties', 'import', file, '--column', 'name=Other')).stderr).toContain('Partner, Town')
    expect((await run('counterparties', 'import', file, '--column', 'size=1')).stderr).toContain('with a role of name')
    expect((await run('counterparties', 'import', home.path('none.csv'))).stderr).toContain('There is no file')
    const taken = await run('counterparties', 'import', file, '--column', 'name=Partner', '--yes')
    expect(taken.stdout).toContain('1 row: 1 new')
  })

  it('adds one, and compares an account: 0 matches, 10 unknown, 20 differs', async () => {
    const { id, run } = await organisation()
    const add = ['counterparties', 'add', 'Acme Ltd', '--domain', 'acme.example', '--account', IBAN]
    expect((await run(...add)).stdout).toMatch(/^Acme Ltd is added: cpy_/)
    for (const who of ['a@acme.example', 'Jane Doe <a@acme.example>', 'https://www.acme.example/shop']) {
      expect(await run('compare', who, IBAN)).toMatchObject({ code: 0 })
    }
    const differs = await run('compare', 'acme.example', '60-16-13 31926819')
    expect(differs.code).toBe(20)
    expect(differs.stdout).toBe('differs: …6819 is not one of the accounts of Acme Ltd on record (…3000).\n')
    const unknown = await run('compare', 'other.example', IBAN)
    expect(unknown.code).toBe(10)
    expect(unknown.stdout).toBe('unknown: no such counterparty is on record.\n…3000 is an account of Acme Ltd.\n')
    expect((await run('compare', 'acme.example', IBAN, '--field', 'result')).stdout).toBe('matches\n')
    const rule = { name: 'Other account', when: { account_differs: true }, outcome: 'stop', text: 'Call them.' }
    writeFileSync(home.path('rules.json'), JSON.stringify({ rules: [rule] }))
    await run('rules', 'set', home.path('rules.json'))
    expect((await run('compare', 'acme.example', '60-16-13 31926819')).stdout).toContain(
      'Your rule “Other account” says stop: Call them.',
    )
    expect(await run('compare', 'acme.example', 'DE88')).toMatchObject({ code: 1 })
    expect(await service.charges(id)).toBe(0)
  })

  it('a mail that shows the name of a counterparty is high, whatever its address is', async () => {
    const { run } = await organisation()
    await run('counterparties', 'add', 'Quayside Metals Ltd', '--domain', 'quayside-metals.example')
    writeFileSync(home.path('mail.eml'), 'From: "Quayside Metals" <office@ordinary-firm.com>\r\n\r\nOur invoice.\r\n')
    const { code, stdout, stderr } = await run('check', home.path('mail.eml'))
    expect([code, stdout.slice(0, 3)]).toEqual([20, 'LOW'])
    expect(stderr).toContain('! The sender bears the name of Quayside Metals Ltd')
    expect(stderr).toContain('! The mail is HIGH')
  })
})

describe('assay checks', () => {
  it('lists, shows and exports checks on record, as CSV and as a workbook, and decides about them', async () => {
    const { id, apiKey } = await service.server.organisation({
      scopes: ['organisation:read', 'organisation:write', 'risk:payment'],
    })
    const env = { ASSAY_URL: service.server.url, ASSAY_API_KEY: apiKey }
    const run = (...args: string[]) => assay(args, { home, env })
    const kept = await fetch(`${service.server.url}/v1/organisation`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'if-match': '*' },
      body: JSON.stringify({ history: 'all' }),
    })
    expect(kept.status).toBe(200)
    expect((await run('checks', 'list')).stdout).toBe('No check is found.\n')
    await run('check', 'jane@acme-trading.eu')
    const [check] = JSON.parse((await run('checks', 'list', '--json')).stdout)
    expect(check).toMatchObject({ indicator: 'jane@acme-trading.eu', kind: 'email', channel: 'api' })
    expect((await run('checks', 'list', '--risk', 'high')).stdout).toBe('No check is found.\n')
    expect((await run('checks', 'list', '--indicator', 'JANE@acme-trading.eu')).stdout).toContain(check.id)
    expect((await run('checks', 'show', check.id)).stdout).toContain(`jane@acme-trading.eu: ${check.risk}`)
    const decided = await run('checks', 'decide', check.id, 'approved', '--note', 'Called them')
    expect(decided.stdout).toBe('Decided: approved.\n')

    const csv = (await run('checks', 'export')).stdout
    expect(csv.split('\r\n')[0]).toMatch(/^id,asked_at,kind,indicator,risk,risk_score,/)
    expect(csv).toContain(',approved,')
    const book = home.path('checks.xlsx')
    expect((await run('checks', 'export', book)).stdout).toBe(`1 check in ${book}\n`)
    const { rows } = readXlsx(readFileSync(book), { rowsMax: 10, otherwise: '' })
    expect(rows[1]?.cells.slice(0, 4)).toEqual([check.id, check.asked_at, 'email', 'jane@acme-trading.eu'])
    expect((await run('checks', 'export', home.path('checks.txt'))).code).toBe(1)
    expect((await run('checks', 'list', '--asked-by', id)).stdout).toBe('No check is found.\n')
  })
})
