import type { List, RiskEngine } from '../../src/risk/engine.ts'

/** Opens a list of domains from the body of a bulk request. */
export function openDomains(
  engine: RiskEngine,
  domains: readonly (string | null)[],
  organisationId = 'org_a',
): Promise<List> {
  const body = Buffer.from(JSON.stringify({ domains }))
  return engine.openList('domain', body, { organisationId, records: domains.length })
}

export async function readDomains(...args: Parameters<typeof openDomains>): Promise<List['invalid']> {
  const list = await openDomains(...args)
  list.close()
  return list.invalid
}

export async function evaluateDomains(
  engine: RiskEngine,
  domains: readonly (string | null)[],
  { organisationId = 'org_a', explain = false } = {},
): Promise<string> {
  const list = await openDomains(engine, domains, organisationId)
  try {
    return (await list.evaluate({ explain })).results
  } finally {
    list.close()
  }
}
