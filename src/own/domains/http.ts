import Type from 'typebox'
import { callerOf } from '../../access/gate.ts'
import { conflict } from '../../errors.ts'
import { change, list, type Operation, type OperationDependencies, oneOf, operation } from '../../http/operation.ts'
import { jsonResponse, noContent, TextOrNull, Time, TimeOrNull, withSample } from '../../http/schema.ts'
import type { DnsResolver } from '../../live/dns/resolver.ts'
import { READING_OWN, tellOthers } from '../counterparties/http.ts'
import {
  claimDomain,
  DOMAIN_STATES,
  listDomains,
  lookUpProof,
  PROOFS,
  removeDomain,
  requireDomain,
  verifyDomain,
} from './domains.ts'
import { domainView } from './view.ts'

/** Not sensitive: a claim is worth nothing without its record in the DNS. */
const CLAIMING = { scope: 'organisation:write', problems: ['conflict'] } as const

export interface DomainDependencies extends OperationDependencies {
  /** Absent where look-ups are off. */
  readonly resolver?: Pick<DnsResolver, 'ask'> | undefined
}

const { schema, sample } = withSample('OwnDomain', {
  domain: [Type.String({ description: 'The domain, in A-labels.' }), 'company.example'],
  state: [oneOf(DOMAIN_STATES), 'pending'],
  record: [
    Type.Object(
      { type: oneOf(['TXT']), name: Type.String(), value: Type.String() },
      { description: 'The DNS record that proves it.' },
    ),
    { type: 'TXT', name: 'company.example', value: 'assay-verification=3bCdEfGhIjKlMnOpQrSt3bCdEfGhIjKl' },
  ],
  verified_by: [
    Type.Union([oneOf(PROOFS), Type.Null()], { description: 'dns: the record. operator: the operator’s word.' }),
    null,
  ],
  verified_at: [TimeOrNull('When it was proven.'), null],
  checked_at: [TimeOrNull('When the record was last looked up.'), null],
  finding: [TextOrNull('Why the last look-up proved nothing; null if it did.'), null],
  created_at: [Time('When it was claimed.'), '2026-03-02T10:15:30.000Z'],
})

export function domainOperations(deps: DomainDependencies): Operation[] {
  const { sql, resolver } = deps
  const after = tellOthers(deps)
  return [
    list(deps, {
      ...READING_OWN,
      name: 'GET /v1/organisation/domains',
      id: 'listDomains',
      summary: 'List the own domains',
      about: 'A page of domains, in the order they were claimed.',
      schema,
      sample,
      read: (organisationId, page) => listDomains(sql, organisationId, page),
      view: domainView,
    }),
    operation({
      ...READING_OWN,
      name: 'GET /v1/organisation/domains/{domain}',
      id: 'readDomain',
      summary: 'Read one own domain',
      answers: { 200: jsonResponse('The domain.', schema, sample) },
      handle: async ({ caller, params }) => domainView(await requireDomain(sql, caller.organisationId, params.domain)),
    }),
    change({
      ...CLAIMING,
      name: 'POST /v1/organisation/domains',
      id: 'claimDomain',
      summary: 'Claim a domain as your own',
      description:
        'Publish the TXT record of the answer, then verify. Names that imitate a proven domain are high in your checks. Several organisations may prove the same domain.',
      body: Type.Object(
        { domain: Type.String({ minLength: 1, maxLength: 1024 }) },
        { additionalProperties: false, examples: [{ domain: 'company-of-ours.com' }] },
      ),
      answers: { 201: jsonResponse('The claim, with the record to publish.', schema, sample) },
      handle: async (tx, { actor, body }) => ({
        status: 201,
        body: domainView(await claimDomain(tx, actor, body.domain)),
      }),
    }),
    change({
      ...CLAIMING,
      name: 'POST /v1/organisation/domains/{domain}/verify',
      id: 'verifyDomain',
      summary: 'Look up the record of a claimed domain',
      description:
        'Answers the state after the look-up; `finding` says why it proved nothing. A proven domain whose record is gone is pending again.',
      answers: { 200: jsonResponse('The domain.', schema, sample) },
      async prepare({ params, request }) {
        const { organisationId } = callerOf(request)
        const { domain } = await requireDomain(sql, organisationId, params.domain)
        if (resolver) return lookUpProof(resolver, domain, organisationId)
        throw conflict('This server makes no look-ups. Ask its operator to verify the domain: assayd org verify-domain')
      },
      handle: async (tx, { actor, params, prepared }) => ({
        status: 200,
        body: domainView(await verifyDomain(tx, actor, params.domain, prepared)),
      }),
      after,
    }),
    change({
      ...CLAIMING,
      name: 'DELETE /v1/organisation/domains/{domain}',
      id: 'removeDomain',
      summary: 'Remove an own domain',
      answers: { 204: noContent('Removed.') },
      handle: (tx, { actor, params }) => removeDomain(tx, actor, params.domain),
      after,
    }),
  ]
}
