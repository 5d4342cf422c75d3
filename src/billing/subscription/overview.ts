/** The operator's search for organisations. */
import type { OrganisationState } from '../../access/organisation-state.ts'
import { containsText, type SqlQueries, type SqlValue } from '../../db/sql.ts'
import { reportMaker } from '../../documents/maker.ts'
import { type Organisation, organisations } from '../../identity/organisation/organisations.ts'
import { normaliseSignInEmail } from '../../identity/people/people.ts'
import { invoiceNumberIn } from '../../lib/money-text.ts'
import { type AccountReader, readAccounts } from '../ledger/accounts.ts'

export type OrganisationOverview = Awaited<ReturnType<typeof findOrganisations>>[number]

interface OverviewQuery {
  /** A part of the name, an id, the email address of a member, or the name of an invoice. */
  readonly search: string
  readonly state?: OrganisationState | undefined
  readonly awaitingApproval?: boolean
  readonly limit: number
  readonly after?: Organisation | undefined
}

/** For the documents thread: reading 100,000 names takes longer than a request may hold the serving thread. */
export const organisationSearch = reportMaker(import.meta.url, 'organisationSearch', searchOrganisations)

/** Newest first, with the sum of open invoices that are owed. */
async function searchOrganisations(sql: SqlQueries, query: OverviewQuery) {
  const { search, state, limit, after } = query
  const params: SqlValue[] = [limit]
  const mark = (value: SqlValue) => `$${params.push(value)}`
  const wanted: string[] = []
  const number = invoiceNumberIn(search)
  if (number !== undefined) {
    wanted.push(`o.id in (select organisation_id from invoice where number = ${mark(number)})`)
  } else if (search.includes('@')) {
    const people = `select id from person where email = ${mark(normaliseSignInEmail(search))}`
    wanted.push(`o.id in (select organisation_id from membership where person_id in (${people}))`)
  } else if (search !== '') {
    // Without a search text the newest come from the index; with one, all names are scanned.
    wanted.push(`(${containsText(sql, 'o.name', search, mark)} or o.id = ${mark(search)})`)
  }
  if (state !== undefined) wanted.push(`o.state = ${mark(state)}`)
  if (after) wanted.push(`(o.created_at, o.id) < (${mark(after.created_at)}, ${mark(after.id)})`)
  if (query.awaitingApproval) wanted.push('o.awaiting_approval = 1')
  const rows = await sql.query<{ members: number; owed_pence: number }>(
    `select ${organisations.columns('o')}, (select count(*) from membership m where m.organisation_id = o.id) as members,
       (select cast(coalesce(sum(i.total_pence), 0) as bigint) from invoice i
         where i.organisation_id = o.id and i.state = 'open' and i.in_advance = 0) as owed_pence
     from organisation o ${wanted.length === 0 ? '' : `where ${wanted.join(' and ')}`}
     order by o.created_at desc, o.id desc limit $1`,
    params,
  )
  return rows.map(({ members, owed_pence: owedPence, ...row }) => {
    return { organisation: organisations.fromRow(row), members, owedPence }
  })
}

/** As searchOrganisations, each with its current account. */
export async function findOrganisations(
  reader: AccountReader,
  query: OverviewQuery,
  search = (): ReturnType<typeof searchOrganisations> => searchOrganisations(reader.sql, query),
) {
  const found = await search()
  const ids = found.map(({ organisation }) => organisation.id)
  const accountOf = await readAccounts(reader, ids)
  return found.flatMap((one) => {
    const account = accountOf.get(one.organisation.id)
    return account ? [{ ...one, account }] : []
  })
}
