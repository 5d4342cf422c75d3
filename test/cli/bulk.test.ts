import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refuseTooLong } from '../../cli/src/bulk/bulk.ts'
import { barText, createProgressBar } from '../../cli/src/bulk/progress-bar.ts'
import { readTable } from '../../reader/src/list.ts'
import { writeXlsx } from '../../reader/src/xlsx.ts'
import { operatorIn } from '../../src/access/actor.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { changeIn } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { saveRules } from '../../src/own/decisions/rules.ts'
import { type Service, startService } from '../sdk/service.ts'
import { KNOWN } from '../support/engine.ts'
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { FULL } from '../support/full.ts'
import { NOBODY_LISTENS } from '../support/ports.ts'
import { workbookOf } from '../support/workbook.ts'
import { assay, createHome, everyLine, type Home, shellWords, startAssay, startInTerminal } from './assay.ts'

let service: Service
let home: Home
let organisationId: string
let env: Record<string, string>
const proxies: FaultProxy[] = []
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  for (const proxy of proxies) await proxy.close()
  await service.stop()
})
beforeEach(async () => {
  const made = await service.server.organisation({
    creditPence: 10_000_000,
  })
  organisationId = made.id
  env = { ASSAY_URL: service.server.url, ASSAY_API_KEY: made.apiKey }
  home = createHome()
  return () => home.remove()
})

async function through(faultOf: Parameters<typeof startFaultProxy>[1]): Promise<FaultProxy> {
  const proxy = await startFaultProxy(service.server.url, faultOf)
  proxies.push(proxy)
  return proxy
}

function write(name: string, content: string | Buffer): string {
  writeFileSync(home.path(name), content)
  return home.path(name)
}

/** A small file with more rows than the format allows. */
function endlessWorkbook(): Buffer {
  const files = unzipSync(writeXlsx([['a.paper-mill.eu']]))
  const sheet = strToU8(`<worksheet><sheetData>${'<row/>'.repeat(1_048_577)}</sheetData></worksheet>`)
  return Buffer.from(zipSync({ ...files, 'xl/worksheets/sheet1.xml': sheet }))
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `s${i}.paper-mill.eu`)

const jsonl = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The long list has 50 such shares: 50,000 records in `npm run test:full`. */
const SHARE = FULL ? 1000 : 100
const count = (shares: number) => (shares * SHARE).toLocaleString('en-GB')

