import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('shows the times of answers by method, route and status, in cumulative buckets', async () => {
  const { registry, observeRequest } = createMetrics('1.0.0')
  observeRequest('GET', '/v1/billing', 200, 0.002)
  observeRequest('GET', '/v1/billing', 200, 0.25)
  observeRequest('GET', '/v1/billing', 200, 20)
  observeRequest('GET', '/v1/billing', 404, 0.5)
  const lines = (await registry.getSingleMetricAsString('assay_http_request_seconds')).split('\n')
  const of = (name: string, labels: string) =>
    lines.find((line) => line.startsWith(`assay_http_request_seconds_${name}{${labels}`))?.split(' ')[1]
  const good = 'method="GET",route="/v1/billing",status="200"'
  const buckets = ['0.001', '0.0025', '0.1', '0.25', '10', '+Inf'].map((le) => of('bucket', `le="${le}",${good}`))
  expect(buckets).toEqual(['0', '1', '1', '2', '2', '3'])
  expect([of('count', good), Number(of('sum', good))]).toEqual(['3', 20.252])
  expect(of('count', good.replace('200', '404'))).toBe('1')
})
