/** Why a list cannot be read, as a sentence for its owner. With a line it begins in lower case: "line 3: …". */
export class ListProblem extends Error {
  constructor(message: string, line?: number) {
    super(line === undefined ? message : `line ${line}: ${message}`)
    this.name = 'ListProblem'
  }
}

/** How long a list may be in the place where it is read, and what its owner can do there with a longer one. */
export interface ListBounds {
  /** Without the titles. */
  readonly rowsMax: number
  readonly otherwise: string
}

export const tooManyRows = ({ rowsMax, otherwise }: ListBounds) =>
  new ListProblem(`This list has more than ${rowsMax.toLocaleString('en-GB')} rows. ${otherwise}`)
