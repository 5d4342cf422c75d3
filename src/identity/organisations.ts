import type { OrganisationState } from '../access/organisation-state.ts'
import type { SqlQueries } from '../db/sql.ts'
import { newId } from '../lib/ids.ts'

export interface Organisation {
  readonly id: string
  readonly name: string
  readonly state: OrganisationState
  readonly created_at: number
  readonly updated_at: number
}

const COLUMNS = 'id, name, state, created_at, updated_at'

/** A name a person can read in a list: 1 to 200 visible characters. */
export function organisationNameProblem(name: string): string | undefined {
  const length = [...name.trim()].length
  if (length === 0) return 'is empty'
  if (length > 200) return 'is longer than 200 characters'
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return 'holds a control character'
  return undefined
}

export async function createOrganisation(
  sql: SqlQueries,
  input: { readonly name: string; readonly nowMs: number },
): Promise<Organisation> {
  const rows = await sql.query<Organisation>(
    `insert into organisation (${COLUMNS}) values ($1, $2, 'active', $3, $3) returning ${COLUMNS}`,
    [newId('org'), input.name.trim(), input.nowMs],
  )
  return rows[0]!
}

export async function listOrganisations(sql: SqlQueries): Promise<Organisation[]> {
  return sql.query<Organisation>(`select ${COLUMNS} from organisation order by created_at, id`)
}

export async function findOrganisation(sql: SqlQueries, id: string): Promise<Organisation | undefined> {
  const rows = await sql.query<Organisation>(`select ${COLUMNS} from organisation where id = $1`, [id])
  return rows[0]
}

/** Sets the state; undefined when there is no such organisation. */
export async function setOrganisationState(
  sql: SqlQueries,
  input: { readonly id: string; readonly state: OrganisationState; readonly nowMs: number },
): Promise<Organisation | undefined> {
  const rows = await sql.query<Organisation>(
    `update organisation set state = $2, updated_at = $3 where id = $1 returning ${COLUMNS}`,
    [input.id, input.state, input.nowMs],
  )
  return rows[0]
}

export async function renameOrganisation(
  sql: SqlQueries,
  input: { readonly id: string; readonly name: string; readonly nowMs: number },
): Promise<Organisation> {
  const rows = await sql.query<Organisation>(
    `update organisation set name = $2, updated_at = $3 where id = $1 returning ${COLUMNS}`,
    [input.id, input.name.trim(), input.nowMs],
  )
  return rows[0]!
}
