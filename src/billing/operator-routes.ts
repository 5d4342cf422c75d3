import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql, SqlQueries } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { isOperator } from '../identity/operators.ts'

/** Every organisation, for the people whom the operator lets see them; for anybody else there is nothing here. */
export interface OperatorDependencies {
  readonly sql: Sql
  /** Throws when nobody is signed in. */
  readonly requireSession: (request: FastifyRequest) => Promise<{ readonly person: { readonly id: string } }>
}

const ROWS_MAX = 200
const SEARCH_LENGTH_MAX = 200

interface OrganisationRow {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly created_at: number
  readonly plan_id: string
  readonly credit_pence: number
  readonly overage_pence: number
  readonly members: number
}

export function registerOperatorRoutes(app: FastifyInstance, deps: OperatorDependencies): void {
  app.get('/api/operator/organisations', { schema: { hide: true } as object }, async (request, reply) => {
    const { person } = await deps.requireSession(request)
    if (!(await isOperator(deps.sql, person.id))) {
      throw new Problem('not_found', { detail: 'There is nothing at this path.' })
    }
    const { search } = request.query as { search?: unknown }
    const wanted = typeof search === 'string' ? search.trim().slice(0, SEARCH_LENGTH_MAX) : ''
    const rows = await findOrganisations(deps.sql, wanted, ROWS_MAX + 1)
    return reply.header('cache-control', 'no-store').send({
      data: rows.slice(0, ROWS_MAX).map(({ created_at, plan_id, ...row }) => ({
        ...row,
        plan: plan_id,
        created_at: new Date(created_at).toISOString(),
      })),
      more: rows.length > ROWS_MAX,
    })
  })
}

/** Newest first; the text is looked for in name and id. */
function findOrganisations(sql: SqlQueries, search: string, limit: number): Promise<OrganisationRow[]> {
  return sql.query<OrganisationRow>(
    `select o.id, o.name, o.state, o.created_at, a.plan_id, a.included_pence + a.prepaid_pence as credit_pence,
       a.overage_pence, (select count(*) from membership m where m.organisation_id = o.id) as members
     from organisation o join billing_account a on a.organisation_id = o.id
     where $1 = '' or lower(o.name) like $2 or o.id = $1
     order by o.created_at desc, o.id limit $3`,
    [search, `%${search.toLowerCase().replaceAll('%', '').replaceAll('_', '')}%`, limit],
  )
}
