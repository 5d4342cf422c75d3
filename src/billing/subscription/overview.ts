/** Organisations as the operator looks for them. */
import type { OrganisationState, StateReason } from '../../access/organisation-state.ts'
import type { SqlQueries } from '../../db/sql.ts'

interface OrganisationRow {
  readonly id: string
  readonly name: string
  readonly state: OrganisationState
  readonly state_reason: StateReason | null
  readonly created_at: number
  readonly plan_id: string
  readonly credit_pence: number
  readonly overage_pence: number
  readonly members: number
}

/** Newest first; the text is looked for in name and id. */
export function findOrganisations(sql: SqlQueries, search: string, limit: number): Promise<OrganisationRow[]> {
  return sql.query<OrganisationRow>(
    `select o.id, o.name, o.state, o.state_reason, o.created_at, a.plan_id, a.included_pence + a.prepaid_pence as credit_pence,
       a.overage_pence, (select count(*) from membership m where m.organisation_id = o.id) as members
     from organisation o join billing_account a on a.organisation_id = o.id
     where $1 = '' or lower(o.name) like $2 or o.id = $1
     order by o.created_at desc, o.id limit $3`,
    [search, `%${search.toLowerCase().replaceAll('%', '').replaceAll('_', '')}%`, limit],
  )
}
