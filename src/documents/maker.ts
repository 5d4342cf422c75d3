import type { SqlQueries } from '../db/sql.ts'

/** Makes one kind of document: an export, a long page or a PDF. It runs on the documents thread, by its address. */
export interface Maker<Input, Head> {
  /** The module (`import.meta.url`) that exports this maker, and the name it has there. */
  readonly module: string
  readonly name: string
  /** The same input always gives the same bytes, so they are cached. */
  readonly cached?: true
  /** Input and head travel between threads. */
  make(sql: SqlQueries, input: Input): Promise<Made<Head>>
}

export interface Made<Head> {
  /** Known only when the document is made, such as where its next page begins. */
  readonly head: Head
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Makes a report: the head is the answer, and there are no bytes. */
export const reportMaker = <Input, Head>(
  module: string,
  name: string,
  read: (sql: SqlQueries, input: Input) => Promise<Head>,
): Maker<Input, Head> => ({
  module,
  name,
  make: async (sql, input) => ({ head: await read(sql, input), bytes: new Uint8Array() }),
})
