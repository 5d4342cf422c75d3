import type { Operations } from '@assay/sdk'
import { type AnswerOptions, printAnswer, printRows } from '../answer.ts'
import { connect } from '../client.ts'
import type { Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

/** Domains that the organisation proves to be its own. */

type OwnDomain = Operations['POST /v1/organisation/domains']['response']

export async function listDomains(context: Context, options: AnswerOptions): Promise<void> {
  const { data } = await connect(context).call('GET /v1/organisation/domains', {
    query: { limit: 200 },
  })
  printRows(context, data, options, 'No domain is claimed yet. Claim one: assay domains add DOMAIN', {
    DOMAIN: ({ domain }) => domain,
    STATE: ({ state }) => state,
    'PROVEN BY': ({ verified_by }) => verified_by,
    FINDING: ({ finding }) => finding,
  })
}

export async function addDomain(context: Context, domain: string, options: AnswerOptions): Promise<void> {
  const claimed = await connect(context).call('POST /v1/organisation/domains', {
    body: { domain },
  })
  printAnswer(context, claimed, options, () => stateText(claimed))
}

/** 1 while it is not proven, for a script that waits. */
export async function verifyDomain(context: Context, domain: string, options: AnswerOptions): Promise<number> {
  const checked = await connect(context).call('POST /v1/organisation/domains/{domain}/verify', {
    path: { domain },
  })
  printAnswer(context, checked, options, () => stateText(checked))
  return checked.state === 'verified' ? 0 : 1
}

export async function removeDomain(context: Context, domain: string, options: AnswerOptions): Promise<void> {
  const path = { domain }
  await connect(context).call('DELETE /v1/organisation/domains/{domain}', { path })
  printAnswer(context, { domain, removed: true }, options, () => `${harmless(domain)} is removed.\n`)
}

function stateText({ domain, state, record, finding }: OwnDomain): string {
  if (state === 'verified') return `${harmless(domain)} is proven to be yours.\n`
  return [
    ...(finding === null ? [] : [harmless(finding), '']),
    `Publish this ${record.type} record at ${harmless(record.name)}:`,
    '',
    `  ${harmless(record.value)}`,
    '',
    `Then: assay domains verify ${harmless(domain)}`,
    '',
  ].join('\n')
}
