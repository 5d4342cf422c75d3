import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { StorePlace } from '../support/stores.ts'

/** Credentials that the server of the earlier version issued, so that a test can use them after the upgrade. */
export interface Handed {
  readonly secret: string
  readonly madeAt: string
  /** By plan. */
  readonly organisations: Record<string, { readonly id: string; readonly apiKey: string }>
  /** A key with every scope. */
  readonly everything: { readonly organisationId: string; readonly apiKey: string }
  readonly replacedKey: string
  readonly replacement: string
  readonly endedKey: string
  readonly disabledKey: string
  readonly idempotent: { readonly key: string; readonly apiKey: string; readonly sent: object; readonly answer: object }
  readonly operator: { readonly email: string; readonly password: string }
  readonly session: string
  readonly service: { readonly clientId: string; readonly clientSecret: string; readonly accessToken: string }
  readonly web: {
    readonly clientId: string
    readonly clientSecret: string
    readonly accessToken: string
    readonly refreshToken: string
  }
  readonly invitation: string
  readonly checkouts: Readonly<Record<string, unknown>>
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

export const handedOut = (engine: StorePlace['engine']): Handed => JSON.parse(read(`1.0.0.${engine}.json`))

/** Puts the database of 1.0.0 into an empty place. */
export async function putReleased(place: StorePlace): Promise<void> {
  const dump = read(`1.0.0.${place.engine}.sql`)
  if (place.engine === 'sqlite') {
    const database = new DatabaseSync(place.file)
    database.exec(`begin; ${dump} commit`)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  await client.query(dump)
  await client.end()
}