describe('assay bulk', () => {
  it(`${count(50)} records with 30 % repeats, a 502 on one batch, killed in the middle and resumed: each is billed once`, async () => {
    const distinct = Array.from({ length: 35 * SHARE }, (_, i) => `supplier-${i}.paper-mill.eu`)
    const list = [...distinct, ...distinct.slice(0, 15 * SHARE).map((name) => name.toUpperCase())]
    const file = write('suppliers.csv', ['id,domain', ...list.map((name, i) => `${i},"${name}"`)].join('\r\n'))
    let quotes = 0
    let batches = 0
    const reached = Promise.withResolvers<void>()
    const proxy = await through(async ({ path }) => {
      if (path.includes('quote')) quotes++
      if (!path.includes('/bulk')) return 'pass'
      batches++
      if (batches === 2) return { status: 502 }
      if (batches !== 6) return 'pass'
      // The server is paid for this one, and its answer never arrives: the case in which a resumed run may pay twice.
      reached.resolve()
      return 'lose'
    })
    const args = [
      'bulk',
      file,
      '--batch-size',
      String(5 * SHARE),
      '--concurrency',
      '2',
      '--yes',
      '--out',
      home.path('out.jsonl'),
    ]
    const first = startAssay(args, home, { ...env, ASSAY_URL: proxy.url })
    await reached.promise
    first.kill('SIGKILL')
    expect((await first.ended).signal).toBe('SIGKILL')
    const checkpoint = `${file}.checkpoint`
    expect(existsSync(checkpoint)).toBe(true)
    expect(statSync(checkpoint).mode & 0o777).toBe(0o600)
    expect(readFileSync(checkpoint, 'utf8')).not.toContain('supplier-')

    const again = await startAssay(args, home, { ...env, ASSAY_URL: proxy.url }).ended
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('--resume')

    const second = await startAssay([...args, '--resume'], home, { ...env, ASSAY_URL: proxy.url }).ended
    expect(second.stderr).toContain(`${count(50)} records`)
    expect(second.stderr).toContain(`${count(35)} units billed`)
    const lines = jsonl(readFileSync(home.path('out.jsonl'), 'utf8'))
    expect(lines.map((line) => line.domain)).toEqual(list)
    expect(lines.map((line) => line.line)).toEqual(list.map((_, i) => i + 2))
    expect(lines.every((line) => line.risk)).toBe(true)
    expect(await service.billedUnits(organisationId)).toBe(35 * SHARE)
    expect(await service.charges(organisationId)).toBe(7)
    expect(await verifyLedger(service.sql)).toMatchObject({ clean: true })
    expect(existsSync(checkpoint)).toBe(false)
    expect(existsSync(`${checkpoint}.lock`)).toBe(false)
    expect(quotes).toBe(1)
  })

  it('Ctrl-C stops cleanly, says how to go on, and going on pays nothing twice', async () => {
    const file = write(
      'ips.txt',
      Array.from({ length: 300 }, (_, i) => `45.9.${i % 250}.${Math.floor(i / 250)}`).join('\n'),
    )
    const held = Promise.withResolvers<void>()
    let bulks = 0
    const proxy = await through(async ({ path }) => {
      if (!path.includes('/bulk') || ++bulks < 2) return 'pass'
      if (bulks === 2) {
        held.resolve()
        return 'lose'
      }
      return 'pass'
    })
    const out = home.path('out.csv')
    const args = ['bulk', file, '--batch-size', '100', '--concurrency', '1', '--yes', '--explain', '--out', out]
    const run = startAssay(args, home, { ...env, ASSAY_URL: proxy.url })
    await held.promise
    run.kill('SIGINT')
    const stopped = await run.ended
    expect(stopped.code).toBe(130)
    expect(stopped.stderr).toMatch(/Stopped\. It is unknown whether the last batch was charged; resuming finds out/)
    const [, hint = ''] = /Resume with: assay (.*)/.exec(stopped.stderr) ?? []
    const resumed = await startAssay(shellWords(hint), home, { ...env, ASSAY_URL: proxy.url }).ended
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(readFileSync(out, 'utf8').split('\n')).toHaveLength(302)
    expect(await service.billedUnits(organisationId)).toBe(300)
    expect(await service.charges(organisationId)).toBe(3)
    expect(await verifyLedger(service.sql)).toMatchObject({ clean: true })
  })

  it.runIf(FULL)('Ctrl-C twice ends at once; no copy of the list stays, and going on pays nothing twice', async () => {
    const list = names(300).join('\n')
    mkdirSync(home.path('tmp'))
    const held = Promise.withResolvers<void>()
    let bulks = 0
    const proxy = await through(({ path }) => {
      if (!path.includes('/bulk') || ++bulks !== 2) return 'pass'
      held.resolve()
      return 'lose'
    })
    const args = ['bulk', '-', '--batch-size', '100', '--concurrency', '1', '--yes', '--out', home.path('out.csv')]
    const call = { ...env, ASSAY_URL: proxy.url, TMPDIR: home.path('tmp') }
    const run = startAssay(args, home, call, { stdin: list })
    await held.promise
    run.kill('SIGINT')
    run.kill('SIGINT')
    expect((await run.ended).code).toBe(130)
    expect(readdirSync(home.path('tmp'))).toEqual([])
    const resumed = await startAssay([...args, '--resume'], home, call, { stdin: list }).ended
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(readFileSync(home.path('out.csv'), 'utf8').split('\n')).toHaveLength(302)
    expect([await service.billedUnits(organisationId), await service.charges(organisationId)]).toEqual([300, 3])
  })

  it('resumed three times at once after a crash: one goes on, the others say so, and nothing is paid twice', async () => {
    const file = write('list.txt', names(30).join('\n'))
    const reached = Promise.withResolvers<void>()
    const alone = Promise.withResolvers<void>()
    let bulks = 0
    const proxy = await through(async ({ path }) => {
      if (!path.includes('/bulk') || ++bulks === 1) return 'pass'
      reached.resolve()
      if (bulks > 2) await alone.promise
      return bulks === 2 ? 'lose' : 'pass'
    })
    const args = ['bulk', file, '--batch-size', '10', '--concurrency', '1', '--yes', '--out', home.path('out.csv')]
    const call = { ...env, ASSAY_URL: proxy.url }
    const crashed = startAssay(args, home, call)
    await reached.promise
    crashed.kill('SIGKILL')
    await crashed.ended
    let refused = 0
    const runs = [1, 2, 3].map(async () => {
      const ended = await startAssay([...args, '--resume'], home, call).ended
      if (ended.stderr.includes('Another assay command is working on') && ++refused === 2) alone.resolve()
      return ended
    })
    expect((await Promise.all(runs)).map(({ code }) => code).sort()).toEqual([0, 1, 1])
    expect(readFileSync(home.path('out.csv'), 'utf8').split('\n')).toHaveLength(32)
    expect([await service.billedUnits(organisationId), await service.charges(organisationId)]).toEqual([30, 3])
    expect(readdirSync(home.folder).filter((name) => /lock|checkpoint/.test(name))).toEqual([])
  })

  it.runIf(FULL)(
    'a pipe whose reader leaves: it says so with 141, asks for no more, and goes on from the checkpoint',
    async () => {
      const file = write('list.txt', names(12_000).join('\n'))
      const left = Promise.withResolvers<void>()
      let bulks = 0
      const proxy = await through(async ({ path }): Promise<Fault> => {
        if (path.includes('/bulk') && ++bulks === 2) await left.promise
        return 'pass'
      })
      const args = ['bulk', file, '--batch-size', '3000', '--concurrency', '1', '--yes', '--out', 'csv']
      const run = startAssay(args, home, { ...env, ASSAY_URL: proxy.url })
      await run.wrote
      run.hangUp()
      left.resolve()
      const { code, stderr } = await run.ended
      expect(code).toBe(141)
      expect(stderr).toMatch(/the output was closed \(broken pipe\), and it is incomplete\..* Resume with: assay/)
      expect(await service.billedUnits(organisationId)).toBeLessThan(12_000)
      const [, hint = ''] = /Resume with: assay (.*)/.exec(stderr) ?? []
      const resumed = await assay([...shellWords(hint), '--out', home.path('out.csv')], {
        home,
        env: { ...env, ASSAY_URL: proxy.url },
      })
      expect(resumed.code, resumed.stderr).toBe(0)
      expect(readFileSync(home.path('out.csv'), 'utf8').trim().split('\n')).toHaveLength(12_001)
      expect([await service.billedUnits(organisationId), await service.charges(organisationId)]).toEqual([12_000, 4])
    },
  )

  it.each([
    ['results', ['--batch-size', '100'], /out\.csv cannot be written/],
    ...(FULL
      ? ([['checkpoint', ['--batch-size', '100', '--explain'], /checkpoint .* cannot be written/]] as const)
      : []),
  ] as const)(
    'a disk that fills up on the way, with the %s: nothing paid is lost or paid twice',
    async (_what, more, words) => {
      const file = write('list.txt', names(400).join('\n'))
      const args = ['bulk', file, ...more, '--concurrency', '1', '--yes', '--out', home.path('out.csv')]
      const full = await startAssay(args, home, env, { fileKilobytes: 8 }).ended
      expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(words) })
      const [, hint = ''] = /Then resume with: assay (.*)/.exec(full.stderr) ?? []
      const resumed = await assay(shellWords(hint), { home, env })
      expect(resumed.code, resumed.stderr).toBe(0)
      expect(readFileSync(home.path('out.csv'), 'utf8').trim().split('\n')).toHaveLength(401)
      expect([await service.billedUnits(organisationId), await service.charges(organisationId)]).toEqual([400, 4])
    },
  )

  it('the hint of a run that stopped, run as it stands, completes the file with the reasons asked for', async () => {
    const folder = home.path("it's a list")
    mkdirSync(folder)
    const file = join(folder, 'suppliers.csv')
    writeFileSync(file, ['id;domain', ...names(30).map((name, i) => `${i};${name}`)].join('\n'))
    let bulks = 0
    const proxy = await through(({ path }) => (path.includes('/bulk') && ++bulks === 2 ? { status: 403 } : 'pass'))
    const call = { home, env: { ...env, ASSAY_URL: proxy.url } }
    const out = join(folder, 'out.csv')
    const args = ['bulk', file, '--column', 'domain', '--kind', 'domain', '--explain', '--out', out, '--yes']
    const failed = await assay([...args, '--batch-size', '10', '--concurrency', '1', '--fail-on', 'never'], call)
    expect(failed.code).toBe(1)
    const words = shellWords(/Then resume with: assay (bulk .* --resume)$/m.exec(failed.stderr)?.[1] ?? '')
    expect(words).toEqual(
      expect.arrayContaining(['--explain', '--out', out, '--kind', '--column', '--fail-on', '--yes']),
    )
    const resumed = await assay(words, call)
    expect(resumed.code, resumed.stderr).toBe(0)
    const rows = readFileSync(out, 'utf8').trim().split('\n')
    expect(rows[0]).toMatch(/,reasons$/)
    expect(rows).toHaveLength(31)
    expect(await service.billedUnits(organisationId)).toBe(30)
    expect(existsSync(`${file}.checkpoint`)).toBe(false)
  })

  it('goes on into the output it began with, named or not', async () => {
    const file = write('list.txt', names(30).join('\n'))
    let bulks = 0
    const proxy = await through(({ path }) => (path.includes('/bulk') && ++bulks === 2 ? { status: 403 } : 'pass'))
    const call = { home, env: { ...env, ASSAY_URL: proxy.url }, terminal: true }
    const out = home.path('out.jsonl')
    await assay(['bulk', file, '--yes', '--explain', '--out', out, '--batch-size', '10', '--concurrency', '1'], call)
    expect((await assay(['bulk', file, '--resume'], call)).code).toBe(0)
    const lines = jsonl(readFileSync(out, 'utf8'))
    expect(lines.map((line) => line.domain)).toEqual(names(30))
    expect(lines.every((line) => line.signals)).toBe(true)
    expect(await service.billedUnits(organisationId)).toBe(30)
  })

  it('refuses to go on where nothing was begun, instead of billing a new run', async () => {
    const file = write('list.txt', 'a.paper-mill.eu')
    const result = await assay(['bulk', file, '--yes', '--resume'], { home, env })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/no run to resume: .*list\.txt\.checkpoint does not exist/)
    expect(await service.billedUnits(organisationId)).toBe(0)
  })

  it('refuses to write the results over the list or the checkpoint, and leaves both as they are', async () => {
    const file = write('same.csv', 'a.paper-mill.eu\nb.paper-mill.eu')
    for (const args of [
      ['--out', file],
      ['--out', home.path('out.csv'), '--checkpoint', home.path('out.csv')],
    ]) {
      const refused = await assay(['bulk', file, '--yes', ...args], { home, env })
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('three files') })
    }
    expect(readFileSync(file, 'utf8')).toBe('a.paper-mill.eu\nb.paper-mill.eu')
  })

  it('keeps what was paid for until it is written: an output that fails, a terminal that shows a part', async () => {
    const file = write('list.txt', names(3).join('\n'))
    const args = ['bulk', file, '--yes', '--out', 'csv']
    const full = await startAssay(args, home, env, { stdout: openSync('/dev/full', 'w') }).ended
    expect(full.code).toBe(1)
    const [, hint = ''] = /Then resume with: assay (.*)/.exec(full.stderr) ?? []
    const resumed = await assay(shellWords(hint), { home, env })
    expect(resumed.stdout.trim().split('\n')).toHaveLength(4)

    const bad = write('bad.txt', [...names(5), ...Array.from({ length: 30 }, (_, i) => `not valid ${i}`)].join('\n'))
    const seen = await assay(['bulk', bad, '--yes', '--kind', 'domain'], { home, env, terminal: true })
    const [, again = ''] = /and 10 more\. Write them all, without another charge: assay (.*)/.exec(seen.stdout) ?? []
    const before = await service.charges(organisationId)
    const written = await assay(
      shellWords(again).map((word) => (word === 'results.csv' ? home.path('results.csv') : word)),
      { home, env, terminal: true },
    )
    expect(written.stderr).toContain('35 records')
    expect(readFileSync(home.path('results.csv'), 'utf8').trim().split('\n')).toHaveLength(36)
    expect(await service.charges(organisationId)).toBe(before)
    expect(existsSync(`${bad}.checkpoint`)).toBe(false)
  })

  it('says what is overage before the run and after it', async () => {
    const { apiKey } = await service.server.organisation({ plan: 'growth', creditPence: 0 })
    const call = { home, env: { ...env, ASSAY_API_KEY: apiKey } }
    const file = write('list.txt', Array.from({ length: 40 }, (_, i) => `a${i}@company.paper-mill.eu`).join('\n'))
    const { stderr } = await assay(['bulk', file, '--yes', '--fail-on', 'never', '--out', 'csv'], call)
    const [before, after] = stderr.split('\n')
    expect(before).toContain(
      'At most £1.20 (£1.00 from credit, £0.20 overage). £0.20 of it is overage: beyond the credit',
    )
    expect(after).toContain('40 units billed, £1.20, £0.20 of it overage; credit left £0.00.')
    const single = await assay(['check', 'b@company.paper-mill.eu'], call)
    expect(single.stdout).toContain('£0.03, £0.03 of it overage; credit left £0.00')
  })

  it('says that a lost answer was asked for again, and that it was charged once', async () => {
    const file = write('list.txt', names(20).join('\n'))
    let bulks = 0
    const proxy = await through(({ path }) => (path.includes('/bulk') && ++bulks === 1 ? 'lose' : 'pass'))
    const { stderr } = await assay(['bulk', file, '--yes'], { home, env: { ...env, ASSAY_URL: proxy.url } })
    expect(stderr).toContain('20 units billed')
    expect(stderr).toContain('1 request lost in transit and repeated: charged once.')
    expect(await service.charges(organisationId)).toBe(1)
  })

  it('a checkpoint cut off in the middle of a line loses that line alone', async () => {
    const file = write('list.txt', Array.from({ length: 30 }, (_, i) => `s${i}.paper-mill.eu`).join('\n'))
    let bulks = 0
    const proxy = await through(({ path }) => (path.includes('/bulk') && ++bulks === 3 ? { status: 401 } : 'pass'))
    const args = ['bulk', file, '--batch-size', '10', '--concurrency', '1', '--yes', '--out', 'jsonl']
    const call = { home, env: { ...env, ASSAY_URL: proxy.url } }
    const failed = await assay(args, call)
    expect(failed.code).toBe(1)
    expect(failed.stderr).toMatch(/Then resume with: assay bulk .* --resume/)
    appendFileSync(`${file}.checkpoint`, '{"done":2,"digest":"cut o')
    const resumed = await assay([...args, '--resume'], call)
    expect(resumed.stderr).toContain('Resuming after 2 finished batches')
    expect(jsonl(resumed.stdout)).toHaveLength(30)
    expect(await service.billedUnits(organisationId)).toBe(30)
  })

  it('refuses to go on with another list, and leaves the checkpoint as it was', async () => {
    const file = write('list.txt', Array.from({ length: 30 }, (_, i) => `s${i}.paper-mill.eu`).join('\n'))
    let bulks = 0
    const proxy = await through(({ path }) => (path.includes('/bulk') && ++bulks === 2 ? { status: 403 } : 'pass'))
    const args = ['bulk', file, '--batch-size', '10', '--concurrency', '1', '--yes', '--out', 'jsonl']
    const call = { home, env: { ...env, ASSAY_URL: proxy.url } }
    await assay(args, call)
    const before = readFileSync(`${file}.checkpoint`)
    writeFileSync(file, Array.from({ length: 30 }, (_, i) => `t${i}.paper-mill.eu`).join('\n'))
    const other = await assay([...args, '--resume'], call)
    expect(other).toMatchObject({ code: 1 })
    expect(other.stderr).toMatch(/has changed since the run began/)
    writeFileSync(file, 'a.paper-mill.eu\nb.paper-mill.eu')
    expect((await assay([...args, '--resume'], call)).stderr).toMatch(/differs in the input/)
    expect(readFileSync(`${file}.checkpoint`).equals(before)).toBe(true)
  })

  it('warns before a resume that is too late for the server to remember', async () => {
    const file = write('list.txt', 'a.paper-mill.eu\nb.paper-mill.eu')
    const proxy = await through(({ path }) => (path.includes('/bulk') ? { status: 403 } : 'pass'))
    const call = { home, env: { ...env, ASSAY_URL: proxy.url } }
    await assay(['bulk', file, '--yes'], call)
    const tomorrow = { ...call, now: () => Date.now() + 25 * 3600_000 }
    const late = await assay(['bulk', file, '--resume'], tomorrow)
    expect(late.code).toBe(1)
    expect(late.stderr).toMatch(/up to 2 records may be billed again\.\n.*Confirmation is not possible/)
    expect((await assay(['bulk', file, '--resume', '--yes'], tomorrow)).stderr).toMatch(/may be billed again/)
  })

  it('does not warn of records that were refused for want of credit, since they cost nothing', async () => {
    const poor = await service.server.organisation({ creditPence: 20 })
    const call = { home, env: { ...env, ASSAY_API_KEY: poor.apiKey } }
    const file = write('list.txt', Array.from({ length: 20 }, (_, i) => `p${i}.paper-mill.eu`).join('\n'))
    const args = ['bulk', file, '--batch-size', '10', '--concurrency', '1', '--yes', '--out', 'jsonl']
    expect((await assay(args, call)).code).toBe(1)
    const tomorrow = { ...call, now: () => Date.now() + 25 * 3600_000 }
    const late = await assay([...args, '--resume'], tomorrow)
    expect(late.stderr).toMatch(/Top up/)
    expect(late.stderr).not.toMatch(/may be billed again/)
    expect(await service.billedUnits(poor.id)).toBe(10)
  })

  it('CSV out: quoted where needed, formulas disarmed, bad records named, exit code as asked', async () => {
    const file = write('list.csv', `domain\n${KNOWN.badDomain}\n"=cmd|' /C calc'!A0, ""x"""\n10.0.0.1\n`)
    const result = await assay(['bulk', file, '--yes', '--out', 'csv'], { home, env })
    expect(result.code).toBe(20)
    const [header, bad, formula, ip] = result.stdout.split('\n')
    expect(header).toBe('line,domain,risk,risk_score,problem')
    expect(bad).toMatch(new RegExp(`^2,${KNOWN.badDomain},high,\\d+,$`))
    expect(formula).toMatch(/^3,"'=cmd\|' \/C calc'!A0, ""x""",,,/)
    expect(ip).toContain('is an IP address')
    expect(result.stderr).toContain('2 not valid')
    expect((await assay(['bulk', file, '--yes', '--fail-on', 'never'], { home, env })).code).toBe(1)
  })

  it('a row that is no indicator stands in its place with the reason, is not sent and not billed', async () => {
    const file = write(
      'list.csv',
      'domain\ninvoice.pdf\nhttps://a.paper-mill.eu/x\nDE89 3704 0044 0532 0130 00\nb.paper-mill.eu\n+44 20 7946 0958\n',
    )
    const { code, stdout, stderr } = await assay(['bulk', file, '--yes', '--out', 'csv'], { home, env })
    expect(stdout.split('\n').map((line) => line.split(',').slice(0, 3).join(','))).toEqual([
      'line,domain,risk',
      '2,invoice.pdf,',
      '3,a.paper-mill.eu,low',
      '4,DE89 3704 0044 0532 0130 00,',
      '5,b.paper-mill.eu,low',
      "6,'+44 20 7946 0958,",
      '',
    ])
    expect(stdout).toContain('This is the name of a file')
    expect(stdout).toContain('bank account number')
    expect(stderr).toContain('3 not valid')
    expect(code).toBe(1)
    expect(await service.billedUnits(organisationId)).toBe(2)
  })

  it('writes a workbook that reads as the CSV does', async () => {
    const file = write('list.txt', `${KNOWN.badDomain}\n=1+1\n`)
    const csv = await assay(['bulk', file, '--yes', '--out', 'csv'], { home, env })
    await assay(['bulk', file, '--yes', '--out', home.path('r.xlsx')], { home, env })
    const written = await readTable(readFileSync(home.path('r.xlsx')))
    expect(written).toEqual(await readTable(csv.stdout))
    expect(written.rows.map(({ cells }) => cells[1])).toEqual([KNOWN.badDomain, '=1+1'])
  })

  it('does not send what there is nothing to check about, tells it before and after, and asks a person to look', async () => {
    const file = write('log.txt', '10.0.0.1\n192.168.1.9\n2a00:1450::1\nfe80::1\n')
    const { code, stdout, stderr } = await assay(['bulk', file, '--yes', '--out', 'csv'], { home, env })
    expect(stderr).toContain(
      '4 rows: 1 distinct, 3 with nothing to check. Not sent: line 1: Nothing to check: private use.',
    )
    expect(stderr).toContain('4 records: 1 low, 0 medium, 0 high, 3 with nothing to check. 1 unit billed')
    expect(stdout).toContain('1,10.0.0.1,,,Nothing to check: private use.')
    expect(code).toBe(10)
  })

  it('checks several columns and kinds in one run, goes on with them, and pays for each once', async () => {
    const list = ['Name,Website,E-mail', ...names(30).map((name, i) => `Acme ${i},${name},ap${i % 10}@paper-mill.eu`)]
    const file = write('suppliers.csv', list.join('\n'))
    let sent = 0
    const proxy = await through(({ path }) => (path.includes('/bulk') && ++sent === 3 ? { status: 402 } : 'pass'))
    const args = ['bulk', file, '--column', 'website', '--column', '3', '--batch-size', '6', '--concurrency', '1']
    const call = { home, env: { ...env, ASSAY_URL: proxy.url } }
    const stopped = await assay([...args, '--yes', '--out', home.path('o.csv')], call)
    expect(stopped.stderr).toContain('30 rows: 40 distinct (10 email addresses, 30 domains), 20 duplicates.')
    expect(stopped.stderr).toContain('--column website --column 3')
    const { code, stderr } = await assay([...args, '--yes', '--out', home.path('o.csv'), '--resume'], call)
    expect([code, stderr]).toEqual([0, expect.stringContaining('40 units billed')])
    const rows = readFileSync(home.path('o.csv'), 'utf8').trim().split('\n')
    expect(rows.slice(0, 3).map((row) => row.split(',').slice(0, 4).join())).toEqual([
      'line,kind,indicator,risk',
      '2,domain,s0.paper-mill.eu,low',
      '2,email,ap0@paper-mill.eu,low',
    ])
    expect(rows).toHaveLength(61)
    expect(await service.billedUnits(organisationId)).toBe(40)
  })

  it('a column of several kinds: each value is checked for what it is', async () => {
    const file = write('mixed.txt', `a@b.paper-mill.eu\n${KNOWN.badDomain}\n2a00:1450::1\nnothing\n`)
    const { stdout } = await assay(['bulk', file, '--yes', '--out', 'jsonl'], { home, env })
    expect(jsonl(stdout)).toMatchObject([
      { line: 1, email: 'a@b.paper-mill.eu' },
      { line: 2, domain: KNOWN.badDomain, risk: 'high' },
      { line: 3, ip: '2a00:1450::1' },
      { line: 4, indicator: 'nothing', error: { code: 'invalid_indicator' } },
    ])
  })

  it('explains when asked to, also into a file, with the decision of the organisation', async () => {
    const rules = [{ name: 'All', when: {}, outcome: 'review' as const, text: 'Look' }]
    await changeIn(service.sql, systemClock, (tx) => saveRules(tx, operatorIn(organisationId), rules))
    const file = write('list.txt', KNOWN.badDomain)
    await assay(['bulk', file, '--yes', '--explain', '--out', home.path('r.jsonl')], { home, env })
    expect(jsonl(readFileSync(home.path('r.jsonl'), 'utf8'))[0].signals[0].code).toMatch(/^domain\./)
    await assay(['bulk', file, '--yes', '--explain', '--out', home.path('r.csv')], { home, env })
    expect(readFileSync(home.path('r.csv'), 'utf8')).toMatch(/,decision,rule,reasons\n.*,review,All,domain\./)
    expect(jsonl(readFileSync(home.path('r.jsonl'), 'utf8'))[0].decision).toMatchObject({ rule: 'All', text: 'Look' })
  })

  it('reads a log as the addresses in it, and a list below a heading', async () => {
    const line = (source: string) =>
      `Nov 17 10:00:01 gw kernel: [UFW BLOCK] IN=eth0 SRC=${source} DST=10.0.0.5 LEN=40\n`
    const log = write('ufw.log', line('2.58.56.1') + line('2.58.56.1') + line('2.58.56.9'))
    const read = await assay(['bulk', log, '--yes', '--out', 'csv'], { home, env })
    expect(read.stdout.split('\n').map((row) => row.split(',')[1])).toEqual(['ip', '2.58.56.1', '2.58.56.9', undefined])
    expect(read.stderr).toContain('ufw.log: Read as a log of 3 lines')
    expect(read.stderr).toContain('Set aside, because private or reserved: 10.0.0.5.')
    const list = write(
      'list.csv',
      'Report,\n17.11.2026,\nName,Domain\nA,a.paper-mill.eu; www.a.paper-mill.eu\nB,b.paper-mill.eu\n',
    )
    const { stdout, stderr } = await assay(['bulk', list, '--yes', '--out', 'csv'], { home, env })
    expect(stdout.split('\n').map((row) => row.split(',')[1])).toEqual([
      'domain',
      'a.paper-mill.eu',
      'b.paper-mill.eu',
      undefined,
    ])
    expect(stderr).toContain('list.csv: The titles are in line 3')
  })

  it('reads standard input', async () => {
    const result = await assay(['bulk', '-', '--yes', '--out', 'jsonl', '--checkpoint', home.path('c')], {
      home,
      env,
      stdin: '2a00:1450::1\n2a00:1450::2\n2a00:1450::1\n',
    })
    expect(result).toMatchObject({ code: 0 })
    expect(jsonl(result.stdout).map((line) => line.ip)).toEqual(['2a00:1450::1', '2a00:1450::2', '2a00:1450::1'])
    expect(await service.billedUnits(organisationId)).toBe(2)
  })
})

