/** Organisations as the operator looks for them. */
import type { SqlValue } from '../../db/sql.ts'
import { type Organisation, organisations } from '../../identity/organisation/organisations.ts'
import { type AccountReader, readAccounts } from '../ledger/accounts.ts'
import type { Account } from '../ledger/ledger.ts'

export interface OrganisationOverview {
  readonly organisation: Organisation
  /** As it stands now. */
  readonly account: Account
  readonly members: number
}

/** Newest first; the text is looked for in name and id. */
export async function findOrganisations(
  reader: AccountReader,
  { search, limit }: { readonly search: string; readonly limit: number },
): Promise<OrganisationOverview[]> {
  const params: SqlValue[] = [limit]
  // Without a text the newest come straight from the index; with one, the names are read through.
  const wanted =
    search === ''
      ? ''
      : `where lower(o.name) like $${params.push(`%${search.toLowerCase().replaceAll('%', '').replaceAll('_', '')}%`)}
         or o.id = $${params.push(search)}`
  const rows = await reader.sql.query<{ members: number }>(
    `select ${organisations.columns('o')}, (select count(*) from membership m where m.organisation_id = o.id) as members
     from organisation o ${wanted} order by o.created_at desc, o.id desc limit $1`,
    params,
  )
  const found = rows.map((row) => ({ organisation: organisations.fromRow(row), members: row.members }))
  const accountOf = await readAccounts(
    reader,
    found.map(({ organisation }) => organisation.id),
  )
  return found.flatMap((one) => {
    const account = accountOf.get(one.organisation.id)
    return account ? [{ ...one, account }] : []
  })
}
