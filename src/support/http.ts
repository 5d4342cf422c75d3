import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { KIND_OF_CALLER } from '../access/actor.ts'
import { notFound } from '../errors.ts'
import { type OperationDependencies, oneOf, operation, registerOperations } from '../http/operation.ts'
import { orNull, type PageOperation, pageOperation } from '../http/page-operation.ts'
import { Count, jsonResponse, named, PenceOrNull, TextLike, TextOrNull, Time } from '../http/schema.ts'
import { NO_SUCH_REQUEST, type RequestNotes } from './requests.ts'

export interface SupportDependencies {
  readonly requests: Pick<RequestNotes, 'find'>
}

const TextOr = (sample: string, description: string) =>
  orNull(Type.String(), { description: `${description} or null.`, examples: [sample] })

const RequestSchema = named('AnsweredRequest', {
  id: TextLike('req_Xk29fPq0LmZt00000001'),
  at: Time('When it arrived.', '2026-03-02T10:15:30.000Z'),
  organisation_id: TextOr('org_0Fv3kQ2mNpQrStUvWxYz', 'The organisation of the credential,'),
  called_by: orNull(oneOf(Object.values(KIND_OF_CALLER)), { examples: ['api_key'] }),
  credential_id: TextOr('key_9aBcDeFgHiJkLmNoPqRs', 'API key, application or person,'),
  person_id: TextOrNull('The person who acted, also through an application.'),
  method: TextLike('POST'),
  route: TextLike('/v1/payment-risk', 'Path with the names of its parameters.'),
  status: Count(402),
  code: TextOr('credit_exhausted', 'Problem code of a refusal,'),
  price_pence: PenceOrNull('Price of a check; null if it charged nothing.'),
  duration_ms: Count(4),
})

/** `organisationId`: only a request of this organisation. */
async function requireRequest({ requests }: SupportDependencies, id: string, organisationId?: string) {
  const found = await requests.find(id)
  if (found && (organisationId ?? found.organisation_id) === found.organisation_id) return found
  throw notFound(NO_SUCH_REQUEST)
}

export function registerSupport(app: FastifyInstance, deps: OperationDependencies & SupportDependencies): void {
  registerOperations(app, deps, [
    operation({
      name: 'GET /v1/requests/{request_id}',
      id: 'findRequest',
      summary: 'Find a request by its id',
      description: 'Every answered request of the organisation, also a refused one, is found for 30 days.',
      scope: 'organisation:read',
      answers: { 200: jsonResponse('The request.', RequestSchema) },
      handle: ({ caller, params }) => requireRequest(deps, params.request_id, caller.organisationId),
    }),
  ])
}

/** Requests of every organisation, for the operator. */
export function supportPages(deps: SupportDependencies): PageOperation[] {
  return [
    pageOperation({
      name: 'GET /api/operator/requests/{request_id}',
      access: 'operator',
      answer: RequestSchema,
      handle: ({ params }) => requireRequest(deps, params.request_id),
    }),
  ]
}