const emails = ['a@company.paper-mill.eu', 'b@company.paper-mill.eu'] as const
const SHEETS = {
  Cover: [['Our suppliers, see www.company.paper-mill.eu']],
  Contacts: [['Name', 'E-Mail'], ...emails.map((email) => ['Jo', email])],
}

describe('files as they come', () => {
  const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  it.each<[string, string | Buffer, string[]]>([
    ['plain lines', `${emails.join('\n')}\n`, []],
    ['a byte-order mark', `\ufeffemail\n${emails.join('\n')}`, []],
    ['CRLF', `email\r\n${emails.join('\r\n')}\r\n\r\n`, []],
    ['old Mac line ends', emails.join('\r'), []],
    ['UTF-16 little endian', Buffer.from(`\ufeffemail\r\n${emails.join('\r\n')}`, 'utf16le'), []],
    ['UTF-16 big endian', utf16be(`email\n${emails.join('\n')}`), []],
    ['UTF-16 without a mark', Buffer.from(emails.join('\n'), 'utf16le'), []],
    [
      'quoted CSV with commas and line breaks',
      `name,email\n"Smith, ""Jo""",${emails[0]}\n"two\nlines","${emails[1]}"`,
      [],
    ],
    ['semicolons', `Name;E-Mail\nJo;${emails[0]}\nAl;${emails[1]}`, []],
    ['tabs', `name\temail\nJo\t${emails[0]}\nAl\t${emails[1]}`, []],
    [
      'a column by its name',
      `from,to\nx@y.paper-mill.eu,${emails[0]}\nx@y.paper-mill.eu,${emails[1]}`,
      ['--column', 'TO'],
    ],
    ['a column by its number, no header', `1,${emails[0]}\n2,${emails[1]}`, ['--column', '2']],
    ['Windows-1252', Buffer.from(`Gr\xf6\xdfe;E-Mail\r\n\x80;${emails.join('\r\n\x80;')}`, 'latin1'), []],
    ['a separator named first', `sep=;\r\nname,x;mail\r\nJo;${emails[0]}\r\nAl;${emails[1]}`, []],
    [
      'a workbook',
      Buffer.from(
        writeXlsx([
          ['Name', 'Contact'],
          ['Jo', emails[0]!],
          ['Al', emails[1]!],
        ]),
      ),
      [],
    ],
    ['a column by what it holds', `1,Jo,${emails[0]}\n2,Al,${emails[1]}`, []],
    ['names, links and brackets around', `Jo <${emails[0]}>\nmailto:${emails[1]}\n`, []],
    ['a stray byte', Buffer.from(`Name;E-Mail\r\n\xc3\xbc;${emails[0]}\r\n\xc3\xb6\xff;${emails[1]}`, 'latin1'), []],
    ['the sheet that holds them', Buffer.from(workbookOf(SHEETS)), []],
    ['a sheet by its name', Buffer.from(workbookOf(SHEETS)), ['--sheet', 'contacts']],
    ['a dotted title', `Kontakt.Name,Kontakt.E-Mail\nJo,${emails[0]}\nAl,${emails[1]}`, []],
    ['rows that end early', `name,email,town\nJo,${emails[0]},York\nNobody\nAl,${emails[1]}`, []],
    ['rows without a value', `name,email\nJo,${emails[0]}\nNobody,\nAl,${emails[1]}`, []],
  ])('%s', async (_name, content, args) => {
    const file = write('list.csv', content)
    const result = await assay(['bulk', file, '--yes', '--out', 'jsonl', '--fail-on', 'never', ...args], { home, env })
    expect(result.code, result.stderr).toBe(0)
    expect(jsonl(result.stdout).map((line) => line.email)).toEqual(emails)
  })

  it.each<[string, string | Buffer | undefined, string[], RegExp]>([
    ['a missing file', undefined, [], /There is no file/],
    ['an empty file', '', [], /is empty/],
    ['only a header', 'email\n', [], /has no records/],
    ['only blank lines', '\n\n  \n', [], /has no records/],
    ['a wrong column', 'a,b\n1,2\n', ['--column', 'email'], /no column "email".*a, b/],
    ['several columns and none named', 'a,b\n1,2\n', [], /several columns: a, b\. Choose with --column/],
    ['an open quotation mark', 'email\n"a@b.paper-mill.eu\nc@d.paper-mill.eu', [], /line 2: a quotation mark/],
    ['a broken workbook', Buffer.from('PK\u0003\u0004'), [], /list\.csv: This workbook is damaged/],
    [
      'more rows than a workbook may have',
      endlessWorkbook(),
      [],
      /list\.csv: This list has more than 1,048,576 rows\. Save it as CSV: a CSV may have any length\./,
    ],
    [
      'nothing of the kind',
      'a@b.paper-mill.eu\n',
      ['--kind', 'ip'],
      /line 1: This is an email address, not an IP address/,
    ],
    ['no indicators', 'Jane\nJohn\n', [], /no email addresses, domains or IP addresses/],
    [
      'two columns that hold as much',
      'a@b.paper-mill.eu,c@d.paper-mill.eu\ne@b.paper-mill.eu,f@d.paper-mill.eu\n',
      [],
      /several columns.*--column/,
    ],
    ['no text at all', Buffer.from([0, 0, 1, 0, 0, 0, 2, 0, 3]), [], /not a text file/],
    ['only rows that are too short', 'name,email\nJo\n', [], /has no records/],
    ['a sheet of a text', 'a.paper-mill.eu', ['--sheet', '2'], /not a workbook: it has no sheets/],
    [
      'a sheet that is not there',
      Buffer.from(workbookOf(SHEETS)),
      ['--sheet', 'x'],
      /no sheet "x"\. Its sheets: “Cover”/,
    ],
    ['an output that makes no sense', 'a.paper-mill.eu', ['--out', 'pdf'], /--out takes csv, jsonl/],
  ])('%s: one clear line, exit 1, nothing billed', async (_name, content, args, message) => {
    const file = content === undefined ? home.path('nothing.csv') : write('list.csv', content)
    const result = await assay(['bulk', file, '--yes', ...args], { home, env })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(message)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
    expect(await service.billedUnits(organisationId)).toBe(0)
    expect(existsSync(`${file}.checkpoint`)).toBe(false)
  })

  it('a folder in place of a file, and a file nobody may write', async () => {
    mkdirSync(home.path('folder'))
    expect((await assay(['bulk', home.path('folder'), '--yes'], { home, env })).stderr).toMatch(/is a folder/)
    const file = write('list.txt', 'a.paper-mill.eu')
    const out = await assay(['bulk', file, '--yes', '--out', home.path('no/such/place.csv')], { home, env })
    expect(out.stderr).toMatch(/place\.csv cannot be written/)
    expect(await service.billedUnits(organisationId)).toBe(0)
  })

  it('a full disk: for the checkpoint nothing is sent; for the results the run can be resumed', async () => {
    const file = write('list.txt', 'a.paper-mill.eu\nb.paper-mill.eu')
    const full = await assay(['bulk', file, '--yes', '--checkpoint', '/dev/full'], { home, env })
    expect(full).toMatchObject({ code: 1, stdout: '' })
    expect(full.stderr).toMatch(/checkpoint \/dev\/full cannot be written: the disk is full\. Free some space/)
    expect(await service.billedUnits(organisationId)).toBe(0)
    const { symlinkSync, rmSync } = await import('node:fs')
    symlinkSync('/dev/full', home.path('out.csv'))
    const results = await assay(['bulk', file, '--yes', '--out', home.path('out.csv')], { home, env })
    expect(results.stderr).toMatch(/out\.csv cannot be written: the disk is full/)
    rmSync(home.path('out.csv'))
    const resumed = await assay(['bulk', file, '--yes', '--out', home.path('out.csv'), '--resume'], { home, env })
    expect(resumed.code).not.toBe(1)
    expect(await service.billedUnits(organisationId)).toBe(2)
  })

  it('says on standard error what was chosen, what could not be read, and what is in the file', async () => {
    const book = await assay(['bulk', write('b.xlsx', Buffer.from(workbookOf(SHEETS))), '--yes'], { home, env })
    expect(book.stderr).toContain(
      'b.xlsx: The workbook has 2 sheets: “Contacts” was read, not “Cover”. Another one: --sheet',
    )
    const rows = [
      'domain',
      'a.paper-mill.eu',
      'A.paper-mill.eu',
      'x y',
      '',
      'b.paper-mill.eu;',
      '1.2.3.4',
      'invoice.pdf',
      'no',
      'ü.paper-mill.eu',
    ]
    const file = write(
      'list.csv',
      Buffer.concat([Buffer.from(rows.map((row) => `${row},\n`).join('')), Buffer.from('\xff,1\n', 'latin1')]),
    )
    const { stderr } = await assay(['bulk', file, '--yes', '--out', home.path('o.csv')], { home, env })
    const [note, quote] = stderr.split('\n')
    expect(note).toMatch(/list\.csv: Line 11 holds bytes that are not UTF-8: each is shown as \ufffd\.$/)
    expect(quote).toMatch(
      /^10 rows: 3 distinct, 1 duplicate, 5 not valid, 1 without a value\. Not sent: line 4: .+\. line 7: This is an IP address, not a domain\. line 8: This is the name of a file\..* … At most £0\.06/,
    )
  })

  it('more records than a workbook holds are refused, and CSV is named as the way', async () => {
    const target = { format: 'xlsx', file: 'r.xlsx' } as const
    await refuseTooLong(target, { records: 1_048_575 })
    await expect(refuseTooLong(target, { records: 1_048_576 })).rejects.toThrow(
      '1,048,576 records do not fit into a workbook, which has at most 1,048,575. Write CSV instead: --out results.csv',
    )
  })

  it('a value longer than a cell of a workbook is cut, and that is said', async () => {
    const file = write('list.txt', `a.paper-mill.eu\n${'x'.repeat(40_000)}\n`)
    const out = home.path('r.xlsx')
    const { stderr } = await assay(['bulk', file, '--yes', '--kind', 'domain', '--out', out], { home, env })
    expect(stderr).toContain('r.xlsx: a workbook cell has at most 32,767 characters, longer ones are cut (B3)')
    expect((await readTable(readFileSync(out))).rows[1]?.cells[1]).toBe(`${'x'.repeat(32_766)}…`)
  })

  it('a service that is down', async () => {
    const file = write('list.txt', 'a.paper-mill.eu')
    const result = await assay(['bulk', file, '--yes'], { home, env: { ...env, ASSAY_URL: NOBODY_LISTENS } })
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/cannot be reached.*ECONNREFUSED/)
  })
})

