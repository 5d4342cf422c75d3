/**
 * A transaction as data: rounds of statements, each round sent together, the last round together with the commit. The
 * code between the rounds waits for nothing, so the holder of the connection can run all of it. On SQLite the holder is
 * another thread, and a transaction is one message each way instead of one per round.
 */
export type SqlValue = string | number | null | Uint8Array

export interface SqlQueries {
  readonly engine: 'sqlite' | 'postgres'
  query<Row extends object = Record<string, SqlValue>>(text: string, params?: readonly SqlValue[]): Promise<Row[]>
}

export interface SqlTransaction extends SqlQueries {
  /** Appended to a `select` to lock the rows read; empty on SQLite, where a transaction is the only writer. */
  readonly forUpdate: string
  /** Like forUpdate, but skips rows locked by another transaction instead of waiting. */
  readonly forUpdateSkipLocked: string
}

export interface Statement {
  readonly text: string
  readonly params: readonly SqlValue[]
}

export type Rows = Record<string, SqlValue>[]

/** How the engines differ inside a transaction. */
export type Dialect = Pick<SqlTransaction, 'engine' | 'forUpdate' | 'forUpdateSkipLocked'>

/** Yields a round and gets its rows, statement by statement; returns the last round, whose rows nobody reads. */
export type Rounds<Output> = Generator<readonly Statement[], LastRound<Output>, readonly Rows[]>

export interface LastRound<Output> {
  readonly last: readonly Statement[]
  readonly output: Output
}

/** Input and output must fit JSON: they travel between threads, fastest as text. */
export interface Routine<Input, Output> {
  /** The module (`import.meta.url`) that exports this routine, and the name it has there. */
  readonly module: string
  readonly name: string
  /** Fields with long texts. They travel beside the JSON, which would escape every quote in them for each batch. */
  readonly apart?: readonly (keyof Input & string)[]
  /** How the output travels between threads; default JSON. */
  readonly format?: { write(output: Output): string; read(text: string): Output }
  /** May be called again after a serialization failure. */
  start(input: Input, dialect: Dialect): Rounds<Output>
  /** How several waiting inputs become one transaction with one commit. Without it each has its own. */
  readonly joining?: Joining<Input, Output>
}

export interface Joining<Input, Output> {
  /** One input for all of them; undefined when they cannot be joined. */
  join(inputs: readonly Input[]): Input | undefined
  /** The output of each input, in their order. */
  part(output: Output, inputs: readonly Input[]): Output[]
}

/** Cuts a joint result into lists of these lengths. */
export function inParts<T>(all: readonly T[], lengths: readonly number[]): T[][] {
  let from = 0
  return lengths.map((length) => {
    from += length
    return all.slice(from - length, from)
  })
}

/** Runs the rounds in a transaction, up to the last one. */
export async function driveRounds<Input, Output>(tx: SqlTransaction, routine: Routine<Input, Output>, input: Input) {
  const rounds = routine.start(input, tx)
  let step = rounds.next()
  while (!step.done) {
    step = rounds.next(await Promise.all(step.value.map(({ text, params }) => tx.query(text, params))))
  }
  return step.value
}

/** Sends all statements together. */
export async function runStatements(tx: SqlTransaction, statements: readonly Statement[]): Promise<void> {
  await Promise.all(statements.map(({ text, params }) => tx.query(text, params)))
}
