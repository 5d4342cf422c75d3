import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Service, startService } from '../sdk/service.ts'
import { createTestEngine } from '../support/engine.ts'
import { freshFacts, oldFacts, reverseFacts, withFacts } from '../support/facts.ts'
import { assay, createHome, everyLine, type Home } from './assay.ts'

/** The facts that `assay check` prints, from an engine that looked them up. */

const NOW_MS = Date.UTC(2026, 10, 16, 12)
const IP = '185.220.101.1'

let service: Service
let home: Home
let env: Record<string, string>
beforeAll(async () => {
  const engine = withFacts(createTestEngine(), (indicator) => {
    if (indicator.kind === 'ip') return { facts: reverseFacts(NOW_MS), live: 'complete' }
    if (indicator.domain === 'fresh-supplier.com') return { facts: freshFacts(NOW_MS), live: 'complete' }
    if (indicator.domain === 'old-supplier.com') return { facts: oldFacts(NOW_MS), live: 'complete' }
    if (indicator.domain === 'late-supplier.com') return { facts: {}, live: 'partial' }
    const facts = freshFacts(NOW_MS)
    const registration = { ...facts.registration!, registrar: 'Evil\u001b[2J\u202e Registrar' }
    return indicator.domain === 'odd-supplier.com'
      ? { facts: { ...facts, registration }, live: 'complete' }
      : { facts: {}, live: 'off' }
  })
  service = await startService({ engine })
})
afterAll(() => service.stop())
beforeEach(async () => {
  const { apiKey } = await service.server.organisation()
  env = { ASSAY_URL: service.server.url, ASSAY_API_KEY: apiKey }
  home = createHome()
  return () => home.remove()
})

const check = (...args: string[]) => assay(['check', ...args], { home, env, now: () => NOW_MS, columns: 200 })

it('prints each fact on a line of its own, aligned, with its date and how long ago that was', async () => {
  const { stdout } = await check('fresh-supplier.com')
  expect(factsIn(stdout)).toEqual([
    '  Age           Very new: 6 days old, registered 2026-11-10',
    '  Changed       5 days ago, 2026-11-11',
    '  Expires       Soon: in 9 days, 2026-11-26',
    '  Registrar     <b onclick="alert(1)">אבג</b> Registrar',
    '  Registry      Unusual: client hold',
    '  Mail          No mail: Cannot receive mail: declared in its DNS; no SPF, no DMARC, so anybody can send mail in its name',
    '  Website       Parked: by Parking Ltd',
    '  Name servers  ns1.parking.example, ns2.parking.example',
    '  Seen          2026-11-14 00:00 to 2026-11-16 11:56 UTC',
  ])
  const old = factsIn((await check('accounts@old-supplier.com')).stdout)
  expect(old).toContain('  Age           28 years old, registered 1998-05-02')
  expect(old).toContain('  Expires       in 13 months, 2027-12-21')
  expect(old).toContain(
    '  Mail          Receives mail at mx1.mail.example, mx2.mail.example, mx3.mail.example and 2 more; SPF that distrusts other servers, DMARC reject',
  )
  expect(old).toContain(
    '  Hosted at     Hosting GmbH (AS24940), Germany: 185.220.101.1, 185.220.101.2; Everything plc (AS15169), Ireland: 2a00:1450::1; Network unknown: 9.9.9.9',
  )
  expect(old.find((line) => line.startsWith('  Certificate '))).toContain(
    'By An Authority, from 2026-10-01 to 2026-12-26',
  )
})

it('shows the network and the reverse name of an IP address', async () => {
  const { stdout } = await check(IP)
  expect(stdout).toContain('  Network       Hosting GmbH (AS24940), Germany\n')
  expect(stdout).toMatch(/^ {2}Reverse name {2}static.*, mail\.hosting\.example, 1 of 2 confirmed$/m)
})

it('says when facts came too late, or when nobody looks', async () => {
  const { stdout } = await check('late-supplier.com', 'quiet-hill-bakery.com', '10.0.0.1')
  const [late = '', off = '', reserved = ''] = stdout.split('\n\n')
  expect(late).toContain('Some facts were not available, or not in time. A new check, charged as usual, may have them.')
  expect(off).toContain('Live look-ups are off on this server.')
  expect(reserved).toMatch(/^NOTHING TO CHECK {2}10\.0\.0\.1\n {2}Private use\.$/)
})

it('lets no escape sequence of a stranger reach the terminal', async () => {
  const { stdout } = await check('odd-supplier.com')
  expect(stdout).toContain('Evil\ufffd[2J\ufffd Registrar')
  expect(stdout).not.toContain('\u001b')
  expect(stdout).not.toContain('\u202e')
})

it('stays within a narrow terminal', async () => {
  const { stdout } = await assay(['check', 'old-supplier.com', IP], { home, env, terminal: true, columns: 40 })
  expect(Math.max(...everyLine(stdout).map((line) => line.length))).toBeLessThanOrEqual(40)
})

it('--json has them as the service gave them', async () => {
  const { stdout } = await check('old-supplier.com', '--json')
  const { facts, coverage } = JSON.parse(stdout)
  expect(coverage.live).toEqual({ status: 'complete' })
  expect(facts.registered).toEqual({ value: '1998-05-02T00:00:00.000Z', seen_at: '2026-11-14T00:00:00.000Z' })
  expect(facts.reverse_dns).toBeNull()
})

/** The lines between what is known and what to do. */
function factsIn(stdout: string): string[] {
  const lines = stdout.split('\n')
  const from = lines.findIndex((line) => line.startsWith('  Age '))
  return lines.slice(
    from,
    lines.findIndex((line) => line.startsWith('  → ')),
  )
}
