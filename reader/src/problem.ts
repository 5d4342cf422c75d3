/** Why a list cannot be read, as a sentence for its owner. With a line it begins in lower case: "line 3: …". */
export class ListProblem extends Error {
  constructor(message: string, line?: number) {
    super(line === undefined ? message : `line ${line}: ${message}`)
    this.name = 'ListProblem'
  }
}

export const tooManyRows = (rowsMax: number) =>
  new ListProblem(
    `This list has more than ${rowsMax.toLocaleString('en-GB')} rows. Split it, or use the command line, which accepts CSV of any length.`,
  )
