/** The operator's search for organisations. */
import type { OrganisationState } from '../../access/organisation-state.ts'
import type { SqlValue } from '../../db/sql.ts'
import { type Organisation, organisations } from '../../identity/organisation/organisations.ts'
import { type AccountReader, readAccounts } from '../ledger/accounts.ts'
import type { Account } from '../ledger/ledger.ts'

export interface OrganisationOverview {
  readonly organisation: Organisation
  /** As it stands now. */
  readonly account: Account
  readonly members: number
  /** Sum of open invoices that are owed. */
  readonly owedPence: number
}

export interface OverviewQuery {
  /** Searched in name and id. */
  readonly search: string
  readonly state?: OrganisationState | undefined
  readonly awaitingApproval?: boolean
  readonly limit: number
}

/** Newest first. */
export async function findOrganisations(reader: AccountReader, query: OverviewQuery): Promise<OrganisationOverview[]> {
  const { search, state, limit } = query
  const params: SqlValue[] = [limit]
  const mark = (value: SqlValue) => `$${params.push(value)}`
  const wanted: string[] = []
  // Without a search text the newest come from the index; with one, all names are scanned.
  if (search !== '') {
    const part = `%${search.toLowerCase().replaceAll('%', '').replaceAll('_', '')}%`
    wanted.push(`(lower(o.name) like ${mark(part)} or o.id = ${mark(search)})`)
  }
  if (state !== undefined) wanted.push(`o.state = ${mark(state)}`)
  if (query.awaitingApproval) wanted.push('o.awaiting_approval = 1')
  const rows = await reader.sql.query<{ members: number; owed_pence: number }>(
    `select ${organisations.columns('o')}, (select count(*) from membership m where m.organisation_id = o.id) as members,
       (select cast(coalesce(sum(i.total_pence), 0) as bigint) from invoice i
         where i.organisation_id = o.id and i.state = 'open' and i.in_advance = 0) as owed_pence
     from organisation o ${wanted.length === 0 ? '' : `where ${wanted.join(' and ')}`}
     order by o.created_at desc, o.id desc limit $1`,
    params,
  )
  const accountOf = await readAccounts(
    reader,
    rows.map((row) => organisations.fromRow(row).id),
  )
  return rows.flatMap((row) => {
    const organisation = organisations.fromRow(row)
    const account = accountOf.get(organisation.id)
    return account ? [{ organisation, account, members: row.members, owedPence: row.owed_pence }] : []
  })
}
