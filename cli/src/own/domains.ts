import type { Operations } from '@assay/sdk'
import { type Answer, rowsAnswer } from '../answer.ts'
import { call } from '../client.ts'
import type { Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

type OwnDomain = Operations['POST /v1/organisation/domains']['response']

export async function listDomains(context: Context): Promise<Answer> {
  const { data } = await call(context, 'GET /v1/organisation/domains', { query: { limit: 200 } })
  return rowsAnswer(context, data, 'No domain is claimed yet. Claim one: assay domains add DOMAIN', {
    DOMAIN: ({ domain }) => domain,
    STATE: ({ state }) => state,
    'PROVEN BY': ({ verified_by }) => verified_by,
    FINDING: ({ finding }) => finding,
  })
}

export async function addDomain(context: Context, domain: string): Promise<Answer> {
  const claimed = await call(context, 'POST /v1/organisation/domains', { body: { domain } })
  return { value: claimed, text: () => stateText(claimed) }
}

/** 1 while it is not proven, for a script that waits. */
export async function verifyDomain(context: Context, domain: string): Promise<Answer> {
  const checked = await call(context, 'POST /v1/organisation/domains/{domain}/verify', { path: { domain } })
  return { value: checked, text: () => stateText(checked), exitCode: checked.state === 'verified' ? 0 : 1 }
}

export async function removeDomain(context: Context, domain: string): Promise<Answer> {
  await call(context, 'DELETE /v1/organisation/domains/{domain}', { path: { domain } })
  return { value: { domain, removed: true }, text: () => `${harmless(domain)} is removed.` }
}

function stateText({ domain, state, record, finding }: OwnDomain): string {
  if (state === 'verified') return `${harmless(domain)} is proven to be yours.`
  return [
    ...(finding === null ? [] : [harmless(finding), '']),
    `Publish this ${record.type} record at ${harmless(record.name)}:`,
    '',
    `  ${harmless(record.value)}`,
    '',
    `Then: assay domains verify ${harmless(domain)}`,
  ].join('\n')
}
