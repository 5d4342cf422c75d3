import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBrowser, visit } from '../support/browser.ts'
import { KNOWN } from '../support/engine.ts'
import { type Service, startService } from './service.ts'

/** The built package in a real browser, on a page of another origin than the service. */

const folder = join(import.meta.dirname, '../../sdk/dist')
let browser: Browser
let service: Service
let site: Server
beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Desk</title>')
      return
    }
    response.setHeader('content-type', 'text/javascript')
    response.end(readFileSync(join(folder, normalize(request.url ?? ''))))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  ;[browser, service] = await Promise.all([startBrowser(), startService()])
})
afterAll(async () => {
  await service?.stop()
  site?.close()
})

it('checks one indicator and a list from a page', async () => {
  const { id, apiKey } = await service.server.organisation()
  const { page, complaints, close } = await visit(browser)
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  const found = await page.evaluate<string[]>(`(async () => {
    const { Assay } = await import('/index.js')
    const assay = new Assay({ baseUrl: ${JSON.stringify(service.server.url)}, apiKey: ${JSON.stringify(apiKey)} })
    const { risk } = await assay.supplyChain.check(${JSON.stringify(KNOWN.badDomain)})
    const seen = [risk]
    for await (const record of assay.infrastructure.checkMany(['10.0.0.1', ${JSON.stringify(KNOWN.badIp)}, 'x', '10.0.0.1'])) {
      seen.push(record.error ? record.error.code : record.repeat ? 'repeat' : record.risk)
    }
    return seen
  })()`)
  expect(found).toEqual(['high', 'low', 'high', 'invalid_ip', 'repeat'])
  expect(await service.billedUnits(id)).toBe(3)
  expect(complaints).toEqual([])
  await close()
})