describe('the question', () => {
  it.each(FULL ? [80, 40] : [40])(
    'quotes the price, asks, shows progress and a summary in %i columns',
    async (columns) => {
      const file = write(
        'list.txt',
        [...Array.from({ length: 200 }, (_, i) => `2a00:1450::${i}`), KNOWN.badIp, '2a00:1450::1'].join('\n'),
      )
      const terminal = startInTerminal(['bulk', file, '--batch-size', '50'], home, { env, columns })
      await terminal.shows('[y/N]')
      expect(everyLine(terminal.seen()).join(' ')).toContain('202 rows: 201 distinct, 1 duplicate. At most £2.01')
      expect(terminal.seen()).toContain('£2.01')
      expect(await service.billedUnits(organisationId)).toBe(0)
      terminal.type('y\r')
      expect(await terminal.ended).toBe(20)
      const lines = everyLine(terminal.seen())
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(terminal.seen()).toMatch(/\[#+-*\] +\d+ %/)
      expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('201 units billed, £2.01')
      expect(terminal.seen()).toContain(KNOWN.badIp)
    },
  )

  it('no is no', async () => {
    const file = write('list.txt', '2a00:1450::1')
    const terminal = startInTerminal(['bulk', file], home, { env, columns: 80 })
    await terminal.shows('[y/N]')
    terminal.type('\r')
    expect(await terminal.ended).toBe(1)
    expect(terminal.seen()).toContain('Nothing was sent')
    expect(await service.billedUnits(organisationId)).toBe(0)
    expect(existsSync(`${file}.checkpoint`)).toBe(false)
  })

  it('on a service without quotes it says how many units; without anybody to ask it wants --yes', async () => {
    const proxy = await through(({ path }) => (path.includes('/quote') ? { status: 404 } : 'pass'))
    const file = write('list.txt', '2a00:1450::1\n2a00:1450::2')
    const terminal = startInTerminal(['bulk', file], home, { env: { ...env, ASSAY_URL: proxy.url }, columns: 80 })
    await terminal.shows('[y/N]')
    expect(everyLine(terminal.seen()).join(' ')).toContain('At most 2 units will be billed')
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
    const piped = await assay(['bulk', file], { home, env })
    expect(piped).toMatchObject({ code: 1, stdout: '' })
    expect(piped.stderr).toContain('--yes')
  })
})

describe('the progress bar', () => {
  it('of a run that goes on begins with what was done, never goes back, and counts only what is new as speed', () => {
    const drawn: string[] = []
    let nowMs = 1000
    const stderr = { write: (text: string) => drawn.push(text) > 0, isTTY: true, columns: 80 }
    const bar = createProgressBar({ stderr, now: () => nowMs }, 1000, 600)
    for (const done of [0, 100, 300]) {
      nowMs += 1000
      bar.add(done)
    }
    expect(drawn.map((text) => /(\d+) %(.*)/.exec(text)?.slice(1))).toEqual([
      ['60', '  600/1,000'],
      ['70', '  0:06 left  700/1,000  50/s'],
      ['100', '  0:00 left  1,000/1,000  134/s'],
    ])
  })

  it('never is wider than it may be, and says the time left', () => {
    for (let width = 1; width <= 200; width++) {
      const text = barText({ completed: 123_456, total: 1_000_000, perSecond: 4321 }, width)
      expect(text.length).toBeLessThanOrEqual(width)
    }
    expect(barText({ completed: 500, total: 1000, perSecond: 100 }, 79)).toMatch(
      /^\[#+-+\] {2}50 % {2}0:05 left {2}500\/1,000 {2}100\/s$/,
    )
    expect(barText({ completed: 0, total: 1000, perSecond: 0 }, 79)).not.toContain('left')
  })
})
