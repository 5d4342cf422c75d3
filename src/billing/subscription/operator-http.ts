import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { isOperator } from '../../identity/people/operators.ts'
import { iso } from '../../lib/time-text.ts'
import type { AccountReader } from '../ledger/accounts.ts'
import { findOrganisations } from './overview.ts'

/** Every organisation, for the people whom the operator lets see them; for anybody else there is nothing here. */
export interface OperatorDependencies extends AccountReader {
  /** Throws when nobody is signed in. */
  readonly requireSession: (request: FastifyRequest) => Promise<{ readonly person: { readonly id: string } }>
}

const ROWS_MAX = 200
const SEARCH_LENGTH_MAX = 200

export function registerOperatorRoutes(app: FastifyInstance, deps: OperatorDependencies): void {
  app.get('/api/operator/organisations', { schema: { hide: true } as object }, async (request, reply) => {
    const { person } = await deps.requireSession(request)
    if (!(await isOperator(deps.sql, person.id))) {
      throw new Problem('not_found', { detail: 'There is nothing at this path.' })
    }
    const { search } = request.query as { search?: unknown }
    const wanted = typeof search === 'string' ? search.trim().slice(0, SEARCH_LENGTH_MAX) : ''
    const rows = await findOrganisations(deps, { search: wanted, limit: ROWS_MAX + 1 })
    return reply.header('cache-control', 'no-store').send({
      data: rows.slice(0, ROWS_MAX).map(({ organisation, account, members }) => ({
        id: organisation.id,
        name: organisation.name,
        state: organisation.state,
        state_reason: organisation.state_reason,
        plan: account.planId,
        credit_pence: account.includedPence + account.prepaidPence,
        overage_pence: account.overagePence,
        members,
        created_at: iso(organisation.created_at),
      })),
      more: rows.length > ROWS_MAX,
    })
  })
}
