import type { Operations } from '@assay/sdk'
import { type AnswerOptions, printAnswer } from '../answer.ts'
import { connect } from '../client.ts'
import type { Context } from '../context.ts'
import { harmless, tabulate } from '../terminal/paint.ts'

/** Domains that the organisation proves to be its own. */

type OwnDomain = Operations['POST /v1/organisation/domains']['response']

export async function listDomains(context: Context, options: AnswerOptions): Promise<void> {
  const { data } = await connect(context).assay.call('GET /v1/organisation/domains', {
    query: { limit: 200 },
    signal: context.interrupted,
  })
  printAnswer(context, data, options, () => {
    if (data.length === 0) return 'No domain is claimed yet. Claim one: assay domains add DOMAIN\n'
    const rows = data.map(({ domain, state, verified_by, finding }) => [
      harmless(domain),
      state,
      verified_by ?? '-',
      harmless(finding ?? '-'),
    ])
    return `${tabulate(['DOMAIN', 'STATE', 'PROVEN BY', 'FINDING'], rows, context.stdout.columns)}\n`
  })
}

export async function addDomain(context: Context, domain: string, options: AnswerOptions): Promise<void> {
  const claimed = await connect(context).assay.call('POST /v1/organisation/domains', {
    body: { domain },
    signal: context.interrupted,
  })
  printAnswer(context, claimed, options, () => stateText(claimed))
}

/** 1 while it is not proven, for a script that waits. */
export async function verifyDomain(context: Context, domain: string, options: AnswerOptions): Promise<number> {
  const checked = await connect(context).assay.call('POST /v1/organisation/domains/{domain}/verify', {
    path: { domain },
    signal: context.interrupted,
  })
  printAnswer(context, checked, options, () => stateText(checked))
  return checked.state === 'verified' ? 0 : 1
}

export async function removeDomain(context: Context, domain: string, options: AnswerOptions): Promise<void> {
  const path = { domain }
  await connect(context).assay.call('DELETE /v1/organisation/domains/{domain}', { path, signal: context.interrupted })
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
